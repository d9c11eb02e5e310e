"""A real server for browser tests, and what its players do behind the pages: accounts, mails, games at any stage."""

from __future__ import annotations

import email
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import policy
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import BrowserContext

from server.engine import seeds
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm2 import RULES
from server.service.accounts import access, links, sessions
from server.service.games.bots import play_random
from server.service.lists import game_page
from server.service.play import turns
from server.service.seating import creating
from server.storage.database import Store, open_database
from tests.live import LiveServer

COOKIE = "ulm_session"
DEAL = bytes(32)
"""The server's share in the shuffle of games that tests make."""


@dataclass
class Person:
    """An account: its id, name, address and the token for the API."""

    id: str
    name: str
    address: str | None
    token: str


@dataclass
class Site:
    """A running `ulm serve`. Its mails lie as files in a spool; its database is open to the test, too."""

    server: LiveServer
    store: Store
    _numbers: Any = field(default_factory=lambda: count(1))

    @property
    def url(self) -> str:
        """The address of the server, without a slash at the end."""
        return self.server.url

    @property
    def spool(self) -> Path:
        """Where mails are put."""
        return self.server.data_dir / "mail"

    def call(self, path: str, data: dict[str, Any] | None = None, token: str = "", method: str | None = None) -> Any:
        """Call the API (`path` after `/api/v1`), POST when there are data; what it answers, as Python."""
        return self.server.call(path, data, token, method)

    def person(self, name: str | None = None, address: str | None = None, confirmed: bool = False) -> Person:
        """A new account; `name` and `address` are made up when None. With `confirmed` its address is so at once."""
        number = next(self._numbers)
        chosen = name or f"Player {number}"
        if confirmed and address is None:
            address = f"player{number}@example.org"
        made = self.call("/players", {"name": chosen, **({"email": address} if address else {})})
        if confirmed:
            with self.store.write():
                self.store.database.execute_sql(
                    "UPDATE player SET email_confirmed_at = created_at WHERE id = ?", (made["id"],)
                )
        return Person(made["id"], chosen, address, made["token"])

    def sign_in(self, context: BrowserContext, person: Person) -> None:
        """Give a browser a session of that person, as if it had come through the link of a mail."""
        session = sessions.new_session(self.store, person.id, datetime.now(UTC), fresh=True)
        context.add_cookies([{"name": COOKIE, "value": session, "url": self.url, "httpOnly": True, "sameSite": "Lax"}])

    def mailed_link(
        self, kind: str, address: str | None = None, seconds: float = 60, subject: str = "", after: str | None = None
    ) -> str:
        """The newest link of a kind (`t`, `sign-in`, `confirm`, …) in a mail (to `address`, with `subject` in its
        subject), when one has come that is not `after`."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for file in sorted(self.spool.glob("*.eml"), key=lambda path: path.stat().st_mtime_ns, reverse=True):
                message = email.message_from_bytes(file.read_bytes(), policy=policy.default)
                body = message.get_body(("plain",))
                found = re.search(rf"http\S+/{kind}/[^\s/]+", body.get_content() if body else "")
                if found and (address is None or address in str(message["To"])) and subject in str(message["Subject"]):
                    if found[0] == after:
                        break
                    return found[0]
            time.sleep(0.1)
        raise AssertionError(f"no mail with a link of the kind {kind} came within {seconds:.0f} s")

    def turn_path(self, game: str, person: Person) -> str:
        """`/t/TOKEN` for the person's present turn, as a mail would have it."""
        page = self.page(game, person)
        return "/t/" + links.turn_token(self.store, now=datetime.now(UTC), player_id=person.id, game_id=game,
                                        ply=page["ply"], seat=page["seat"])  # fmt: skip

    def game(self, *people: Person, bots: tuple[str, ...] = (), **more: Any) -> str:
        """The id of a game of these people (the first makes it) and bots; it runs when all seats are taken.

        `more` goes into the request: name, options, private, clock, `seats` for seats that stay free. It is the same
        deal in every run: a test that fails can be repeated.
        """
        data = {"seats": len(people) + len(bots), "bots": list(bots), "client_seed": "0", **more}
        if len(people) == 1 and data["seats"] == 1 + len(bots):
            return self._game_against(people[0], data)
        made = self.call("/games", data, people[0].token)
        with self.store.write():
            self.store.database.execute_sql(
                "UPDATE game SET server_seed = ?, commitment = ? WHERE id = ? AND status = 'open'",
                (DEAL.hex(), seeds.commitment(DEAL), made["id"]),
            )
        for number, person in enumerate(people[1:], 1):
            joins = {"invitation": made.get("invitation"), "client_seed": str(number)}
            self.call(f"/games/{made['id']}/players", joins, person.token)
        return str(made["id"])

    def _game_against(self, person: Person, data: dict[str, Any]) -> str:
        """A game that starts as soon as it is made: here, where the chance of tests is (see `chance`), not at the
        server."""
        now = datetime.now(UTC)
        player = access.authenticate(self.store, person.token, now)
        assert player is not None
        given = {"name": None, "options": None, "private": False, **data}
        return str(creating.create(self.store, player, now=now, **given)["id"])

    def page(self, game: str, person: Person | None = None) -> dict[str, Any]:
        """The game as the API shows it to that person (None: to a stranger)."""
        return dict(self.call(f"/games/{game}", token=person.token if person else ""))

    def legal(self, game: str, person: Person) -> list[str]:
        """What the person may play now."""
        return list(self.call(f"/games/{game}/legal-moves", token=person.token)["moves"])

    def play(self, game: str, person: Person, *moves: str) -> dict[str, Any]:
        """Play these moves for the person."""
        data = {"ply": self.page(game, person)["ply"], "moves": list(moves)}
        return dict(self.call(f"/games/{game}/moves", data, person.token))

    def two(self, *names: str, mover_first: bool = False, **more: Any) -> tuple[str, Person, Person]:
        """A game of two new people, and who they are in the order of their seats, or (`mover_first`) of their turns;
        `more` as of `game`."""
        first, second = (self.person(name) for name in names or (None, None))
        game = self.game(first, second, **more)
        late = mover_first and self.page(game)["to_move"] == 1
        return (game, second, first) if late else (game, first, second)

    def alone(self, name: str | None = None, **more: Any) -> tuple[str, Person]:
        """A game of somebody new with a bot, and who it is."""
        person = self.person(name)
        return self.game(person, bots=("steady",), **more), person

    def mover(self, game: str, *people: Person) -> Person:
        """Who of these is to move."""
        [found] = [person for person in people if (page := self.page(game, person))["seat"] == page["to_move"]]
        return found

    def advance(
        self, game: str, *people: Person, until: Callable[[dict[str, Any]], bool], seed: int = 1, rather: str = ""
    ) -> None:
        """Play legal moves by chance for these people until the page, as the one who moves sees it, fits `until`.

        For example `until=lambda page: page["status"] == "finished"`, `page["round"] == 3`, `page["ply"] >= 40`. Stops
        as well when the game is over. By way of the database, as a second server would. `rather` is played as soon as
        it is legal, before it nothing that begins with the same word, and turns end when nothing else is left.
        """
        rng = Random(seed)
        players = []
        for person in people:
            player = access.authenticate(self.store, person.token, datetime.now(UTC))
            assert player is not None
            players.append(player)
        for _ in range(5000):
            page = game_page.page(self.store, game, players[0])
            mover = next((player for player in players if _seat(page, player.id) == page["to_move"]), None)
            if mover is not None and mover is not players[0]:
                page = game_page.page(self.store, game, mover)
            if until(page) or page["status"] != "running":
                return
            if mover is None:
                time.sleep(0.05)  # a bot's
                continue
            legal: list[Move] = [
                RULES.parse_move(text) for text in game_page.legal_moves(self.store, game, mover)["moves"]
            ]
            if rather:
                best = [move for move in legal if format_move(move) == rather]
                legal = best or [move for move in legal if move[0] not in (rather.split()[0], "end")] or legal
            move = format_move(play_random({}, legal, rng))
            turns.play(self.store, game, mover, page["ply"], [move], None, datetime.now(UTC))
        raise AssertionError("the game does not get there")

    def close(self) -> None:
        """Stop the server and close the database."""
        self.store.close()
        self.server.stop()


