"""The schemas of answers describe the types of what the service returns: the same fields, of the same kinds."""

from __future__ import annotations

import importlib
import pkgutil
import types
import typing
from collections.abc import Iterator
from typing import Any

import pytest
from marshmallow import Schema, fields

from server.engine.ulm1 import shapes
from server.routes.api import schemas
from server.routes.api.schemas.common import AnswerSchema
from server.routes.api.schemas.players import ChangedPreferencesSchema, ChangedProfileSchema
from server.routes.api.schemas.replays import FilterSchema
from server.service.accounts import account_opening, bot_accounts, profiles, sessions, tokens
from server.service.archive import analyses, kept_records, puzzles, replay_filters, replay_lists, replays, statistics
from server.service.chat import messages, notes, notice_wishes
from server.service.common import preferences
from server.service.erasure import personal_export
from server.service.lists import bot_list, game_lists, game_page
from server.service.play import turns, vacation
from server.service.seating import invitations
from server.service.views import advised, live_events, puzzle_page

OF = {
    "AnalysisSchema": analyses.KeptAnalysis,
    "AnalysisUnderWaySchema": analyses.AnalysisUnderWay,
    "BotAccountSchema": bot_accounts.ShownBot,
    "BotSchema": bot_list.ListedBot,
    "BotWithTokenSchema": bot_accounts.NewBot,
    "CreatedPlayerSchema": account_opening.NewAccount,
    "CreatedTokenSchema": tokens.NewToken,
    "ExportSchema": personal_export.PersonalExport,
    "GameSchema": game_page.GamePage,
    "GlanceSchema": live_events.GameGlance,
    "HintSchema": advised.Hint,
    "InvitationSchema": invitations.Sent,
    "LegalMovesSchema": game_page.LegalMoves,
    "ListedGameSchema": game_lists.ListedGame,
    "LogSchema": game_page.GameLog,
    "MessageSchema": messages.ShownMessage,
    "NoteSchema": notes.Note,
    "PuzzleDaySchema": puzzles.PuzzleDay,
    "PuzzleSchema": puzzle_page.PuzzlePosition,
    "PuzzleTurnSchema": puzzle_page.PuzzleTurn,
    "PuzzleVerdictSchema": puzzle_page.PuzzleVerdict,
    "NoticesSchema": notice_wishes.Wish,
    "PlayedSchema": turns.Played,
    "ProfileSchema": profiles.Profile,
    "ReplaySchema": replay_lists.ReplaySummary,
    "ReplayStateSchema": replays.ReplayState,
    "SessionSchema": sessions.ShownSession,
    "StateSchema": shapes.StateForm,
    "StatisticsSchema": statistics.Statistics,
    "TimelineSchema": replays.Timeline,
    "TokenSchema": tokens.ShownToken,
    "UndoneSchema": turns.Undone,
    "VacationSchema": vacation.ShownVacation,
    "VerdictSchema": kept_records.Verdict,
    "ViewSchema": shapes.View,
}
"""Schema of an answer → what the service returns for it. Those nested in them are found there."""

OF_NO_SERVICE = {
    "AccountEventSchema",  # an event of a stream
    "AccountGlanceSchema",  # a glance with the id of its game, or that alone
    "GameEventSchema",  # an event of a stream around a glance
    "GameSummarySchema",  # what two schemas share
    "HealthSchema",
    "PaginationSchema",  # a header
    "ProblemTypeSchema",
    "RecordSchema",  # files of record.md, which keep what they do not know: tests/engine/test_record.py holds them
    "SandboxSchema",
}
"""Made by the routes themselves, or by nothing that could be a type."""

LOOSER = {
    ("GameSummarySchema", "created_at"),
    ("GameSummarySchema", "name"),
    ("GameSummarySchema", "origin"),
    ("GameSummarySchema", "ply"),
    ("ReplaySchema", "created_at"),
    ("ReplaySchema", "name"),
}
"""Fields that the first version of the API said could be null, and never are."""


