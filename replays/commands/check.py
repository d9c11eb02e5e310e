"""`check`, `audit`, `stats`, `table`, `standings` and `branch`: what many records are, and a record made of one."""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain, islice
from typing import Literal

from replays import audit as auditing
from replays import checking, deals, reading, tables
from replays import standings as places
from replays import stats as statistics
from replays.checking import in_parallel
from replays.commands import options
from replays.commands.options import FILE, JOBS, OUTPUT, PATHS, QUIET, argument, command, whole
from replays.files import ReplayError, printable
from replays.sandbox import BRANCH, Sandbox
from server.board.measure import cut
from server.engine import record as records
from server.engine import seeds
from server.engine.errors import IllegalMoveError, InvalidMoveError
from server.engine.game import Game
from server.engine.record import Record


@command(
    "check",
    "Check records: the promised shuffle, every move, the result.",
    PATHS, JOBS, options.json_lines("record, good or not,"), QUIET,
)  # fmt: skip
def check(args: argparse.Namespace) -> int:
    """0 when all records are good, 1 when some are not."""
    began = time.monotonic()
    checked = bad = plies = 0
    with options.Corpus("check", args.paths, args.quiet) as given:
        for finding in in_parallel(given.items, checking.check, args.jobs):
            checked += 1
            bad += finding.message is not None
            plies += finding.plies
            given.passed()
            if args.json:
                given.say(json.dumps(finding.to_dict()))
            elif finding.message is not None:
                known = not finding.rule or f"({finding.rule})" in finding.message
                rule = "" if known else f" ({finding.rule})"
                given.say(printable(f"{finding.source}: ply {finding.ply}: {finding.message}{rule}"))
    if not args.quiet:
        seconds = time.monotonic() - began
        message = f"{checked} records checked, {bad} defective; {plies} plies in {seconds:.1f} s"
        print(message, file=sys.stderr if args.json else sys.stdout)
    return 1 if bad else 0


@command(
    "audit",
    "Prove the shuffle of records: whether the set-up is the one that was promised before the game; of one record all "
    "that follows from its seed, of several a line each. This runs replays/audit.py, which can be copied to another "
    "machine and run there by itself.",
    PATHS,
)
def audit(args: argparse.Namespace) -> int:
    """0 when all is as it was promised, 1 when it is not."""
    bad = 0
    with options.Corpus("audit", args.paths) as given:
        items = given.items
        first = list(islice(items, 2))
        for item in chain(first, items):
            try:
                lines, good = auditing.audit(json.loads(item.text or b""))
            except auditing.NO_RECORD as error:
                why = item.problem or auditing.reason(error)
                lines, good = [f"not a record that can be audited: {why}"], False
            bad += not good
            given.passed()
            in_full = len(first) == 1 and lines[1:]
            given.say(printable("\n".join(lines) if in_full else f"{item.source}: {lines[-1]}"))
    return 1 if bad else 0


KINDS = ("table", "json", "jsonl")
_Table = Literal["by_seat", "by_turn_order", "by_descendant", "by_coat"]
_TABLES: dict[_Table, str] = {
    "by_seat": "Win rate by seat", "by_turn_order": "Win rate by turn order",
    "by_descendant": "Win rate with a Descendant", "by_coat": "Win rate with a coat of arms",
}  # fmt: skip


@command(
    "stats",
    "Statistics of many games: who wins from which seat and with what, where points come from, how long games are.",
    PATHS,
    JOBS,
    argument(
        "--format", choices=KINDS, help="jsonl: a flat row for each seat of each game (default: by OUT, else table)"
    ),
    OUTPUT,
)
def stats(args: argparse.Namespace) -> int:
    """1 when some record could not be read or replayed; those are named and left out."""
    end = (args.output or "").rpartition(".")[2]
    kind = args.format or (end if end in KINDS else "table")
    total, bad = statistics.Sums(), 0
    endings = () if args.format else (".txt", ".table", ".json", ".jsonl")
    with options.output(args.output, *endings) as file, options.Corpus("stats", args.paths) as given:
        for table, problem in in_parallel(given.items, statistics.rows_of, args.jobs):
            given.passed()
            if problem is not None:
                bad += 1
                given.say(printable(problem), error=True)
            if kind == "jsonl":
                file.writelines(json.dumps(row).encode() + b"\n" for row in table)
            statistics.add(total, statistics.sums_of(table))
        found, named = statistics.corpus(total), statistics.named(total)
        if kind == "json":
            file.write(json.dumps({**found, **named}, indent=1).encode() + b"\n")
        elif kind == "table":
            file.writelines(line.encode() + b"\n" for line in _table(found, named))
    return 1 if bad else 0


