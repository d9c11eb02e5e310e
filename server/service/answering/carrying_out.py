"""Carries out what an answer asks for, step by step, in one transaction on one game.

Moves form *batches*: all or nothing up to and with the first move that reveals something. What stands behind it is
played only where the mail says so (`then`, a plan), as a batch of its own, which is judged by the position after the
reveal. A line with two meanings, or none, is asked back, and nothing of its batch is played.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from server.engine.errors import IllegalMoveError
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import END
from server.language import gettext as _
from server.move_language.phrases import Phrase
from server.move_language.program import Command, Plan, Play, Program, Step
from server.service.accounts.players import Player
from server.service.answering.results import Carried, Question, Result, Stop
from server.service.games import loading
from server.service.games.model import Table
from server.service.play import turns
from server.service.views import game_words, history
from server.storage.database import Store

STEPS_MOST = 64
"""More than a turn has."""


class _StopError(Exception):
    """Nothing more of the mail is played."""

    def __init__(self, why: Stop, question: Question | None = None) -> None:
        super().__init__(why)
        self.why: Stop = why
        self.question = question


class Answerer:
    """One answer of the player of `seat`, whose turn it is, within the running transaction. `numbered` are the options
    of the letter that was answered."""

    def __init__(
        self,
        store: Store,
        table: Table,
        player: Player,
        numbered: Sequence[Move],
        result: Result,
        now: datetime,
        rng: random.Random | None,
    ) -> None:
        self._store, self._table, self._player = store, table, player
        self._numbered, self._result, self._now, self._rng = numbered, result, now, rng
        self._seat = table.require_seat(player)
        self._state = table.position
        """After the moves of the batch that is being put together."""
        self._batch: list[Play] = []
        self._moves: list[str] = []
        self._revealed = False
        self._over = False

    def carry_out(self, program: Program) -> None:
        """Do the steps of a program, and note in the result what became of them."""
        if len(program.steps) > STEPS_MOST:
            self._result.questions.append(Question("", _("These are more moves than a turn has.")))
            return
        steps: deque[Step] = deque(program.steps)
        try:
            while steps:
                step = steps.popleft()
                try:
                    if isinstance(step, Plan):
                        self._may_go_on(goes_on=True)
                        steps.extendleft(reversed(_going_on(step.yes if self._holds(step) else step.no)))
                    elif isinstance(step, Play):
                        self._play(step)
                    else:
                        self._command(step)
                except _StopError:
                    steps.appendleft(step)
                    raise
            self._carry()
        except _StopError as stopped:
            self._stopped(stopped, steps)

    def _stopped(self, stopped: _StopError, steps: deque[Step]) -> None:
        if stopped.question is not None:
            steps.popleft()
            self._result.questions.append(stopped.question)
            left = [*self._batch, *steps]
        else:
            self._carry()
            left = list(steps)
        self._result.stop = stopped.why
        self._result.left += list(_texts(left))

    # Moves

    def _may_go_on(self, goes_on: bool) -> None:
        if self._over or self._state.active != self._seat:
            raise _StopError("ended")
        if self._revealed and not goes_on:
            raise _StopError("revealed")

    def _play(self, step: Play) -> None:
        self._may_go_on(step.goes_on)
        self._revealed = False
        move = self._meant(self._state, step.phrase)
        following = self._state.rules.apply(self._state, self._seat, move)
        self._batch.append(step)
        self._moves.append(format_move(move))
        self._state = following.state
        if following.reveals or move == END:
            self._carry()
            self._revealed, self._over = following.reveals, move == END

    def _meant(self, state: State, phrase: Phrase) -> Move:
        """The one legal move that a phrase means."""
        rules = state.rules
        legal = rules.legal_moves(state, self._seat)
        found = phrase.candidates(rules, legal, self._numbered)
        if len(found) == 1:
            return found[0]
        if found:
            why = _("This could mean several moves. Write the one you mean:")
            raise _StopError("question", Question(phrase.text, why, [format_move(move) for move in found]))
        near = [text for text in phrase.near(rules, legal) if text != "resign"]
        raise _StopError("question", Question(phrase.text, self._why_not(state, phrase), near))

    def _why_not(self, state: State, phrase: Phrase) -> str:
        if phrase.number is not None:
            if not 1 <= phrase.number <= len(self._numbered):
                return _("The mail that you answered has no move with that number.")
            move = self._numbered[phrase.number - 1]
            if phrase.words and move not in phrase.meanings(state.rules):
                return _("Number %(number)s in the mail that you answered is a different move.", number=phrase.number)
            return _(
                "Number %(number)s in the mail that you answered, %(move)s, is not possible now. %(why)s",
                number=phrase.number,
                move=format_move(move),
                why=self._rule(state, move),
            ).strip()
        meanings = phrase.meanings(state.rules)
        return " ".join(
            filter(None, [_("That is not possible now."), self._rule(state, meanings[0]) if len(meanings) == 1 else ""])
        )

    def _rule(self, state: State, move: Move) -> str:
        """By which rule a move is refused."""
        try:
            state.rules.apply(state, self._seat, move)
        except IllegalMoveError as error:
            why = state.rules.reason(state, self._seat, move).said(game_words.speaker(state.rules))
            return why + " " + _("(Rule %(rule)s.)", rule=error.rule)
        return ""

    def _carry(self) -> None:
        """Play the batch."""
        if not self._moves:
            return
        first = self._table.seen_ply(self._seat)
        played = turns.carry_out(self._store, self._table, self._seat, first, self._moves, self._now, self._rng)
        self._result.carried.append(Carried(first, first + played["applied"], self._moves))
        self._batch, self._moves = [], []
        self._load()

    def _load(self) -> None:
        self._table = loading.for_change(self._store, self._table.id)
        self._state = self._table.position

    # Plans

    def _holds(self, plan: Plan) -> bool:
        # Of a mask, not of the position: whatever a condition comes to ask one day, it asks of what the seat sees.
        seen = self._state.rules.masked(self._state, self._seat)
        return plan.condition.holds(seen, self._seat, self._numbered)

    # Commands

    def _command(self, command: Command) -> None:
        match command.name:
            case "undo":
                self._undo()
            case "preview":
                self._carry()
                self._preview(command)
            case "help":
                self._result.help = True
            case "hand":
                self._result.hand = True
            case "resign":
                self._result.resigning = True
            case "show":
                pass  # each answer does

    def _undo(self) -> None:
        """Take back what may be taken back."""
        self._batch, self._moves = [], []  # what was not sent yet, first
        if self._over:
            raise _StopError("ended")
        self._load()
        present = self._table.seen_ply(self._seat)
        first = self._earliest(present)
        if first == present:
            self._result.nothing_to_undo = True
            return
        turns.take_back(self._store, self._table, self._player, first, self._now)
        self._result.undone += present - first
        self._load()

    def _earliest(self, present: int) -> int:
        """The ply to which the newest moves of this turn that revealed nothing can be taken back."""
        reader = loading.for_reader(self._store, self._table.id, self._player)
        plies = history.tell(self._store, reader, self._seat).undoable(self._seat)
        return min(plies) - 1 if plies else present

    def _preview(self, command: Command) -> None:
        if self._result.preview:  # the letter shows one, and to try moves is dear
            self._result.left.append(command.text)
            return
        self._may_go_on(goes_on=True)
        state = self._state.rules.masked(self._state, self._seat)
        self._result.previewed, self._result.preview = self._table.seen_ply(self._seat), []
        steps: deque[Play | Plan] = deque(command.steps)
        while steps and state.active == self._seat:
            step = steps.popleft()
            if isinstance(step, Plan):
                holds = step.condition.holds(state, self._seat, self._numbered)
                steps.extendleft(reversed(step.yes if holds else step.no))
                continue
            move = self._meant(state, step.phrase)
            following = state.rules.apply(state, self._seat, move)
            if following.reveals or move == END:
                return
            self._result.preview.append(format_move(move))
            state = following.state


def _going_on(steps: Sequence[Play | Plan]) -> list[Play | Plan]:
    """The steps of a branch: it was chosen by what was revealed, so its first one goes on behind that."""
    if steps and isinstance(steps[0], Play):
        return [replace(steps[0], goes_on=True), *steps[1:]]
    return list(steps)


def _texts(steps: Iterable[Step]) -> Iterable[str]:
    for step in steps:
        if isinstance(step, Play):
            yield step.phrase.text
        elif isinstance(step, Plan):
            yield _("if %(condition)s: …", condition=step.condition.text)
        else:
            yield step.text


def leave(program: Program, result: Result) -> None:
    """Do what can be done of a program when it is not the player's turn: nothing is played."""
    for step in program.steps:
        name = step.name if isinstance(step, Command) else None
        if name == "help":
            result.help = True
        elif name == "hand":
            result.hand = True
        elif name == "resign":
            result.resigning = True
        elif name != "show":
            result.left += _texts([step])


def only_resigns(program: Program) -> bool:
    """Whether it says that somebody resigns, and not a word more: `No, I do not want to`, broken there by a mail
    program, has `resign` in a line of its own too."""
    return (
        bool(program.steps)
        and all(isinstance(step, Command) and step.name == "resign" for step in program.steps)
        and not program.says
        and not program.other_text
    )
