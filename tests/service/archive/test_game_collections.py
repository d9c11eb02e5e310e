"""Collections of replays: who makes and reads them, what is left out, what they take, and what becomes of them."""

import pytest

from server.service.accounts import contacts, stored_bytes
from server.service.accounts.players import Player
from server.service.admin import banning
from server.service.archive import game_collections
from server.service.archive.game_collections import Collection, Entry
from server.service.common import quotas
from server.service.common.errors import Conflict, Forbidden, NotFound, Unprocessable
from server.service.erasure import deletion, personal_export
from server.service.views import exports
from server.storage import sql
from server.storage.database import Store
from tests.service.conftest import NOW, Match, Start, give_address, make_player


def author(store: Store, player: Player | None = None) -> Player:
    return give_address(store, player or make_player(store, "Cleo"), "author@example.org")


def over(match: Start, private: bool = False, turns: int = 3) -> Match:
    m = match(private=private)
    for _ in range(turns):
        m.play_turn()
    m.end_early()
    return m


def make(store: Store, player: Player, *games: str, public: bool = True, title: str = "A course") -> Collection:
    entries: list[Entry] = [{"game": game, "ply": 2, "remark": "Look <here>"} for game in games]
    return game_collections.create(store, player, title, "One\n\nTwo", public, entries, NOW)


def titles(store: Store, reader: Player | None, of: str | None = None) -> list[str]:
    found, number = game_collections.listing(store, reader, of)
    assert number == len(found)
    return [one["title"] for one in found]


def test_public_ones_are_listed_and_the_others_are_for_who_has_the_address(match: Start) -> None:
    m = over(match)
    cleo = author(m.store)
    make(m.store, cleo, m.id)
    hidden = make(m.store, cleo, m.id, public=False, title="For my class")
    assert titles(m.store, None) == titles(m.store, m.players[0], cleo.id) == ["A course"]
    assert sorted(titles(m.store, cleo, cleo.id)) == ["A course", "For my class"]
    assert titles(m.store, cleo) == ["A course"]
    [entry] = game_collections.read(m.store, hidden["id"], None)["entries"]
    assert (entry["game"], entry["ply"], entry["remark"]) == (m.id, 2, "Look <here>")
    assert entry["replay"] is not None
    contacts.put(m.store, m.players[0], cleo.id, contacts.MUTED, NOW)
    assert titles(m.store, m.players[0]) == []
    banning.ban(m.store, cleo.id, NOW)
    assert titles(m.store, None) == []
    with pytest.raises(NotFound):
        game_collections.read(m.store, hidden["id"], None)


def test_a_private_game_is_told_to_nobody_else(match: Start) -> None:
    """Nor can anybody put a game into one that they may not watch."""
    m = over(match, private=True)
    ann, cleo = author(m.store, m.players[0]), make_player(m.store, "Cleo")
    made = make(m.store, ann, m.id)
    assert len(made["entries"]) == 1
    told = game_collections.read(m.store, made["id"], cleo)
    assert told["entries"] == []
    assert m.id not in str(told)
    assert m.id not in b"".join(exports.collection(m.store, told, "light", "en", cleo)).decode()
    other = give_address(m.store, cleo, "cleo@example.org")
    running = match()
    for game in (m.id, running.id, "nothing"):
        with pytest.raises(NotFound):
            make(m.store, other, game)


def test_a_page_that_was_made_for_one_reader_is_not_that_of_another(match: Start) -> None:
    """Each sees one of two private games that are called alike, with players who are."""
    m, other = over(match, private=True), over(match, private=True, turns=4)
    with m.store.write():
        sql.execute(m.store, "UPDATE seat SET player_id = ? WHERE seat = 0 AND game_id = ?", m.players[0].id, other.id)
    made = make(m.store, author(m.store, m.players[0]), m.id, other.id)
    pages = set()
    for game, reader in ((m.id, m.players[1]), (other.id, other.players[1])):
        told = game_collections.read(m.store, made["id"], reader)
        [entry] = told["entries"]
        assert entry["game"] == game
        pages.add(b"".join(exports.collection(m.store, told, "light", "en", reader)))
    assert len(pages) == 2


def test_who_makes_and_changes_them(match: Start) -> None:
    m = over(match)
    cleo = author(m.store)
    with pytest.raises(Forbidden):
        make(m.store, m.players[0], m.id)  # no address
    made = make(m.store, cleo, m.id)
    used = stored_bytes.usage(m.store, cleo)[0]
    assert used > len("A courseOneTwo")
    far: Entry = {"game": m.id, "ply": m.page(None)["ply"] + 1, "remark": ""}
    for wrong in ([far], [far] * (quotas.ENTRIES_OF_COLLECTION + 1)):
        with pytest.raises(Unprocessable):
            game_collections.change(m.store, cleo, made["id"], "T", "", True, wrong, NOW)
    with pytest.raises(Forbidden):
        game_collections.change(m.store, m.players[0], made["id"], "T", "", True, [], NOW)
    with pytest.raises(Forbidden):
        game_collections.delete(m.store, m.players[0], made["id"])
    sql_gone(m)
    # A game that is gone keeps nobody from changing the rest.
    [entry] = game_collections.read(m.store, made["id"], cleo)["entries"]
    assert entry["replay"] is None
    assert game_collections.read(m.store, made["id"], None)["entries"] == []
    kept: list[Entry] = [{"game": entry["game"], "ply": entry["ply"], "remark": ""}]
    assert game_collections.change(m.store, cleo, made["id"], "T", "", True, kept, NOW)["title"] == "T"
    assert stored_bytes.usage(m.store, cleo)[0] < used
    game_collections.delete(m.store, cleo, made["id"])
    assert stored_bytes.usage(m.store, cleo)[0] == 0


def sql_gone(m: Match) -> None:
    with m.store.write():
        sql.execute(m.store, "DELETE FROM game WHERE id = ?", m.id)


def test_there_is_an_end(match: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    m = over(match)
    cleo = author(m.store)
    monkeypatch.setattr(game_collections, "COLLECTIONS_PER_PLAYER", 1)
    make(m.store, cleo)
    with pytest.raises(Conflict):
        make(m.store, cleo)


def test_they_go_with_their_author_or_by_the_operator(match: Start) -> None:
    m = over(match)
    cleo = author(m.store)
    made, other = make(m.store, cleo, m.id), make(m.store, cleo, m.id, title="Another")
    exported = personal_export.export(m.store, cleo, NOW)["collections"]
    assert {(one["title"], str(one["entries"][0]["remark"])) for one in exported} == {
        ("A course", "Look <here>"),
        ("Another", "Look <here>"),
    }
    assert game_collections.remove_as_operator(m.store, other["id"], NOW) == "Another"
    assert sql.value(m.store, "SELECT player_id FROM audit WHERE what = 'operator_removed_collection'") == cleo.id
    deletion.delete_account(m.store, cleo, NOW)
    with pytest.raises(NotFound):
        game_collections.read(m.store, made["id"], None)
