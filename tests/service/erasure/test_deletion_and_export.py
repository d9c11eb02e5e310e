"""What a player may take along, and what is left when they go."""

import itertools
import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

import pytest

from server.service.accounts import access, account_opening, channels, links, sessions
from server.service.accounts.links import BadLinkError
from server.service.archive import kept_records, replays, sandboxes, verification
from server.service.chat import messages, notes
from server.service.common import audit_log
from server.service.common.errors import Conflict, ServiceError
from server.service.common.naming import FORMER
from server.service.erasure import deletion, personal_export
from server.service.lists import game_lists, game_page
from server.service.play import turns, vacation
from server.service.seating import creating, invitations, joining, rematches
from server.service.views import exports, turn_page
from server.storage import sql
from server.storage.times import utc
from tests.service.conftest import NOW, Match, give_address, make_player
from tests.tables import MODELS, Game, Invitation, Mail, Message, Move, Seat, Token

LATER = NOW + timedelta(days=1)
SECRET = "Annegret"


def everything(store) -> str:
    """Every row of every table, as text."""
    with store.read():
        return "\n".join(repr(row) for model in MODELS for row in model.select().tuples())


def findings(store) -> list:
    return list(verification.verify_all(store))


def fresh(store, player):
    found = sessions.player_by_id(store, player.id)
    assert found is not None
    return found


def finish(m: Match) -> None:
    """All but one resign."""
    for seat in range(len(m.players) - 1):
        m.play(seat, "resign")
    assert m.page(0)["status"] == "finished"


# The export


def test_an_export_has_what_is_the_players_own(store, match) -> None:
    m = match(2)
    ann = m.players[m.active]
    m.play_turn()
    messages.post(store, m.id, ann, "well played", NOW)
    messages.post(store, m.id, m.players[m.active], "indeed", NOW)
    notes.put(store, m.id, ann, "watch the Danube")
    vacation.add(store, ann, None, LATER, NOW)
    made = personal_export.export(store, fresh(store, ann), LATER)
    assert [token["name"] for token in made["tokens"]] == [""]
    [game] = made["games"]
    assert (game["id"], game["note"], game["client_seed"]) == (m.id, "watch the Danube", "")
    own = store.ask(lambda: Move.select().where(Move.game == m.id, Move.seat == game["seat"]).count())
    assert len(game["moves"]) == own > 2
    assert [message["text"] for message in made["messages"]] == ["well played"]
    assert [(one["starts_at"], one["ends_at"]) for one in made["vacations"]] == [(utc(NOW), utc(LATER))]
    json.dumps(made)


def test_channels_are_given_out_without_their_secrets_and_go_with_the_account(store, match) -> None:
    m = match(2)
    ann, ben = m.players
    hook = channels.add_webhook(store, ann, "json", "https://example.org/ann", "", NOW)
    channels.add_webhook(store, ben, "ntfy", "https://example.org/ben", "tk_secret", NOW)
    feeds = channels.renew_feeds(store, ann, NOW)
    messages.post(store, m.id, ben, "hello", NOW)
    made = personal_export.export(store, fresh(store, ann), LATER)
    assert [one["address"] for one in made["channels"]] == ["https://example.org/ann", ""]
    assert [one["kind"] for one in made["channels"][0]["deliveries"]] == ["test", "message"]
    assert not any(word in json.dumps(made) for word in (hook["signing_secret"], feeds, "ben", "tk_secret"))
    deletion.delete_account(store, ann, LATER)
    with store.read():
        assert sql.rows(store, "SELECT DISTINCT player_id FROM channel") == [(ben.id,)]
        left = sql.rows(store, "SELECT DISTINCT c.player_id FROM delivery d LEFT JOIN channel c ON c.id = d.channel_id")
    assert left == [(ben.id,)]


