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
    number = ""
    for game in games:
        number = game_collections.add(store, player, number, game, 2, NOW)
    made = game_collections.read(store, number, player)[0]
    entries: list[Entry] = [{**one, "remark": "Look <here>"} for one in made["entries"]]
    given: Collection = {**made, "title": title, "text": "One\n\nTwo", "public": public, "entries": entries}
    game_collections.change(store, player, number, given, NOW)
    return game_collections.read(store, number, player)[0]


def games_of(store: Store, made: Collection, reader: Player | None) -> list[str]:
    shown, games = game_collections.read(store, made["id"], reader)
    assert reader is not None or [one["game"] for one in shown["entries"]] == list(games)
    return list(games)


def titles(store: Store, reader: Player | None) -> list[str]:
    found, number = game_collections.listing(store, reader, 1, 20)
    assert number == len(found)
    return [one["title"] for one in found]


def test_public_ones_are_listed_and_the_others_are_for_who_has_the_address(match: Start) -> None:
    m = over(match)
    cleo = author(m.store)
    make(m.store, cleo, m.id)
    hidden = make(m.store, cleo, m.id, public=False, title="For my class")
    assert titles(m.store, None) == titles(m.store, m.players[0]) == titles(m.store, cleo) == ["A course"]
    assert sorted(one["title"] for one in game_collections.of_author(m.store, cleo)) == ["A course", "For my class"]
    [entry] = game_collections.read(m.store, hidden["id"], None)[0]["entries"]
    assert entry == {"game": m.id, "ply": 2, "remark": "Look <here>"}
    contacts.put(m.store, m.players[0], cleo.id, contacts.MUTED, NOW)
    assert titles(m.store, m.players[0]) == []
    banning.ban(m.store, cleo.id, NOW)
    assert titles(m.store, None) == []
    with pytest.raises(NotFound):
        game_collections.read(m.store, hidden["id"], None)


def test_a_private_game_is_told_to_nobody_else(match: Start) -> None:
    """Neither by the page, nor by the file that goes from hand to hand. Nor can anybody put a game into one that they
    may not watch."""
    m, seen = over(match, private=True), over(match)
    ann, cleo = author(m.store, m.players[0]), make_player(m.store, "Cleo")
    made = make(m.store, ann, m.id, seen.id)
    assert games_of(m.store, made, ann) == games_of(m.store, made, m.players[1]) == [m.id, seen.id]
    assert games_of(m.store, made, cleo) == games_of(m.store, made, None) == [seen.id]
    assert m.id not in str(game_collections.read(m.store, made["id"], cleo))
    file = b"".join(exports.collection(m.store, made["id"], "light", "en")).decode()
    assert file.count("<iframe") == 1
    assert m.id not in file
    assert "author@example.org" not in file
    other = give_address(m.store, cleo, "cleo@example.org")
    running = match()
    for game in (m.id, running.id, "nothing"):
        with pytest.raises(NotFound):
            make(m.store, other, game)
    assert game_collections.of_author(m.store, other) == []


def test_the_file_is_made_anew_when_anything_in_it_changes(match: Start) -> None:
    m = over(match)
    cleo = author(m.store)
    made = make(m.store, cleo, m.id)
    pages = set()
    for remark in ("one", "two"):
        made["entries"][0]["remark"] = remark
        game_collections.change(m.store, cleo, made["id"], made, NOW)
        pages.add(b"".join(exports.collection(m.store, made["id"], "light", "en")))
    assert len(pages) == 2


def test_who_makes_and_changes_them(match: Start) -> None:
    m = over(match)
    cleo = author(m.store)
    with pytest.raises(Forbidden):
        make(m.store, m.players[0], m.id)  # no address
    made = make(m.store, cleo, m.id)
    assert game_collections.add(m.store, cleo, made["id"], m.id, 2, NOW) == made["id"]
    assert len(game_collections.read(m.store, made["id"], None)[0]["entries"]) == 1
    used = stored_bytes.usage(m.store, cleo)[0]
    assert used > len("A courseOneTwo")
    far: Entry = {"game": m.id, "ply": m.page(None)["ply"] + 1, "remark": ""}
    for wrong in ([far], [far] * (quotas.ENTRIES_OF_COLLECTION + 1)):
        with pytest.raises(Unprocessable):
            game_collections.change(m.store, cleo, made["id"], {**made, "entries": wrong}, NOW)
    with pytest.raises(Forbidden):
        game_collections.change(m.store, m.players[0], made["id"], made, NOW)
    with pytest.raises(Forbidden):
        game_collections.add(m.store, m.players[0], made["id"], m.id, 1, NOW)
    with pytest.raises(Forbidden):
        game_collections.delete(m.store, m.players[0], made["id"])
    sql_gone(m)
    # A game that is gone keeps nobody from changing the rest.
    assert len(game_collections.read(m.store, made["id"], cleo)[0]["entries"]) == 1
    assert game_collections.read(m.store, made["id"], None)[0]["entries"] == []
    game_collections.change(m.store, cleo, made["id"], {**made, "title": "T", "text": ""}, NOW)
    assert game_collections.read(m.store, made["id"], None)[0]["title"] == "T"
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
    make(m.store, cleo, m.id)
    with pytest.raises(Conflict):
        make(m.store, cleo, m.id)


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