def all_schemas() -> dict[str, type[Schema]]:
    """Every schema of an answer, by its name."""
    modules = [
        importlib.import_module(one.name)
        for one in pkgutil.iter_modules(schemas.__path__, "server.routes.api.schemas.")
    ]
    return {
        name: one
        for module in modules
        for name, one in vars(module).items()
        if isinstance(one, type) and issubclass(one, AnswerSchema) and one is not AnswerSchema and name[0] != "_"
    }


PLAIN = {fields.String: str, fields.Integer: int, fields.Boolean: bool, fields.Float: float}


def hints(shape: Any) -> dict[str, tuple[bool, Any]]:
    """Key of a TypedDict → whether it is always there, its type."""
    found = {}
    total = {key for key in shape.__annotations__ if key in shape.__required_keys__}
    for key, hint in typing.get_type_hints(shape, include_extras=True).items():
        optional = typing.get_origin(hint) is typing.NotRequired
        found[key] = key in total and not optional, typing.get_args(hint)[0] if optional else hint
    return found


def without_none(hint: Any) -> tuple[bool, Any]:
    """Whether a type may be None, and what it is else."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        rest = [one for one in typing.get_args(hint) if one is not type(None)]
        return len(rest) < len(typing.get_args(hint)), rest[0] if len(rest) == 1 else typing.Union[tuple(rest)]  # noqa: UP007
    return False, hint


def differences(schema: Schema, shape: Any, seen: set[str]) -> Iterator[str]:
    """What a schema says otherwise than the type that it describes; what it walks through is added to `seen`."""
    name = type(schema).__name__
    seen.add(name)
    if typing.get_origin(shape) is dict:  # one of a known set of names for each value
        for field in schema.fields.values():
            yield from in_field(f"{name}.{field.name}", field, typing.get_args(shape)[1], seen)
        return
    if not typing.is_typeddict(shape):
        yield f"{name} is an object, and not {shape}"
        return
    keys = hints(shape)
    described = {field.data_key or key: field for key, field in schema.fields.items()}
    for key in sorted(described.keys() ^ keys.keys()):
        yield f"{name}.{key} is in {'the schema' if key in described else shape.__name__} alone"
    for key in described.keys() & keys.keys():
        always, hint = keys[key]
        if described[key].required != always:
            yield f"{name}.{key} is always there for one alone"
        yield from in_field(f"{name}.{key}", described[key], hint, seen)


def in_field(where: str, field: fields.Field[Any], hint: Any, seen: set[str]) -> Iterator[str]:
    """The same of one field."""
    may_be_none, hint = without_none(hint)
    if field.allow_none != may_be_none and not any((one.__name__, field.name) in LOOSER for one in parents(field)):
        yield f"{where} may be None for one alone"
    if isinstance(field, fields.Raw) and type(field) is fields.Raw:
        return  # said in OpenAPI's words
    if isinstance(field, fields.Nested):
        yield from differences(field.schema, hint, seen)
    elif isinstance(field, fields.List):
        if typing.get_origin(hint) is not list:
            yield f"{where} is a list, and not {hint}"
        else:
            yield from in_field(f"{where}[]", field.inner, typing.get_args(hint)[0], seen)
    elif isinstance(field, fields.Dict):
        if typing.get_origin(hint) is not dict:
            yield f"{where} is an object, and not {hint}"
        elif field.value_field is not None:
            yield from in_field(f"{where}[]", field.value_field, typing.get_args(hint)[1], seen)
    elif next((plain for kind, plain in PLAIN.items() if isinstance(field, kind)), None) is not hint:
        yield f"{where} is {type(field).__name__}, and not {hint}"


def parents(field: fields.Field[Any]) -> tuple[type, ...]:
    return type(field.parent).__mro__


def test_every_answer_is_described_as_it_is() -> None:
    known = all_schemas()
    seen: set[str] = set()
    wrong = [line for name, shape in OF.items() for line in differences(known[name](), shape, seen)]
    assert wrong == []
    unseen = known.keys() - seen - OF_NO_SERVICE
    # What is nested in a schema of no service is no answer of a service either.
    assert {name for name in unseen if name not in nested(known, OF_NO_SERVICE)} == set()
    assert known.keys() - seen >= OF_NO_SERVICE


def nested(known: dict[str, type[Schema]], names: set[str]) -> set[str]:
    """The schemas that lie in these."""
    found = set()
    for name in names:
        for field in known[name]().fields.values():
            inner = field.inner if isinstance(field, fields.List) else field
            if isinstance(inner, fields.Nested):
                found.add(type(inner.schema).__name__)
    return found


@pytest.mark.parametrize(
    ("schema", "shape", "otherwise"),
    [
        (ChangedPreferencesSchema, preferences.Wishes, {}),
        (ChangedPreferencesSchema, preferences.Preferences, {}),
        (ChangedProfileSchema, profiles.ProfileChanges, {}),
        (FilterSchema, replay_filters.Filters, {"player": "member"}),
    ],
)
def test_a_request_may_hold_what_the_service_takes(schema: type[Schema], shape: Any, otherwise: dict[str, str]) -> None:
    """By the names that the service has for them, where it calls them otherwise."""
    assert {otherwise.get(name, name) for name in schema().fields} == set(shape.__annotations__)


class Inner(typing.TypedDict):
    """For the test of the test."""

    number: int


class Outer(typing.TypedDict):
    """For the test of the test."""

    name: str
    inner: Inner | None
    many: list[Inner]
    by_name: dict[str, int]
    perhaps: typing.NotRequired[bool]


class InnerSchema(AnswerSchema):
    """For the test of the test."""

    number = fields.Integer(required=True)


class OuterSchema(AnswerSchema):
    """For the test of the test."""

    name = fields.String(required=True)
    inner = fields.Nested(InnerSchema, required=True, allow_none=True)
    many = fields.List(fields.Nested(InnerSchema), required=True)
    by_name = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    perhaps = fields.Boolean()


def test_a_schema_that_fits() -> None:
    seen: set[str] = set()
    assert list(differences(OuterSchema(), Outer, seen)) == []
    assert seen == {"InnerSchema", "OuterSchema"}


@pytest.mark.parametrize(
    ("name", "field", "said"),
    [
        ("name", None, "OuterSchema.name is in Outer alone"),
        ("other", fields.String(required=True), "OuterSchema.other is in the schema alone"),
        ("name", fields.String(), "OuterSchema.name is always there for one alone"),
        ("perhaps", fields.Boolean(required=True), "OuterSchema.perhaps is always there for one alone"),
        ("name", fields.String(required=True, allow_none=True), "OuterSchema.name may be None for one alone"),
        ("inner", fields.Nested(InnerSchema, required=True), "OuterSchema.inner may be None for one alone"),
        ("name", fields.Integer(required=True), "OuterSchema.name is Integer, and not"),
        ("many", fields.Nested(InnerSchema, required=True), "InnerSchema is an object, and not"),
        ("by_name", fields.List(fields.Integer(), required=True), "OuterSchema.by_name is a list, and not"),
        ("many", fields.List(fields.String(), required=True), "OuterSchema.many[] is String, and not"),
        ("by_name", fields.Dict(values=fields.String(), required=True), "OuterSchema.by_name[] is String, and not"),
    ],
)
def test_a_schema_that_drifts_is_found_out(name: str, field: fields.Field[Any] | None, said: str) -> None:
    schema = OuterSchema(exclude=[name] if field is None else [])
    if field is not None:
        schema = type("OuterSchema", (OuterSchema,), {name: field})()
    [line] = differences(schema, Outer, set())
    assert line.startswith(said)
