"""kill -9 while mail comes in by LMTP: what was sent until it was taken is done once, whenever the process dies."""

import os
import random
import signal
import smtplib
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Semaphore, Thread

import pytest

from server.cli import main
from server.service.accounts import links
from server.service.seating import creating, joining
from server.storage import sql
from server.storage.database import Store
from tests.ports import Port
from tests.processes import Forked
from tests.service.conftest import NOW, Match, fixed_entropy, make_player

pytestmark = pytest.mark.slow

DOMAIN = "ulm.example.org"
MAILS = 6
WAIT = 120


class Worker:
    """`ulm worker` with a listener, killed and started again."""

    def __init__(self, database_url: str, directory: Path) -> None:
        self._port = Port()
        self.port = self._port.number
        self.log = directory / "worker.log"
        self._environment = {
            "PATH": os.environ["PATH"], "ULM_DATABASE_URL": database_url, "ULM_DATA_DIR": str(directory),
            "ULM_REPLY_DOMAIN": DOMAIN, "ULM_LMTP_LISTEN": f"127.0.0.1:{self.port}", "ULM_MAIL_WORKERS": "0",
        }  # fmt: skip
        self.start()

    def start(self) -> None:
        self.process = Forked(main, ["worker"], self._environment, self.log)
        assert "works on mail" in self.process.stdout.readline()  # it leads a process group by now

    def kill(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(20)
        self.process.stdout.close()

    def end(self) -> None:
        """Kill it, and let its port go."""
        self.kill()
        self._port.close()


class Sender(Thread):
    """A mail server: sends each mail again until it was taken. It goes on to the next one where it `may`, so that not
    all are taken before the first kill."""

    def __init__(self, port: int, mails: list[tuple[str, bytes]]) -> None:
        super().__init__()
        self._port, self._mails, self.taken, self.tries = port, mails, 0, 0
        self.may = Semaphore(0)

    def run(self) -> None:
        deadline = time.monotonic() + WAIT
        for to, data in self._mails:
            self.may.acquire(timeout=WAIT)
            while time.monotonic() < deadline:
                self.tries += 1
                try:
                    with smtplib.LMTP("127.0.0.1", self._port, timeout=20) as client:
                        client.sendmail("ann@example.net", [to], data)
                    self.taken += 1
                    break
                except (OSError, smtplib.SMTPException):
                    time.sleep(0.02)


@pytest.fixture
def worker(store: Store, database_url: str, tmp_path: Path) -> Iterator[Worker]:
    running = Worker(database_url, tmp_path)
    yield running
    running.end()


def mail(number: int, to: str, text: str) -> tuple[str, bytes]:
    return to, f"From: ann@example.net\r\nMessage-ID: <{number}@example.net>\r\n\r\n{text}\r\n".encode()


def test_mails_are_done_once_whenever_it_is_killed(worker: Worker, store: Store) -> None:
    players = [make_player(store, name) for name in ("Ann", "Ben")]
    page = creating.create(store, players[0], 2, "A game", None, "", [], False, NOW, entropy=fixed_entropy(1))
    joining.join(store, players[1], page["id"], "", None, NOW)
    game = Match(store, page["id"], players)
    seat = game.active
    move = next(text for text in game.legal(seat) if text.startswith("push"))
    ply = game.ply(seat)
    clock = datetime.now(UTC)
    turn = links.turn_token(
        store, now=clock, player_id=game.players[seat].id, game_id=game.id, ply=0, seat=seat, at=ply
    )
    mails = []
    for number in range(MAILS):
        talk = links.talk_token(store, now=clock, player_id=game.players[number % 2].id, game_id=game.id)
        mails.append(mail(number, f"talk+{talk}@{DOMAIN}", f"message {number}"))
    mails.insert(MAILS // 2, mail(MAILS, f"play+{turn}@{DOMAIN}", move))
    sender = Sender(worker.port, mails)
    sender.start()
    rng = random.Random(7)
    kills = 0
    deadline = time.monotonic() + WAIT
    while sender.is_alive():
        assert time.monotonic() < deadline, worker.log.read_text("utf-8")
        before = sender.taken
        sender.may.release(2)
        while sender.is_alive() and sender.taken < before + 1:
            time.sleep(0.002)
        time.sleep(rng.random() * 0.08)
        worker.kill()
        kills += 1
        worker.start()
    sender.join()
    assert sender.taken == MAILS + 1
    with store.read():
        texts = [row[0] for row in sql.rows(store, "SELECT text FROM message WHERE kind IS NULL ORDER BY id")]
        moves = [row[0] for row in sql.rows(store, "SELECT move FROM move WHERE game_id = ? ORDER BY id", game.id)]
        answers = sql.rows(store, "SELECT count(*) FROM mail WHERE kind = 'answer'")[0][0]
    assert sorted(texts) == sorted(f"message {number}" for number in range(MAILS)), "lost or doubled"
    assert moves == ["draw", move]
    assert answers <= 1
    assert kills >= 3