def _seat(page: dict[str, Any], player_id: str) -> int | None:
    return next((seat["seat"] for seat in page["players"] if seat and seat["player"] == player_id), None)


def open_phone(
    site: Site, open_page: Any, path: str, person: Person, width: int = 390, height: int = 844, **options: Any
) -> Any:
    """Open a page of a game as a phone does that has been here: its first answer has the boards of a phone."""
    tab = open_page(person=person, width=width, touch=True, **options)
    tab.set_viewport_size({"width": width, "height": height})
    tab.context.add_cookies([{"name": "ulm_board", "value": "phone", "url": site.url}])
    tab.goto(path)
    return tab


def open_drawer(tab: Any, part: str) -> None:
    """Open what lies beside the turn on the page of a game, at one of its parts: Log, Messages, This game."""
    if not tab.locator("#drawer .tabs").is_visible():
        tab.locator("[popovertarget=drawer]:visible").first.click()
    tab.locator("#drawer .tabs label", has_text=part).click()


def start(data_dir: Path, **variables: str) -> Site:
    """A server with a data directory of its own; `variables` are further `ULM_…` settings."""
    # Mails are composed by the server itself and without pictures: a process for that takes a second to start.
    settings = {"ULM_MAIL_WORKERS": "0", "ULM_MAIL_PICTURES": "off", **variables}
    server = LiveServer(data_dir, settings)
    return Site(server, open_database(f"sqlite:///{data_dir}/ulm.sqlite3", 2))
