"""What the operator does about games and accounts: what ends, what goes on, and what is noted of it."""

import json
from contextlib import nullcontext
from datetime import timedelta

import pytest

from server.service.accounts import access, bot_accounts, confirming, links, sessions, tokens
from server.service.accounts.links import BadLinkError, ClosedAccountError
from server.service.admin import banning, handing_over, lookup, resending
from server.service.chat import notes
from server.service.common import audit_log
from server.service.common.errors import Conflict, Forbidden, NotFound
from server.service.contests import day
from server.service.lists import game_page
from server.service.outbox import mail_queue
from server.service.play import bot_turns, pause, timeouts
from server.service.seating import creating, joining
from server.service.views import turn_page
from server.storage.database import Store
from server.storage.times import utc
from tests.service.conftest import NOW, give_address, make_player
from tests.service.erasure.test_deletion_and_export import findings
from tests.service.timed import HOUR, start
from tests.tables import Game, Mail, Player

DAY = timedelta(days=1)


def acts(store: Store) -> list[tuple[str, str | None]]:
    return [(line["what"], line["player"]) for line in audit_log.listing(store) if line["what"].startswith("operator")]


def mails(store: Store, player: str) -> dict[str, str]:
    return store.ask(lambda: {row.key: row.state for row in Mail.select().where(Mail.player == player)})


# Pausing


def test_what_the_operator_holds_no_player_lets_go(store: Store, match) -> None:
    """Neither by withdrawing a pause that the players have agreed on."""
    with pytest.raises(Conflict, match="no clock"):
        pause.hold(store, match(2).id, NOW)
    game = start(store)
    game.wait(10 * HOUR)
    for player in game.players:
        pause.vote(store, player, game.id, game.now)
    assert pause.hold(store, game.id, game.now)
    assert not pause.hold(store, game.id, game.now)
    page = game.page(None)
    assert (page["paused"], page["deadline"], page["waits_for"]) == (True, None, "operator")
    with pytest.raises(Conflict, match="operator"):
        pause.withdraw(store, game.players[0], game.id, game.now)
    game.wait(120 * DAY)  # longer than any pause of players
    assert game.tick() == 0
    assert pause.let_run(store, game.id, game.now)
    assert not pause.let_run(store, game.id, game.now)
    page = game.page(None)
    assert (page["paused"], page["waits_for"], page["pause_votes"]) == (False, None, [])
    assert page["deadline"] == utc(game.now + 14 * HOUR)
    assert acts(store) == [("operator_paused_game", None), ("operator_resumed_game", None)]


# Banning


def test_nothing_lets_a_banned_player_in(store: Store, match) -> None:
    m = match(2)
    seat = m.active
    ann = m.players[seat]
    give_address(store, ann, "ann@example.org")
    token = tokens.create(store, ann, "phone", NOW)["token"]
    session = sessions.new_session(store, ann.id, NOW)
    turn = links.turn_token(store, now=NOW, player_id=ann.id, game_id=m.id, ply=m.ply(seat), seat=seat)

    def sign_in_link() -> str:
        return links.sign_in_token(store, now=NOW, player_id=ann.id, address="ann@example.org")

    before = sign_in_link()
    assert turn_page.eyes(store, turn, NOW)[1] is not None
    audit_log.operated_by("otto")
    try:
        done = banning.ban(store, ann.id, NOW)
    finally:
        audit_log.operated_by(None)
    assert done == banning.Banned(True, 0, 0, 1)
    assert banning.ban(store, ann.id, NOW) == banning.Banned(False, 0, 0, 0)
    assert access.access(store, token, NOW) is None
    assert sessions.find(store, session, NOW) is None
    meanwhile = sign_in_link()
    for what in (
        lambda: turn_page.page_of_link(store, turn, NOW),
        lambda: sessions.player_for(store, before, NOW),
        lambda: sessions.player_for(store, meanwhile, NOW),
    ):
        with pytest.raises(ClosedAccountError, match="closed this account") as refused:
            what()
        assert refused.value.kind == "account-closed"
    assert sessions.find(store, sessions.new_session(store, ann.id, NOW), NOW) is None
    [line] = [line for line in audit_log.listing(store) if line["what"] == "operator_banned"]
    assert (line["player"], line["details"]) == (ann.id, {"by": "otto"})
    banning.unban(store, ann.id, NOW)
    for token in (before, meanwhile):
        with pytest.raises(BadLinkError):
            sessions.player_for(store, token, NOW)
    assert sessions.find(store, sessions.sign_in(store, sign_in_link(), NOW), NOW) is not None


