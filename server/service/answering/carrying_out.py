"""Carries out what an answer asks for, in one transaction. Moves form *batches*: all or nothing, up to the first that
reveals something; what stands behind it is played only after `then`. What has two meanings, or none, is asked back."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from server.engine.errors import IllegalMoveError
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.ruleset import Applied
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import END
from server.language import gettext as _
from server.move_language.program import Command, Phrase, Play, Program, Step
from server.service.accounts.players import Player
from server.service.answering.results import Carried, Question, Result, Stop
from server.service.explain import game_words, history
from server.service.games.model import Game
from server.service.play import turns
from server.storage.database import Store

STEPS_MOST = 64  # more than a turn has


class _StopError(Exception):
    """Nothing more of the mail is played."""

    def __init__(self, why: Stop, question: Question | None = None) -> None:
        super().__init__(why)
        self.why: Stop = why
        self.question = question


@dataclass(slots=True)
class Answer:
    """An answer of the player of `seat`, worked on in the running transaction; `game` was loaded for a change."""

    store: Store
    game: Game
    player: Player
    seat: int
    now: datetime
    rng: random.Random | None
    result: Result
    numbered: Sequence[Move] = ()  # the options of the letter that was answered
    _batch: list[Play] = field(default_factory=list)
    _applied: list[tuple[Move, Applied[State]]] = field(default_factory=list)  # its moves, and what each leads to
    _revealed: bool = False
    _over: bool = False

    def carry_out(self, program: Program) -> None:
        """Do the steps of a program, and note in the result what became of them. Raises as `turns.carry_out` does."""
        if len(program.steps) > STEPS_MOST:
            self.result.questions.append(Question("", _("These are more moves than a turn has.")))
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
            self.result.stop = stopped.why
            left: Sequence[Step] = program.steps[place:]
            if stopped.question is not None:
                self.result.questions.append(stopped.question)
                left = [*self._batch, *left[1:]]
            else:
                self._carry()
            self.result.left += _texts(left)

    @property
    def _state(self) -> State:
        """The position after the moves of the batch."""
        return self._applied[-1][1].state if self._applied else self.game.position

    # Moves

    def _may_go_on(self, goes_on: bool) -> None:
        if self._over or self._state.active != self.seat:
            raise _StopError("ended")
        if self._revealed and not goes_on:
            raise _StopError("revealed")

    def _play(self, step: Play) -> None:
        self._may_go_on(step.goes_on)
        self._revealed = False
        state = self._state
        move = self._meant(state, step.phrase)
        following = state.rules.apply(state, self.seat, move)
        self._batch.append(step)
        self._applied.append((move, following))
        if following.reveals or move == END:
            self._carry()
            self._revealed, self._over = following.reveals, move == END

    def _meant(self, state: State, phrase: Phrase) -> Move:
        """The one legal move that a phrase means."""
        rules = state.rules
        legal = rules.legal_moves(state, self.seat)
        found = phrase.candidates(rules, legal, self.numbered)
        if len(found) == 1:
            return found[0]
        if found:
            why = _("This could mean several moves. Write the one you mean:")
            raise _StopError("question", Question(phrase.text, why, [format_move(move) for move in found]))
        near = [text for text in phrase.near(rules, legal) if text != "resign"]
        raise _StopError("question", Question(phrase.text, self._why_not(state, phrase), near))

    def _why_not(self, state: State, phrase: Phrase) -> str:
        if phrase.number is not None:
            if not 1 <= phrase.number <= len(self.numbered):
                return _("The mail that you answered has no move with that number.")
            move = self.numbered[phrase.number - 1]
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
            state.rules.apply(state, self.seat, move)
        except IllegalMoveError as error:
            why = state.rules.reason(state, self.seat, move).said(game_words.speaker(state.rules))
            return why + " " + _("(Rule %(rule)s.)", rule=error.rule)
        return ""

    def _carry(self) -> None:
        """Play the batch."""
        if not self._applied:
            return
        first = self.game.seen_ply(self.seat)
        moves, applied = zip(*self._applied, strict=True)
        turns.refuse_late(self.game, self.seat)
        turns.carry_out(self.store, self.game, self.seat, moves, self.now, self.rng, applied)
        self.result.carried.append(Carried(first, first + len(moves), [format_move(move) for move in moves]))
        self._batch, self._applied = [], []

    # Commands

    def _command(self, command: Command) -> None:
        if command.name == "undo":
            self._undo()
        elif command.name == "preview":
            self._carry()
            self._preview(command)
        else:
            note(command, self.result)

    def _undo(self) -> None:
        """Take back what may be taken back: the newest moves of this turn that revealed nothing."""
        self._batch, self._applied = [], []  # what was not sent yet, first
        if self._over:
            raise _StopError("ended")
        plies = history.tell(self.store, self.game, self.seat).undoable(self.seat)
        if not plies:
            self.result.nothing_to_undo = True
            return
        turns.take_back(self.store, self.game, self.player, min(plies) - 1, self.now)
        self.result.undone += len(plies)

    def _preview(self, command: Command) -> None:
        if self.result.preview:  # the letter shows one, and to try moves is dear
            self.result.left.append(command.text)
            return
        self._may_go_on(goes_on=True)
        state = self._state.rules.masked(self._state, self.seat)
        self.result.previewed, self.result.preview = self.game.seen_ply(self.seat), []
        for step in command.steps:
            if state.active != self.seat:
                return
            move = self._meant(state, step.phrase)
            following = state.rules.apply(state, self.seat, move)
            if following.reveals or move == END:
                return
            self.result.preview.append(format_move(move))
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
