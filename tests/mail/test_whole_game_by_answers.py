"""A whole game of two in which both play by nothing but answering mails.

Letters go out to a mail server that keeps what comes; answers, shaped as nineteen mail programs write them in three
languages, come in by LMTP.
"""

import random
import re
import smtplib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.message import EmailMessage
from itertools import count, cycle
from pathlib import Path

import pytest

from server.inbox import receiving
from server.inbox.lmtp_listener import Listen, LmtpListener
from server.notify import runner
from server.notify.compose import compose
from server.service.accounts import profiles
from server.service.archive import verification
from server.service.explain import move_choices
from server.service.games import loading
from server.service.lists import game_page
from server.service.seating import creating, joining
from server.settings import Settings
from server.storage.database import Store
from tests.inbox.corpus.letters import Quoted
from tests.inbox.corpus.programs import PROGRAMS, answered
from tests.notify.letters import html, text
from tests.notify.sink import Received, Sink
from tests.service.conftest import NOW, give_address, make_player
from tests.tables import Game

DOMAIN = "ulm.example.org"
SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
LANGUAGES = ("de", "it")
"""Those that the two read. They write in English as well."""
WORDS = {
    "en": {"push": "Push", "end": "end", "then": "then"},
    "de": {"push": "schiebe", "end": "Zug beenden", "then": "dann"},
    "it": {"push": "spingi", "end": "Fine turno.", "then": "poi"},
}


@dataclass
class Table:
    """The game, and the two doors of its mail."""

    store: Store
    settings: Settings
    sink: Sink
    door: LmtpListener
    rng: random.Random = field(default_factory=lambda: random.Random(12))
    now = NOW
    seen: int = 0
    numbers: Iterator[int] = field(default_factory=count)
    programs: Iterator[str] = field(default_factory=lambda: cycle(PROGRAMS))
    used: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.players = [make_player(self.store, name) for name in ("Ann", "Ben")]
        for player, language in zip(self.players, LANGUAGES, strict=True):
            give_address(self.store, player, f"{player.name.lower()}@example.org")
            profiles.update_profile(self.store, player, {"preferences": {"language": language}}, NOW)
        self.id = creating.create(self.store, self.players[0], 2, "By answers", None, "", [], True, NOW)["id"]
        invitation = self.store.ask(lambda: Game.get_by_id(self.id).invitation)
        joining.join(self.store, self.players[1], self.id, "", invitation, NOW)
        self.delivery = runner.delivery(self.store, self.settings, compose, "one", lambda: self.now)

    def mails(self) -> list[Received]:
        """The letters that go out now."""
        while self.delivery.run():
            pass
        fresh = self.sink.received()[self.seen :]
        self.seen += len(fresh)
        return fresh

    @property
    def to_move(self) -> int | None:
        return game_page.page(self.store, self.id, self.players[0])["to_move"]

    def options(self, seat: int) -> dict[str, int]:
        """The moves that a letter lists now, in its order; each with how many cards it lets one buy, of pushes."""
        with self.store.read():
            game = loading.for_reader(self.store, self.id, self.players[seat])
        groups = move_choices.groups(game.seen_by(seat), seat)
        listed = [option for group in groups for option in group.options]
        return {one.move: 0 if one.push is None else one.push.activates.count("brown") for one in listed}

    def send(self, seat: int, letter: EmailMessage, lines: Sequence[str], times: int = 1) -> str:
        """Answer a letter with these lines, by the next program; the Message-ID."""
        shown = re.sub("<body[^>]*>", "<body>", html(letter))
        quoted = Quoted(LANGUAGES[seat], letter["Subject"], f"ulm@{DOMAIN}", text(letter), shown, ())
        number, program = next(self.numbers), next(self.programs)
        self.used[program] += 1
        data = answered(program, "\n".join(lines), quoted, number)
        with smtplib.LMTP("127.0.0.1", self.door.port) as client:
            for _ in range(times):  # a mail server that was not answered brings it again
                client.sendmail("anybody@example.net", [letter["Reply-To"]], data)
        return f"<answer-{number}@example.net>"