def test_the_server_plays_on_for_who_is_banned_and_writes_to_them_no_more(store: Store) -> None:
    game = start(store, seats=3)
    seat = game.active
    ann = game.players[seat]
    give_address(store, ann, "ann@example.org")
    waiting = creating.create(store, ann, 2, "Later", None, "", [], False, NOW)["id"]
    banning.ban(store, ann.id, game.now)
    page = game.page(None)
    assert [place["autopilot"] for place in page["players"]] == [one == seat for one in range(3)]
    assert (page["thinking"], page["deadline"]) == (True, None)
    assert store.ask(lambda: Game.get_by_id(waiting).status) == "abandoned"
    due = bot_turns.claim(store, "one", game.now, game.now + HOUR)
    assert due is not None
    assert bot_turns.play_plainly(store, "one", due, game.now) is bot_turns.Submitted.OVER
    assert game.active != seat
    assert set(mails(store, ann.id).values()) <= {"skipped", "sent"}
    game.play_turn()
    game.play_turn()
    assert set(mails(store, ann.id).values()) <= {"skipped", "sent"}
    assert findings(store) == []


def test_bots_go_with_their_owner(store: Store) -> None:
    ann, ben = make_player(store, "Ann"), make_player(store, "Ben")
    bot = bot_accounts.create(store, ann, "hal", None, {"who": "everybody"}, NOW)
    banning.ban(store, ann.id, NOW)
    assert access.access(store, bot["token"], NOW) is None
    assert bot_accounts.listing(store, 1, 10) == ([], 0)
    with pytest.raises(Conflict, match="closed its account"):
        creating.create(store, ben, 2, "", None, "", ["@hal"], False, NOW)
    with pytest.raises(NotFound, match="ulm admin find"):
        banning.unban(store, "nobody", NOW)
    assert banning.unban(store, ann.id, NOW)
    assert not banning.unban(store, ann.id, NOW)
    assert bot_accounts.listing(store, 1, 10)[1] == 1


@pytest.mark.parametrize("confirmed", [True, False])
def test_the_address_of_who_is_banned_confirms_no_other_account(store: Store, confirmed: bool) -> None:
    """But one that they merely claimed is its owner's."""
    ann = make_player(store, "Ann")
    give_address(store, ann, "Zoe@example.org", confirmed)
    banning.ban(store, ann.id, NOW)
    zoe = make_player(store, "Zoe")
    give_address(store, zoe, "zoe@example.org", confirmed=False)
    token = links.make(store, "confirm", now=NOW, player=zoe.id, address=links.address_claim("zoe@example.org"))
    with pytest.raises(ClosedAccountError) if confirmed else nullcontext():
        assert confirming.confirm(store, token, zoe, NOW).holding.player_id == zoe.id


# Handing over


def test_a_seat_goes_over_with_its_hand_and_nothing_else(store: Store) -> None:
    game = start(store)
    seat = game.active
    ann, zoe = game.players[seat], make_player(store, "Zoe")
    give_address(store, ann, "ann@example.org")
    give_address(store, zoe, "zoe@example.org")
    notes.put(store, game.id, ann, "watch the Danube")
    old = links.turn_token(store, now=NOW, player_id=ann.id, game_id=game.id, ply=game.ply(seat), seat=seat)
    hers = game.page(seat)["view"]
    game.wait(20 * HOUR)
    assert handing_over.hand_over(store, game.id, seat, zoe.id, game.now) == "Zoe"
    page = game_page.page(store, game.id, zoe)
    assert (page["seat"], page["view"], page["deadline"]) == (seat, hers, utc(game.now + 24 * HOUR))
    assert game_page.page(store, game.id, ann)["seat"] is None
    assert game_page.page(store, game.id, ann)["view"] == game_page.page(store, game.id, None)["view"]
    assert notes.get(store, game.id, zoe)["note"] == ""
    with pytest.raises(BadLinkError):
        turn_page.page_of_link(store, old, game.now)
    assert mails(store, zoe.id) == {f"turn:{game.id}:{page['ply']}:{zoe.id}": "pending"}
    assert "pending" not in mails(store, ann.id).values()
    game.players[seat] = zoe
    game.play_turn()
    assert findings(store) == []
    assert acts(store) == [("operator_gave_seat", ann.id), ("operator_gave_seat", zoe.id)]


def test_a_seat_that_the_server_plays_is_played_by_its_new_player(store: Store) -> None:
    game = start(store)
    seat = game.active
    banning.ban(store, game.players[seat].id, game.now)
    zoe = make_player(store, "Zoe")
    handing_over.hand_over(store, game.id, seat, zoe.id, game.now)
    page = game.page(None)
    assert (page["thinking"], page["players"][seat]["autopilot"]) == (False, False)
    assert bot_turns.claim(store, "one", game.now, game.now + HOUR) is None
    assert timeouts.run_clocks(store, game.now) == 0


