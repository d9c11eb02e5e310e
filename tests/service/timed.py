"""Games with a clock, for tests: their players live where it is told, and time passes when it is told to."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from server.service.accounts import profiles
from server.service.accounts.players import Player
from server.service.lists import game_page
from server.service.play import timeouts, turns
from server.service.seating import creating, joining
from server.storage.database import Store
from tests.service.bots_here import play_due
from tests.service.conftest import NOW, Match, fixed_entropy, give_address, make_player
from tests.tables import Mail, Move

HOUR = timedelta(hours=1)
PLAIN: dict[str, Any] = {"turn_hours": 24, "vacation_days": 0}


@dataclass
class Timed(Match):
    """A running game with a clock. `now` is the time of what happens next."""

    now: datetime = NOW
    mail_goes: bool = True
    """Whether the notice of each turn goes out at once."""

    def wait(self, span: timedelta) -> None:
        """Let time pass; nothing looks at the clock meanwhile."""
        if self.mail_goes:
            self.deliver()
        self.now += span

    def deliver(self, state: str = "sent", fault: str | None = None) -> None:
        """The notices of turns that wait go out now, or whatever else becomes of them."""
        done = None if state == "pending" else self.now
        waiting = Mail.kind.in_(("turn", "started")) & Mail.state.in_(("pending", "sending"))
        with self.store.write():
            tried = {} if fault is None else {"tried_at": self.now, "attempts": Mail.attempts + 1}
            Mail.update(state=state, done_at=done, fault=fault, **tried).where(waiting).execute()

    def tick(self, seed: int = 1) -> int:
        """Let the clock's job run now, and after it that which plays for who does not come."""
        changed = timeouts.run_clocks(self.store, self.now, random.Random(seed))
        play_due(self.store, self.now)
        return changed

    def deadline(self) -> str | None:
        deadline: str | None = self.page(None)["deadline"]
        return deadline

    def play(self, seat: int, *moves: str, ply: int | None = None, key: str | None = None) -> dict[str, Any]:
        at = self.ply(seat) if ply is None else ply
        played = turns.play(self.store, self.id, self.players[seat], at, list(moves), key, self.now, random.Random(1))
        play_due(self.store, self.now)
        return dict(played)

    def log(self, seat: int | None = None) -> list[dict[str, Any]]:
        viewer = None if seat is None else self.players[seat]
        moves: list[dict[str, Any]] = game_page.log(self.store, self.id, viewer, 0)["moves"]
        return moves

    def automatic(self) -> list[str]:
        """The moves in the log that the server made for somebody whose time was over."""
        with self.store.read():
            rows = Move.select().where(Move.game == self.id, Move.automatic).order_by(Move.ply)
            return [row.move for row in rows if row.move != "draw"]

    def mails(self, kind: str) -> list[Any]:
        return self.store.ask(lambda: list(Mail.select().where(Mail.kind == kind).order_by(Mail.id)))


def start(
    store: Store,
    clock: dict[str, Any] | None = None,
    seats: int = 2,
    zones: Sequence[str] = (),
    bots: Sequence[str] = (),
    auto_draw: bool = True,
    seed: int = 1,
    now: datetime = NOW,
) -> Timed:
    """A game of `seats` players less the bots, begun at `now`; `zones` are where the first players live."""
    players: list[Player] = []
    for seat in range(seats - len(bots)):
        player = make_player(store, f"Player {seat}", auto_draw)
        if seat < len(zones):
            profiles.update_profile(store, player, {"preferences": {"time_zone": zones[seat]}}, NOW)
            player = replace(player, preferences={**player.preferences, "time_zone": zones[seat]})
        players.append(player)
    page = creating.create(
        store,
        players[0],
        seats,
        "A game",
        None,
        "",
        list(bots),
        False,
        now,
        random.Random(seed),
        fixed_entropy(seed),
        clock=PLAIN if clock is None else clock,
    )
    for player in players[1:]:
        joining.join(store, player, page["id"], "", None, now, random.Random(seed))
    return Timed(store, page["id"], players, now=now)


def confirm_addresses(game: Timed) -> None:
    """Give every player an address that mail may be sent to."""
    for seat, player in enumerate(game.players):
        give_address(game.store, player, f"player{seat}@example.org")


class Killed(BaseException):
    """A process ends here."""


@contextmanager
def killed_at_the_third_game() -> Iterator[None]:
    """In the block clocks are looked at game by game, each in a transaction of its own, and at the third it ends."""
    done: list[str] = []
    whole = timeouts.refresh

    def two_and_no_more(store: Store, game_id: str, now: datetime) -> bool:
        if len(done) == 2:
            raise Killed
        done.append(game_id)
        with store.write():  # which another transaction would refuse
            pass
        return whole(store, game_id, now)

    with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
        patch.setattr(timeouts, "refresh", two_and_no_more)
        yield
