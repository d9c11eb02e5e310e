"""The mails themselves: what each kind says, to whom, when not, and that none says what its reader may not know."""

import email
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import default

import pytest

from server.notify.compose import compose
from server.notify.mail_content import Postpone, Skip
from server.notify.mime_message import finish, message_id
from server.service.accounts import access, account_opening, confirming, links
from server.service.chat import messages, notice_wishes
from server.service.common.errors import Conflict, Forbidden
from server.service.lists import game_page
from server.service.outbox import enqueuing
from server.service.outbox.deliveries import QueuedMail
from server.service.outbox.news import News, game_key
from server.service.play import reminders, turns
from server.service.seating import creating, invitations, joining, rematches
from server.settings import Settings
from server.storage.database import Store
from server.storage.times import utc
from tests.notify.letters import Table, html, queued, text
from tests.service.conftest import NOW
from tests.tables import Mail, Vacation
from tests.tables import Player as PlayerRow
from tests.tables import Seat as SeatRow

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
BASE = "https://ulm.example.org"


class Mails(Table):
    """A running game of people, and what they are written about it."""

    def turn(self) -> None:
        while self.move() != "end":
            pass

    def notices(self, *kinds: str) -> list[QueuedMail]:
        with self.store.read():
            rows = [row for row in Mail.select().order_by(Mail.id) if not kinds or row.kind in kinds]
            return [queued(row) for row in rows]

    def compose(self, one: QueuedMail, now: datetime | None = None) -> EmailMessage | Skip | Postpone:
        return compose(self.store, self.settings, one, now or self.now)

    def mail(self, one: QueuedMail) -> EmailMessage:
        made = self.compose(one)
        assert isinstance(made, EmailMessage), made
        return wire(self.settings, one, made)[0]


def wire(settings: Settings, one: QueuedMail, made: EmailMessage) -> tuple[EmailMessage, bytes]:
    """The message as its reader's program parses it, and its bytes."""
    data = finish(settings, one, made).data
    parsed = email.message_from_bytes(data, policy=default)
    assert isinstance(parsed, EmailMessage)
    return parsed, data


@pytest.fixture
def start(store: Store, plain: Settings) -> Callable[..., Mails]:
    """A function that starts a game: `start(seats=2, seed=1, name="A game", **preferences)`."""
    return lambda *given, **named: Mails(store, plain, *given, **named)


def test_a_turn_mail_lists_what_the_endpoint_lists(start: Callable[..., Mails]) -> None:
    table = start(3)
    for _turn in range(4):
        table.turn()
    one = table.notices("turn")[-1]
    seat = table.page(0)["to_move"]
    mail = table.mail(one)
    assert mail["To"].addresses[0].addr_spec == f"address{seat}@example.org"
    legal = game_page.legal_moves(table.store, table.id, table.players[seat])["moves"]
    pushes = {move.split()[1] for move in legal if move.startswith("push")}
    linked = {line.rsplit("/", 1)[1] for line in text(mail).splitlines() if "/move/push/" in line}
    assert linked == pushes
    assert all(f"/move/push/{slot}" in html(mail) for slot in pushes)
    view = table.page(seat)["view"]
    own = view["players"][seat]
    own_column = {
        line.split()[0]: line.split()[1] for line in text(mail).partition("SCORES")[2].splitlines()[3:8] if line
    }
    assert (own_column["VP"], own_column["Coins"]) == (str(own["vp"]), str(own["coins"]))
    if view["turn"]["tiles"]:
        assert f"drawn: {view['turn']['tiles'][0]}" in text(mail).lower() or "and keep one" in text(mail)
    before, _board, _after = text(mail).partition("Open your turn")
    assert f"{table.page(0)['players'][(seat - 1) % 3]['name']} pushed at" in before, "what happened is the first thing"
    assert "SCORES" in text(mail)
    for stranger in table.players[:seat] + table.players[seat + 1 :]:
        address = f"address{table.players.index(stranger)}@example.org"
        assert address not in text(mail) + html(mail)
        assert stranger.id not in text(mail) + html(mail)


def test_the_first_mover_is_told_start_and_turn_in_one(start: Callable[..., Mails]) -> None:
    table = start()
    first = table.page(0)["to_move"]
    mails = {one.player_id: table.mail(one) for one in table.notices("started")}
    assert "started, your turn" in mails[table.players[first].id]["Subject"]
    assert "the game has started" in mails[table.players[1 - first].id]["Subject"]
    commitment = table.page(0)["commitment"]
    assert all(commitment in text(mail) for mail in mails.values())


