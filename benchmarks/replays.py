"""Replays: stored games read and replayed, beside python-chess reading as many plies of PGN in the same run."""

from __future__ import annotations

import gzip
import io
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.timing import Figure, progress, progress_done, show
from bots import pools
from replays import checking, files, reading
from server import engine
from server.engine import record
from server.engine.record import Record

GAMES = 12
CORPUS = 400
MISSING = "python-chess is not installed: pip install 'ulm-by-mail[bench]' for the comparison"


def games(players: int = 4, number: int = 12, every_digest: bool = True) -> list[Record]:
    """Advanced games of random players, by a fixed seed; digests at every ply or where they must stand."""
    rng = random.Random(23)
    found = []
    for index in range(number):
        names = [f"Seat {seat}" for seat in range(players)]
        game = engine.new_game(names, rng.randbytes(32), ["Danube", "", "Minster"][:players], {"tower": True})
        while game.active is not None:
            game.push(rng.choice(game.legal_moves()))
        found.append(record.completed(replace(game.record, id=f"bench-{index}"), every_digest))
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
    ours = {
        "text to states, moves checked": lambda: sum(
            sum(1 for _ in record.replay(record.loads(text))) - 1 for text in bare
        ),
        "the same, a digest at every ply": lambda: sum(record.verify(record.loads(text)).ply for text in full),
    }
    before = [_cpu(name, "plies", work) for name, work in ours.items()]
    try:
        text = pgn(plies)
        progress("python-chess")
        theirs = _cpu("python-chess, pgn.read_game", "plies", lambda: read_pgn(text))
    except ImportError:
        theirs = None
    for one, work in zip(before, ours.values(), strict=True):
        two = _cpu(one.name, one.unit, work)
        found = Figure(one.name, one.unit, one.seconds + two.seconds)
        yield found._replace(note=f"{theirs.median / found.median:.2f} of python-chess" if theirs else MISSING)
    if theirs:
        yield theirs
    yield from _corpus()


def _cpu(name: str, unit: str, work: Callable[[], int]) -> Figure:
    """As `timing.measure`, but in seconds of this process's CPU: what else runs on the machine counts less."""
    work()
    seconds = []
    for _ in range(5):
        begun = time.process_time()
        units = work()
        seconds.append((time.process_time() - begun) / units)
    return Figure(name, unit, tuple(seconds), "")


def _corpus() -> Iterator[Figure]:
    """`ulm-replay check` over a stream, on one process and on all cores."""
    stored = [record.dumps(one) for one in games(number=min(40, CORPUS), every_digest=False)]
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "corpus.jsonl.gz"
        with gzip.open(path, "wt") as file:
            file.writelines(stored[index % len(stored)] + "\n" for index in range(CORPUS))
        for jobs in dict.fromkeys((1, pools.cores())):
            progress(f"a corpus on {jobs} processes")
            begun = time.perf_counter()
            findings = list(checking.in_parallel(files.texts([path]), checking.check, jobs))
            seconds = (time.perf_counter() - begun) / len(findings)
            if any(finding.message for finding in findings):
                raise reading.ReadError(findings[0].source, "the corpus does not verify")
            note = f"{CORPUS} games as .jsonl.gz, digests at the rounds"
            yield Figure(f"corpus checked, {jobs} process{'es' if jobs > 1 else ''}", "games", (seconds,), note)


def run() -> None:
    """Measure and show."""
    found = list(figures())
    progress_done()
    show("Replays", found)
