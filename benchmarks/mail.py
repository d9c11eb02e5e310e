"""How fast the outbox drains, beside the least that can send the same mails.

`DUE` games wait for somebody, and for each a turn notice is due. They are sent by `ulm worker`'s own delivery, with the
real composer, to a mail server in another process. The yardstick is smtplib with one reused connection and mails that
are composed beforehand, to the same server in the same run, in turns with it. With pictures there are fewer games.

The other games are copies of these: each has its own rows, so nothing is read twice.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import multiprocessing
import os
import random
import resource
import smtplib
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from benchmarks.timing import duration, progress, progress_done, table
from server.notify import runner
from server.notify.compose import compose
from server.notify.composing import compose_one
from server.notify.mime_message import Envelope
from server.notify.transport import Transport, transport_for
from server.service.accounts import access, account_opening, links
from server.service.accounts import players as account_players
from server.service.lists import game_page
from server.service.outbox import deliveries
from server.service.play import turns as play_turns
from server.service.seating import creating, joining
from server.settings import Settings
from server.storage import sql
from server.storage.database import Store, open_database
from server.storage.migrate import migrate
from server.storage.models.accounts import Player
from server.storage.models.mail import Mail

ROOT = Path(__file__).parent.parent
DUE = 4_000
DUE_WITH_PICTURES = TEMPLATES = 150
TURNS = 12
YARDSTICK = 500
SLICES = 5


def run() -> None:
    """Measure and print the table."""
    with tempfile.TemporaryDirectory() as directory, sink() as port:
        base = Settings(
            data_dir=Path(directory),
            smtp_url=f"smtp://127.0.0.1:{port}",
            mail_from="ulm@ulm.example.org",
            base_url="https://ulm.example.org",
            mail_pictures=False,
            example=False,
        )
        store = open_database(base.database)
        try:
            migrate(store)
            progress("playing games")
            fill(store, DUE)
            rows = [("", "mails", "seconds", "mails/s", "CPU each", "of bare smtplib")]
            mails = sample(store, base)
            bare: list[float] = []
            progress(f"{DUE} without pictures")
            plain = drain(store, base, lambda: bare.append(yardstick(port, mails, YARDSTICK)))
            rate = statistics.harmonic_mean(bare)
            spread = f"{rate:,.0f} ({min(bare):,.0f} to {max(bare):,.0f})"
            rows.append(("bare smtplib, in between", str(len(bare) * YARDSTICK), "", spread, "", ""))
            rows.append(_row("without pictures", DUE, plain, rate))
            rows += _with_pictures(store, base, port)
        finally:
            store.close()
    progress_done()
    table(
        f"Mail ({os.cpu_count()} cores, {base.mail_workers} composing processes, load {os.getloadavg()[0]:.1f}; "
        f"composing a mail: {duration(_composing_seconds)} in one process)",
        rows,
    )


_composing_seconds = float("nan")


def _with_pictures(store: Store, base: Settings, port: int) -> Iterator[tuple[str, ...]]:
    """Lines for mails with pictures, in one process and in two."""
    if importlib.util.find_spec("resvg_py") is None:
        yield ("with pictures", "", "", "", "", "the extra `pictures` is not installed")
        return
    for name, workers in (("with pictures, one process", 1), ("with pictures, two processes", 2)):
        progress(name)
        due_again(store, DUE_WITH_PICTURES)
        settings = dataclasses.replace(base, mail_pictures=True, mail_workers=workers)
        yield _row(name, DUE_WITH_PICTURES, drain(store, settings), None)
    mails = sample(store, dataclasses.replace(base, mail_pictures=True))
    rate = yardstick(port, mails, DUE_WITH_PICTURES)
    yield (
        "bare smtplib with pictures",
        str(DUE_WITH_PICTURES),
        "",
        f"{rate:,.0f}",
        "",
        f"{len(mails[0].data) / 1000:.0f} KB each",
    )


def _row(name: str, number: int, took: tuple[float, float], bare: float | None) -> tuple[str, ...]:
    seconds, cpu = took
    share = "" if bare is None else f"{number / seconds / bare:.0%}"
    return name, str(number), f"{seconds:.1f}", f"{number / seconds:,.1f}", duration(cpu / number), share


@contextmanager
def sink() -> Iterator[int]:
    """A mail server in a process of its own; its port."""
    with subprocess.Popen(
        [sys.executable, "-m", "benchmarks.mail_sink"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.terminate()


def fill(store: Store, number: int) -> None:
    """Play some games for a few turns, copy them until there are `number`, each with one notice that is due."""
    now = datetime.now(UTC) - timedelta(hours=1)
    rng = random.Random(4)
    players = []
    for name in ("Ann", "Ben", "Cem"):
        made = account_opening.create_player(store, name, f"{name.lower()}@example.org", now)
        with store.write():
            Player.update(email_confirmed_at=now).where(Player.id == made["id"]).execute()
        player = access.authenticate(store, made["token"], now)
        assert player is not None
        players.append(player)
    templates = [_play(store, players, rng, now) for _ in range(TEMPLATES)]
    with store.write():
        Mail.delete().where(Mail.id.not_in(templates)).execute()
        statements = _copying(store)
    for copy in range(1, -(-number // TEMPLATES)):
        with store.write():
            for row in templates:
                _copy(store, row, copy, statements)
    with store.write():
        sql.execute(
            store,
            "DELETE FROM mail WHERE id > (SELECT min(id) FROM mail) AND id NOT IN "
            "(SELECT id FROM mail ORDER BY id LIMIT ?)",
            number,
        )
    _prepare_links(store)


def _prepare_links(store: Store) -> None:
    """Make the links that a mail in the midst of a game finds: that of the turn was made by the move before, that to
    unsubscribe for an earlier mail."""
    for notice in _all(store):
        assert notice.player_id is not None
        assert notice.game_id is not None
        links.make(store, "unsubscribe", now=notice.due, player=notice.player_id, game=notice.game_id)
        _, _, ply, _ = notice.key.split(":")
        statement = "SELECT seat FROM seat WHERE game_id = ? AND player_id = ?"
        with store.write():
            [(seat,)] = sql.rows(store, statement, notice.game_id, notice.player_id)
            about = {"player_id": notice.player_id, "game_id": notice.game_id, "ply": int(ply), "seat": seat}
            links.prepare_turn(store, now=notice.due, **about)


def _all(store: Store) -> list[deliveries.Notice]:
    """Every notice; they stay due."""
    now = datetime.now(UTC)
    notices = deliveries.claim(store, "links", now, now, 1_000_000)
    _give_back(store, "links", notices, now)
    return notices


def _play(store: Store, players: list[account_players.Player], rng: random.Random, now: datetime) -> int:
    """Play a game at random for some turns; the number of the notice that it waits with."""
    first, *others = players
    page = creating.create(store, first, 3, f"Game {rng.randrange(1000)}", {"tower": True}, "", [], False, now, rng)
    for player in others:
        page = joining.join(store, player, page["id"], "", None, now, rng)
    turns, before = 0, None
    while True:
        page = game_page.page(store, page["id"], None)
        turns, before = turns + (page["to_move"] != before), page["to_move"]
        if turns == TURNS:
            break
        mover = players[page["to_move"]]
        choice = game_page.legal_moves(store, page["id"], mover)
        verbs = sorted({text.split()[0] for text in choice["moves"]})
        verb = "end" if "end" in verbs and rng.random() < 0.7 else rng.choice(verbs)
        move = rng.choice([text for text in choice["moves"] if text.split()[0] == verb])
        play_turns.play(store, page["id"], mover, choice["ply"], [move], None, now, rng)
    with store.read():
        found = Mail.select(Mail.id).where(Mail.game == page["id"], Mail.kind == "turn").order_by(Mail.id.desc()).get()
    return int(found.id)


_COPIED = {"game": "id", "seat": "game_id", "move": "game_id", "snapshot": "game_id", "mail": "game_id"}


def _copy(store: Store, row: int, copy: int, statements: dict[str, str]) -> None:
    """Copy the game of a notice, and the notice, under a name of its own."""
    [(game_id, key)] = sql.rows(store, "SELECT game_id, key FROM mail WHERE id = ?", row)
    name = f"{game_id[:7]}c{copy}"
    for name_of_table, statement in statements.items():
        given = [key.replace(game_id, name), name, row] if name_of_table == "mail" else [name, game_id]
        sql.execute(store, statement, *given)


def _copying(store: Store) -> dict[str, str]:
    """For each table a statement that copies the rows of a game."""
    statements = {}
    for name, own in _COPIED.items():
        left_out = {"bounce_token"} | ({"id"} - {own})  # each row has its own
        columns = [column.name for column in store.database.get_columns(name) if column.name not in left_out]
        first = ["key", own] if name == "mail" else [own]
        rest = [f'"{column}"' for column in columns if column not in first]
        statements[name] = (  # names of tables and columns, which are ours
            f'INSERT INTO "{name}" ({", ".join([*first, *rest])}) '  # noqa: S608
            f'SELECT {", ".join(["?"] * len(first) + rest)} FROM "{name}" WHERE {"id" if name == "mail" else own} = ?'
        )
    return statements


def due_again(store: Store, number: int) -> None:
    """Make the first `number` notices due once more."""
    with store.write():
        sql.execute(
            store,
            "UPDATE mail SET state = 'pending', attempts = 0, done_at = NULL WHERE id IN "
            "(SELECT id FROM mail ORDER BY id LIMIT ?)",
            number,
        )


def sample(store: Store, settings: Settings, number: int = 20) -> list[Envelope]:
    """The first mails, composed here and now, for the yardstick; they stay due."""
    global _composing_seconds
    now = datetime.now(UTC)
    notices = deliveries.claim(store, "sample", now, now, number) or _any(store, now, number)
    began = time.perf_counter()
    composed = [compose_one(compose, store, settings, notice, now) for notice in notices]
    if not settings.mail_pictures:
        _composing_seconds = (time.perf_counter() - began) / len(composed)
    _give_back(store, "sample", notices, now)
    wrong = [each for each in composed if not isinstance(each, Envelope)]
    if wrong:
        raise RuntimeError(f"a notice was not composed: {wrong[0]}")
    return [each for each in composed if isinstance(each, Envelope)]


def _give_back(store: Store, owner: str, notices: list[deliveries.Notice], now: datetime) -> None:
    marks = [deliveries.Mark(notice.id, "pending", counts=False) for notice in notices]
    deliveries.mark(store, owner, marks, now, again=lambda tries: now)


def _any(store: Store, now: datetime, number: int) -> list[deliveries.Notice]:
    due_again(store, number)
    return deliveries.claim(store, "sample", now, now, number)


def yardstick(port: int, mails: list[Envelope], number: int) -> float:
    """Mails a second that smtplib sends over one connection when it has nothing else to do."""
    began = time.perf_counter()
    with smtplib.SMTP("127.0.0.1", port, local_hostname="ulm.example.org") as connection:
        for index in range(number):
            mail = mails[index % len(mails)]
            connection.sendmail(mail.sender, [mail.to], mail.data)
    return number / (time.perf_counter() - began)


class _Counting:
    """A transport that counts what it sends."""

    def __init__(self, inner: Transport) -> None:
        self._inner, self.sent = inner, 0
        self.close, self.abort = inner.close, inner.abort

    def send(self, envelope: Envelope) -> None:
        self._inner.send(envelope)
        self.sent += 1


def _reached(counting: _Counting, goal: int) -> bool:
    return counting.sent >= goal


def drain(store: Store, settings: Settings, between: Callable[[], object] | None = None) -> tuple[float, float]:
    """Send everything that is due. Seconds, and seconds of processor time of this process and those that compose (not
    of the mail server); starting those processes is part of both. Raises when something was not sent.

    With `between` in `SLICES`, and it is called before each and after the last: on a machine that others use too, what
    is compared has to be measured in turns.
    """
    counting = _Counting(transport_for(settings))
    delivery = runner.delivery(store, settings, compose, "benchmark", transport=counting)
    with store.read():
        [(due,)] = sql.rows(store, "SELECT count(*) FROM mail WHERE state = 'pending'")
    done: Counter[str] = Counter()
    seconds, used, children = 0.0, 0.0, _cpu(resource.RUSAGE_CHILDREN)
    slices = 1 if between is None else SLICES
    for part in range(1, slices + 1):
        if between is not None:
            between()
        began, own = time.perf_counter(), _cpu(resource.RUSAGE_SELF)
        goal = due * part // slices if part < slices else due + 1
        done += delivery.run(partial(_reached, counting, goal))
        seconds += time.perf_counter() - began
        used += _cpu(resource.RUSAGE_SELF) - own
    if between is not None:
        between()
    delivery.close()
    for child in multiprocessing.active_children():
        child.join(10)
    if done != {"sent": due}:
        raise RuntimeError(f"not all of {due} were sent: {dict(done)}")
    return seconds, used + _cpu(resource.RUSAGE_CHILDREN) - children


def _cpu(who: int) -> float:
    """Processor time of this process, or of its children that have ended."""
    return sum(resource.getrusage(who)[:2])