def _statements(store, monkeypatch, work) -> list[str]:
    """What the database is asked by it."""
    asked, ask = [], store.database.execute_sql
    with monkeypatch.context() as patch:
        patch.setattr(store.database, "execute_sql", lambda text, *given: asked.append(text) or ask(text, *given))
        work()
    return asked


def test_an_export_tells_nothing_of_others(store, match, monkeypatch) -> None:
    """Neither hands nor seeds, nor that the other player has drawn, nor what they wrote down for themselves."""
    m = match(2, auto_draw=False)
    active = m.active
    other = m.players[1 - active]
    before = personal_export.export(store, other, LATER)
    give_address(store, m.players[active], "secret@example.org")
    notes.put(store, m.id, m.players[active], "secret plan")
    asked = _statements(store, monkeypatch, lambda: personal_export.export(store, other, LATER))
    m.play(active, "draw")
    assert personal_export.export(store, other, LATER) == before, "a draw of somebody else shows nowhere"
    assert _statements(store, monkeypatch, lambda: personal_export.export(store, other, LATER)) == asked, "nor as work"
    text = json.dumps(before)
    with store.read():
        row = Game.get_by_id(m.id)
        hashes = [token.hash for token in Token.select()]
    for secret in (row.server_seed, row.server_seed[:16], "secret", *hashes):
        assert secret not in text
    own = personal_export.export(store, m.players[active], LATER)
    assert [move["move"] for move in own["games"][0]["moves"]] == ["draw"], "the own draw is the own"


def test_an_export_shows_addresses_that_the_player_gave_and_no_others(store, match) -> None:
    m = match(2)
    ann, ben = m.players
    give_address(store, ben, "ben@example.org")
    finish(m)
    open_game = creating.create(store, ann, 2, "Friday", None, "", [], True, NOW)["id"]
    invitations.invite(store, ann, open_game, "cleo@example.org", NOW)
    rematches.offer(store, ann, m.id, NOW)
    made = personal_export.export(store, ann, LATER)
    assert [one["address"] for one in made["invitations"]] == ["cleo@example.org", None]
    assert "ben@example.org" not in json.dumps(made)


# Going


def test_what_would_end_is_counted(store, match) -> None:
    m = match(2)
    ann = m.players[0]
    assert deletion.consequences(store, ann) == deletion.Consequences(0, 1, 0, 0)
    creating.create(store, ann, 2, "Open", None, "", [], False, NOW)
    sandboxes.branch(store, ann, m.id, 0, None, None, None, NOW, random.Random(1))
    assert deletion.consequences(store, ann) == deletion.Consequences(1, 1, 1, 0)
    finish(m)
    assert deletion.consequences(store, ann) == deletion.Consequences(1, 0, 1, 1)


