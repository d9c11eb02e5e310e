"""Bots that need time, asked in the calling thread: for tests that are not about processes."""

from collections.abc import Callable
from datetime import datetime

from bots import offers, turn
from server.bot_workers.job import BotTurns
from server.storage.database import Store


class Here:
    """Thinks as the apprentice does, or as it is told."""

    def __init__(self, think: Callable[[turn.Question], list[str]] | None = None) -> None:
        self.asked: list[turn.Question] = []
        self.think = think or self.plainly

    def plainly(self, question: turn.Question) -> list[str]:
        offer = offers.find("apprentice")
        return turn.answer(question, offer.bot())

    def start(self) -> None:
        """Nothing to begin."""

    def ask(self, question: turn.Question, most: float, wanted: Callable[[], bool]) -> list[str]:
        self.asked.append(question)
        return self.think(question)

    def close(self) -> None:
        """Nothing to end."""


def worker(store: Store, now: datetime, thinker: Here | None = None, owner: str = "one") -> BotTurns:
    """The job, without a process."""
    made = BotTurns(store, "", owner, lambda: now)
    made.thinker = thinker or Here()  # type: ignore[assignment]
    return made


def play_due(store: Store, now: datetime, thinker: Here | None = None) -> None:
    """Play every turn that is due."""
    made = worker(store, now, thinker)
    made.play_due()
    made.close()
