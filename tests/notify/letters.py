"""One letter of each kind, as a mail has it, from games that people with long names really played: for tests that look
at all letters, and to be looked at (`python -m tests.notify.letters FOLDER`)."""

import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import Any

from server.engine.ulm2 import RULES
from server.language import LANGUAGES
from server.notify import game_sections
from server.notify.compose import compose
from server.notify.game_sections import Seen
from server.notify.recipients import MailTask, recipient
from server.service.accounts import links, tokens
from server.service.answering import answers
from server.service.answering.answers import AnswerMail
from server.service.chat import messages, notice_wishes
from server.service.games.bots import AT_ONCE
from server.service.games.model import OPEN_FOR
from server.service.lists import game_page
from server.service.outbox import enqueuing
from server.service.outbox.deliveries import QueuedMail
from server.service.play import pause, proposals, timeouts, turns
from server.service.play.proposals import Wish
from server.service.seating import creating, invitations, joining
from server.settings import Settings
from server.storage.database import Store, open_database
from server.storage.migrate import migrate
from server.storage.times import utc
from tests.service.bots_here import play_due
from tests.service.conftest import NOW, make_player
from tests.tables import Mail, Vacation
from tests.tables import Player as PlayerRow

NAMES = ("Annabella-Kunigunde von Hohenzollern", "Béla", "Włodzimierz Przybyszewski-Żółkiewski", "李小龍")
GAME = "The rather long game of the two fishermen's daughters"
CLOCK = {"turn_hours": 72, "on_timeout": "steady"}


def text(mail: EmailMessage) -> str:
    """A mail as text."""
    return _body(mail, "plain")


def html(mail: EmailMessage) -> str:
    """A mail as HTML."""
    return _body(mail, "html")


def _body(mail: EmailMessage, kind: str) -> str:
    part = mail.get_body((kind,))
    return str(part.get_content())


def queued(row: Mail) -> QueuedMail:
    """A row of the outbox as delivery has it."""
    return QueuedMail(
        row.id, row.key, row.kind, row.due_at, row.created_at, row.game_id, row.ply, row.player_id, row.address,
        json.loads(row.data), bounce_token=row.bounce_token,
    )  # fmt: skip