def test_games_stay_and_the_name_goes(store) -> None:
    """Open, running, finished, sandboxes of others, messages. `tests/test_erasure.py` looks for the name in all
    files."""
    made = account_opening.create_player(store, SECRET, None, NOW)
    ann = access.authenticate(store, made["token"], NOW)
    ben, cleo = make_player(store, "Ben"), make_player(store, "Cleo")
    give_address(store, ann, "annegret@example.org")
    ann = fresh(store, ann)
    over = creating.create(store, ann, 2, None, None, "", [], False, NOW)["id"]
    joining.join(store, ben, over, "", None, NOW)
    turns.play(store, over, ben, game_page.page(store, over, ben)["ply"], ["resign"], None, NOW)
    sandbox = sandboxes.branch(store, ben, over, 0, None, None, None, NOW, random.Random(1))["id"]
    own_sandbox = sandboxes.branch(store, ann, over, 0, None, None, None, NOW, random.Random(1))["id"]
    running = creating.create(store, ann, 3, "Three", None, "", [], False, NOW)["id"]
    for one in (ben, cleo):
        joining.join(store, one, running, "", None, NOW)
    waiting = creating.create(store, ben, 3, "Later", None, "", [], False, NOW)["id"]
    joining.join(store, ann, waiting, "", None, NOW)
    lonely = creating.create(store, ann, 3, "Lonely", None, "", [], True, NOW)["id"]
    mine = creating.create(store, cleo, 2, "C", None, "", [], False, NOW)["id"]
    invitations.invite(store, cleo, mine, "annegret@example.org", NOW)
    messages.post(store, running, ann, "hello all", NOW)
    notes.put(store, running, ann, "my note")
    imported = kept_records.keep(store, ann, foreign(replays.record(store, over)), NOW)["id"]
    assert SECRET.encode() in b"".join(exports.html(store, over, None, "light", "en", None))
    session = sessions.new_session(store, ann.id, NOW)
    token = links.turn_token(store, now=NOW, player_id=ann.id, game_id=running, ply=0, seat=0)
    hashed = links.address_claim("annegret@example.org")
    number = store.ask(lambda: Invitation.get().id)
    links.invitation_token(store, now=NOW, invitation_id=number, address="annegret@example.org")
    assert hashed in everything(store)

    deletion.delete_account(store, ann, NOW)

    left = everything(store)
    assert [word for word in (SECRET, "annegret", ann.id, hashed, "my note") if word in left] == []
    assert findings(store) == []
    assert access.authenticate(store, made["token"], NOW) is None
    assert sessions.player_of(store, session, NOW) is None
    with pytest.raises(BadLinkError):
        turn_page.page_of_link(store, token, NOW)
    with store.read():
        seats = {(seat.game_id, seat.seat): seat.name for seat in Seat.select()}
        assert Game.get_by_id(lonely).status == "abandoned"
        assert Game.get_by_id(waiting).status == "open"
        assert Game.get_or_none(Game.id == own_sandbox) is None
        assert Game.get_by_id(imported).origin == "imported"
        assert Message.get(Message.text != "").text == "hello all"
    assert [seats[game, seat] for game, seat in ((over, 0), (running, 0), (sandbox, 0), (waiting, 1))] == (
        [FORMER, FORMER, FORMER, None]
    )
    assert [one["name"] for one in messages.listing(store, running, ben)] == [FORMER]
    assert SECRET not in json.dumps(replays.timeline(store, over)), "nor does a replay that was at hand"
    assert SECRET.encode() not in b"".join(exports.html(store, over, None, "light", "en", None))


def foreign(record: dict) -> dict:
    """The record as another server might have given it: this one's names are not in it."""
    return {**record, "name": "From afar", "players": [{**one, "name": "X"} for one in record["players"]]}


def test_bots_finish_what_nobody_else_plays(store) -> None:
    ann = make_player(store, "Ann")
    game = creating.create(store, ann, 3, "Alone", None, "", ["random", "steady"], False, NOW)["id"]
    deletion.delete_account(store, ann, NOW, random.Random(3))
    assert game_page.page(store, game, None)["status"] == "finished"
    assert findings(store) == []


def test_the_others_play_on_and_can_tell_apart_who_has_gone(store, match) -> None:
    m = match(4)
    for player in m.players[:2]:
        deletion.delete_account(store, player, NOW)
    m.players[:2] = m.players[2:]  # somebody who may look
    page = game_page.page(store, m.id, m.players[2])
    assert page["status"] == "running"
    assert [player["name"] for player in page["players"]] == [FORMER, f"{FORMER} (2)", "Player 2", "Player 3"]
    assert [player["resigned"] for player in page["view"]["players"]] == [True, True, False, False]
    for _ in range(4):
        m.play_turn()
    m.play(2, "resign")
    assert game_page.page(store, m.id, m.players[3])["status"] == "finished"
    assert findings(store) == []


