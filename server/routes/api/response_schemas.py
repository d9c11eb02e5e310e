"""OpenAPI's schemas of answers, made from the service's TypedDicts: `Annotated` has a field's text, schema or type."""

import types
from collections.abc import Mapping
from typing import (
    Annotated,
    Any,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from replays import stats
from replays.analysis import results
from replays.pairing import KINDS
from server.board import themes as board_themes
from server.board.layouts import LAYOUTS
from server.engine.record import RecordPlayer
from server.engine.ulm1 import shapes
from server.engine.ulm1.tables import COLORS, SLOTS
from server.language import LANGUAGES
from server.service.accounts import (
    access,
    account_opening,
    bot_accounts,
    bot_rules,
    channels,
    contacts,
    profiles,
    sessions,
    tokens,
)
from server.service.archive import (
    analyses,
    comments,
    kept_records,
    player_pages,
    puzzles,
    replay_lists,
    replays,
    statistics,
)
from server.service.chat import messages, notes, notice_wishes
from server.service.common import audit_log, preferences
from server.service.contests import day, tournaments
from server.service.erasure import personal_export
from server.service.explain import effects
from server.service.games import bots, clock, model, proposals, rated
from server.service.lists import game_lists, game_page, list_pages, opponents, ratings
from server.service.play import turns, vacation
from server.service.seating import invitations
from server.service.views import exports, live_events, puzzle_page

Schema = dict[str, Any]
_PLAIN = {str: "string", int: "integer", bool: "boolean", float: "number"}


ANSWERS = (
    account_opening.NewAccount, channels.NewChannel, channels.ShownChannel, effects.Hint,
    analyses.AnalysisUnderWay, analyses.KeptAnalysis, bot_accounts.NewBot,
    bot_accounts.ShownBot, bots.ListedBot, game_lists.ListedGame, game_page.GamePage, game_page.LegalMoves,
    game_page.Log, invitations.Sent, kept_records.Verdict, messages.ShownMessage, notes.Note, notice_wishes.Wish,
    personal_export.PersonalExport, profiles.Profile, puzzle_page.PuzzlePosition, puzzle_page.PuzzleVerdict,
    puzzles.PuzzleDay, replay_lists.ReplaySummary, replays.ReplayState, replays.Timeline, sessions.ShownSession,
    statistics.Statistics, day.DayDeal,
    tokens.NewToken, tokens.ShownToken, turns.Played, turns.Undone, vacation.ShownVacation,
    comments.Comments, contacts.Contact, opponents.Opponent, player_pages.FoundPlayer,
    ratings.RankedPlayer, ratings.RatingCourse,
    player_pages.PlayerPage, invitations.OwnInvitation,
    live_events.ToldGame, tournaments.TournamentPage, tournaments.TournamentSummary,
    replay_lists.ExportedReplay, RecordPlayer, shapes.Options, shapes.Result
)  # fmt: skip
"""What is answered; what lies in it is found there."""
NAMES = {
    account_opening.NewAccount: "CreatedPlayer", analyses.KeptAnalysis: "Analysis",
    audit_log.OwnAuditLine: "AuditLine", bot_accounts.NewBot: "BotWithToken", bot_accounts.ShownBot: "BotAccount",
    bots.ListedBot: "Bot", channels.NewChannel: "CreatedChannel", channels.ShownChannel: "Channel",
    channels.ShownDelivery: "Delivery", game_lists.SeatedPlayer: "GamePlayer", game_page.GamePage: "Game",
    invitations.Sent: "Invitation", live_events.ToldGame: "Glance", messages.ShownMessage: "Message",
    model.ClockForm: "Clock", notice_wishes.Wish: "Notices", personal_export.PersonalExport: "Export",
    preferences.WallTimes: "Night", proposals.ShownProposal: "Proposal",
    puzzle_page.PuzzlePosition: "Puzzle", replay_lists.ReplaySummary: "Replay",
    results.MomentForm: "DecisiveMove", results.PlyForm: "AnalysedPly", results.RoundForm: "AnalysedRound",
    results.SeatForm: "AnalysedSeat", results.StrokeForm: "LuckyMove", sessions.ShownSession: "Session",
    shapes.CreditsForm: "Credits", shapes.PendingForm: "Pending", shapes.PlayerForm: "SeatState",
    shapes.PlayerView: "SeatView", shapes.StateForm: "State", shapes.TurnForm: "Turn", stats.PliesForm: "Plies",
    stats.ShareForm: "Share", tournaments.TournamentPage: "Tournament",
    tokens.NewToken: "CreatedToken", tokens.ShownToken: "Token",
    vacation.ShownVacation: "Vacation"
}  # fmt: skip
"""What the API calls them where the code calls them otherwise."""
ENUMS: dict[tuple[str, ...], str] = {
    tuple(list_pages.STATUSES): "GameStatus", tuple(model.ORIGINS): "Origin", tuple(LANGUAGES): "Language",
    tuple(board_themes.THEMES): "BoardTheme", tuple(LAYOUTS): "BoardLayout", tuple(exports.EACH): "FrameEach",
    tuple(preferences.THEMES): "PageTheme", tuple(preferences.MAIL_MODES): "MailMode",
    tuple(preferences.CHANNEL_MODES): "ChannelMode", tuple(channels.SHAPES): "WebhookShape",
    ("push", "webhook"): "ChannelKind", ("push", "webhook", "feed"): "OwnChannelKind", tuple(access.SCOPES): "Scope",
    tuple(COLORS): "Color", tuple(SLOTS): "Slot", ("draw", "keep", "push", "actions", "over"): "Phase",
    tuple(bot_rules.WHO): "BotFor", tuple(bot_rules.VARIANTS): "Variant", tuple(clock.ON_TIMEOUT): "OnTimeout",
    tuple(proposals.KINDS): "ProposalKind",
    ("notice", "mail", "operator"): "ClockWait", ("waiting", "running", "failed"): "AnalysisStatus",
    ("easy", "medium", "hard"): "PuzzleLevel", ("pending", "sending", "sent", "skipped", "dead"): "MailState",
    ("game", "left"): "AccountEventName", tuple(game_page.INCLUDES): "Include",
    tuple(KINDS): "TournamentKind", ("open", "running", "over"): "TournamentStatus",
    ("running", "finished", "abandoned"): "TableStatus", ("enter", "leave", "organise", "go_on"): "TournamentAct",
    rated.STATES: "Rated", ("newest", "deadline"): "GameSort", tuple(contacts.KINDS): "ContactKind",
    tuple(game_page.INVITED): "InvitationState", tuple(player_pages.AGAINST): "Against",
}  # fmt: skip
"""What the API calls the words of which a text is one."""


def text(shape: Any, field: str) -> Schema:
    """Return how a field of an answer is described, for a request that holds the same."""
    hint = get_type_hints(shape, include_extras=True)[field]
    schema = _schema(hint, [])
    return {name: schema[name] for name in ("description", "example") if name in schema}


def many(name: str) -> Schema:
    """Return the schema of a list of what has this name among the components."""
    return {"type": "array", "items": _reference(name)}


def components(written: Mapping[str, Schema | None]) -> dict[str, Schema]:
    """Return the schemas of all answers and what lies in them, by name, behind those that are `written` already."""
    found: dict[str, Any] = dict(written)
    waiting: list[Any] = [*ANSWERS]
    while waiting:
        shape = waiting.pop()
        if found.get(_name(shape)) is None:
            hints = get_type_hints(shape, include_extras=True)
            needed = sorted(name for name, hint in hints.items() if _is_required(shape, name, hint))
            properties = {name: _schema(hint, waiting) for name, hint in hints.items()}
            found[_name(shape)] = {"type": "object", "properties": properties, "required": needed}
    return found


def with_named_enums(part: Any, found: dict[str, Schema]) -> Any:
    """Return a part of the document with references in place of enumerations; generators name them by their place, each
    time anew, where they have no name. Those that there are come into `found`."""
    if isinstance(part, list):
        return [with_named_enums(one, found) for one in part]
    if not isinstance(part, dict):
        return part
    shown = {name: one if name == "example" else with_named_enums(one, found) for name, one in part.items()}
    values = [value for value in shown.get("enum", ()) if value is not None]
    if len(values) < 2:  # one word alone says what it is
        return shown
    name = ENUMS[tuple(values)]
    found[name] = {"type": "string", "enum": values}
    rest = {key: value for key, value in shown.items() if key not in ("type", "enum")}
    if None in shown["enum"]:
        return {**rest, "anyOf": [_reference(name), {"type": "null"}]}
    return {**rest, **_reference(name)}


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
