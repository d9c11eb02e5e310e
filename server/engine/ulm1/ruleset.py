"""What a ruleset is (record.md §2): all in which games of Ulm may differ, as values and as functions.

A state carries its ruleset (`state.rules`), and the rules ask it wherever another one may say otherwise. So a ruleset
that corrects some values or one rule is `dataclasses.replace` of another with those, and copies nothing. Whoever stands
outside the engine asks the ruleset of a table, a record, a view or a state (see `rulesets`), no module of these rules.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from server.engine.canonical import Json
from server.engine.events import Event
from server.engine.ulm1.notation import Move, Notation
from server.engine.ulm1.sentences import ENGLISH, Form, Speaker
from server.engine.ulm1.shapes import Options, Score, View
from server.engine.ulm1.tables import CATHEDRAL, COATS, LAST_SPACE

S = TypeVar("S")  # the state that its games have
S_contra = TypeVar("S_contra", contravariant=True)
# Any: as the kind says.
Choice = tuple[Any, ...]  # ("coat", (slots…)), ("choose", (cards…)), ("barge", k), or (kind,)
Bank = tuple[tuple[int, int, int], ...]  # first space, last space, quarter


class ChoiceRule(NamedTuple, Generic[S]):
    """How one kind of pending choice is answered and settled."""

    answers: Callable[[S, int, Choice], list[Move]]
    settle: Callable[[S, int, Choice, Move, list[Event]], None]
    after: Callable[[S, int, list[Event]], None] | None = None  # what follows it, settled or skipped (Q6, Q8)


class Top(NamedTuple):
    """The upper effect of a Trade or Chronicle card: the colour of the tile that it asks for, if any, and what it does
    in its order, each effect by its name among `Ruleset.effects` with how much of it."""

    pays: int | None
    effects: tuple[tuple[str, int], ...]


class CardEffect(NamedTuple, Generic[S]):
    """One effect of such a card: when it would change something (B7), and what it does so many times."""

    possible: Callable[[S, int], bool]
    carry_out: Callable[[S, int, Move, int, list[Event]], None]


class Applied(NamedTuple, Generic[S]):
    """What `apply` returns: the new state, what happened, and whether the move revealed anything (record.md §3)."""

    state: S
    events: list[Event]
    reveals: bool


class Pushed(NamedTuple):
    """What a push does: the tile that goes in, the three it activates (from the slot inwards), what falls out where."""

    slot: str
    color: str
    activates: tuple[str, str, str]
    falls: str
    falls_at: str

    @property
    def line(self) -> tuple[str, str, str]:
        """The three as they lie on the board, from the west or the north: so they are shown, wherever one pushed."""
        first, second, third = self.activates
        return (third, second, first) if self.slot[0] in "ES" else self.activates


class Loss(NamedTuple):
    """Something that ends with the turn: of what kind, how many (points, of an unpaid `levy`), of a tile its colour."""

    kind: str
    number: int
    color: str = ""


class Reason(NamedTuple):
    """Why a move is not legal: the rule, the sentence with its names in the notation, and what to write instead."""

    rule: str
    form: Form
    what: tuple[str, ...] = ()
    number: int = 0
    hint: str = ""

    @property
    def message(self) -> str:
        """The reason in English, with names as the notation has them."""
        return ENGLISH.say(self.form, self.number).format(*self.what, n=self.number) + self.hint

    def said(self, speaker: Speaker) -> str:
        """The reason for people, in a language."""
        words = [speaker.name(word) for word in self.what]
        return speaker.say(self.form, self.number).format(*words, n=self.number)


class Remaining(NamedTuple):
    """Something that the turn has to use: `kind` and `color` as of a `Loss`, how many there are and how many can be
    used at once, and the reason where none can."""

    kind: str
    number: int
    color: str
    at_once: int
    why: Reason | None


class LegalMoves(Protocol[S_contra]):
    """See `game.legal_moves`."""

    def __call__(self, state: S_contra, seat: int | None = None) -> list[Move]:
        """Return every legal move of `seat`, of the active one when None."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Ruleset(Generic[S]):
    """A ruleset; one object for each."""

    name: str
    changes: str  # what it changed since the one before, in words of docs/rules.md

    # Values, as docs/rules.md has them: its rule beside each. [H] are house values, which the sources do not give.
    rounds: int = 10  # T1
    tiles_per_color: int = 10  # C2 [H]
    first_vp: int = 5  # P5
    first_coins: int = 2
    first_sparrows: int = 2
    seals: int = 12  # C5
    crests: int = 3
    # The Danube (D1): spaces are 1 to 22, index 0 is unused.
    space_value: Sequence[int] = (0, *range(-11, 0), *range(1, 12))
    last_spaces: Sequence[str] = ("coin", "sparrow", "dock", "card")  # D4: what arriving there brings, from 19 on
    seal_spaces: Sequence[int] = (4, 4, 4, 3, 3, 4, 4, 7)  # §7 [S], by quarter
    north_bank: Bank = ((1, 5, 0), (6, 11, 1), (12, 15, 2), (16, 19, 3), (20, 22, 4))  # D5 [H]
    south_bank: Bank = ((1, 6, 5), (7, 11, 6), (12, 22, 7))
    long_reach: int = 3  # V12
    seal_price: int = 2  # A5
    chronicle_seal_price: int = 1  # B9
    levy_coins: int = 2  # V9
    levy_loss: int = 5  # V8, V9
    guard_vp: int = 2  # N4
    coats: Mapping[str, tuple[int, int | None, int]] = field(default_factory=lambda: COATS)
    oath_house_descendants: int = 4  # P2
    cathedral: Mapping[str, tuple[int, int]] = field(default_factory=lambda: CATHEDRAL)
    cathedral_top_vp: int = 6  # B4
    cathedral_table_vp: int = 3
    cathedral_set_vp: int = 9
    trade_table_vp: int = 3  # B5
    trade_same_vp: int = 6
    trade_different_vp: int = 3
    freeze_max: int = 6  # B6 [S]: of the table values
    jousting_vp: Sequence[int] = (6, 3)  # [S]: with no barge ahead, with exactly one
    sparrow_max: int = 5  # [S]
    tops: Mapping[str, Top]  # B5, B6: of the Trade and the Chronicle cards
    tillage_steps: int = 2  # Q6
    goose_look: int = 3  # Q5

    # Rules in which rulesets differ (§15), each as `ulm/1` has it.
    seal_after_push: bool = False  # A7: the credit of V5 comes as the actions begin; False: as the turn begins
    credits_at_once: bool = False  # A7: other credits are used before anything else, or lapse; False: in the turn

    # What the board says otherwise than `board.words`: language → kind of words → name → text.
    words: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    # Its own sentences for kinds of events, and those that others read, before those of `board.events`.
    forms: Mapping[str, tuple[Form, Form | None]] = field(default_factory=dict)

    # Rules: what each move, choice, quarter and effect of a card does, and what the game is worth in the end.
    verbs: Mapping[str, Callable[[S, int, Move, list[Event]], None]]
    choices: Mapping[str, ChoiceRule[S]]
    privileges: Mapping[str, Callable[[S, int, list[Event]], None]]
    effects: Mapping[str, CardEffect[S]]
    chronicle_vp: Mapping[str, Callable[[S, int], int]]
    final_scores: Callable[[S], list[Score]]

    # What the rest of the project asks; the functions of ulm/1 say what each takes and returns.
    check_options: Callable[[Mapping[str, object]], Options]
    set_up: Callable[["Ruleset[S]", bytes, int, Mapping[str, object]], S]
    read_state: Callable[["Ruleset[S]", Json, bytes | None], S]
    legal_moves: LegalMoves[S]
    apply: Callable[[S, int, Move], Applied[S]]
    advance: Callable[[S, Move, list[Event]], None]
    can_auto_draw: Callable[[S], bool]
    pushed: Callable[[S, Move], Pushed]
    money_coins: Callable[[S, int], int]
    lost_by_ending: Callable[[S, int], list[Loss]]
    remaining: Callable[[S, int], list[Remaining]]
    reason: Callable[[S, int, Move], Reason]
    shared_reason: Callable[[S, int, Sequence[Move]], Reason]
    view: Callable[[S, int | None], View]
    dealt: Callable[[S, Collection[int], Callable[[list[str]], None] | None], S]
    visible_state: Callable[[S, S | None, int | None], S]
    hidden_behind: Callable[[S | None, S, int, Move, S], S | None]
    told_order: Callable[[Sequence[tuple[int, Move]], int | None], list[int]]
    log_entry: Callable[[Move, int, int | None], str]

    def new_game(self, seed: bytes, players: int, options: Mapping[str, object]) -> S:
        """Return the state at ply 0 (see `setup.new_game`). Raises `ValueError`."""
        return self.set_up(self, seed, players, options)

    def state_from_dict(self, data: Json, seed: bytes | None = None) -> S:
        """Return the state of its JSON form (see `State.from_dict`). Raises `InvalidStateError`."""
        return self.read_state(self, data, seed)

    def parse_move(self, text: str) -> Move:
        """Return the move that `text` writes; inverse of `format_move`. Raises `InvalidMoveError`."""
        return self.notation.parse(text)

    def masked(self, state: S, seat: int) -> S:
        """Return what `seat` may see of `state` as a state; the same of all states that it cannot tell apart."""
        return self.dealt(state, (seat,), None)

    def standing(self, state: S, scores: list[Score] | None) -> list[Score]:
        """The final scoring of `state` as it stands now; only what lies open counts, so a mask has the same."""
        return self.final_scores(state) if scores is None else scores

    @cached_property
    def notation(self) -> Notation:
        """Every move that there is, by its text."""
        sides, sparrows = self.having("side"), self.having("sparrow_coins")
        more = [card for card in (*sides, *sparrows) if self.tops[card].effects[1:]]
        return Notation(self.cathedral, sides, sparrows, more, self.most_steps)

    def top_has(self, card: str, kinds: Collection[str]) -> bool:
        """Say whether the upper effect of a card has one of these effects."""
        return card in self.tops and any(kind in kinds for kind, _ in self.tops[card].effects)

    def having(self, effect: str) -> dict[str, int]:
        """The cards whose upper effect has this effect, with how much of it."""
        return {card: n for card, top in self.tops.items() for kind, n in top.effects if kind == effect}

    @cached_property
    def most_offered(self) -> int:
        """The most cards or coats that are looked at together."""
        return max([2, self.goose_look, *self.having("look").values()])

    @cached_property
    def most_steps(self) -> int:
        """The longest move of a barge whose steps are chosen (D3)."""
        return max([self.tillage_steps, *self.having("steps_up_to").values()])

    @cached_property
    def crest_vp(self) -> tuple[int, ...]:
        """What a later seal brings the owner of the crest, by quarter (W5)."""
        return tuple(next(later for _, q, later in self.coats.values() if q == quarter) for quarter in range(8))

    @cached_property
    def space_bonus(self) -> dict[int, str]:
        """What is to be had on a space of the Danube beside what it is worth in the end (D4)."""
        return dict(enumerate(self.last_spaces, LAST_SPACE + 1 - len(self.last_spaces)))

    @cached_property
    def reach(self) -> tuple[tuple[int, ...], ...]:
        """For each space the quarters that a barge there reaches (D5); index 0 is unused."""
        return self._beside(0)

    @cached_property
    def reach_long(self) -> tuple[tuple[int, ...], ...]:
        """The same under `long_reach` (V12)."""
        return self._beside(self.long_reach)

    def _beside(self, further: int) -> tuple[tuple[int, ...], ...]:
        reach: list[tuple[int, ...]] = [()]
        for space in range(1, LAST_SPACE + 1):
            low, high = max(1, space - further), min(LAST_SPACE, space + further)
            beside = {q for first, last, q in (*self.north_bank, *self.south_bank) if first <= high and last >= low}
            reach.append(tuple(sorted(beside)))
        return tuple(reach)