def test_mail_to_an_address_that_was_merely_claimed_stays(store) -> None:
    """Who gives somebody else's address and goes does not take the other's invitations along."""
    host, thief = make_player(store, "Host"), make_player(store, "Mal")
    give_address(store, thief, "ben@example.org", confirmed=False)
    game = creating.create(store, host, 2, "Friday", None, "", [], False, NOW)["id"]
    invitations.invite(store, host, game, "ben@example.org", NOW)
    deletion.delete_account(store, fresh(store, thief), NOW)
    with store.read():
        assert Invitation.select().count() == 1
        assert Mail.get().address == "ben@example.org"


def test_what_fails_half_way_can_be_repeated(store, match, monkeypatch) -> None:
    """The last step fails: the games are left, the account is whole; the second time it goes."""
    m = match(2)
    ann = m.players[0]

    def broken(*arguments) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(audit_log, "account_gone", broken)
    with pytest.raises(OSError, match="disk"):
        deletion.delete_account(store, ann, NOW)
    page = game_page.page(store, m.id, fresh(store, ann))
    assert (page["players"][0]["name"], page["status"]) == ("Player 0", "finished")
    monkeypatch.undo()
    deletion.delete_account(store, ann, NOW)
    before = everything(store)
    deletion.delete_account(store, ann, NOW)
    assert everything(store) == before, "once more does no harm"
    assert sessions.player_by_id(store, ann.id) is None
    assert findings(store) == []


def test_who_takes_seats_all_the_time_is_told_so(store, monkeypatch) -> None:
    """Another request with this account opens a game whenever the others were left: nothing is erased then."""
    ann = make_player(store, "Ann")
    creating.create(store, ann, 2, "Once", None, "", [], False, NOW)
    real = joining.leave

    def busy(*arguments) -> None:
        real(*arguments)
        creating.create(store, ann, 2, "Again", None, "", [], False, NOW)

    monkeypatch.setattr(joining, "leave", busy)
    with pytest.raises(Conflict):
        deletion.delete_account(store, ann, NOW)
    assert fresh(store, ann)


@contextmanager
def going_on(*acts: Callable[[int], None]) -> Iterator[None]:
    """Each act again and again in a thread of its own; what is refused is refused, everything else fails the test."""
    over = threading.Event()
    faults: list[BaseException] = []

    def repeat(act: Callable[[int], None]) -> None:
        for number in itertools.count():
            if over.is_set() or faults:
                return
            try:
                act(number)
            except ServiceError:
                time.sleep(0.002)
            except BaseException as fault:
                faults.append(fault)

    threads = [threading.Thread(target=repeat, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()
    assert faults == []


def test_going_while_others_play_and_another_device_goes_on(store) -> None:
    """Ben plays and writes, Ann's other device makes games: she goes wholly, and nobody is locked out."""
    ann, ben = make_player(store, "Ann"), make_player(store, "Ben")
    for number in range(5):
        game = creating.create(store, ann, 3, f"G{number}", None, "", ["random"], False, NOW)["id"]
        joining.join(store, ben, game, "", None, NOW)

    def play(number: int) -> None:
        for game in [one["id"] for one in game_lists.listing(store, ben, "running", ben.id, 1, 20)[0]]:
            messages.post(store, game, ben, f"word {number}", NOW + timedelta(hours=number))
            page = game_page.page(store, game, ben)
            if page["to_move"] == page["seat"]:
                move = game_page.legal_moves(store, game, ben)["moves"][0]
                turns.play(store, game, ben, page["ply"], [move], None, NOW)

    def make(number: int) -> None:
        creating.create(store, ann, 2, f"More {number}", None, "", [], False, NOW)
        time.sleep(0.03)

    with going_on(play, make):
        for _ in range(50):
            with suppress(Conflict):
                deletion.delete_account(store, ann, NOW)
                break
    assert sessions.player_by_id(store, ann.id) is None
    with store.read():
        assert Seat.select().where(Seat.player == ann.id).count() == 0
        assert Game.select().where(Game.creator == ann.id).count() == 0
    assert findings(store) == []