def test_not_every_seat_goes_to_everybody(store: Store, match) -> None:
    m = match(2)
    ann, ben = m.players
    zoe, banned = make_player(store, "Zoe"), make_player(store, "Bob")
    banning.ban(store, banned.id, NOW)
    bot_accounts.create(store, zoe, "hal", None, {"who": "everybody"}, NOW)
    hal = store.ask(lambda: next(row.id for row in Player.select() if row.name.endswith("(bot)")))
    waiting = creating.create(store, ann, 2, "", None, "", [], False, NOW)["id"]
    against = creating.create(store, ann, 2, "", None, "", ["journeyman"], False, NOW)["id"]
    with_hal = creating.create(store, ann, 3, "", None, "", ["@hal"], False, NOW)["id"]
    joining.join(store, ben, with_hal, "", None, NOW)
    day.look_after(store, NOW)
    sealed = day.play(store, ann, NOW)
    for game_id, seat, player, error, why in (
        (m.id, 0, "nobody", NotFound, "no account"),
        ("nothing", 0, zoe.id, NotFound, "no such game"),
        (m.id, 0, ben.id, Conflict, "has a seat"),
        (m.id, 2, zoe.id, Conflict, "seats 0 to 1"),
        (m.id, -1, zoe.id, Conflict, "seats 0 to 1"),
        (m.id, 0, banned.id, Conflict, "banned"),
        (m.id, 0, hal, Forbidden, "for people"),
        (waiting, 0, zoe.id, Conflict, "not started"),
        (against, 1, zoe.id, Conflict, "bot of the house"),
        (with_hal, 0, zoe.id, Forbidden, "sees its hand"),
        (sealed, 0, zoe.id, Conflict, "same deal"),
    ):
        with pytest.raises(error, match=why):
            handing_over.hand_over(store, game_id, seat, player, NOW)
    assert acts(store) == [("operator_banned", banned.id)]


# Sending again


def test_what_was_lost_is_sent_again(store: Store) -> None:
    ann = make_player(store, "Ann")
    give_address(store, ann, "ann@example.org", confirmed=False)
    assert resending.ask_to_confirm(store, ann.id, NOW) == "ann@example.org"
    with store.write():
        Mail.update(state="sent", done_at=NOW, attempts=1).execute()
        number = Mail.get().id
    mail_queue.send_again(store, number, NOW + DAY)
    with store.read():
        row = Mail.get_by_id(number)
        assert (row.state, row.attempts, row.due_at, row.done_at) == ("pending", 0, utc(NOW + DAY), None)
    with pytest.raises(Conflict, match="on its way"):
        mail_queue.send_again(store, number, NOW)
    with pytest.raises(NotFound):
        mail_queue.send_again(store, 99, NOW)
    give_address(store, ann, "ann@example.org")
    with pytest.raises(Conflict, match="is confirmed"):
        resending.ask_to_confirm(store, ann.id, NOW)
    assert acts(store) == [("operator_asked_to_confirm", ann.id), ("operator_retried_mail", None)]


# Looking


def test_games_and_accounts_are_found_by_what_is_known_of_them(store: Store, match) -> None:
    m = match(2)
    ann = m.players[0]
    give_address(store, ann, "Ann@example.org")
    for word in (ann.id, "ann@EXAMPLE.org", "player 0"):
        assert [one["id"] for one in lookup.find(store, word).accounts] == [ann.id]
    for word in (m.id, "a gam"):
        assert [one["id"] for one in lookup.find(store, word).games] == [m.id]
    assert not any(lookup.find(store, "%"))
    assert not any(lookup.find(store, "_"))


def test_what_is_shown_of_a_running_game_is_what_spectators_see(store: Store, match) -> None:
    m = match(2, auto_draw=False)
    before = json.dumps(lookup.game(store, m.id))
    m.play(m.active, "draw")
    assert json.dumps(lookup.game(store, m.id)) == before
    game = store.ask(lambda: Game.get_by_id(m.id))
    for secret in (game.server_seed, game.server_seed[:16]):
        assert secret not in before


def test_an_account_is_shown_without_what_opens_it(store: Store, match) -> None:
    m = match(2)
    ann = m.players[0]
    token = tokens.create(store, ann, "phone", NOW)
    shown = lookup.account(store, ann.id)
    assert (shown["tokens"], shown["sessions"], shown["games"]) == (2, 0, [(m.id, "running", 0)])
    assert token["token"] not in json.dumps(shown)
    assert token["id"] not in json.dumps(shown)
    with pytest.raises(NotFound):
        lookup.account(store, m.id)
    with pytest.raises(NotFound):
        lookup.game(store, ann.id)
