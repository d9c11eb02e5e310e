"""OpenAPI's schemas of answers, made from the types of what the service returns.

`Annotated` in a TypedDict says what OpenAPI is to show of a field: a text is its description, a dict is added to its
schema, a type is shown in place of the field's own.
"""

import types
from collections.abc import Mapping
from typing import (
    Annotated,
    Any,
    NotRequired,
    Required,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from replays import stats
from replays.analysis import results
from server.engine.record import RecordPlayer
from server.engine.ulm1 import shapes
from server.engine.ulm1.shapes import JsonSchema
from server.service.accounts import account_opening, bot_accounts, profiles, sessions, tokens
from server.service.archive import analyses, kept_records, puzzles, replay_lists, replays, statistics
from server.service.chat import messages, notes, notice_wishes
from server.service.common import audit_log, preferences
from server.service.erasure import personal_export
from server.service.explain import effects
from server.service.games import bots, model
from server.service.lists import game_lists, game_page, list_pages
from server.service.play import turns, vacation
from server.service.seating import invitations
from server.service.views import live_events, puzzle_page

Schema = dict[str, Any]
_PLAIN = {str: "string", int: "integer", bool: "boolean", float: "number"}


_Status = Annotated[str, JsonSchema(enum=list_pages.STATUSES)]
_AS_JSON = "As JSON, on one line of the stream."


class Health(TypedDict):
    """That all is well."""

    status: Annotated[str, JsonSchema(enum=["ok"])]


class ProblemType(TypedDict):
    """A kind of error."""

    kind: Annotated[str, "Its name, which never changes."]
    type: Annotated[str, "Its address: the `type` of such errors."]
    title: str
    code: Annotated[int, "The HTTP status that it mostly comes with."]
    advice: Annotated[str, "What to do."]


class Pagination(TypedDict):
    """The header X-Pagination: where a page is in its list. What there is not is left out."""

    total: Annotated[int, "Items in the whole list, as far as they are counted."]
    total_pages: Annotated[int, "Pages that these fill."]
    total_exact: Annotated[bool, "Whether there are just so many, or more."]
    first_page: NotRequired[int]
    last_page: NotRequired[Annotated[int, "Left out while `total` is not exact."]]
    page: NotRequired[Annotated[int, "This page; left out when it lies beyond the last."]]
    previous_page: NotRequired[int]
    next_page: NotRequired[Annotated[int, "Left out where pages are asked for by `after` alone."]]
    next_after: NotRequired[Annotated[str, "For `after` of the next page, where there is one."]]


class GameEvent(TypedDict):
    """An event of a game's stream, as clients of server-sent events give it."""

    event: Annotated[str, JsonSchema(enum=["game"])]
    id: Annotated[str, "The `tag`, to go on from (`Last-Event-ID`)."]
    data: Annotated[live_events.GameGlance, _AS_JSON]


class AccountGlance(TypedDict, total=False):
    """One of the caller's games at a glance; of one that is theirs no more its id alone."""

    game: Required[Annotated[str, "The id of the game."]]
    tag: Annotated[str, "Names all that the caller sees of it."]
    ply: int
    round: int | None
    status: _Status
    seat: Annotated[int | None, "The caller's own."]
    to_move: int | None
    messages: Annotated[int | None, "Number of the newest message."]


class AccountEvent(TypedDict):
    """An event of the stream of all games of an account."""

    event: Annotated[str, JsonSchema(enum=["game", "left"])]
    id: NotRequired[
        Annotated[
            str,
            "Names how all games stand, to go on from (`Last-Event-ID`); at the beginning of a stream the last event "
            "alone has it.",
        ]
    ]
    data: Annotated[AccountGlance, _AS_JSON]


class RecordSeed(TypedDict):
    """The shuffle, opened."""

    server: Annotated[str, "32 bytes in hex."]
    clients: list[str]
    commitment: Annotated[str, "SHA-256 of the server's bytes, in hex."]


_Moves = list[
    Annotated[list[Annotated[Any, JsonSchema(type=["string", "integer", "null"])]], JsonSchema(minItems=3, maxItems=3)]
]


class Record(TypedDict):
    """The file of record.md §5. Other keys are kept and ignored."""

    format: Annotated[str, JsonSchema(enum=["ulm-record/1"])]
    ruleset: str
    id: NotRequired[str | None]
    name: NotRequired[str | None]
    options: shapes.Options
    players: list[RecordPlayer]
    seed: RecordSeed
    moves: Annotated[_Moves, "Each `[move, seat, time in UTC or null]`."]
    digests: Annotated[dict[str, str], "By ply."]
    result: shapes.Result | None


class SandboxPlace(TypedDict):
    """Which game a sandbox left, and where."""

    of: Annotated[str, "Id of the game."]
    ply: int
    seat: Annotated[int | None, "Whose knowledge it was made of; null: all hands open."]


class Sandbox(TypedDict):
    """The file of a finished sandbox: like a record, but it begins with a position instead of a set-up."""

    format: Annotated[str, JsonSchema(enum=["ulm-sandbox/1"])]
    ruleset: str
    id: str
    name: str
    players: list[RecordPlayer]
    seed: Annotated[str, "Chance of what came after the position; 32 bytes in hex."]
    position: Any
    moves: _Moves
    digests: dict[str, str]
    result: shapes.Result | None
    branch: SandboxPlace


ANSWERS = (
    account_opening.NewAccount, effects.Hint, analyses.AnalysisUnderWay, analyses.KeptAnalysis, bot_accounts.NewBot,
    bot_accounts.ShownBot, bots.ListedBot, game_lists.ListedGame, game_page.GamePage, game_page.LegalMoves,
    game_page.Log, invitations.Sent, kept_records.Verdict, messages.ShownMessage, notes.Note, notice_wishes.Wish,
    personal_export.PersonalExport, profiles.Profile, puzzle_page.PuzzlePosition, puzzle_page.PuzzleVerdict,
    puzzles.PuzzleDay, replay_lists.ReplaySummary, replays.ReplayState, replays.Timeline, sessions.ShownSession,
    statistics.Statistics, tokens.NewToken, tokens.ShownToken, turns.Played, turns.Undone, vacation.ShownVacation,
    AccountEvent, GameEvent, Health, Pagination, ProblemType, Record, Sandbox
)  # fmt: skip
"""What is answered; what lies in it is found there."""
NAMES = {
    account_opening.NewAccount: "CreatedPlayer", analyses.KeptAnalysis: "Analysis",
    audit_log.OwnAuditLine: "AuditLine", bot_accounts.NewBot: "BotWithToken", bot_accounts.ShownBot: "BotAccount",
    bots.ListedBot: "Bot", game_lists.SeatedPlayer: "GamePlayer", game_page.GamePage: "Game",
    invitations.Sent: "Invitation", live_events.GameGlance: "Glance", messages.ShownMessage: "Message",
    model.ClockForm: "Clock", notice_wishes.Wish: "Notices", personal_export.PersonalExport: "Export",
    preferences.WallTimes: "Night", puzzle_page.PuzzlePosition: "Puzzle", replay_lists.ReplaySummary: "Replay",
    results.MomentForm: "DecisiveMove", results.PlyForm: "AnalysedPly", results.RoundForm: "AnalysedRound",
    results.SeatForm: "AnalysedSeat", results.StrokeForm: "LuckyMove", sessions.ShownSession: "Session",
    shapes.CreditsForm: "Credits", shapes.PendingForm: "Pending", shapes.PlayerForm: "SeatState",
    shapes.PlayerView: "SeatView", shapes.StateForm: "State", shapes.TurnForm: "Turn", stats.PliesForm: "Plies",
    stats.ShareForm: "Share", tokens.NewToken: "CreatedToken", tokens.ShownToken: "Token",
    vacation.ShownVacation: "Vacation"
}  # fmt: skip
"""What the API calls them where the code calls them otherwise."""


def text(shape: Any, field: str) -> Schema:
    """Return how a field of an answer is described, for a request that holds the same."""
    hint = get_type_hints(shape, include_extras=True)[field]
    schema = _schema(hint, [])
    return {name: schema[name] for name in ("description", "example") if name in schema}


def many(name: str) -> Schema:
    """Return the schema of a list of what has this name among the components."""
    return {"type": "array", "items": _reference(name)}


def components() -> dict[str, Schema]:
    """Return the schemas of all answers, and of what lies in them, by name."""
    found: dict[str, Schema] = {}
    waiting: list[Any] = [*ANSWERS]
    while waiting:
        shape = waiting.pop()
        if _name(shape) not in found:
            hints = get_type_hints(shape, include_extras=True)
            needed = sorted(name for name, hint in hints.items() if _is_required(shape, name, hint))
            properties = {name: _schema(hint, waiting) for name, hint in hints.items()}
            found[_name(shape)] = {"type": "object", "properties": properties, "required": needed}
    return found


def _is_required(shape: Any, name: str, hint: Any) -> bool:
    # `__required_keys__` knows nothing of `NotRequired` where annotations are texts.
    return name in shape.__required_keys__ and get_origin(hint) is not NotRequired


def _name(shape: Any) -> str:
    name: str = NAMES.get(shape, shape.__name__)
    return name


def _reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _schema(hint: Any, waiting: list[Any]) -> Schema:
    """Return the schema of a field's type; the TypedDicts in it are put among the `waiting`."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (NotRequired, Required):
        return _schema(inner[0], waiting)
    if origin is Annotated:
        return _annotated(inner[0], hint.__metadata__, waiting)
    if origin in (Union, types.UnionType):
        return _union(inner, waiting)
    if origin is list:
        return {"type": "array", "items": _schema(inner[0], waiting)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(inner[1], waiting)}
    if is_typeddict(hint):
        waiting.append(hint)
        return _reference(_name(hint))
    return {"type": _PLAIN[hint]} if hint in _PLAIN else {}


def _annotated(hint: Any, notes: tuple[Any, ...], waiting: list[Any]) -> Schema:
    shown = next((note for note in notes if isinstance(note, type)), hint)
    schema = _schema(shown, waiting)
    for note in notes:
        if isinstance(note, str):
            schema = {**schema, "description": note}
        elif isinstance(note, Mapping):
            schema = {**schema, **note}
    return schema


def _union(hints: tuple[Any, ...], waiting: list[Any]) -> Schema:
    """Return the schema of what is one of several, or null."""
    some = [_schema(hint, waiting) for hint in hints if hint is not type(None)]
    if len(some) == len(hints):
        return {"anyOf": some}
    [schema] = some
    if "type" not in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    nullable = {**schema, "type": [schema["type"], "null"]}
    return {**nullable, "enum": [*schema["enum"], None]} if "enum" in schema else nullable
