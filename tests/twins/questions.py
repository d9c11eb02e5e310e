"""What can be asked: every rule of the application's URL map, each parameter filled by its name.

A new route is asked by itself where its parameters have names that are known here. One that cannot be asked, or whose
answer differs by right, stands in `LEFT_OUT` and says why; the test fails for a rule that is neither.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from flask import Flask
from werkzeug.routing import Rule

from server.engine.ulm1.tables import SLOTS
from server.service.accounts import links
from tests.twins.worlds import ALL_OF_IT, API, Eyes, World

LEFT_OUT: dict[str, str] = {
    "pages.static": "files of the release: nothing of a game is in them",
    "api-docs.asset": "files of the release: nothing of a game is in them",
    "app-pages.worker": "a file of the release: nothing of a game is in it",
    "spool.index": "mails of everybody, where mail goes into files: for the operator, on the server's own machine",
    "spool.mail": "as spool.index",
    "spool.source": "as spool.index",
    "spool.html": "as spool.index",
}
"""The endpoints that are not asked, and why."""


@dataclass(frozen=True)
class Question:
    """A request; `first` asks for the beginning of a stream alone."""

    method: str
    path: str
    json: Any = None
    form: dict[str, str] | None = None
    headers: dict[str, str] = field(default_factory=dict)
    first: bool = False
    endpoint: str = "others"

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.json or self.form or ''} {self.headers or ''}"


@dataclass
class Seen:
    """What the one who asks knows of the game: enough to ask for something."""

    world: World
    twin: World
    eyes: Eyes
    game_id: str
    rng: random.Random
    page: dict[str, Any]
    legal: list[str]

    @property
    def ply(self) -> int:
        return int(self.page["ply"])

    @property
    def plies(self) -> list[int]:
        """The newest, the one before, one long ago, and one that there is not."""
        return [self.ply, max(0, self.ply - 1), self.rng.randint(0, self.ply), self.ply + 1]

    def token(self, purpose: str, **claims: Any) -> str:
        """A link as a mail has it; for who has no account it is none."""
        if self.eyes.player is None:
            return "none"
        now = self.world.time() - timedelta(minutes=1)
        token = links.make(self.world.store, purpose, now=now, player=self.eyes.player.id, **claims)
        self.twin.take_links(self.world)
        return token

    def turn_token(self) -> str:
        if self.page["seat"] is None:
            return "none"
        ply = self.rng.choice(self.plies[:3])
        return self.token("turn", game=self.game_id, ply=ply, seat=self.page["seat"])


TOKENS: dict[str, Callable[[Seen], str]] = {
    "t": Seen.turn_token,
    "confirm": lambda seen: seen.token("confirm", address=links.address_claim("ann@example.org")),
    "sign-in": lambda seen: seen.token("sign_in", address=links.address_claim("ann@example.org")),
    "invitation": lambda seen: seen.token("invitation", invitation=1, address=links.address_claim("ann@example.org")),
    "pause": lambda seen: seen.token("pause", game=seen.game_id),
    "unsubscribe": lambda seen: seen.token("unsubscribe", game=seen.game_id),
}
"""Links by the first part of their address."""

FILL: dict[str, Callable[[Seen, Rule], Any]] = {
    "game_id": lambda seen, rule: seen.game_id,
    "ply": lambda seen, rule: seen.rng.choice(seen.plies),
    "words": lambda seen, rule: seen.rng.choice(("end", f"push/{seen.rng.choice(SLOTS)}", "swap/gray")),
    "token": lambda seen, rule: TOKENS[rule.rule.split("/")[1]](seen),
    "crop": lambda seen, rule: "whole",
    "theme": lambda seen, rule: "light",
    "code": lambda seen, rule: "en",
    "rule_id": lambda seen, rule: "A5",
    "chapter": lambda seen, rule: "turn",
    "number": lambda seen, rule: 1,
    "which": lambda seen, rule: "today",
    "month": lambda seen, rule: "2026-11",
    "player_id": lambda seen, rule: seen.rng.choice([one["player"] or "steady" for one in seen.page["players"]]),
}
"""By the name of a parameter what to fill it with. What is not named here is filled with whatever fits (`value`)."""


def value(rule: Rule, name: str, seen: Seen) -> Any:
    """What to put into a rule for a parameter: by its name, else the first of some words that it takes."""
    converter = rule._converters[name]  # noqa: SLF001
    given = [FILL[name](seen, rule)] if name in FILL else []
    words = [seen.game_id, seen.rng.choice(seen.plies), "steady", "stale-ply", *getattr(converter, "items", ())]
    for word in [*given, *words]:
        if re.fullmatch(converter.regex, str(word)):
            return word
    raise AssertionError(f"{rule.rule}: fill <{name}> in questions.FILL, or leave the rule out and say why")


def draft(seen: Seen) -> str:
    """Some legal moves as a draft has them."""
    moves = seen.rng.sample(seen.legal, min(len(seen.legal), 1)) or ["push N1"]
    return ",".join([*moves, *seen.rng.choice([[], ["end"], ["money"]])])


QUERIES: dict[str, Callable[[Seen], list[str]]] = {
    "events.getEvents": lambda seen: ["", ALL_OF_IT],
    "account-events.getAccountEvents": lambda seen: ["", ALL_OF_IT],
    "moves.getMoves": lambda seen: ["", f"?since={seen.rng.choice(seen.plies)}"],
    "boards.getGameBoard": lambda seen: ["", f"?ply={seen.rng.choice(seen.plies)}&theme=dark&layout=narrow"],
    "boards.getGameBoardText": lambda seen: ["", f"?ply={seen.rng.choice(seen.plies)}&full=true&language=de"],
    "games.getGames": lambda seen: ["", "?status=running", "?player=me"],
    "game-pages.game": lambda seen: ["", f"?ply={seen.ply}&draft={draft(seen)}"],
    "game-pages.turn": lambda seen: ["", f"?ply={seen.ply}&draft={draft(seen)}"],
    "game-pages.since_boards": lambda seen: ["", "?layout=", f"?layout=town&after={seen.rng.choice(seen.plies)}"],
    "lobby-pages.index": lambda seen: ["", "?list=running"],
    "replays.getStateStream": lambda seen: ["", "?seat=0"],
    "replays.getState": lambda seen: ["", "?seat=0"],
}
"""What is asked beside the bare address."""

STREAMS = {"events.getEvents", "account-events.getAccountEvents", "live-pages.stream", "live-pages.stream_by_link"}
CORE = {"games.getGame", "moves.getMoves"}
OFTEN = {"moves.getLegalMoves", "events.getEvents", "account-events.getAccountEvents", "game-pages.game",
         "game-pages.turn", "boards.getGameBoardText", "boards.getGameBoard", "game-pages.at",
         "game-pages.since_boards", "players.getExport"}  # fmt: skip
"""What is asked at every ply; of the rest a share, and more often what shows most."""


def rules(app: Flask) -> list[Rule]:
    """The rules that can be looked at and are not left out."""
    every = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    return [rule for rule in every if rule.endpoint not in LEFT_OUT]


def address(app: Flask, rule: Rule, seen: Seen) -> str:
    """The address of a rule, its parameters filled."""
    values = {name: value(rule, name, seen) for name in rule.arguments}
    built = rule.build(values)
    assert built is not None, f"{rule.rule}: questions.FILL has nothing that fits"
    return str(built[1])


def looks(app: Flask, seen: Seen, share: float) -> Iterator[Question]:
    """Everything that can be looked at: of all rules but the core a share."""
    for rule in rules(app):
        wanted = 1.0 if rule.endpoint in CORE else 4 * share if rule.endpoint in OFTEN else share
        if seen.rng.random() >= wanted:
            continue
        path = address(app, rule, seen)
        for query in QUERIES.get(rule.endpoint, lambda seen: [""])(seen):
            yield Question("GET", path + query, first=rule.endpoint in STREAMS, endpoint=rule.endpoint)
    here = f"{API}/games/{seen.game_id}"
    if seen.rng.random() < share:
        yield Question("GET", here, headers={"Prefer": "wait=0", "If-None-Match": '"0"'})
        yield Question("HEAD", f"/games/{seen.game_id}")
        yield Question("GET", f"/games/{seen.game_id}", headers={"Accept-Encoding": "gzip", "Accept-Language": "de"})
        yield Question("GET", f"{here}?unknown=1")
        yield Question("GET", f"{API}/nothing")


def attempts(seen: Seen, share: float) -> Iterator[Question]:
    """What is sent and leaves the game as it is: previews, refusals, a sandbox that goes on from what was seen."""
    here, ply, rng = f"{API}/games/{seen.game_id}", seen.ply, seen.rng
    own = seen.page["seat"] is not None and seen.page["seat"] == seen.page["to_move"]

    def sent(where: str, moves: list[str], at: int = ply) -> Question:
        return Question("POST", f"{here}/{where}", {"ply": at, "moves": moves})

    yield sent("preview", ["resign"])
    for move in rng.sample(seen.legal, min(len(seen.legal), 2 if rng.random() < 10 * share else 0)):
        yield sent("preview", [move])
        yield sent("preview", [move, rng.choice(seen.legal), "end", "resign"])
    if "end" in seen.legal:
        yield sent("preview", ["end", "resign"])
        yield sent("preview", ["end"])
    if rng.random() < share:
        yield sent("moves", ["draw"], ply + 1)
        yield sent("moves", ["nonsense"])
        yield sent("moves", ["resign", "draw"])
        yield sent("moves", ["draw"], max(0, ply - 1))
        if not own:
            yield sent("moves", ["draw"])
            yield sent("moves", ["push N1", "end"])
        illegal = [move for move in ("take siege", "choose siege", "draw", "coat N1", "keep gray", "salvage", "search")
                   if move not in seen.legal]  # fmt: skip
        yield sent("moves", [rng.choice(illegal)])
        yield Question("POST", f"{here}/undo", {"ply": ply})
        yield Question("POST", f"{here}/undo", {"ply": ply + 1})
        yield Question("POST", f"{here}/undo", {"ply": 0})
        yield Question("POST", f"/games/{seen.game_id}/turn", form={"ply": str(ply), "move": "draw"})
        yield Question("POST", f"{here}/rematch", {})
        yield Question("POST", f"{API}/replays/{seen.game_id}/branches", {"ply": rng.choice(seen.plies)})
