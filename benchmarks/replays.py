"""Replays: stored games read and replayed, beside python-chess reading as many plies of PGN in the same run."""

from __future__ import annotations

import io
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.timing import Figure, measure, progress, progress_done, show
from replays import checking, files, reading
from server.engine import record, seeds
from server.engine.game import Game
from server.engine.record import MoveEntry, Record
from server.engine.ulm1.rules import RULES

GAMES = 12
CORPUS = 400
CLIENTS = ("Danube", "", "Minster", "")
MISSING = "python-chess is not installed: pip install 'ulm-by-mail[bench]' for the comparison"


def games(players: int = 4, number: int = 12, every_digest: bool = True) -> list[Record]:
    """Advanced games of random players, by a fixed seed; digests at every ply or where they must stand."""
    rng = random.Random(23)
    found = []
    options = {"tower": True, "rotate_start": False}
    for index in range(number):
        seed = rng.randbytes(32)
        clients = CLIENTS[:players]
        state = RULES.new_game(seeds.game_seed(seed, clients), players, options)
        log = []
        while state.active is not None:
            move = rng.choice(state.rules.legal_moves(state))
            log.append(MoveEntry(" ".join(move), state.active))
            state.rules.advance(state, move, [])
        names = [f"Seat {seat}" for seat in range(players)]
        found.append(record.make(f"bench-{index}", "", options, names, seed, clients, log, every_digest))
    return found


def pgn(plies: int) -> str:
    """Random games of chess as PGN, together about as many plies. Raises `ImportError` without python-chess."""
    import chess
    import chess.pgn

    rng = random.Random(23)
    texts = []
    while plies > 0:
        board = chess.Board()
        while not board.is_game_over() and len(board.move_stack) < 250:
            board.push(rng.choice(list(board.legal_moves)))
        plies -= len(board.move_stack)
        texts.append(str(chess.pgn.Game.from_board(board)))
    return "\n\n".join(texts) + "\n"


def read_pgn(text: str) -> int:
    """Read all games of a PGN text as one does; return the number of plies."""
    import chess.pgn

    stream, plies = io.StringIO(text), 0
    while (found := chess.pgn.read_game(stream)) is not None:
        plies += found.end().ply()
    return plies


def figures() -> Iterator[Figure]:
    """Yield every figure; those of python-chess stand between two of ours where it is installed."""
    progress("games to replay")
    stored = games(number=GAMES)
    full = [record.dumps(one) for one in stored]
    bare = [record.dumps(replace(one, digests={})) for one in stored]
    plies = sum(len(one.moves) for one in stored)

    def replay_all() -> int:
        return sum(sum(1 for _ in record.replay(record.loads(text))) - 1 for text in bare)

    def verify_all() -> int:
        return sum(record.verify(record.loads(text)).ply for text in full)

    def of_chess(ours: Figure, theirs: Figure | None) -> Figure:
        note = f"{theirs.median / ours.median:.2f} of python-chess" if theirs else MISSING
        return ours._replace(note=note)

    theirs = None
    progress("plies without and with digests")
    before = [
        _cpu("text to states, moves checked", "plies", replay_all),
        _cpu("the same, a digest at every ply", "plies", verify_all),
    ]
    try:
        text = pgn(plies)
        progress("python-chess")
        theirs = _cpu("python-chess, pgn.read_game", "plies", lambda: read_pgn(text))
    except ImportError:
        pass
    progress("plies again")
    after = [_cpu(one.name, one.unit, work) for one, work in zip(before, (replay_all, verify_all), strict=True)]
    for one, two in zip(before, after, strict=True):
        yield of_chess(Figure(one.name, one.unit, one.seconds + two.seconds), theirs)
    if theirs:
        yield theirs
    longest = max(stored, key=lambda one: len(one.moves))
    note = f"CPU; {len(longest.moves)} plies, a digest at each"
    yield _cpu("a 4-player game verified", "games", lambda: min(1, record.verify(longest).ply), note)
    yield from _seeking(longest)
    yield from _corpus()


def _cpu(name: str, unit: str, work: Callable[[], int], note: str = "") -> Figure:
    """As `measure`, but in seconds of this process's CPU: what else runs on the machine counts less."""
    work()
    seconds = []
    for _ in range(5):
        begun = time.process_time()
        units = work()
        seconds.append((time.process_time() - begun) / units)
    return Figure(name, unit, tuple(seconds), note)


def _seeking(one: Record) -> Iterator[Figure]:
    progress("seeking")
    replay = Game(one)
    replay.state(replay.plies)
    rng = random.Random(5)
    wanted = [rng.randrange(replay.plies + 1) for _ in range(200)]

    def seek() -> int:
        for ply in wanted:
            replay.state(ply)
        return len(wanted)

    passed = replay.replayed
    seek()
    most = f"{(replay.replayed - passed) / len(wanted):.1f} moves replayed on average, at most {replay.every - 1}"
    yield measure("seek to any ply", "states", seek, most)


def _corpus() -> Iterator[Figure]:
    """`ulm-replay check` over a stream, on one process and on all cores."""
    stored = [record.dumps(one) for one in games(number=40, every_digest=False)]
    with tempfile.TemporaryDirectory() as directory:
        path = str(Path(directory) / "corpus.jsonl.gz")
        with files.Writer(path) as writer:
            for index in range(CORPUS):
                writer.write("", stored[index % len(stored)])
        for jobs in dict.fromkeys((1, checking.available_cores())):
            progress(f"a corpus on {jobs} processes")
            begun = time.perf_counter()
            findings = list(checking.in_parallel(files.texts([path]), checking.check, jobs))
            seconds = (time.perf_counter() - begun) / len(findings)
            if any(finding.defects for finding in findings):
                raise reading.ReadError(findings[0].source, "the corpus does not verify")
            note = f"{CORPUS} games as .jsonl.gz, digests at the rounds"
            yield Figure(f"corpus checked, {jobs} process{'es' if jobs > 1 else ''}", "games", (seconds,), note)


def run() -> None:
    """Measure and show."""
    found = list(figures())
    progress_done()
    show("Replays", found)