def _table(found: statistics.CorpusForm, named: statistics.NamedForm) -> Iterator[str]:
    plies = found["plies"]
    yield f"{found['games']} finished games: " + ", ".join(f"{n} of {kind}" for kind, n in found["kinds"].items())
    yield f"plies: {plies['mean']} a game ({plies['least']} to {plies['most']}), {found['plies_per_turn']} a turn"
    yield f"seats that resigned: {found['resigned_seats']}"
    yield ""
    yield "VP by source, mean of a seat"
    for source, vp in found["vp_by_source"].items():
        yield f"  {source:<18}{vp:8.2f}"
    shares = [(title, found[name]) for name, title in _TABLES.items()]
    shares += [("Win rate by player", named["by_player"]), ("Win rate by bot", named["by_bot"])]
    for title, group in shares:
        if not group:
            continue
        yield ""
        yield f"{title:<28}{'count':>7}{'won':>8}{'fair':>8}{'mean VP':>9}"
        for key, share in group.items():
            rates = f"{share['count']:7}{share['win_rate']:8.1%}{share['fair']:8.1%}"
            yield f"  {printable(cut(key, 26)):<26}{rates}{share['mean_total']:9.2f}"


@command(
    "deal",
    "The table of games of one deal: that they are of one, and who stands where in it.",
    PATHS, options.json_lines("place in the table"),
    argument("--commitment", metavar="HEX", help="the one that was shown before the deal was played"),
)  # fmt: skip
def deal(args: argparse.Namespace) -> None:
    """Raises `ReplayError` when a record is not good, not of the deal that the first one is of, or of another one."""
    found = deals.table(reading.records(args.paths, verify=True))
    if not found:
        raise ReplayError("no game of this deal counts: all were resigned at once")
    seed = found[0][1].server_seed
    commitment = seeds.commitment(seed)
    if args.commitment not in (None, commitment):
        raise ReplayError(f"the commitment of these games is {commitment}: it is not the one that was shown")
    if not args.json:
        print(f"commitment {commitment}\nserver seed {seed.hex()}\n\n{'place':>5}{'points':>8}{'beaten':>8}  name")
    for standing, record in found:
        place, points, beaten = standing
        name = record.players[0]["name"]
        if args.json:
            print(json.dumps({**standing._asdict(), "name": name, "id": record.id}))
        else:
            print(printable(f"{place:5}{points:8}{beaten:7}%  {cut(name, 30)} ({record.id})"))


@command(
    "table",
    "Tables of many games for pandas, polars, DuckDB or R: a row for each game, seat and ply, as three Parquet files.",
    PATHS,
    JOBS,
    QUIET,
    argument(
        "-o",
        "--output",
        metavar="GAMES.parquet",
        required=True,
        help="where to write the games; GAMES-seats.parquet and GAMES-plies.parquet are written beside it",
    ),
)
def table(args: argparse.Namespace) -> int:
    """1 when some record could not be read or replayed; those are named and left out."""
    if args.output == "-":
        raise ReplayError("three tables need names: give -o GAMES.parquet")
    known: dict[str, str] = {}
    bad = 0

    def good() -> Iterator[tables.Tables]:
        nonlocal bad
        for found, problem in in_parallel(given.items, tables.tables_of, args.jobs):
            given.passed()
            if found is not None and found.id in known:
                problem = f"{found.source}: has the id {found.id!r} of the game in {known[found.id]}"
            if found is None or problem is not None:
                bad += 1
                given.say(printable(str(problem)), error=True)
                continue
            known[found.id] = found.source
            yield found

    began = time.monotonic()
    place = args.output.removesuffix(".parquet")
    names = {name: args.output if name == "games" else f"{place}-{name}.parquet" for name in tables.COLUMNS}
    with options.Corpus("table", args.paths, args.quiet) as given, ExitStack() as stack:
        files = {name: stack.enter_context(options.output(path, ".parquet")) for name, path in names.items()}
        rows = tables.write(good(), files)
    if not args.quiet:
        told = ", ".join(f"{rows[name]} {name} in {path}" for name, path in names.items())
        print(printable(f"{told}; {bad} records left out; {time.monotonic() - began:.1f} s"))
    return 1 if bad else 0


