"""Carries out what an answer asks for, step by step, in one transaction on one game.

Moves form *batches*: all or nothing up to and with the first move that reveals something. What stands behind it is
played only where the mail says so (`then`), as a batch of its own, which is judged by the position after the reveal.
A line with two meanings, or none, is asked back, and nothing of its batch is played.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from datetime import datetime

from server.engine.errors import IllegalMoveError
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.ruleset import Applied
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import END
from server.language import gettext as _
from server.move_language.phrases import Phrase
from server.move_language.program import Command, Play, Program, Step
from server.service.accounts.players import Player
from server.service.answering.results import Carried, Question, Result, Stop
from server.service.explain import game_words, history
from server.service.games.model import Game
from server.service.play import turns
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
        game: Game,
        player: Player,
        numbered: Sequence[Move],
        result: Result,
        now: datetime,
        rng: random.Random | None,
    ) -> None:
        self._store, self._game, self._player = store, game, player
        self._numbered, self._result, self._now, self._rng = numbered, result, now, rng
        self._seat = game.require_seat(player)
        self._batch: list[Play] = []
        self._applied: list[tuple[Move, Applied[State]]] = []
        """The moves of the batch, and what each leads to."""
        self._revealed = False
        self._over = False

    def carry_out(self, program: Program) -> None:
        """Do the steps of a program, and note in the result what became of them. Raises as `turns.carry_out` does."""
        if len(program.steps) > STEPS_MOST:
            self._result.questions.append(Question("", _("These are more moves than a turn has.")))
            return
        place = 0
        try:
            for place, step in enumerate(program.steps):  # noqa: B007 - the place where it stopped
                if isinstance(step, Play):
                    self._play(step)
                else:
                    self._command(step)
            self._carry()
        except _StopError as stopped:
            self._result.stop = stopped.why
            left: Sequence[Step] = program.steps[place:]
            if stopped.question is not None:
                self._result.questions.append(stopped.question)
                left = [*self._batch, *left[1:]]
            else:
                self._carry()
            self._result.left += _texts(left)

    @property
    def _state(self) -> State:
        """The position after the moves of the batch."""
        return self._applied[-1][1].state if self._applied else self._game.position

    # Moves

    def _may_go_on(self, goes_on: bool) -> None:
        if self._over or self._state.active != self._seat:
            raise _StopError("ended")
        if self._revealed and not goes_on:
            raise _StopError("revealed")

    def _play(self, step: Play) -> None:
        self._may_go_on(step.goes_on)
        self._revealed = False
        state = self._state
        move = self._meant(state, step.phrase)
        following = state.rules.apply(state, self._seat, move)
        self._batch.append(step)
        self._applied.append((move, following))
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
        why = self._rule(state, meanings[0]) if len(meanings) == 1 else ""
        return " ".join(filter(None, [_("That is not possible now."), why]))

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
        if not self._applied:
            return
        first = self._game.seen_ply(self._seat)
        moves, applied = zip(*self._applied, strict=True)
        turns.refuse_late(self._game, self._seat)
        turns.carry_out(self._store, self._game, self._seat, moves, self._now, self._rng, applied)
        self._result.carried.append(Carried(first, first + len(moves), [format_move(move) for move in moves]))
        self._batch, self._applied = [], []

    # Commands

    def _command(self, command: Command) -> None:
        if command.name == "undo":
            self._undo()
        elif command.name == "preview":
            self._carry()
            self._preview(command)
        else:
            note(command, self._result)

    def _undo(self) -> None:
        """Take back what may be taken back: the newest moves of this turn that revealed nothing."""
        self._batch, self._applied = [], []  # what was not sent yet, first
        if self._over:
            raise _StopError("ended")
        plies = history.tell(self._store, self._game, self._seat).undoable(self._seat)
        if not plies:
            self._result.nothing_to_undo = True
            return
        turns.take_back(self._store, self._game, self._player, min(plies) - 1, self._now)
        self._result.undone += len(plies)

    def _preview(self, command: Command) -> None:
        if self._result.preview:  # the letter shows one, and to try moves is dear
            self._result.left.append(command.text)
            return
        self._may_go_on(goes_on=True)
        state = self._state.rules.masked(self._state, self._seat)
        self._result.previewed, self._result.preview = self._game.seen_ply(self._seat), []
        for step in command.steps:
            if state.active != self._seat:
                return
            move = self._meant(state, step.phrase)
            following = state.rules.apply(state, self._seat, move)
            if following.reveals or move == END:
                return
            self._result.preview.append(format_move(move))
            state = following.state


def _texts(steps: Iterable[Step]) -> list[str]:
    return [step.phrase.text if isinstance(step, Play) else step.text for step in steps]


def note(step: Step, result: Result) -> bool:
    """Note a wish that can be granted at any time; False for any other step. What `show` asks for, each answer does."""
    name = step.name if isinstance(step, Command) else None
    result.help |= name == "help"
    result.hand |= name == "hand"
    result.resigning |= name == "resign"
    return name in ("help", "hand", "resign", "show")


def leave(program: Program, result: Result) -> None:
    """Do what can be done of a program when it is not the player's turn: nothing is played."""
    result.left += _texts([step for step in program.steps if not note(step, result)])
