"""The game record, file format `ulm-record/1` (record.md §5): read, write, complete, verify.

Reading is strict and done in two steps: `from_dict` checks what can be said without playing (types, seeds, the
commitment), `verify` replays the moves and checks legality, digests and result. Both raise `RecordError` with the ply
that record.md names.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, NoReturn, TypedDict, cast

from server.engine import rulesets, seeds
from server.engine.canonical import Json, walk
from server.engine.errors import RecordError
from server.engine.replaying import Step, play_log
from server.engine.rulesets import Rules
from server.engine.ulm1 import scoring, setup
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.shapes import Options, Result
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import MAX_PLAYERS, MIN_PLAYERS

FORMAT = "ulm-record/1"
DEPTH = 40
"""How deep lists and objects may be nested: what is read may be written again, and writing goes by recursion."""
_KEYS = ("format", "ruleset", "id", "name", "options", "players", "seed", "moves", "digests", "result")
_SHAPES = {"id": str, "name": str, "options": dict, "players": list, "seed": dict, "moves": list, "digests": dict}
_NAMES: dict[type, str] = {str: "a text", dict: "an object", list: "a list"}
_SEED_KEYS = ("server", "clients", "commitment")
# Shapes of §5.
HEX64 = re.compile(r"[0-9a-f]{64}", re.ASCII)
HEX16 = re.compile(r"[0-9a-f]{16}", re.ASCII)
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z", re.ASCII)
PLY = re.compile(r"0|[1-9]\d{0,8}", re.ASCII)


class RecordPlayer(TypedDict):
    """Who sat there. Further keys are kept."""

    name: str


class MoveEntry(NamedTuple):
    """One line of the log: the move's text, the seat that made it, its time in UTC (ISO 8601 with Z) or None."""

    text: str
    seat: int
    time: str | None = None

    def read(self, rules: Rules) -> Move:
        """Return the move of the text. Raises `InvalidMoveError`."""
        return rules.notation.parse(self.text)


@dataclass(frozen=True, slots=True)
class Record:
    """A game as a file keeps it. `extra` holds the keys that this version does not know; they are written back."""

    id: str
    name: str
    options: Options
    players: list[RecordPlayer]
    server_seed: bytes
    client_seeds: list[str]
    commitment: str
    moves: list[MoveEntry]
    digests: dict[int, str]
    result: Result | None
    ruleset: str
    extra: dict[str, Json] = field(default_factory=dict)
    seed_extra: dict[str, Json] = field(default_factory=dict)  # the same for keys inside `seed`

    @property
    def rules(self) -> Rules:
        """The ruleset that the game is played by. Raises `UnknownRulesetError`."""
        return rulesets.rules_for(self.ruleset)

    def first_state(self) -> State:
        """Return the state at ply 0."""
        seed = seeds.game_seed(self.server_seed, self.client_seeds)
        return self.rules.new_game(seed, len(self.players), self.options)

    def to_dict(self) -> dict[str, Json]:
        """Return the JSON form; inverse of `from_dict`."""
        return {
            "format": FORMAT,
            "ruleset": self.ruleset,
            "id": self.id,
            "name": self.name,
            "options": self.options,
            "players": self.players,
            "seed": {
                "server": self.server_seed.hex(),
                "clients": self.client_seeds,
                "commitment": self.commitment,
                **self.seed_extra,
            },
            "moves": [list(entry) for entry in self.moves],
            "digests": {str(ply): digest for ply, digest in self.digests.items()},
            "result": self.result,
            **self.extra,
        }


def loads(text: str | bytes) -> Record:
    """Read a record from JSON text. Raises `RecordError`, naming ply 0, for anything that is not a record."""
    return from_dict(parse_json(text))


def parse_json(text: str | bytes) -> Json:
    """Read JSON strictly: no key twice, no NaN, no number that is too large. Raises `RecordError`."""
    try:
        return json.loads(
            text, parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_refuse_duplicates
        )
    except (ValueError, RecursionError) as error:
        raise RecordError(0, f"not JSON: {error}") from error


def check_depth(*parts: Json) -> None:
    """Raise `RecordError` for parsed JSON that is nested more than `DEPTH` deep."""
    for part in parts:
        if any(depth >= DEPTH and isinstance(inner, (dict, list)) for inner, depth in walk(part)):
            raise RecordError(0, f"lists and objects are nested more than {DEPTH} deep")