@command(
    "standings",
    "The table of a tournament from the records of its games, as its page shows it (docs/contests.md).",
    PATHS,
    JOBS,
    options.json_lines("entrant, the best first,"),
)
def standings(args: argparse.Namespace) -> int:
    """1 when some record could not be read or replayed; those are named and left out. One given twice counts once."""
    games: dict[str, places.Told] = {}
    bad = 0
    with options.Corpus("standings", args.paths) as given:
        for found in in_parallel(given.items, places.told_by, args.jobs):
            given.passed()
            if isinstance(found, str):
                bad += 1
                given.say(printable(found), error=True)
            else:
                games[found.id] = found
    tournaments = {game.tournament for game in games.values()}
    if len(tournaments) > 1:
        raise ReplayError("these are games of several tournaments: give those of one")
    played = [game.played for game in games.values() if game.played is not None]
    latest_first = sorted(games.values(), key=lambda game: -(game.played.round if game.played else 0))
    names = {entrant: name for game in latest_first for entrant, name in game.names.items()}  # as in the first round
    lines = places.standings(played, any(kind == "knock-out" for _, kind in tournaments))
    if args.json:
        for line in lines:
            own = {"place": line.place, "entrant": line.entrant, "name": names[line.entrant]}
            print(json.dumps({**own, **line.measure._asdict()}))
    else:
        for text in places.printed((line.place, names[line.entrant], line.measure) for line in lines):
            print(printable(text))
    return 1 if bad else 0


@command(
    "branch",
    "Play on from any ply of a finished game, by given moves or at random, and write that as a new record.",
    FILE,
    argument("--ply", type=whole, help="where to leave the game (default: its last ply)"),
    argument("--moves", default="", help="moves to go on with, as in 'draw; push N2; end'"),
    argument("--random", type=whole, default=0, metavar="N", help="then up to N moves at random"),
    argument("--random-seed", type=whole, help="makes what is random the same each time"),
    OUTPUT,
)
def branch(args: argparse.Namespace) -> None:
    """Write a record under the same seed, which verifies like any other."""
    # An unseeded generator is as good as any where nobody plays for something.
    rng = random.Random(args.random_seed)  # noqa: S311
    moves = [move.strip() for move in args.moves.replace("\n", ";").split(";") if move.strip()]
    game = options.load(args.file)
    made_up = isinstance(game.record, Sandbox) or BRANCH in game.record.extra
    if game.record.result is None and not made_up:
        raise ReplayError(f"{args.file}: the game is not finished; nobody may know what is still to come")
    found = branched(game.record, options.require_ply(game, args.ply), moves, rng, args.random)
    with options.output(args.output, ".json") as file:
        file.write(records.dumps(found).encode() + b"\n")


def branched(record: Record, ply: int, moves: Sequence[str], rng: random.Random, plies: int) -> Record:
    """A record that leaves `record` after `ply` and goes on with `moves`, then with up to `plies` drawn by `rng`. The
    moves are those of who is to move; their times are null. Raises `ReplayError` naming the ply that cannot be
    played."""
    extra = {**record.extra, BRANCH: {"of": record.id, "ply": ply}}
    game = Game(replace(record, moves=record.moves[:ply], id=f"{record.id}-branch-{ply}", extra=extra))
    for text in moves:
        if game.active is None:
            raise ReplayError(f"ply {game.plies + 1}: {text[:60]!r}: the game is over")
        try:
            game.push(text)
        except (InvalidMoveError, IllegalMoveError) as error:
            raise ReplayError(f"ply {game.plies + 1}: {error}") from error
    while plies and game.active is not None:
        game.push(rng.choice(game.legal_moves()))
        plies -= 1
    return game.to_record()