def test_a_notice_that_is_no_longer_true_is_skipped(start: Callable[..., Mails]) -> None:
    table = start()
    table.turn()
    one = table.notices("turn")[-1]
    table.move()  # the turn has begun: its player knows
    assert isinstance(table.compose(one), Skip)
    table.turn()
    assert isinstance(table.compose(one), Skip)
    table.turn()
    made = table.compose(one)  # to move again, but that is another turn
    assert isinstance(made, Skip)
    assert "another" in made.reason
    assert isinstance(table.compose(table.notices("turn")[-1]), EmailMessage)
    assert isinstance(table.compose(replace(one, game_id="gone")), Skip)
    assert isinstance(table.compose(replace(one, kind="nonsense")), Skip)


@pytest.mark.parametrize("how", ["unconfirmed", "stopped", "no address"])
def test_nobody_is_written_to_against_their_will(start: Callable[..., Mails], how: str) -> None:
    table = start()
    table.turn()
    one = table.notices("turn")[-1]
    changes = {
        "unconfirmed": {"email_confirmed_at": None},
        "stopped": {"mail_stopped_at": NOW},
        "no address": {"email": None},
    }[how]
    with table.store.write():
        PlayerRow.update(**changes).execute()
    assert isinstance(table.compose(one), Skip)


@pytest.mark.parametrize(
    ("mode", "sent"),
    [
        ("at_once", {"turn", "over", "reminder"}),
        ("digest", set()),
        ("reminders", {"reminder"}),
        ("mute", set()),
    ],
)
@pytest.mark.parametrize("where", ["account", "game"])
def test_wishes_decide_what_is_sent(start: Callable[..., Mails], mode: str, sent: set[str], where: str) -> None:
    table = start(mail=mode if where == "account" else "mute" if mode != "mute" else "at_once")
    if where == "game":
        for player in table.players:
            notice_wishes.change(table.store, table.id, player, {"mail": mode})
    table.turn()
    one = table.notices("turn")[-1]
    in_an_hour = utc(table.now + timedelta(hours=1))
    with table.store.write():
        from tests.tables import Game

        Game.update(deadline=in_an_hour).where(Game.id == table.id).execute()
    found = {kind for kind in ("turn", "reminder") if isinstance(table.compose(replace(one, kind=kind)), EmailMessage)}
    seat = table.page(0)["to_move"]
    turns.play(table.store, table.id, table.players[seat], table.page(seat)["ply"], ["resign"], None, table.now)
    found |= {"over" for one in table.notices("over") if isinstance(table.compose(one), EmailMessage)}
    assert found == sent


def test_quiet_hours_put_a_mail_off_by_the_players_own_clock(start: Callable[..., Mails]) -> None:
    table = start(quiet_hours={"from": "22:00", "to": "07:00"}, time_zone="Europe/Berlin")
    table.turn()
    one = table.notices("turn")[-1]
    assert isinstance(table.compose(one, datetime(2026, 11, 21, 20, 59, tzinfo=UTC)), EmailMessage)
    put_off = table.compose(one, datetime(2026, 11, 21, 21, 0, tzinfo=UTC))
    assert isinstance(put_off, Postpone)
    assert put_off.until == (datetime(2026, 11, 22, 6, 0, tzinfo=UTC))
    assert isinstance(table.compose(one, datetime(2026, 11, 22, 6, 0, tzinfo=UTC)), EmailMessage)


def test_one_thread_for_each_game(start: Callable[..., Mails]) -> None:
    table = start()
    for _turn in range(3):
        table.turn()
    [first] = [one for one in table.notices("started") if one.player_id == table.players[0].id]
    root = message_id(table.settings, first.key)
    made = table.compose(replace(first, data={}))
    assert isinstance(made, EmailMessage)
    head, _ = wire(table.settings, first, made)
    assert (head["Message-ID"], head["References"], head["In-Reply-To"]) == (root, None, None)
    one = replace(table.notices("turn")[-1], player_id=table.players[table.page(0)["to_move"]].id)
    mail = table.mail(one)
    expected = message_id(table.settings, game_key("started", table.id, 0, one.player_id or ""))
    assert mail["References"] == mail["In-Reply-To"] == expected
    assert mail["Message-ID"] != expected


def test_headers_of_a_careful_sender(start: Callable[..., Mails]) -> None:
    table = start()
    table.turn()
    made = table.compose(table.notices("turn")[-1])
    assert isinstance(made, EmailMessage)
    mail, data = wire(table.settings, table.notices("turn")[-1], made)
    assert str(mail["From"]) == "Ulm by mail <ulm@ulm.example.org>"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    raw = next(line for line in data.split(b"\r\n") if line.startswith(b"List-Unsubscribe: "))
    token = raw.decode().removeprefix(f"List-Unsubscribe: <{BASE}/unsubscribe/").removesuffix(">")
    claims = links.read(table.store, token, "unsubscribe", now=table.now)
    assert claims["game"] == table.id
    assert "<notices.ulm.example.org>" in mail["List-Id"]
    assert mail["Date"] is not None
    assert '<img src="http' not in html(mail)
    assert "color-scheme" in html(mail)


