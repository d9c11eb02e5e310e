"""Friends, mute and block: what follows from them, and that nobody learns of it."""

from typing import Any

import pytest

from server.service.accounts import contacts, profiles
from server.service.accounts.players import Player
from server.service.chat import messages
from server.service.common.errors import Conflict, Forbidden, NotFound, TooManyRequests
from server.service.erasure import deletion, personal_export
from server.service.lists import game_lists, game_page, opponents
from server.service.seating import creating, invitations, joining, rematches
from server.service.views import live_events
from server.storage import sql
from server.storage.database import Store
from tests.service.conftest import NOW, Match, Start, give_address, make_player
from tests.tables import Mail


def new_game(store: Store, host: Player, private: bool = False, seats: int = 3) -> dict[str, Any]:
    return creating.create(store, host, seats, "Table", None, "", None, private, NOW)


def block(store: Store, player: Player, other: Player, kind: str = contacts.BLOCKED) -> None:
    contacts.put(store, player, other.id, kind, NOW)


def mails(store: Store, kind: str) -> list[str]:
    return store.ask(lambda: [mail.player_id for mail in Mail.select().where(Mail.kind == kind)])


def test_friends_come_first_then_those_met_last_and_nobody_who_is_blocked(store: Store, match: Start) -> None:
    m = match(3)
    ann, ben, cleo = m.players
    dora = make_player(store, "Dora")
    contacts.put(store, ann, dora.id, contacts.FRIEND, NOW)
    block(store, ann, ben)
    found = [(one["name"], one["kind"], one["games"]) for one in opponents.people(store, ann)]
    assert found == [("Dora", "friend", 0), (cleo.name, None, 1)]
    assert {one["name"] for one in opponents.people(store, ben)} == {ann.name, cleo.name}
    assert opponents.people(store, dora) == []


def test_who_is_blocked_sits_down_at_no_table_of_theirs_and_hears_of_no_reason(store: Store) -> None:
    ann, ben, cleo = (make_player(store, name) for name in ("Ann", "Ben", "Cleo"))
    block(store, ann, ben)
    game = new_game(store, ann)["id"]
    with pytest.raises(Forbidden) as refusal:
        joining.join(store, ben, game, None, None, NOW)
    assert "Ann" not in refusal.value.message
    assert "block" not in refusal.value.message
    private = new_game(store, ann, private=True)
    with pytest.raises(Forbidden):
        joining.join(store, ben, private["id"], None, private["invitation"], NOW)
    at_cleos = new_game(store, cleo)["id"]
    joining.join(store, ann, at_cleos, None, None, NOW)
    with pytest.raises(Forbidden):
        joining.join(store, ben, at_cleos, None, None, NOW)
    listed = [one["id"] for one in game_lists.home(store, ben, game_lists.OPEN, NOW)[0]]
    assert listed == []
    assert {one["id"] for one in game_lists.home(store, None, game_lists.OPEN, NOW)[0]} == {game, at_cleos}
    contacts.forget(store, ann, ben.id)
    joining.join(store, ben, game, None, None, NOW)


@pytest.mark.parametrize("kind", [contacts.MUTED, contacts.BLOCKED])
def test_what_is_not_read_is_nowhere_and_its_writer_sees_no_difference(store: Store, match: Start, kind: str) -> None:
    m: Match = match(3)
    ann, ben, cleo = m.players
    for number, player in enumerate(m.players):
        give_address(store, player, f"p{number}@example.org")
    before = live_events.glance(store, m.id, ann)
    block(store, ann, ben, kind)
    told = messages.post(store, m.id, ben, "Hello", NOW)
    assert told["text"] == "Hello"
    assert messages.listing(store, m.id, ann) == []
    beside = game_page.beside(store, m.id, ann.id, 8)
    assert beside is not None
    assert [one for one in beside.messages if one["kind"] is None] == []
    assert live_events.glance(store, m.id, ann) == before
    assert mails(store, "message") == [cleo.id]
    for reader in (ben, cleo):
        assert [one["text"] for one in messages.listing(store, m.id, reader)] == ["Hello"]
    # To whom it happens, answers are the same but for the number of the message.
    contacts.forget(store, ann, ben.id)
    assert messages.post(store, m.id, ben, "Hello", NOW) == {**told, "id": told["id"] + 1}
    assert len(messages.listing(store, m.id, ann)) == 2
    # A mail that waits, for the morning say, is not sent to who has muted its writer meanwhile.
    block(store, ann, ben, kind)
    for reader, there in ((ann, False), (cleo, True)):
        assert (messages.find(store, m.id, told["id"], reader.id) is not None) is there