def dumps(record: Record) -> str:
    """Write a record as JSON text; `loads` reads it back equal."""
    text = json.dumps(record.to_dict(), ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate in a name: only escapes can carry it
        return json.dumps(record.to_dict(), ensure_ascii=True, separators=(",", ":"))
    return text


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError("a number is too large")
    return number


def _refuse_duplicates(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return result


def from_dict(data: Json) -> Record:
    """Check the shape of a record and return it. Raises `RecordError` (see the module's text)."""
    _need(isinstance(data, dict), "a record is a JSON object")
    _need(data.get("format") == FORMAT, f"'format' is not {FORMAT!r}")
    ruleset = data.get("ruleset")
    _need(isinstance(ruleset, str) and ruleset in rulesets.ALL, f"'ruleset' is none of {', '.join(rulesets.ALL)}")
    for key in _KEYS:
        _need(key in data, f"{key!r} is missing")
    for key, shape in _SHAPES.items():
        _need(isinstance(data[key], shape), f"{key!r} is not {_NAMES[shape]}")
    _need(set(data["options"]) == set(setup.OPTIONS), f"'options' holds {' and '.join(setup.OPTIONS)}, nothing else")
    _need(all(isinstance(value, bool) for value in data["options"].values()), "an option is true or false")
    players = _players(data["players"])
    server_seed, client_seeds = _seeds(data["seed"], len(players))
    moves = _moves(data["moves"], len(players))
    extra = {key: value for key, value in data.items() if key not in _KEYS}
    seed_extra = {key: value for key, value in data["seed"].items() if key not in _SEED_KEYS}
    check_depth(extra, seed_extra, players, data["result"])
    return Record(
        id=data["id"],
        name=data["name"],
        options=cast("Options", dict(data["options"])),
        players=players,
        server_seed=server_seed,
        client_seeds=client_seeds,
        commitment=data["seed"]["commitment"],
        moves=moves,
        digests=_digests(data["digests"], len(moves)),
        result=_result(data["result"], len(moves)),
        ruleset=ruleset,
        extra=extra,
        seed_extra=seed_extra,
    )


def _need(condition: bool, message: str, ply: int = 0) -> None:
    if not condition:
        raise RecordError(ply, message)


def _players(data: Json) -> list[RecordPlayer]:
    _need(MIN_PLAYERS <= len(data) <= MAX_PLAYERS, f"a game has {MIN_PLAYERS} to {MAX_PLAYERS} players")
    for seat, player in enumerate(data):
        _need(isinstance(player, dict) and isinstance(player.get("name"), str), f"player {seat} has no 'name'")
    players: list[RecordPlayer] = data
    return players


def _seeds(data: Json, players: int) -> tuple[bytes, list[str]]:
    server, clients, commitment = data.get("server"), data.get("clients"), data.get("commitment")
    _need(isinstance(server, str) and bool(HEX64.fullmatch(server)), "'seed.server' is not 64 lower-case hex digits")
    _need(isinstance(clients, list) and len(clients) == players, "'seed.clients' has not one text for each player")
    for text in clients:
        try:
            seeds.check_client_seed(text)
        except ValueError as error:
            raise RecordError(0, str(error)) from error
    server_seed = bytes.fromhex(server)
    _need(commitment == seeds.commitment(server_seed), "the commitment does not match the server's seed")
    return server_seed, clients


def _is_seat(value: object, players: int) -> bool:
    return type(value) is int and 0 <= value < players


def _moves(data: Json, players: int) -> list[MoveEntry]:
    moves = []
    for entry in data:
        shape = isinstance(entry, list) and len(entry) == 3 and isinstance(entry[0], str)
        _need(shape and _is_seat(entry[1], players), "a move is [text, seat, time or null]")
        time = entry[2]
        good_time = time is None or (isinstance(time, str) and bool(TIME.fullmatch(time)))
        _need(good_time, "the time of a move is null or like 2026-11-21T09:30:00Z")
        moves.append(MoveEntry(*entry))
    return moves


def _digests(data: Json, last: int) -> dict[int, str]:
    digests = {}
    for key, value in data.items():
        _need(isinstance(value, str) and bool(HEX16.fullmatch(value)), "a digest is 16 lower-case hex digits")
        known = bool(PLY.fullmatch(key)) and int(key) <= last
        _need(known, f"there is a digest of an unknown ply {key[:20]!r}", last)
        digests[int(key)] = value
    return digests


def _result(data: Json, last: int) -> Result | None:
    good = data is None or (
        isinstance(data, dict) and isinstance(data.get("scores"), list) and isinstance(data.get("winners"), list)
    )
    _need(good, "'result' is not null or an object of 'scores' and 'winners'")
    result: Result | None = data
    return result


def replay(record: Record) -> Iterator[Step[MoveEntry]]:
    """Yield ply 0, 1, … of a record, each move checked; ply 0 has an empty entry.

    Each state is its own; none is changed later. Raises `RecordError` at the first illegal move.
    """
    first = record.first_state()
    yield Step(0, MoveEntry("", 0), (), first, first, [], None)
    yield from play_log(first, record.moves)


def _needs_digest(record: Record, step: Step[MoveEntry]) -> bool:
    """Whether a digest must stand at this ply (§5): the first, the last, and where a round begins."""
    return step.ply in (0, len(record.moves)) or step.begins_round


def verify(record: Record) -> State:
    """Replay a record and check legality, digests and result; return the last state.

    Raises `RecordError` naming the first ply that fails.
    """
    state = record.first_state()
    for step in replay(record):
        state = step.state
        digest = record.digests.get(state.ply)
        if digest is None:
            _need(not _needs_digest(record, step), "the digest that must stand here is missing", state.ply)
        else:
            _need(digest == state.digest(), "the digest differs", state.ply)
    _need(same_result(record.result, result_of(state)), "the result differs", state.ply)
    return state


def same_result(given: Json, true: Json) -> bool:
    """Say whether a result is the true one, type by type: in JSON 1.0 and true are not 1.

    It goes no deeper than the true result, however deep the given one is nested.
    """
    if type(given) is not type(true):
        return False
    if isinstance(true, dict):
        return given.keys() == true.keys() and all(same_result(given[key], value) for key, value in true.items())
    if isinstance(true, list):
        return len(given) == len(true) and all(map(same_result, given, true))
    return bool(given == true)


def result_of(state: State) -> Result | None:
    """Return the result of a game in the shape of record.md §5, None while it runs."""
    if state.scores is None:
        return None
    return {"scores": state.scores, "winners": scoring.winners(state.scores)}


def begun(
    players: Sequence[str],
    server_seed: bytes,
    client_seeds: Sequence[str],
    options: Mapping[str, object],
    rules: Rules,
    game_id: str = "",
    name: str = "",
) -> Record:
    """Return the record of a game in which nobody has moved. Raises `ValueError` for options that are not of §14."""
    return Record(
        id=game_id, name=name, options=setup.check_options(options), players=[{"name": player} for player in players],
        server_seed=server_seed, client_seeds=list(client_seeds), commitment=seeds.commitment(server_seed), moves=[],
        digests={}, result=None, ruleset=rules.name,
    )  # fmt: skip


def make(
    game_id: str,
    name: str,
    options: Mapping[str, object],
    players: Sequence[str],
    server_seed: bytes,
    client_seeds: Sequence[str],
    moves: Sequence[MoveEntry],
    every_digest: bool = False,
    rules: Rules = rulesets.NEWEST,
) -> Record:
    """Return the record of a game from its log, digests and result computed as by `completed`."""
    bare = begun(players, server_seed, client_seeds, options, rules, game_id, name)
    bare.moves.extend(MoveEntry(format_move(entry.read(rules)), entry.seat, entry.time) for entry in moves)
    return completed(bare, every_digest)


def completed(record: Record, every_digest: bool = False) -> Record:
    """Return a record with digests and result computed. Raises `RecordError` when its log is not a legal game.

    Digests stand at ply 0, each start of a round and the last ply; with `every_digest` at every ply.
    """
    result = None
    digests: dict[int, str] = {}
    for step in replay(record):
        result = result_of(step.state)
        if every_digest or _needs_digest(record, step):
            digests[step.state.ply] = step.state.digest()
    return replace(record, digests=digests, result=result)
