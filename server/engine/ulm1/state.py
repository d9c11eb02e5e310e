"""The state of a game (record.md §4): plain slotted classes, to JSON and back.

Whatever changes rarely is a tuple, so that copies share it; the lists are the counts that nearly every move touches.
Colours, slots and quarters are indices (see `tables`); names appear only in the JSON form.

Copies and the JSON form are spelt out, because a table that is walked takes twice as long (µs: copy 1.7 or 3.2, JSON
form 9 or 16). A test finds a field that was forgotten in one of them.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from server.engine.canonical import Json, canonical_json
from server.engine.errors import InvalidStateError
from server.engine.ulm1.ruleset import Choice, Ruleset
from server.engine.ulm1.shapes import (
    Counts,
    OpenPlayer,
    OpenPosition,
    PendingForm,
    PlayerForm,
    Score,
    StateForm,
    TurnForm,
)
from server.engine.ulm1.tables import COLOR_INDEX, COLORS, QUARTERS, SLOT_INDEX, SLOTS

# An outer slot without a tile, a slot without a coat seal, a quarter without a crest, no slot pushed.
NOBODY: Final = -1


@dataclass(slots=True, init=False, eq=False, repr=False)
class Player:
    """What lies in front of one seat."""

    vp: int
    coins: int
    sparrows: int
    tiles: list[int]
    seals: int
    crests: int
    barge: int
    descendants: tuple[str, ...]
    coats: tuple[str, ...]
    hand: tuple[str, ...]
    table: tuple[str, ...]
    played: int
    resigned: bool

    def copy(self) -> "Player":
        """Return an independent copy."""
        new = Player()
        new.vp = self.vp
        new.coins = self.coins
        new.sparrows = self.sparrows
        new.tiles = self.tiles[:]
        new.seals = self.seals
        new.crests = self.crests
        new.barge = self.barge
        new.descendants = self.descendants
        new.coats = self.coats
        new.hand = self.hand
        new.table = self.table
        new.played = self.played
        new.resigned = self.resigned
        return new

    def to_dict(self) -> PlayerForm:
        """Return the JSON form."""
        return {**self.seen_by_all(), "hand": list(self.hand)}

    def seen_by_all(self) -> OpenPlayer:
        """Return what of the JSON form lies open."""
        return {
            "barge": self.barge,
            "coats": list(self.coats),
            "coins": self.coins,
            "crests": self.crests,
            "descendants": list(self.descendants),
            "played": self.played,
            "resigned": self.resigned,
            "seals": self.seals,
            "sparrows": self.sparrows,
            "table": list(self.table),
            "tiles": counts_to_dict(self.tiles),
            "vp": self.vp,
        }

    @staticmethod
    def from_dict(data: Json) -> "Player":
        """Inverse of `to_dict`."""
        new = Player()
        for name in ("vp", "coins", "sparrows", "seals", "crests", "barge", "played", "resigned"):
            setattr(new, name, data[name])
        for name in ("descendants", "coats", "hand", "table"):
            setattr(new, name, tuple(data[name]))
        new.tiles = counts_from_dict(data["tiles"])
        return new


@dataclass(slots=True, init=False, eq=False, repr=False)
class Turn:
    """What is left to use in the turn under way."""

    tiles: tuple[int, ...]
    slot: int
    activated: list[int]
    card_credits: int
    seal_credits: int
    seal_at_1_credits: int
    step_credits: int
    free_play: bool
    swapped: bool
    exchanged: bool
    salvaged: bool
    levy_paid: bool
    patrician: bool

    @staticmethod
    def fresh(free_play: bool = False, seal_credits: int = 0) -> "Turn":
        """Return a turn with nothing to use but these."""
        new = Turn()
        new.tiles = ()
        new.slot = NOBODY
        new.activated = [0, 0, 0, 0, 0]
        new.card_credits = 0
        new.seal_credits = seal_credits
        new.seal_at_1_credits = 0
        new.step_credits = 0
        new.free_play = free_play
        new.swapped = False
        new.exchanged = False
        new.salvaged = False
        new.levy_paid = False
        new.patrician = False
        return new

    def copy(self) -> "Turn":
        """Return an independent copy."""
        new = Turn()
        new.tiles = self.tiles
        new.slot = self.slot
        new.activated = self.activated[:]
        new.card_credits = self.card_credits
        new.seal_credits = self.seal_credits
        new.seal_at_1_credits = self.seal_at_1_credits
        new.step_credits = self.step_credits
        new.free_play = self.free_play
        new.swapped = self.swapped
        new.exchanged = self.exchanged
        new.salvaged = self.salvaged
        new.levy_paid = self.levy_paid
        new.patrician = self.patrician
        return new

    def to_dict(self) -> TurnForm:
        """Return the JSON form."""
        return {
            "activated": counts_to_dict(self.activated),
            "credits": {
                "card": self.card_credits,
                "seal": self.seal_credits,
                "seal_at_1": self.seal_at_1_credits,
                "step": self.step_credits,
            },
            "exchanged": self.exchanged,
            "free_play": self.free_play,
            "levy_paid": self.levy_paid,
            "patrician": self.patrician,
            "salvaged": self.salvaged,
            "slot": None if self.slot == NOBODY else SLOTS[self.slot],
            "swapped": self.swapped,
            "tiles": [COLORS[color] for color in self.tiles],
        }

    @staticmethod
    def from_dict(data: Json) -> "Turn":
        """Inverse of `to_dict`."""
        new = Turn()
        for name in ("free_play", "swapped", "exchanged", "salvaged", "levy_paid", "patrician"):
            setattr(new, name, data[name])
        for name in ("card", "seal", "seal_at_1", "step"):
            setattr(new, f"{name}_credits", data["credits"][name])
        new.tiles = tuple(COLOR_INDEX[name] for name in data["tiles"])
        new.slot = NOBODY if data["slot"] is None else SLOT_INDEX[data["slot"]]
        new.activated = counts_from_dict(data["activated"])
        return new


@dataclass(slots=True, init=False, eq=False, repr=False)
class State:
    """A whole position. `seed` travels with it but is no part of it: it is neither dumped nor digested."""

    rules: "Ruleset[State]"  # of which the JSON form holds the name
    seed: bytes | None  # no part of the JSON form
    rotate_start: bool  # O2
    advanced: bool  # O1
    ply: int
    round: int
    phase: str
    start: int
    active: int | None
    chance: int
    grid: tuple[int, ...]  # nine colours, row by row
    outer: tuple[int, ...]  # by slot: a colour or NOBODY
    docks: list[int]
    bag: list[int]
    pile: tuple[str, ...]  # last = top
    discard: tuple[str, ...]
    coats: tuple[str, ...]
    coat_seals: tuple[int, ...]  # by slot: a seat or NOBODY
    crests: tuple[int, ...]  # by quarter: a seat or NOBODY
    quarters: tuple[tuple[int, ...], ...]  # by quarter: seats in the order of placing
    descendants: tuple[str, ...]  # left in the Oath House
    tower: tuple[str, ...]
    players: list[Player]
    turn: Turn
    pending: tuple[Choice, ...]
    scores: list[Score] | None  # never changed once set, so copies share it

    def copy(self) -> "State":
        """Return an independent copy; it draws what this state would have drawn."""
        new = State()
        new.rules = self.rules
        new.seed = self.seed
        new.rotate_start = self.rotate_start
        new.advanced = self.advanced
        new.ply = self.ply
        new.round = self.round
        new.phase = self.phase
        new.start = self.start
        new.active = self.active
        new.chance = self.chance
        new.grid = self.grid
        new.outer = self.outer
        new.docks = self.docks[:]
        new.bag = self.bag[:]
        new.pile = self.pile
        new.discard = self.discard
        new.coats = self.coats
        new.coat_seals = self.coat_seals
        new.crests = self.crests
        new.quarters = self.quarters
        new.descendants = self.descendants
        new.tower = self.tower
        new.players = [player.copy() for player in self.players]
        new.turn = self.turn.copy()
        new.pending = self.pending
        new.scores = self.scores
        return new

    @property
    def tower_tile(self) -> str | None:
        """The Tower tile in force (P7), None in the basic game."""
        return self.tower[self.round - 1] if self.advanced else None

    def to_dict(self) -> StateForm:
        """Return the JSON form of record.md §4."""
        return {
            **self.seen_by_all(),
            "chance": self.chance,
            "coats": list(self.coats),
            "pending": [choice_to_dict(choice) for choice in self.pending],
            "pile": list(self.pile),
            "players": [player.to_dict() for player in self.players],
            "tower": list(self.tower),
        }

    def seen_by_all(self) -> OpenPosition:
        """Return what of the JSON form lies open."""
        return {
            "active": self.active,
            "bag": counts_to_dict(self.bag),
            "coat_seals": {SLOTS[slot]: seat for slot, seat in enumerate(self.coat_seals) if seat != NOBODY},
            "crests": {QUARTERS[quarter]: seat for quarter, seat in enumerate(self.crests) if seat != NOBODY},
            "descendants": list(self.descendants),
            "discard": list(self.discard),
            "docks": counts_to_dict(self.docks),
            "grid": [[COLORS[color] for color in self.grid[row : row + 3]] for row in (0, 3, 6)],
            "options": {"rotate_start": self.rotate_start, "tower": self.advanced},
            "outer": {SLOTS[slot]: COLORS[color] for slot, color in enumerate(self.outer) if color != NOBODY},
            "phase": self.phase,
            "ply": self.ply,
            "quarters": dict(zip(QUARTERS, map(list, self.quarters), strict=True)),
            "round": self.round,
            "ruleset": self.rules.name,
            "scores": self.scores,
            "start": self.start,
            "turn": self.turn.to_dict(),
        }

    @staticmethod
    def from_dict(rules: "Ruleset[State]", data: Json, seed: bytes | None = None) -> "State":
        """Inverse of `to_dict` under its ruleset, with the 32-byte `seed` to play on. Raises `InvalidStateError` for
        another shape; only replaying the log proves that a position can arise."""
        try:
            if data["ruleset"] != rules.name:
                raise InvalidStateError(f"a state of {data['ruleset']!r}, not of {rules.name!r}")
            new = State()
            new.rules, new.seed = rules, seed
            new.rotate_start, new.advanced = data["options"]["rotate_start"], data["options"]["tower"]
            for name in ("ply", "round", "phase", "start", "active", "chance", "scores"):
                setattr(new, name, data[name])
            for name in ("pile", "discard", "coats", "descendants", "tower"):
                setattr(new, name, tuple(data[name]))
            new.grid = tuple(COLOR_INDEX[name] for row in data["grid"] for name in row)
            outer, coat_seals, crests = data["outer"], data["coat_seals"], data["crests"]
            new.outer = tuple(COLOR_INDEX[outer[slot]] if slot in outer else NOBODY for slot in SLOTS)
            new.docks, new.bag = counts_from_dict(data["docks"]), counts_from_dict(data["bag"])
            new.coat_seals = tuple(coat_seals.get(slot, NOBODY) for slot in SLOTS)
            new.crests = tuple(crests.get(quarter, NOBODY) for quarter in QUARTERS)
            new.quarters = tuple(tuple(data["quarters"][quarter]) for quarter in QUARTERS)
            new.players = [Player.from_dict(player) for player in data["players"]]
            new.turn = Turn.from_dict(data["turn"])
            new.pending = tuple(choice_from_dict(choice) for choice in data["pending"])
        except (KeyError, TypeError, AttributeError, IndexError) as error:
            raise InvalidStateError(f"not a state: {error!r}") from error
        return new

    def digest(self) -> str:
        """Return the first 16 hex digits of the SHA-256 of the canonical JSON (record.md §4)."""
        return sha256(self.canonical_json().encode("ascii")).hexdigest()[:16]

    def canonical_json(self) -> str:
        """Return the JSON form as canonical JSON."""
        return canonical_json(self.to_dict())


def counts_to_dict(counts: list[int]) -> Counts:
    """Return counts by colour index as counts by name, all five keys (record.md §4)."""
    gray, white, brown, turquoise, orange = counts
    return {"brown": brown, "gray": gray, "orange": orange, "turquoise": turquoise, "white": white}


def counts_from_dict(data: Counts) -> list[int]:
    """Inverse of `counts_to_dict`."""
    return [data["gray"], data["white"], data["brown"], data["turquoise"], data["orange"]]


def choice_to_dict(choice: Choice) -> PendingForm:
    """Return a pending choice in the shape of record.md §4."""
    kind = choice[0]
    if kind in ("coat", "choose"):
        return {"kind": kind, "offer": list(choice[1])}
    if kind == "barge":
        return {"kind": kind, "max": choice[1]}
    return {"kind": kind}


def choice_from_dict(data: PendingForm) -> Choice:
    """Inverse of `choice_to_dict`."""
    kind = data["kind"]
    if kind in ("coat", "choose"):
        return kind, tuple(data["offer"])
    if kind == "barge":
        return kind, data["max"]
    return (kind,)
