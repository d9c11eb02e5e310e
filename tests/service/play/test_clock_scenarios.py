"""Clocks of games, pauses, vacations, reminders and lost mail, as `clock_scenarios.txt` tells them."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest

from server.service.accounts import profiles
from server.service.archive import verification
from server.service.chat import notice_wishes
from server.service.common.errors import ServiceError
from server.service.games import loading
from server.service.outbox import heartbeat, pauses, stranger_mail
from server.service.play import pause, proposals, reminders, timeouts, turns, vacation
from server.service.play.proposals import Wish
from server.storage.database import Store
from server.storage.times import parse_utc, utc
from tests.service.conftest import NOW
from tests.service.timed import Timed, confirm_addresses, start
from tests.tables import Game as GameRow
from tests.tables import Mail, MailPause, Player

UNITS = {"d": "days", "h": "hours", "m": "minutes", "s": "seconds"}
YES = {"yes": True, "no": False}


def span(text: str) -> timedelta | None:
    """`3d4h`; None for `none`."""
    parts = re.findall(r"(\d+)([dhms])", text)
    return None if text == "none" else timedelta(**{UNITS[unit]: int(number) for number, unit in parts})


def scenes() -> Iterator[Any]:
    """Each scene as its title and the lines of what happens."""
    text = (Path(__file__).parent / "clock_scenarios.txt").read_text("utf-8").partition("\n\n")[2]
    for title, lines in re.findall(r"(?m)^([^#\s].*)\n((?:    .*\n)+)", text):
        yield pytest.param([line.strip() for line in lines.splitlines()], id=title.replace(" ", "-"))


class Scene:
    """A game with a clock, and what is said of it: words that act, and words that assert."""

    def __init__(self, store: Store, game: Timed | None = None) -> None:
        self.store, self.game, self.names = store, game or Timed(store, "", []), dict[str, int]()

    def run(self, line: str) -> None:
        before, _, after = line.partition("repeat ")
        times, _, again = after.partition(": ")
        for command in [*before.split("; "), *again.split("; ") * int(times or 0)]:
            if command:
                self.do(command)

    def do(self, command: str) -> None:
        if command.startswith("refused "):
            why, _, rest = command.removeprefix("refused ").partition(": ")
            with pytest.raises(ServiceError, match=why):
                self.do(rest)
            return
        verb, *words = command.split()
        getattr(self, {"try": "try_"}.get(verb, verb.replace("-", "_")))(*words)

    def seats(self, *who: str) -> list[int]:
        """`all`, `but NAME`, `mover`, `other`, a name that was given, or numbers."""
        everybody = range(len(self.game.players))
        match who:
            case ["all"]:
                return [*everybody]
            case ["but", name]:
                return [seat for seat in everybody if seat != self.names[name]]
            case ["mover"]:
                return [self.game.active]
            case ["other"]:
                return [1 - self.game.active]
        return [self.names[name] if name in self.names else int(name) for name in who]

    def start(self, *words: str) -> None:
        """A game; `mail=no`: its second turn, whose notice is written and does not go out."""
        given = dict(word.split("=") for word in words)
        clock: dict[str, Any] = {
            "turn_hours": int(given.get("hours", 24)),
            "reserve_hours": int(given.get("reserve", 0)),
            "vacation_days": int(given.get("vacation", 0)),
            "on_timeout": given.get("timeout", "steady"),
        }
        if "night" in given:
            clock["night"] = dict(zip(("from", "to"), given["night"].split("-"), strict=True))
        clock["weekends_off"], clock["due_time"] = given.get("weekends") == "off", given.get("due")
        if "reminders" in given:
            clock["reminders"] = [float(given["reminders"])]
        began = datetime.combine(NOW.date(), time.fromisoformat(given.get("at", "09:30")), NOW.tzinfo)
        bots = [bot for bot in given.get("bots", "").split(",") if bot]
        self.game = start(self.store, clock, int(given.get("seats", 2)), bots=bots, now=began)
        if given.get("clock") == "no":
            with self.store.write():
                GameRow.update(clock=None, deadline=None).execute()
        if "mail" in given or "addresses" in given:
            confirm_addresses(self.game)
        if "mail" in given:
            self.game.mail_goes = False
            self.game.play_turn()

    def name(self, name: str) -> None:
        self.names[name] = self.game.active

    def until_next(self) -> None:
        self.names["two"] = (self.game.active + 1) % len(self.game.players)

    def wait(self, long: str) -> None:
        self.game.wait(span(long) or timedelta())

    def turn(self) -> None:
        self.game.play_turn()

    def until(self, name: str) -> None:
        while self.game.active != self.names[name]:
            self.game.play_turn()

    def absent(self, name: str) -> None:
        """The player to move is late twice."""
        self.name(name)
        for _ in range(2):
            self.until(name)
            self.wait("24h1s")
            self.tick()

    def push(self) -> None:
        seat = self.game.active
        self.game.play(seat, next(move for move in self.game.legal(seat) if move.startswith("push")))

    def undo(self) -> None:
        seat = self.game.active
        turns.undo(self.store, self.game.id, self.game.players[seat], self.game.ply(seat) - 1, self.game.now)

    def resign(self, who: str) -> None:
        self.game.play(self.seats(who)[0], "resign")

    def try_(self, who: str, key: str | None = None) -> None:
        """A move of somebody who may be late, or away."""
        self.game.play(self.seats(who)[0], "push N1", ply=self.game.ply(self.seats(who)[0]), key=key)

    def back(self, who: str) -> None:
        timeouts.come_back(self.store, self.game.players[self.seats(who)[0]], self.game.id)

    def zone(self, who: str, zone: str) -> None:
        wishes = {"preferences": {"time_zone": zone}}
        profiles.update_profile(self.store, self.game.players[self.seats(who)[0]], wishes, self.game.now)

    def tick(self, changed: str = "") -> None:
        assert self.game.tick() == int(changed) if changed else self.game.tick() >= 0

    def beat(self) -> None:
        """A server is there."""
        heartbeat.beat(self.store, self.game.now)

    def late(self) -> None:
        """A clock that is carried out before anything else finds that nobody is late."""
        assert timeouts.time_out(self.store, self.game.id, self.game.now) is False

    def vote(self, *who: str) -> None:
        for seat in self.seats(*who):
            pause.vote(self.store, self.game.players[seat], self.game.id, self.game.now)

    def give(self, long: str) -> None:
        """The other player of two gives the one to move more time."""
        hours = int((span(long) or timedelta()) / timedelta(hours=1))
        by = self.game.players[1 - self.game.active]
        proposals.propose(self.store, by, self.game.id, Wish("time", hours=hours), self.game.now)

    def withdraw(self, who: str) -> None:
        pause.withdraw(self.store, self.game.players[self.seats(who)[0]], self.game.id, self.game.now)

    def away(self, who: str, after: str, long: str) -> None:
        begins = self.game.now + (span(after) or timedelta())
        ends = begins + (span(long) or timedelta())
        vacation.add(self.store, self.game.players[self.seats(who)[0]], begins, ends, self.game.now)

    def home(self, who: str) -> None:
        player = self.game.players[self.seats(who)[0]]
        vacation.end(self.store, player, vacation.listing(self.store, player, self.game.now)[-1]["id"], self.game.now)

    def remind(self, written: str) -> None:
        assert reminders.run_reminders(self.store, self.game.now) == int(written)

    def digest(self, written: str) -> None:
        assert reminders.run_digests(self.store, self.game.now) == int(written)

    def reminded(self, *fractions: str) -> None:
        found = [json.loads(mail.data)["fraction"] for mail in self.game.mails("reminder")]
        assert found == [float(fraction) for fraction in fractions]

    def wish(self, who: str, wishes: str) -> None:
        with self.store.write():
            stored = json.dumps(json.loads(wishes))
            Player.update(preferences=stored).where(Player.id == self.game.players[self.seats(who)[0]].id).execute()

    def mute(self, who: str) -> None:
        notice_wishes.change(self.store, self.game.id, self.game.players[self.seats(who)[0]], {"mail": "mute"})

    def address(self, who: str, what: str) -> None:
        """What becomes of somebody's address."""
        seat = self.seats(who)[0]
        changes: dict[str, dict[str, object]] = {
            "unconfirmed": {"email_confirmed_at": None},
            "stopped": {"mail_stopped_at": self.game.now},
            "gone": {"email": None, "email_confirmed_at": None},
        }
        if what == "blocked":
            stranger_mail.block(self.store, stranger_mail.claim(f"player{seat}@example.org"), self.game.now)
        else:
            with self.store.write():
                Player.update(**changes[what]).where(Player.id == self.game.players[seat].id).execute()

    def deliver(self, state: str, fault: str | None = None) -> None:
        self.game.deliver(state, fault)

    def deliver_dead(self) -> None:
        self._mail(Mail.state == "dead", state="skipped", done_at=self.game.now)

    def send(self, kind: str) -> None:
        self._mail(Mail.kind == kind, state="sent", done_at=self.game.now)

    def due(self, after: str) -> None:
        self._mail(Mail.state == "pending", due_at=utc(self.game.now + (span(after) or timedelta())))

    def _mail(self, which: Any, **changes: Any) -> None:
        with self.store.write():
            Mail.update(**changes).where(which).execute()

    def others(self) -> None:
        """A mail to somebody else is taken now."""
        mail_to_others(self.game)

    def fault(self) -> None:
        with self.store.write():
            MailPause.insert(cause="fault", why="451", since=self.game.now).execute()

    def mail(self, what: str) -> None:
        """All mail is `paused`, or `resumed`."""
        change: Callable[[], object] = {
            "paused": lambda: pauses.pause(self.store, "", self.game.now),
            "resumed": lambda: pauses.resume(self.store, self.game.now),
        }[what]
        change()

    # What is so now.

    def deadline(self, at: str) -> None:
        assert self.game.deadline() == f"{at}:00Z"

    def left(self, long: str) -> None:
        assert left(self.game) == span(long)

    def granted(self, long: str) -> None:
        wanted = span(long)
        assert row(self.game).granted_seconds == (None if wanted is None else wanted.total_seconds())

    def reserve(self, who: str, long: str) -> None:
        seconds = self.game.page(None)["reserve_seconds"][self.seats(who)[0]]
        assert timedelta(seconds=seconds) == span(long)

    def paused(self, whether: str) -> None:
        assert self.game.page(None)["paused"] is YES[whether]

    def votes(self, *who: str) -> None:
        assert self.game.page(None)["pause_votes"] == ([] if who == ("none",) else self.seats(*who))

    def status(self, status: str) -> None:
        assert self.game.page(None)["status"] == status

    def autopilot(self, who: str, whether: str) -> None:
        assert self.game.page(None)["players"][self.seats(who)[0]]["autopilot"] is YES[whether]

    def automatic(self, whether: str) -> None:
        assert bool(self.game.automatic()) is YES[whether]

    def ends(self, number: str) -> None:
        assert self.game.automatic().count("end") == int(number)

    def moved(self, who: str) -> None:
        """It is another one's turn."""
        assert self.game.active != self.seats(who)[0]


def row(game: Timed) -> loading.Game:
    with game.store.read():
        return loading.for_reader(game.store, game.id, None)


def left(game: Timed) -> timedelta | None:
    """How long it is to the deadline that is stored."""
    deadline = row(game).deadline
    return None if deadline is None else parse_utc(deadline) - game.now


def mail_to_others(game: Timed) -> None:
    about = {"key": f"other {game.now}", "kind": "message", "address": "somebody@example.org"}
    times = {"due_at": game.now, "created_at": game.now, "done_at": game.now}
    with game.store.write():
        Mail.insert(**about, **times, state="sent").execute()


@pytest.mark.parametrize(
    ("database_url", "lines"),
    [pytest.param("sqlite", *scene.values, id=scene.id) for scene in scenes()]
    + [
        pytest.param("postgresql", *scene.values, id=f"postgresql-{scene.id}", marks=pytest.mark.postgres)
        for scene in list(scenes())[::4]
    ],
    indirect=["database_url"],
)  # all come to the same few statements
def test_scene(store: Store, lines: list[str]) -> None:
    scene = Scene(store)
    for line in lines:
        scene.run(line)
    assert list(verification.verify_all(store)) == []
