"""`ulm demo`: random players play a whole game over the public API; then the engine here replays its record, which has
to carry the commitment, the client seeds and every acknowledged move."""

from __future__ import annotations

import argparse
import random
import secrets
import sys
from dataclasses import dataclass, field

from server.commands import CommandError, argument, command, progress
from server.commands.client import Client, NoAnswerError, RefusedError
from server.engine import record as records
from server.engine import rulesets
from server.engine.errors import RecordError
from server.engine.ulm1.tables import MAX_PLAYERS, MIN_PLAYERS
from server.settings import Settings, local_url

NAMES = ("Red", "Green", "Blue", "Yellow")
LAZY = 6
"""At one decision in so many a player thinks of ending the turn before there is nothing else to do."""


@command(
    "demo",
    "play a whole game over HTTP against a running server",
    argument("--url", help="address of the server (default: ULM_BASE_URL, else ULM_HOST and ULM_PORT)"),
    argument("--players", type=int, choices=range(MIN_PLAYERS, MAX_PLAYERS + 1), default=2, help="default: 2"),
    argument("--advanced", action="store_true", help="with the Tower tiles"),
    argument("--rotate-start", action="store_true", help="each round begins one seat further"),
    argument("--seed", help="what the players' chance and their client seeds follow from; the server's share does not"),
)
def demonstrate(args: argparse.Namespace, settings: Settings) -> int:
    """Play, check, and print the address of the replay. 1 when the record does not stand the check."""
    url = (args.url or settings.base_url or local_url(settings.host, settings.port)).rstrip("/")
    options = {"tower": args.advanced, "rotate_start": args.rotate_start}
    try:
        demo = begin(Client(url), args.players, options, args.seed or secrets.token_hex(8))
        with progress("demo", rulesets.for_new_games().rounds * args.players, " turns") as bar:
            while demo.active is not None:
                demo.decide()
                bar.update(demo.turns - bar.n)
        text = demo.client.text(f"/api/v1/replays/{demo.id}/record")
    except NoAnswerError as error:
        raise CommandError(
            f"no answer from {url}: {error}; start a server with `ulm serve`, or name its address with --url"
        ) from error
    except RefusedError as error:
        raise CommandError(f"{url} refused: {error}") from error
    try:
        record = demo.check(text)
    except RecordError as error:
        where = f"{url}/api/v1/replays/{demo.id}"
        print(f"The record of {where} fails at ply {error.ply}: {error.message}", file=sys.stderr)
        return 1
    _report(url, demo, record)
    return 0


@dataclass(slots=True)
class Demo:
    """One game under way. `active` is the seat to move, None when it is over."""

    client: Client
    rng: random.Random
    id: str
    options: dict[str, bool]
    commitment: str
    tokens: list[str]
    client_seeds: list[str]
    active: int | None = None
    turns: int = 0
    played: dict[int, tuple[int, str]] = field(default_factory=dict)
    """What the server acknowledged: ply → seat, move."""

    def decide(self) -> None:
        """Ask for the legal moves of the seat to move, and play one of them."""
        seat = self.active
        assert seat is not None  # noqa: S101 - the caller asks first
        path, token = f"/api/v1/games/{self.id}", self.tokens[seat]
        answer = self.client.get(f"{path}/legal-moves", token)
        ply, legal = answer["ply"], answer["moves"]
        if not legal:
            raise RefusedError(f"seat {seat} is to move at ply {ply} and has no legal move")
        move = self._choose(legal)
        # Should the answer get lost, the same key makes a repeat safe.
        key = f"{ply}-{self.rng.getrandbits(64):016x}"
        answer = self.client.post(f"{path}/moves", {"ply": ply, "moves": [move]}, token, key)
        self.played[ply + 1] = (seat, move)
        self.turns += move == "end"
        self.active = answer["view"]["active"]

    def _choose(self, legal: list[str]) -> str:
        """A verb first and then one of its moves, so that the many ways to push do not crowd out the rest."""
        # Ending a turn at every second chance would leave most of the game unseen.
        if self.rng.randrange(LAZY):
            legal = [move for move in legal if move != "end"] or legal
        verb = self.rng.choice(sorted({move.split()[0] for move in legal}))
        return self.rng.choice([move for move in legal if move.split()[0] == verb])

    def check(self, text: str) -> records.Record:
        """The record, when it is complete and true to what was seen. Raises `RecordError`, which names the ply."""
        record = records.loads(text)
        for name, shown, known in (
            ("commitment", record.commitment, self.commitment),
            ("client seeds", record.client_seeds, self.client_seeds),
            ("options", record.options, self.options),
        ):
            if shown != known:
                raise RecordError(0, f"it shows other {name} than the game had when it was played")
        if records.verify(record).scores is None:
            raise RecordError(len(record.moves), "the game is not over")
        for ply, entry in enumerate(record.moves, 1):
            # What the players did not send is a draw that the server made for them.
            seat, move = self.played.get(ply, (entry.seat, "draw"))
            if (entry.seat, entry.text) != (seat, move):
                raise RecordError(ply, f"seat {seat} played `{move}`, the record has `{entry.text}` by {entry.seat}")
        if len(record.moves) < max(self.played):
            raise RecordError(len(record.moves) + 1, "an acknowledged move is missing")
        return record


def begin(client: Client, players: int, options: dict[str, bool], seed: str) -> Demo:
    """Make the players, their game, and seat them. Raises `NoAnswerError`, `RefusedError`."""
    rng = random.Random(seed)  # noqa: S311 - how the players choose is no secret
    tokens = [client.post("/api/v1/players", {"name": name})["token"] for name in NAMES[:players]]
    client_seeds = [f"{rng.getrandbits(64):016x}" for _ in tokens]
    wish = {"seats": players, "name": "A demonstration", "options": options, "client_seed": client_seeds[0]}
    page = client.post("/api/v1/games", wish, tokens[0])
    demo = Demo(client, rng, page["id"], options, page["commitment"], tokens, client_seeds)
    for token, client_seed in zip(tokens[1:], client_seeds[1:], strict=True):
        page = client.post(f"/api/v1/games/{demo.id}/players", {"client_seed": client_seed}, token)
    demo.active = page["to_move"]
    return demo


def _report(url: str, demo: Demo, record: records.Record) -> None:
    assert record.result is not None  # noqa: S101 - a checked record of a finished game
    both = zip(record.players, record.result["scores"], strict=True)
    scores = ", ".join(f"{player['name']} {score['total']}" for player, score in both)
    won = " and ".join(record.players[seat]["name"] for seat in record.result["winners"])
    print(f"Played {len(record.moves)} moves in {demo.client.requests} requests: {scores}. {won} won.")
    print("Replayed here: the commitment, the seeds, every move, every digest and the result are right.")
    print(f"Replay:  {url}/api/v1/replays/{demo.id}")
    print(f"Record:  {url}/api/v1/replays/{demo.id}/record")
