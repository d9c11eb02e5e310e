"""Comments on finished games: who writes, who reads, what is not told beforehand, and what becomes of them."""

import pytest

from server.service.accounts import contacts, stored_bytes
from server.service.accounts.players import Player
from server.service.admin import banning
from server.service.archive import comments
from server.service.common import quotas
from server.service.common.errors import Conflict, Forbidden, NotFound, TooManyRequests, Unprocessable
from server.service.erasure import deletion, personal_export
from server.service.seating.example_game import EXAMPLE_ID, ensure_example
from server.storage import sql
from server.storage.database import Store
from tests.service.conftest import NOW, Match, Start, give_address, make_player


def over(match: Start, private: bool = False) -> Match:
    m = match(private=private)
    m.play_turn()
    m.end_early()
    return m


def stranger(store: Store, name: str = "Cleo") -> Player:
    return give_address(store, make_player(store, name), f"{name.lower()}@example.org")


def write(m: Match, player: Player, ply: int = 1, text: str = "Well pushed!") -> comments.Comment:
    return comments.post(m.store, m.id, player, ply, text, NOW)


def texts(m: Match, player: Player | None) -> list[str]:
    return [one["text"] for one in comments.listing(m.store, m.id, player)["comments"]]


def test_they_are_told_in_the_order_of_the_moves_that_there_are(match: Start) -> None:
    m = over(match)
    write(m, m.players[0], 3, "third")
    write(m, m.players[1], 0, "set-up")
    write(m, m.players[1], 2, "second")
    assert texts(m, None) == ["set-up", "second", "third"]
    with pytest.raises(Unprocessable):
        write(m, m.players[0], m.page(None)["ply"] + 1)


def test_a_running_game_has_none_and_a_private_one_is_for_its_players(match: Start) -> None:
    running = match()
    with pytest.raises(NotFound):
        write(running, running.players[0])
    m = over(match, private=True)
    cleo = stranger(m.store)
    write(m, m.players[0])
    for asked in (None, cleo):
        with pytest.raises(NotFound):
            comments.listing(m.store, m.id, asked)
    with pytest.raises(NotFound):
        write(m, cleo)
    with pytest.raises(Conflict):
        comments.allow(m.store, m.id, m.players[0], True)


def test_others_write_where_those_who_sat_there_allow_it(match: Start) -> None:
    m = over(match)
    cleo, guest = stranger(m.store), make_player(m.store, "Guest")
    assert comments.listing(m.store, m.id, m.players[0])["refusal"] is None
    for other in (cleo, guest):
        with pytest.raises(Forbidden):
            write(m, other)
        with pytest.raises(Forbidden):
            comments.allow(m.store, m.id, other, True)
    comments.allow(m.store, m.id, m.players[1], True)
    assert comments.listing(m.store, m.id, None)["others"]
    assert write(m, cleo)["seat"] is None
    with pytest.raises(Forbidden) as refusal:
        write(m, guest)  # costs nothing to be
    assert "confirm" in refusal.value.message
    assert comments.listing(m.store, m.id, None)["refusal"] is not None
    contacts.put(m.store, m.players[0], cleo.id, contacts.BLOCKED, NOW)
    with pytest.raises(Forbidden):
        write(m, cleo)
    comments.allow(m.store, m.id, m.players[0], False)
    with pytest.raises(Forbidden):
        write(m, stranger(m.store, "Dora"))


def test_where_no_person_sat_everybody_may(store: Store) -> None:
    ensure_example(store, NOW)
    comments.post(store, EXAMPLE_ID, stranger(store), 1, "Look at the barge.", NOW)
    assert comments.listing(store, EXAMPLE_ID, None)["others"]


def test_who_is_not_read_or_banned_is_not_seen(match: Start) -> None:
    m = over(match)
    ann, ben = m.players
    write(m, ben, text="from Ben")
    contacts.put(m.store, ann, ben.id, contacts.MUTED, NOW)
    assert texts(m, ann) == []
    assert texts(m, None) == texts(m, ben) == ["from Ben"]
    banning.ban(m.store, ben.id, NOW)
    assert texts(m, None) == []
    banning.unban(m.store, ben.id, NOW)
    assert texts(m, None) == ["from Ben"]


def test_who_takes_one_away(match: Start) -> None:
    m = over(match)
    ann, ben = m.players
    cleo = stranger(m.store)
    comments.allow(m.store, m.id, ann, True)
    used = stored_bytes.usage(m.store, cleo)
    anns, cleos, last = write(m, ann), write(m, cleo), write(m, cleo, text="Once more")
    for who, number in ((ben, anns), (cleo, anns)):
        with pytest.raises(Forbidden):
            comments.remove(m.store, m.id, who, str(number["id"]))
    comments.remove(m.store, m.id, ben, str(cleos["id"]))
    comments.remove(m.store, m.id, ann, str(anns["id"]))
    with pytest.raises(NotFound):
        comments.remove(m.store, m.id, ann, str(anns["id"]))
    assert comments.remove_as_operator(m.store, m.id, str(last["id"]), NOW)["name"] == cleo.name
    assert texts(m, None) == []
    assert stored_bytes.usage(m.store, cleo) == used
    audited = sql.value(m.store, "SELECT player_id FROM audit WHERE what = 'operator_removed_comment'")
    assert audited == cleo.id


def test_repeats_write_once_and_there_is_an_end(match: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    m = over(match)
    assert write(m, m.players[0]) == write(m, m.players[0])
    for number in range(quotas.COMMENTS_AN_HOUR - 1):
        write(m, m.players[0], text=f"{number}")
    with pytest.raises(TooManyRequests):
        write(m, m.players[0], text="Too much")
    monkeypatch.setattr(comments, "COMMENTS_OF_GAME", quotas.COMMENTS_AN_HOUR)
    with pytest.raises(Conflict):
        write(m, m.players[1])


def test_an_account_that_goes_takes_its_name_along(match: Start) -> None:
    m = over(match)
    ann, ben = m.players
    write(m, ann, 2)
    exported = personal_export.export(m.store, ann, NOW)["comments"]
    assert [(one["game"], one["ply"], one["text"]) for one in exported] == [(m.id, 2, "Well pushed!")]
    deletion.delete_account(m.store, ann, NOW)
    [one] = comments.listing(m.store, m.id, ben)["comments"]
    assert (one["player"], one["name"], one["text"]) == (None, None, "Well pushed!")