class Table:
    """A running game of people with confirmed addresses, and its mails."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        seats: int = 2,
        seed: int = 1,
        name: str = "A game",
        names: Sequence[str] = (),
        clock: dict[str, Any] | None = None,
        **wishes: object,
    ) -> None:
        self.store, self.settings, self.now, self.rng = store, settings, NOW, random.Random(seed)
        self.players = [make_player(store, who) for who in names or [f"Player {seat}" for seat in range(seats)]]
        with store.write():
            for seat, player in enumerate(self.players):
                PlayerRow.update(
                    email=f"address{seat}@example.org", email_confirmed_at=NOW, preferences=json.dumps(wishes)
                ).where(PlayerRow.id == player.id).execute()
        options = {"tower": bool(seed % 2)}
        page = creating.create(
            store, self.players[0], len(self.players), name, options, "", [], False, NOW, clock=clock
        )
        self.id = page["id"]
        for player in self.players[1:]:
            joining.join(store, player, self.id, "", None, NOW)

    def page(self, seat: int) -> dict:
        return game_page.page(self.store, self.id, self.players[seat])

    def move(self) -> str | None:
        """One move of the steady bot, of those that it may choose from; None when the game is over."""
        seat = self.page(0)["to_move"]
        if seat is None:
            return None
        legal = game_page.legal_moves(self.store, self.id, self.players[seat])
        moves = self.choice([RULES.parse_move(text) for text in legal["moves"]])
        text = " ".join(AT_ONCE["steady"](self.page(seat)["view"], moves, self.rng))
        self.now += timedelta(minutes=1)
        turns.play(self.store, self.id, self.players[seat], legal["ply"], [text], None, self.now)
        return text

    def choice(self, moves: list[Any]) -> list[Any]:
        return moves


class Letters(Table):
    """A game of four, and mails about it."""

    def __init__(self, store: Store, settings: Settings, language: str = "en", seed: int = 5) -> None:
        wishes = {"language": language, "time_zone": "Europe/Berlin"}
        super().__init__(store, settings, 4, seed, GAME, NAMES, CLOCK, **wishes)

    def choice(self, moves: list[Any]) -> list[Any]:
        # Cards are kept for a while: hands are what is to be seen.
        return [move for move in moves if move[0] != "play" or self.rng.random() < 0.1] or moves

    def speak(self, language: str) -> None:
        """Write to all players in a language from now on."""
        wishes = json.dumps({"language": language, "time_zone": "Europe/Berlin"})
        with self.store.write():
            PlayerRow.update(preferences=wishes).execute()

    def until(self, seat: int, rounds: int) -> None:
        """Play until `seat` begins a turn of round `rounds`."""
        while True:
            page = self.page(seat)
            if page["to_move"] == seat and page["view"]["round"] >= rounds and page["view"]["phase"] == "push":
                return
            if not self.move():
                raise AssertionError("the game ended before")

    def mail(self, kind: str, seat: int = 0, **data: object) -> EmailMessage:
        """The mail of the newest notice of a kind, made up where the game has told none."""
        player = self.players[seat]
        key, ply = f"{kind}:{self.id}:{seat}", self.page(seat)["ply"]
        one = QueuedMail(1, key, kind, utc(self.now), utc(self.now), self.id, ply, player.id, None, dict(data))
        return self.composed(one)

    def told(self, kind: str) -> EmailMessage:
        """The mail of the newest notice of a kind that was told."""
        row = self.store.ask(lambda: Mail.select().where(Mail.kind == kind).order_by(Mail.id.desc()).get())
        return self.composed(queued(row))

    def seen(self, seat: int = 0) -> Seen:
        """The game as a letter to a seat sees it."""
        one = QueuedMail(1, "x", "turn", utc(self.now), utc(self.now), self.id, 0, self.players[seat].id)
        task = MailTask(self.store, self.settings, one, recipient(self.store, one, self.now), self.now)
        return game_sections.seen_game(task)

    def say(self, text: str) -> None:
        """The second player writes to the others."""
        messages.post(self.store, self.id, self.players[1], text, self.now)

    def answer(self, *lines: str) -> None:
        """The first player answers the mail of their turn."""
        ply, player = self.page(0)["ply"], self.players[0].id
        token = links.turn_token(self.store, now=self.now, player_id=player, game_id=self.id, ply=ply, seat=0)
        mail = AnswerMail(f"<{lines}@example.org>", lines, "\n".join(lines))
        answers.receive(self.store, token, mail, self.now, self.rng)

    def composed(self, one: QueuedMail) -> EmailMessage:
        made = compose(self.store, self.settings, one, self.now)
        assert isinstance(made, EmailMessage), (one.kind, made)
        return made


Written = tuple[str, str, EmailMessage]
"""Language, a name that says what it is about, the mail."""


def written(store: Store, settings: Settings, seed: int = 5) -> Iterator[Written]:
    """Each kind of letter in each language."""
    letters = Letters(store, settings, seed=seed)
    players, now = letters.players, letters.now
    first = letters.page(0)["to_move"]

    def each(name: str, make: Callable[[], EmailMessage]) -> Iterator[Written]:
        for language in LANGUAGES:
            letters.speak(language)
            yield language, name, make()

    yield from each("started_and_turn", lambda: letters.mail("started", first, turn=True))
    yield from each("started", lambda: letters.mail("started", (first + 1) % 4))
    letters.until(0, 3)
    yield from each("turn", lambda: letters.mail("turn"))
    yield from each("turn_link", lambda: letters.mail("turn_link"))
    letters.until(0, 7)
    yield from each("turn_late", lambda: letters.mail("turn"))
    yield from each("reminder", lambda: letters.mail("reminder"))
    letters.answer("help", "show", "fly to the moon and back, but only if the gate at the other side is not blocked")
    yield from each("answer", lambda: letters.told("answer"))
    letters.answer("resign")
    yield from each("resign_question", lambda: letters.told("resign_question"))
    choice = next(_choices(letters))
    yield from each("choice", lambda: letters.mail("turn_link", choice))
    said = "Well played, Béla!\nShall we go on <tomorrow>? https://example.org/a/rather/long/address/" + 5 * "and-more-"
    letters.say(said + "\n" + 120 * "x")
    yield from each("message", lambda: letters.told("message"))
    pause.vote(store, players[1], letters.id, letters.now)
    yield from each("pause", lambda: letters.told("pause"))
    for player in (players[0], *players[2:]):
        pause.vote(store, player, letters.id, letters.now)
    yield from each("paused", lambda: letters.told("pause"))
    pause.withdraw(store, players[1], letters.id, letters.now)
    yield from each("resumed", lambda: letters.told("pause"))
    notice_wishes.change(store, letters.id, players[0], {"mail": "digest"})
    yield from each("digest", lambda: letters.mail("digest", at=utc(letters.now)))
    notice_wishes.change(store, letters.id, players[0], {"mail": None})
    game = creating.create(store, players[0], 2, "Duel", None, "", [], False, now)["id"]
    invitations.invite(store, players[0], game, "stranger@example.net", now)
    yield from each("invitation", lambda: letters.told("invitation"))
    waiting = creating.create(store, players[0], 4, GAME, None, "", [], False, now)["id"]
    for player in players[1:3]:
        joining.join(store, player, waiting, "", None, now)
    yield from each("joined", lambda: letters.told("joined"))
    joining.leave(store, players[0], waiting, now)
    yield from each("host", lambda: letters.told("host"))
    timeouts.give_up_start(store, waiting, now + OPEN_FOR)
    yield from each("not_started", lambda: letters.told("not_started"))
    invitations.invite_player(store, players[0], game, players[1].id, now)
    yield from each("invited", lambda: letters.told("invited"))
    by, slow = (letters.page(0)["to_move"] + 1) % 4, letters.page(0)["to_move"]
    asked = proposals.propose(store, players[by], letters.id, Wish("time", hours=48), letters.now)["proposal"]
    assert asked is not None
    yield from each("proposal", lambda: letters.told("proposal"))
    for seat in set(asked["asked"]) - {by}:
        proposals.answer(store, players[seat], letters.id, asked["id"], True, letters.now)
    yield from each("agreed", lambda: letters.told("agreed"))
    yield from each("replaced", lambda: letters.mail("replaced", slow))
    ends = utc(now + timedelta(days=3))
    with store.write():
        Vacation.insert(player=players[0].id, starts_at=now, ends_at=ends, created_at=utc(now)).execute()
        news = enqueuing.News("vacation_ending", players[0].id, "v", data={"ends_at": ends})
        enqueuing.tell(store, [news], now)
        for kind, address in (("sign_in", "address0@example.org"), ("address_changed", "old@example.org")):
            enqueuing.enqueue(store, kind, address, key=kind, now=letters.now, player_id=players[0].id)
        enqueuing.enqueue(store, "confirm", "new@example.org", key="n", now=letters.now, player_id=players[1].id)
        PlayerRow.update(email="new@example.org", email_confirmed_at=None).where(
            PlayerRow.id == players[1].id
        ).execute()
    tokens.create(store, players[0], "A program with a rather long name", letters.now)
    for kind in ("vacation_ending", "sign_in", "address_changed", "confirm", "token_made"):
        yield from each(kind, partial(letters.told, kind))
    letters.until(0, 9)
    with store.write():
        Vacation.delete().execute()
        Mail.delete().execute()  # no clock has to wait for their delivery
    letters.now += timedelta(days=30)
    timeouts.run_clocks(store, letters.now, letters.rng)
    play_due(store, letters.now)
    yield from each("played_for_you", lambda: letters.told("played_for_you"))
    while letters.move():
        pass
    yield from each("over", lambda: letters.mail("over"))


def _choices(letters: Letters) -> Iterator[int]:
    """Plays on until a choice is pending; the seat that has it."""
    while True:
        seat = letters.page(0)["to_move"]
        if seat is None:
            return
        if letters.page(seat)["view"]["pending"]:
            yield seat
            return
        letters.move()


@contextmanager
def fresh_store(folder: Path) -> Iterator[Store]:
    """A store of its own in a folder."""
    store = open_database(f"sqlite:///{folder / 'ulm.sqlite3'}")
    migrate(store)
    try:
        yield store
    finally:
        store.close()


def main(target: Path) -> None:
    """Write all letters as `.eml`, `.html` and `.txt`."""
    for pictures in (False, True):
        with tempfile.TemporaryDirectory() as folder, fresh_store(Path(folder)) as store:
            settings = replace(
                Settings(),
                data_dir=Path(folder),
                base_url="https://ulm.example.org",
                mail_from="ulm@ulm.example.org",
                mail_pictures=pictures,
                reply_domain="ulm.example.org",
            )
            for language, name, mail in written(store, settings):
                stem = f"{language}-{'picture' if pictures else 'plain'}-{name}"
                (target / f"{stem}.eml").write_bytes(mail.as_bytes())
                (target / f"{stem}.txt").write_text(text(mail))
                (target / f"{stem}.html").write_text(html(mail))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