@pytest.fixture
def table(store: Store, settings: Settings, tmp_path: Path) -> Iterator[Table]:
    sink = Sink(tmp_path / "sink")
    chosen = replace(
        settings, smtp_url=sink.url, mail_from=f"ulm@{DOMAIN}", base_url=f"https://{DOMAIN}", reply_domain=DOMAIN,
        mail_pictures=False, mail_workers=0,
    )  # fmt: skip
    made: list[Table] = []
    chance = random.Random(3)

    def receive(data: bytes, recipients: Sequence[str], sender: str | None) -> receiving.Outcome:
        return receiving.receive(store, chosen, data, recipients, made[0].now, chance, sender)

    door = LmtpListener(Listen.parse("127.0.0.1:0"), receive, DOMAIN)
    door.start()
    made.append(Table(store, chosen, sink, door))
    yield made[0]
    door.stop()
    made[0].delivery.close()
    sink.stop()


def in_words(table: Table, seat: int, step: int) -> list[str]:
    """What the player of `seat` writes next: now and then a whole turn, numbers or words, in one of two languages."""
    listed, rng = table.options(seat), table.rng
    options = list(listed)
    said = WORDS[rng.choice(["en", LANGUAGES[seat]])]
    pushes = [move for move in options if move.startswith("push ") and len(move.split()) == 2]
    spent = [move for move in options if move.split()[0] in ("buy", "money", "seal", "clear", "river")]
    if pushes:
        push = max(pushes, key=lambda move: (listed[move], rng.random()))
        first = rng.choice([number(options, push), f"{said['push']} {push.split()[1]}"])
        moves = [first, said["end"]] if rng.random() < 0.4 else [first]
    elif "end" not in options:
        moves = [number(options, rng.choice(options))]
    elif spent and step < 4:
        cards = [move for move in spent if move.split()[0] == "buy"]
        moves = [number(options, rng.choice(cards or spent)), f"{said['then']} {said['end']}"]
    else:
        moves = [rng.choice([said["end"], number(options, "end")])]
    if rng.random() < 0.3:
        return ["Hallo,", "", *moves, "", "Danke!", table.players[seat].name]
    return moves


def number(options: Sequence[str], move: str) -> str:
    return str(options.index(move) + 1)


@SQLITE
def test_a_game_of_two_by_answers_alone(table: Table) -> None:
    letters: dict[int, EmailMessage] = {}  # the newest of each player
    answers = 0

    def arrive() -> list[tuple[int, EmailMessage]]:
        found = []
        for mail in table.mails():
            seat = ["ann@example.org", "ben@example.org"].index(mail.to[0])
            letters[seat] = mail.message
            found.append((seat, mail.message))
        return found

    assert len(arrive()) == 2
    turns = 0
    while (seat := table.to_move) is not None:
        turns += 1
        for step in range(12):
            table.now += timedelta(minutes=4)
            lines = in_words(table, seat, step)
            sent = table.send(seat, letters[seat], lines, times=1 + (turns % 5 == 0))
            answers += 1
            came = arrive()
            mine = [mail for who, mail in came if who == seat and mail["In-Reply-To"] == sent]
            assert len(mine) == 1, "one mail for one mail"
            assert sent in mine[0]["References"]
            letters[seat] = mine[0] if table.to_move == seat else letters[seat]
            if table.to_move != seat:
                break
        else:
            raise AssertionError("the turn does not end")
        assert step < 6, lines
    assert turns == 20
    assert len(table.used) == len(PROGRAMS) >= 8
    assert game_page.page(table.store, table.id, table.players[0])["status"] == "finished"
    assert verification.verify_game(table.store, table.id) == []
    assert table.sink.count() == table.seen == 2 + answers + 19 + 2, "each turn, answer and end was told once"
