"""A sandbox: a game that begins from a position instead of a set-up. Format `ulm-sandbox/1`.

    {"format": "ulm-sandbox/1", "ruleset": …, "id": …, "name": …, "players": [{"name": …}], "seed": hex of 32 bytes,
     "position": a state of record.md §4 at ply 0, "moves": […], "digests": {…}, "result": …}

Its seed is chance for what comes after the position and proves nothing. It does all that a record does: a `Replay`
steps through it, `server.engine.record.verify` checks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from replays import positions
from server.engine import record as records
from server.engine import rulesets, seeds
from server.engine.canonical import Json
from server.engine.errors import InvalidStateError, RecordError
from server.engine.record import Record
from server.engine.ulm1.shapes import StateForm
from server.engine.ulm1.state import State

FORMAT = "ulm-sandbox/1"
BRANCH = "branch"
"""The field of a sandbox, or of a branched record, that says where it comes from: `{"of": id, "ply": N}`."""


@dataclass(frozen=True, slots=True)
class Sandbox(Record):
    """A record that begins at `position`; `server_seed` is the 32 bytes of its chance."""

    position: StateForm = field(kw_only=True)

    def first_state(self) -> State:
        """Return the state at ply 0."""
        return self.rules.state_from_dict(self.position, self.server_seed)

    def to_dict(self) -> dict[str, Json]:
        """Return the JSON form; inverse of `from_dict`."""
        data = Record.to_dict(self)
        del data["options"]  # stand in the position
        return {**data, "format": FORMAT, "seed": self.server_seed.hex(), "position": self.position}


def make(state: State, names: Sequence[str], identity: str, name: str, extra: dict[str, Json]) -> Sandbox:
    """A sandbox without moves that begins at `state`, which has a seed. Raises `InvalidStateError`."""
    positions.check(state)
    if state.seed is None:
        raise InvalidStateError("a sandbox needs the seed of its chance")
    first = state.copy()
    first.ply = 0
    return Sandbox(
        id=identity, name=name, options={"rotate_start": state.rotate_start, "tower": state.advanced},
        players=[{"name": player} for player in names], server_seed=state.seed, client_seeds=[""] * len(names),
        commitment=seeds.commitment(state.seed), moves=[], digests={0: first.digest()}, result=None, extra=extra,
        position=first.to_dict(), ruleset=state.rules.name,
    )  # fmt: skip


def looks_like(text: bytes | str) -> bool:
    """Whether a text names the format of a sandbox near its beginning."""
    start = text[:200]
    return FORMAT.encode() in start if isinstance(start, bytes) else FORMAT in start


def loads(text: bytes | str) -> Sandbox:
    """Read a sandbox, its position checked, its moves not yet replayed. Raises `RecordError`, naming ply 0."""
    data = records.parse_json(text)
    records.check_depth(data)
    try:
        return from_dict(data)
    except RecordError:
        raise
    except (InvalidStateError, ValueError) as error:
        raise RecordError(0, f"not a sandbox: {error}") from error


def from_dict(data: Json) -> Sandbox:
    """Inverse of `Sandbox.to_dict`. Raises `RecordError` and `InvalidStateError`."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise RecordError(0, f"'format' is not {FORMAT!r}")
    position, seed = data.get("position"), data.get("seed")
    if not isinstance(position, dict) or not isinstance(seed, str) or len(seed) != 64:
        raise RecordError(0, "'position' is not a state, or 'seed' not 64 hex digits")
    server_seed = bytes.fromhex(seed)
    state = rulesets.state_from_dict(position, server_seed)
    positions.check(state)
    if state.to_dict() != position or state.ply or state.rules.name != data.get("ruleset"):
        raise RecordError(0, "'position' is not a state at ply 0")
    seats = len(state.players)
    like_a_record = {
        **{key: value for key, value in data.items() if key != "position"},
        "format": records.FORMAT,
        "options": {"rotate_start": state.rotate_start, "tower": state.advanced},
        "seed": {"server": seed, "clients": [""] * seats, "commitment": seeds.commitment(server_seed)},
    }
    inner = records.from_dict(like_a_record)
    if len(inner.players) != seats:
        raise RecordError(0, f"'players' has not {seats} names, one for each seat")
    values = {name: getattr(inner, name) for name in Record.__dataclass_fields__}
    return Sandbox(**values, position=position)