@pytest.mark.parametrize(
    "name",
    [
        "A\r\nBcc: eve@example.org",
        "B" * 2000,
        "<script>alert(1)</script>",
        '"; <a@b.c>',
        "Ulm\x00\x07",
        "=?utf-8?q?Bcc:_eve=40example.org?=",
    ],
)
def test_no_name_gets_into_a_header_or_the_page(start: Callable[..., Mails], name: str) -> None:
    """Past the checks of the API: whatever stands in the database."""
    table = start()
    table.turn()
    with table.store.write():
        from tests.tables import Game

        Game.update(name=name.replace("\0", "")).execute()
        SeatRow.update(name=name.replace("\0", "")).execute()
        PlayerRow.update(name=name.replace("\0", "")).execute()
    one = table.notices("turn")[-1]
    made = table.compose(one)
    assert isinstance(made, EmailMessage)
    mail, data = wire(table.settings, one, made)
    head = data.split(b"\r\n\r\n")[0]
    names = {line.split(b":")[0].lower() for line in head.split(b"\r\n") if line[:1] not in (b" ", b"\t")}
    assert names == set(
        b"from to subject auto-submitted x-auto-response-suppress list-id list-unsubscribe list-unsubscribe-post "
        b"in-reply-to references mime-version content-type message-id date".split()
    )
    assert max(map(len, data.split(b"\r\n"))) <= 998
    assert len(mail["To"].addresses) == 1
    assert "<script>" not in html(mail)
    assert len(str(mail["Subject"])) < 200


def test_the_last_mail_has_the_whole_result(start: Callable[..., Mails], plain: Settings) -> None:
    table = start(2)
    while table.move() is not None:
        pass
    result = table.page(0)["result"]
    for one in table.notices("over"):
        mail = table.mail(one)
        for score in result["scores"]:
            assert str(score["total"]) in text(mail)
        assert table.page(0)["commitment"] in text(mail)
        assert f"/api/v1/replays/{table.id}/record" in text(mail)
        assert f"shuffle {plain.public_url}/replays/{table.id}" in " ".join(text(mail).split())
        seat = [player.id for player in table.players].index(one.player_id or "")
        assert ("You have won" in text(mail)) == (result["winners"] == [seat])


def test_confirming_signing_in_and_inviting(store: Store, plain: Settings) -> None:
    made = account_opening.create_player(store, "Ann", "ann@example.org", NOW)
    ann = access.authenticate(store, made["token"], NOW)
    [one] = store.ask(lambda: [queued(row) for row in Mail.select()])
    mail = compose(store, plain, one, NOW)
    assert isinstance(mail, EmailMessage)
    assert mail["List-Unsubscribe"] is None
    token = next(line for line in text(mail).splitlines() if "/confirm/" in line).rsplit("/", 1)[1]
    confirming.confirm(store, token, None, NOW)
    assert isinstance(compose(store, plain, one, NOW), Skip)
    with store.write():
        enqueuing.enqueue(store, "sign_in", "ann@example.org", key="s", now=NOW, player_id=ann.id)
    page = creating.create(store, ann, 2, "Duel", None, "", [], False, NOW)
    invitations.invite(store, ann, page["id"], "ben@example.org", NOW)
    by_kind = store.ask(lambda: {row.kind: queued(row) for row in Mail.select()})
    mail = compose(store, plain, by_kind["sign_in"], NOW)
    assert isinstance(mail, EmailMessage)
    assert f"{BASE}/sign-in/" in text(mail)
    assert isinstance(compose(store, plain, by_kind["sign_in"], NOW + timedelta(hours=1)), Skip)
    mail = compose(store, plain, by_kind["invitation"], NOW)
    assert isinstance(mail, EmailMessage)
    assert str(mail["To"]) == "ben@example.org"
    token = next(line for line in text(mail).splitlines() if "/invitation/" in line).rsplit("/", 1)[1]
    invitations.accept(store, token, "Ben", "", NOW)
    assert isinstance(compose(store, plain, by_kind["invitation"], NOW), Skip)