def test_invitations_of_who_is_blocked_look_sent_and_never_arrive(store: Store, match: Start) -> None:
    m = match(2)
    ann, ben = give_address(store, m.players[0], "ann@example.org"), give_address(store, m.players[1], "b@example.org")
    welcome = new_game(store, ben)["id"]
    invitations.invite_player(store, ben, welcome, ann.id, NOW)
    number = sql_value(store, "SELECT id FROM invitation WHERE game_id = ?", welcome)
    assert [one["game"] for one in invitations.to_player(store, ann)] == [welcome]
    assert invitations.offer(store, number, welcome) is not None
    block(store, ann, ben)
    other = new_game(store, ben)["id"]
    sent = invitations.invite_player(store, ben, other, ann.id, NOW)
    assert sent == {"game": other, "address": None, "player": ann.id, "created_at": "2026-11-21T09:30:00Z"}
    invitations.invite(store, ben, other, "ann@example.org", NOW)
    assert invitations.to_player(store, ann) == []
    for row in store.ask(lambda: sql.rows(store, "SELECT id, game_id FROM invitation")):
        assert invitations.offer(store, *row) is None  # so no letter is written
    m.end_early()
    rematches.offer(store, ben, m.id, NOW)
    assert mails(store, "rematch") == []
    assert rematches.standing(store, ann, [m.id]) == {}
    beside = game_page.beside(store, m.id, ann.id, 8)
    assert beside is not None
    assert "rematch" not in [one["kind"] for one in beside.messages]
    with pytest.raises(Conflict):
        rematches.offer(store, ann, m.id, NOW)
    with pytest.raises(Conflict):
        invitations.invite_player(store, ann, new_game(store, ann)["id"], ben.id, NOW)


def sql_value(store: Store, statement: str, *values: object) -> Any:
    return store.ask(lambda: sql.value(store, statement, *values))


def test_who_was_invited_by_name_takes_the_seat_or_declines(store: Store, match: Start) -> None:
    ann, ben, cleo = match(3).players
    private = new_game(store, ann, private=True)
    for other in (ben, cleo):
        invitations.invite_player(store, ann, private["id"], other.id, NOW)
    assert invitations.invite_player(store, ann, private["id"], ben.id, NOW)["player"] == ben.id
    assert sql_value(store, "SELECT COUNT(*) FROM invitation") == 2
    [own] = invitations.to_player(store, ben)
    assert (own["inviter_name"], own["invitation"]) == (ann.name, private["invitation"])
    joining.join(store, ben, own["game"], None, own["invitation"], NOW)
    invitations.decline(store, cleo, private["id"], NOW)
    assert invitations.to_player(store, ben) == invitations.to_player(store, cleo) == []
    with pytest.raises(NotFound):
        invitations.decline(store, cleo, private["id"], NOW)
    stranger = make_player(store, "Stranger")
    with pytest.raises(NotFound):
        invitations.invite_player(store, stranger, private["id"], cleo.id, NOW)


def test_strangers_invite_somebody_now_and_then_and_keep_nobody_away_who_has_sat_there(
    store: Store, match: Start
) -> None:
    ann, ben = match(2).players
    strangers = [make_player(store, f"Stranger {number}") for number in range(4)]
    for stranger in strangers[:3]:
        invitations.invite_player(store, stranger, new_game(store, stranger)["id"], ann.id, NOW)
    with pytest.raises(TooManyRequests):
        invitations.invite_player(store, strangers[3], new_game(store, strangers[3])["id"], ann.id, NOW)
    invitations.invite_player(store, ben, new_game(store, ben)["id"], ann.id, NOW)
    assert len(invitations.to_player(store, ann)) == 4


def test_who_wishes_not_to_be_found_is_known_to_those_who_sat_with_them_alone(store: Store, match: Start) -> None:
    ann, ben = match(2).players
    profiles.update_profile(store, ann, {"preferences": {"private": True}}, NOW)
    stranger = make_player(store, "Stranger")
    for unknown in (ann.id, "nobody"):
        with pytest.raises(NotFound, match="there is no such player"):
            contacts.put(store, stranger, unknown, contacts.FRIEND, NOW)
    with pytest.raises(NotFound, match="there is no such player"):
        invitations.invite_player(store, stranger, new_game(store, stranger)["id"], ann.id, NOW)
    assert contacts.put(store, ben, ann.id, contacts.FRIEND, NOW)["name"] == ann.name
    with pytest.raises(Conflict):
        contacts.put(store, ben, ben.id, contacts.FRIEND, NOW)


def test_a_deleted_account_is_in_nobodys_lists_and_takes_its_own_along(store: Store, match: Start) -> None:
    ann, ben = match(2).players
    contacts.put(store, ann, ben.id, contacts.FRIEND, NOW)
    block(store, ben, ann)
    game = new_game(store, ann, seats=2)["id"]
    invitations.invite_player(store, ann, game, ben.id, NOW)
    assert [one["name"] for one in personal_export.export(store, ann, NOW)["contacts"]] == [ben.name]
    deletion.delete_account(store, ben, NOW)
    assert contacts.listing(store, ann) == []
    assert sql_value(store, "SELECT COUNT(*) FROM contact") == 0
    assert sql_value(store, "SELECT COUNT(*) FROM invitation") == 0