def test_a_rematch_is_an_invitation_to_the_others(start: Callable[..., Mails]) -> None:
    table = start()
    ann, ben = table.players
    with pytest.raises(Conflict, match="over"):
        rematches.offer(table.store, ann, table.id, NOW)
    seat = table.page(0)["to_move"]
    turns.play(table.store, table.id, table.players[seat], table.page(seat)["ply"], ["resign"], None, NOW)
    again = rematches.offer(table.store, ann, table.id, NOW)
    assert rematches.offer(table.store, ann, table.id, NOW)["id"] == again["id"]
    [one] = table.notices("rematch")
    mail = table.mail(one)
    assert (one.player_id, one.game_id) == (ben.id, again["id"])
    assert "Player 0 offers a rematch" in mail["Subject"]
    token = next(line for line in text(mail).splitlines() if "/invitation/" in line).rsplit("/", 1)[1]
    with pytest.raises(Forbidden):  # the link is no key for others who read it
        invitations.accept(table.store, token, "Eve", "", NOW)
    assert invitations.accept(table.store, token, None, "", NOW, visitor=ben) == (again["id"], ben.id)
    assert game_page.page(table.store, again["id"], ben)["status"] == "running"
    assert isinstance(table.compose(one), Skip)


def test_a_rematch_that_was_given_up_is_offered_anew(start: Callable[..., Mails]) -> None:
    table = start()
    ann, ben = table.players
    seat = table.page(0)["to_move"]
    turns.play(table.store, table.id, table.players[seat], table.page(seat)["ply"], ["resign"], None, NOW)
    first = rematches.offer(table.store, ann, table.id, NOW)
    joining.leave(table.store, ann, first["id"], NOW)
    second = rematches.offer(table.store, ann, table.id, NOW)
    assert (second["status"], second["seat"]) == ("open", 0)
    assert [(one.player_id, one.game_id) for one in table.notices("rematch")] == [
        (ben.id, first["id"]), (ben.id, second["id"]),
    ]  # fmt: skip


def test_messages_and_vacations(start: Callable[..., Mails]) -> None:
    table = start()
    messages.post(table.store, table.id, table.players[0], "Hello <b>there</b>\nwell played", NOW)
    [one] = table.notices("message")
    mail = table.mail(one)
    assert "Hello <b>there</b>" in text(mail)
    assert "Hello &lt;b&gt;there" in html(mail)
    ends = NOW + timedelta(hours=20)
    with table.store.write():
        Vacation.insert(
            player=table.players[0].id, starts_at=NOW - timedelta(days=3), ends_at=ends, created_at=NOW
        ).execute()
        news = News("vacation_ending", table.players[0].id, "v", data={"ends_at": utc(ends)})
        assert enqueuing.tell(table.store, [news], NOW) == 1
    [one] = table.notices("vacation_ending")
    assert "Sunday 22 November" in table.mail(one)["Subject"]
    assert isinstance(table.compose(one, ends), Skip)
    with table.store.write():
        Vacation.delete().execute()
    assert isinstance(table.compose(one), Skip)


def test_a_message_is_not_said_to_be_of_who_sits_there_by_now(start: Callable[..., Mails]) -> None:
    """Who wrote left before the game began, and somebody else took the seat while the mail waited."""
    table = start(4)
    reader, writer, other, _fourth = table.players
    game = creating.create(table.store, reader, 3, "Late", None, "", [], False, NOW)["id"]
    joining.join(table.store, writer, game, "", None, NOW)
    messages.post(table.store, game, writer, "Hello", NOW)
    joining.leave(table.store, writer, game, NOW)
    joining.join(table.store, other, game, "", None, NOW)
    [one] = table.notices("message")
    mail = table.mail(one)
    assert mail["Subject"] == "Late: a message from A player"
    assert other.name not in text(mail)


def test_a_digest_at_the_local_hour_once_a_day(start: Callable[..., Mails]) -> None:
    table = start(mail="digest", digest_hour=8, time_zone="America/New_York")
    at = datetime(2026, 11, 21, 13, 0, tzinfo=UTC)
    reminders.run_digests(table.store, at - timedelta(seconds=1))
    before = len(table.notices("digest"))
    assert reminders.run_digests(table.store, at) == 2
    found = {one.player_id: table.compose(one, at) for one in table.notices("digest")[before:]}
    mover = table.players[table.page(0)["to_move"]].id
    mail = found[mover]
    assert isinstance(mail, EmailMessage)
    assert "Your games on Saturday 21 November: 1 turn to play" in mail["Subject"]
    assert reminders.run_digests(table.store, at + timedelta(hours=23)) == 0
    assert reminders.run_digests(table.store, at + timedelta(hours=24)) == 2


def test_strangers_are_written_to_in_the_language_of_who_invites_them(start: Callable[..., Mails]) -> None:
    table = start(language="it")
    game = creating.create(table.store, table.players[0], 2, "Another", {}, "", [], False, NOW)
    invitations.invite(table.store, table.players[0], game["id"], "stranger@example.net", NOW)
    [one] = table.notices("invitation")
    assert '<html lang="it">' in html(table.mail(one))
    assert isinstance(table.compose(replace(one, data={**one.data, "invitation": 0})), Skip)
