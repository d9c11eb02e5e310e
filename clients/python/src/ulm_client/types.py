"""What the API takes and gives, by the names of its description. Written by clients/make_types.py."""

# What each field means stands in the description: `/api/docs` of a server.

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

Digests = dict[str, str]

RecordMove = list[str | int | None]

Request = dict[str, Any]

Variant = Literal["basic", "advanced"]

GameStatus = Literal["open", "running", "finished", "abandoned"]

GameSort = Literal["newest", "deadline"]

Include = Literal["legal_moves", "view", "log"]

Origin = Literal["played", "imported", "example", "sandbox"]

BoardTheme = Literal["light", "dark", "colour-blind", "colour-blind-dark"]

Language = Literal["en", "de", "it"]

FrameEach = Literal["turn", "round"]

BoardLayout = Literal["wide", "narrow", "desk", "square", "town"]

AccountEventName = Literal["game", "left"]

TournamentKind = Literal["round-robin", "swiss", "knock-out"]

TournamentStatus = Literal["open", "running", "over"]

OnTimeout = Literal["steady", "resign"]

TournamentAct = Literal["enter", "leave", "organise", "go_on"]

TableStatus = Literal["running", "finished", "abandoned"]

Phase = Literal["draw", "keep", "push", "actions", "over"]

Slot = Literal["N1", "N2", "N3", "E1", "E2", "E3", "S1", "S2", "S3", "W1", "W2", "W3"]

Color = Literal["gray", "white", "brown", "turquoise", "orange"]

ContactKind = Literal["friend", "muted", "blocked"]

Against = Literal["people", "bots"]

Scope = Literal["read", "play", "account"]

PuzzleLevel = Literal["easy", "medium", "hard"]

MailMode = Literal["at_once", "digest", "reminders", "mute"]

ChannelMode = Literal["at_once", "reminders", "mute"]

OwnChannelKind = Literal["push", "webhook", "feed"]

MailState = Literal["pending", "sending", "sent", "skipped", "dead"]

BotFor = Literal["everybody", "owner", "nobody"]

Rated = Literal["begun", "counted"]

ClockWait = Literal["notice", "mail", "operator"]

InvitationState = Literal["waiting", "accepted", "declined", "left"]

ProposalKind = Literal["replace", "end", "time", "take_back"]

AnalysisStatus = Literal["waiting", "running", "failed"]

ChannelKind = Literal["push", "webhook"]

WebhookShape = Literal["json", "discord", "slack", "matrix", "ntfy"]

PageTheme = Literal["auto", "light", "dark", "colour-blind", "colour-blind-dark", "colour-blind-auto"]


class Sandbox(TypedDict):
    format: Literal["ulm-sandbox/1"]
    ruleset: str
    id: str
    name: str
    players: list[RecordPlayer]
    seed: str
    position: Any
    moves: list[RecordMove]
    digests: Digests
    result: Result | None
    branch: SandboxPlace


class SandboxPlace(TypedDict):
    of: str
    ply: int
    seat: int | None


class Result(TypedDict):
    scores: list[Score]
    winners: list[int]


class Score(TypedDict):
    vp: int
    sparrows: int
    barge: int
    cathedral: int
    trade: int
    chronicle: dict[str, int]
    total: int
    quarters: int
    rank: int


class RecordPlayer(TypedDict):
    name: str


class Record(TypedDict):
    format: Literal["ulm-record/1"]
    ruleset: str
    id: NotRequired[str | None]
    name: NotRequired[str | None]
    options: Options
    players: list[RecordPlayer]
    seed: RecordSeed
    moves: list[RecordMove]
    digests: Digests
    result: Result | None


class RecordLine(Record):
    replay: ExportedReplay


class ExportedReplay(TypedDict):
    imported: Imported | None
    id: str
    name: str | None
    ruleset: str
    options: Options
    seats: int
    players: list[ReplayPlayer]
    plies: int
    origin: Origin
    created_at: str | None
    started_at: str | None
    finished_at: str | None
    result: Result | None
    edition: str
    after: str


class RecordSeed(TypedDict):
    server: str
    clients: list[str]
    commitment: str


class Options(TypedDict):
    rotate_start: bool
    tower: bool


class ProblemType(TypedDict):
    kind: str
    type: str
    title: str
    code: int
    advice: str


class Pagination(TypedDict):
    total: int
    total_pages: int
    total_exact: bool
    first_page: NotRequired[int]
    last_page: NotRequired[int]
    page: NotRequired[int]
    previous_page: NotRequired[int]
    next_page: NotRequired[int]
    next_after: NotRequired[str]


class Index(TypedDict):
    version: str
    rulesets: list[str]
    new_games: str
    links: dict[str, str]


class Health(TypedDict):
    status: Literal["ok"]


class GameEvent(TypedDict):
    event: Literal["game"]
    id: str
    data: Glance


class Glance(TypedDict):
    tag: str
    ply: int
    round: int | None
    status: GameStatus
    seat: int | None
    to_move: int | None
    messages: int | None
    legal_moves: NotRequired[list[str]]
    log: NotRequired[list[LogEntry]]
    moved: int | None
    own: bool
    finished_at: str | None
    view: NotRequired[View | None]


class AccountEvent(TypedDict):
    event: AccountEventName
    id: NotRequired[str]
    data: AccountGlance


class AccountGlance(TypedDict):
    game: str
    tag: NotRequired[str]
    ply: NotRequired[int]
    round: NotRequired[int | None]
    status: NotRequired[GameStatus]
    seat: NotRequired[int | None]
    to_move: NotRequired[int | None]
    messages: NotRequired[int | None]
    moved: NotRequired[int | None]
    own: NotRequired[bool]
    finished_at: NotRequired[str | None]
    legal_moves: NotRequired[list[str]]
    log: NotRequired[list[LogEntry]]
    view: NotRequired[View | None]


class ReplayPlayer(TypedDict):
    seat: int
    player: str | None
    name: str | None
    bot: str | None
    level: int | None


class Imported(TypedDict):
    by: str | None
    name: str | None
    at: str


class TournamentSummary(TypedDict):
    id: str
    name: str
    kind: TournamentKind
    status: TournamentStatus
    seats: int
    ruleset: str
    options: Options
    clock: Clock | None
    boards: int
    round: int
    rounds: int | None
    round_hours: int | None
    round_ends_at: str | None
    guests: bool
    organiser: str | None
    league_id: str | None
    season: int | None
    division: int | None
    created_at: str
    started_at: str | None
    finished_at: str | None
    entrants: int
    entered: bool


class Clock(TypedDict):
    turn_hours: int
    reserve_hours: int
    night: Night | None
    weekends_off: bool
    due_time: str | None
    reminders: list[float]
    on_timeout: OnTimeout
    vacation_days: int
    start_by: str | None


Night = TypedDict("Night", {"from": "str", "to": "str"})


class Tournament(TypedDict):
    id: str
    name: str
    kind: TournamentKind
    status: TournamentStatus
    seats: int
    ruleset: str
    options: Options
    clock: Clock | None
    boards: int
    round: int
    rounds: int | None
    round_hours: int | None
    round_ends_at: str | None
    guests: bool
    organiser: str | None
    league_id: str | None
    season: int | None
    division: int | None
    created_at: str
    started_at: str | None
    finished_at: str | None
    entrants: int
    entered: bool
    standings: list[Standing]
    tables: list[TournamentTable]
    deals: list[TournamentDeal]
    league: list[Division]
    number: int | None
    may: list[TournamentAct]


class Division(TypedDict):
    id: str
    season: int
    division: int


class TournamentDeal(TypedDict):
    round: int
    board: int
    commitment: str
    seed: str | None


class TournamentTable(TypedDict):
    round: int
    board: int
    table: int
    entrants: list[int | None]
    names: list[str]
    game: str | None
    status: TableStatus
    totals: list[int] | None


class Standing(TypedDict):
    number: int
    name: str
    player: str | None
    bot: str | None
    left: bool
    place: int
    points: int
    duplicate: int
    margin: int
    last_round: int


class View(TypedDict):
    active: int | None
    bag: ColorCounts
    coat_seals: dict[str, int]
    crests: dict[str, int]
    descendants: list[str]
    discard: list[str]
    docks: ColorCounts
    grid: list[list[str]]
    options: Options
    outer: dict[str, str]
    phase: Phase
    ply: int
    quarters: dict[str, list[int]]
    round: int
    ruleset: str
    scores: list[Score] | None
    start: int
    turn: Turn
    pending: list[Pending]
    tower: list[str]
    coats_size: int
    pile_size: int
    players: list[SeatView]


class SeatView(TypedDict):
    barge: int
    coats: list[Slot]
    coins: int
    crests: int
    descendants: list[str]
    played: int
    resigned: bool
    seals: int
    sparrows: int
    table: list[str]
    tiles: ColorCounts
    vp: int
    hand: NotRequired[list[str]]
    hand_size: int


class ColorCounts(TypedDict):
    gray: int
    white: int
    brown: int
    turquoise: int
    orange: int


class Pending(TypedDict):
    kind: str
    offer: NotRequired[list[str]]
    max: NotRequired[int]


class Turn(TypedDict):
    activated: ColorCounts
    credits: Credits
    exchanged: bool
    free_play: bool
    levy_paid: bool
    patrician: bool
    salvaged: bool
    slot: Slot | None
    swapped: bool
    tiles: list[Color]


class Credits(TypedDict):
    card: int
    seal: int
    seal_at_1: int
    step: int


class LogEntry(TypedDict):
    ply: int
    seat: int
    move: str
    at: str | None
    automatic: bool


class OwnInvitation(TypedDict):
    game: str
    name: str
    inviter: str | None
    inviter_name: str | None
    rematch_of: str | None
    invitation: str | None
    created_at: str


class PlayerPage(TypedDict):
    player: str
    name: str
    bot: str | None
    bot_of: str | None
    private: bool
    contact: ContactKind | None
    results: list[Results]
    together: Together | None
    hours: list[int] | None
    time_zone: str


class Together(TypedDict):
    games: int
    won: int
    lost: int


class Results(TypedDict):
    seats: int
    variant: Variant
    against: Against
    games: int
    won: int


class RatingCourse(TypedDict):
    variant: Variant
    seats: int
    points: int
    deviation: int
    provisional: bool
    games: int
    course: list[RatedGame]


class RatedGame(TypedDict):
    game: str | None
    at: str | None
    place: int
    points: int
    deviation: int


class RankedPlayer(TypedDict):
    variant: Variant
    seats: int
    points: int
    deviation: int
    provisional: bool
    games: int
    place: int | None
    player: str
    name: str
    bot: str | None


class FoundPlayer(TypedDict):
    player: str
    name: str
    bot_of: str | None


class Opponent(TypedDict):
    player: str
    name: str
    kind: ContactKind | None
    games: int
    running: int
    last: str | None


class Contact(TypedDict):
    player: str
    name: str
    kind: ContactKind
    since: str


class Comments(TypedDict):
    others: bool
    refusal: str | None
    comments: list[Comment]


class Comment(TypedDict):
    id: int
    ply: int
    seat: int | None
    player: str | None
    name: str | None
    text: str
    at: str


class Vacation(TypedDict):
    id: str
    starts_at: str
    ends_at: str
    under_way: bool


class Undone(TypedDict):
    ply: int
    view: View


class Played(TypedDict):
    ply: int
    view: View
    legal_moves: NotRequired[list[str]]
    log: NotRequired[list[LogEntry]]
    applied: int


class Token(TypedDict):
    id: str
    name: str
    scopes: list[Scope]
    created_at: str
    last_used_at: str | None
    expires_at: str | None


class CreatedToken(TypedDict):
    id: str
    name: str
    scopes: list[Scope]
    created_at: str
    last_used_at: str | None
    expires_at: str | None
    token: str


class DayDeal(TypedDict):
    day: str
    id: str
    ruleset: str
    options: Options
    seats: int
    opponent: str
    commitment: str
    server_seed: str | None
    closes_at: str
    begun: int
    done: int
    game: str | None
    field: list[FieldLine] | None
    previous: str | None


class FieldLine(TypedDict):
    place: int
    player: str | None
    name: str
    bot: str | None
    game: str | None
    points: int
    beaten: int


class Statistics(TypedDict):
    games: int
    kinds: dict[str, int]
    plies: Plies
    plies_per_turn: float
    resigned_seats: int
    vp_by_source: dict[str, float]
    by_seat: dict[str, Share]
    by_turn_order: dict[str, Share]
    by_descendant: dict[str, Share]
    by_coat: dict[str, Share]
    by_opening: dict[str, Share]
    by_quarter: dict[str, Share]
    uncounted: int
    older_left_out: bool


class Share(TypedDict):
    count: int
    win_rate: float
    fair: float
    mean_total: float


class Plies(TypedDict):
    mean: float
    least: int | None
    most: int | None


class Session(TypedDict):
    id: str
    device: str
    began_at: str
    last_used_at: str
    current: bool


class Timeline(TypedDict):
    id: str
    plies: list[TimelinePly]


class TimelinePly(TypedDict):
    ply: int
    seat: int
    move: str
    at: str | None
    round: int
    vp: list[int]
    text: list[str]
    changed: list[str]


class ReplayState(TypedDict):
    ply: int
    seat: int | None
    state: State | View


class State(TypedDict):
    active: int | None
    bag: ColorCounts
    coat_seals: dict[str, int]
    crests: dict[str, int]
    descendants: list[str]
    discard: list[str]
    docks: ColorCounts
    grid: list[list[str]]
    options: Options
    outer: dict[str, str]
    phase: Phase
    ply: int
    quarters: dict[str, list[int]]
    round: int
    ruleset: str
    scores: list[Score] | None
    start: int
    turn: Turn
    pending: list[Pending]
    tower: list[str]
    chance: int
    coats: list[Slot]
    pile: list[str]
    players: list[SeatState]


class SeatState(TypedDict):
    barge: int
    coats: list[Slot]
    coins: int
    crests: int
    descendants: list[str]
    played: int
    resigned: bool
    seals: int
    sparrows: int
    table: list[str]
    tiles: ColorCounts
    vp: int
    hand: list[str]


class Replay(TypedDict):
    imported: Imported | None
    id: str
    name: str | None
    ruleset: str
    options: Options
    seats: int
    players: list[ReplayPlayer]
    plies: int
    origin: Origin
    created_at: str | None
    started_at: str | None
    finished_at: str | None
    result: Result | None
    edition: str


class PuzzleDay(TypedDict):
    day: str
    id: str
    game: str
    ply: int
    round: int
    seat: int
    level: PuzzleLevel


class PuzzleVerdict(TypedDict):
    id: str
    solved: bool
    answer: PuzzleTurn
    solution: PuzzleTurn
    next_best: PuzzleTurn
    played: PuzzleTurn


class PuzzleTurn(TypedDict):
    moves: list[str]
    chance: float | None
    words: list[str]


class Puzzle(TypedDict):
    id: str
    day: str | None
    game: str
    name: str
    players: list[str]
    ply: int
    round: int
    seat: int
    level: PuzzleLevel
    turns: int
    moves: list[str]
    view: View
    legal_moves: list[str]


class Profile(TypedDict):
    confirmation: NotRequired[str]
    id: str
    name: str
    email: str | None
    email_confirmed: bool
    mail_stopped: MailStopped | None
    preferences: Preferences
    created_at: str


class Preferences(TypedDict):
    auto_draw: bool
    digest_hour: int
    language: str
    mail: MailMode
    private: bool
    push: ChannelMode
    quiet_hours: QuietHours | None
    rated: bool
    theme: str
    time_zone: str
    webhook: ChannelMode


QuietHours = TypedDict("QuietHours", {"from": "str", "to": "str"})


class MailStopped(TypedDict):
    at: str
    why: str


class Export(TypedDict):
    format: str
    exported_at: str
    profile: Profile
    tokens: list[Token]
    sessions: list[Session]
    games: list[OwnGame]
    messages: list[OwnMessage]
    comments: list[OwnComment]
    collections: list[Collection]
    vacations: list[OwnVacation]
    invitations: list[SentInvitation]
    accepted: list[AcceptedInvitation]
    contacts: list[Contact]
    records: list[KeptRecord]
    tournaments: list[OwnEntry]
    bots: list[BotAccount]
    mails: list[OwnMail]
    channels: list[OwnChannel]
    ratings: list[RatingCourse]
    audit: list[AuditLine]
    stored: Stored


class Stored(TypedDict):
    bytes: int
    most: int


class AuditLine(TypedDict):
    at: str
    what: str
    network: str | None
    details: dict[str, Any]


class OwnChannel(TypedDict):
    kind: OwnChannelKind
    address: str
    settings: dict[str, Any]
    created_at: str
    failing_since: str | None
    deliveries: list[OwnDelivery]


class OwnDelivery(TypedDict):
    kind: str
    game: str | None
    ply: int | None
    state: MailState
    created_at: str
    due_at: str
    done_at: str | None
    error: str | None


class OwnMail(TypedDict):
    kind: str
    game: str | None
    ply: int | None
    state: MailState
    created_at: str
    due_at: str
    done_at: str | None


class BotAccount(TypedDict):
    player: str
    handle: str
    name: str
    owner: str
    rules: BotRules
    playing: int
    created_at: str


class BotRules(TypedDict):
    who: BotFor
    variants: list[Variant]
    seats: list[int]
    private: bool
    without_clock: bool
    turn_hours_min: int
    turn_hours_max: int
    games: int


class OwnEntry(TypedDict):
    tournament: str
    name: str
    organised: bool
    number: int | None
    called: str | None
    entered_at: str | None


class KeptRecord(TypedDict):
    game: str
    name: str
    at: str


class AcceptedInvitation(TypedDict):
    game: str
    address: str
    created_at: str
    accepted_at: str | None


class SentInvitation(TypedDict):
    game: str
    address: str | None
    player: str | None
    created_at: str


class OwnVacation(TypedDict):
    starts_at: str
    ends_at: str
    created_at: str


class Collection(TypedDict):
    id: str
    title: str
    text: str
    player: str
    name: str
    public: bool
    entries: list[Entry]
    changed_at: str


class Entry(TypedDict):
    game: str
    ply: int | None
    remark: str


class OwnComment(TypedDict):
    game: str
    ply: int
    text: str
    at: str


class OwnMessage(TypedDict):
    game: str
    seat: int
    kind: str | None
    text: str
    at: str


class OwnGame(TypedDict):
    id: str
    name: str
    status: GameStatus
    origin: Origin
    options: Options
    seats: int
    private: bool
    created_by_me: bool
    created_at: str
    started_at: str | None
    finished_at: str | None
    result: Result | None
    seat: int
    called: str
    client_seed: str
    note: str
    mail: MailMode | None
    read_message: int
    push: ChannelMode | None
    webhook: ChannelMode | None
    moves: list[OwnMove]


class OwnMove(TypedDict):
    ply: int
    seat: int
    move: str
    at: str | None
    automatic: bool
    undone_at: str | None


class Notices(TypedDict):
    mail: MailMode | None
    push: ChannelMode | None
    webhook: ChannelMode | None


class Note(TypedDict):
    note: str


class Message(TypedDict):
    id: int
    seat: int
    name: str | None
    text: str
    at: str


class Verdict(TypedDict):
    valid: bool
    plies: int | None
    ply: int | None
    message: str | None
    digest: str | None
    result: Result | None


class Invitation(TypedDict):
    game: str
    address: str | None
    player: str | None
    created_at: str


class Log(TypedDict):
    ply: int
    moves: list[LogEntry]


class LegalMoves(TypedDict):
    ply: int
    moves: list[str]


class Game(TypedDict):
    id: str
    name: str | None
    status: GameStatus
    ruleset: str
    options: Options
    private: bool
    seats: int
    players: list[GamePlayer | None]
    seat: int | None
    ply: int | None
    to_move: int | None
    clock: Clock | None
    start_by: str | None
    deadline: str | None
    paused: bool
    rating: RatingRange | None
    origin: Origin
    created_at: str | None
    started_at: str | None
    finished_at: str | None
    result: Result | None
    deal: str | None
    creator: str | None
    rated: Rated | None
    commitment: str
    round: int | None
    phase: Phase | None
    view: View | None
    standing: list[Score] | None
    pause_votes: list[int]
    turn_began_at: str | None
    extra_seconds: int | None
    proposal: Proposal | None
    waits_for: ClockWait | None
    waits_since: str | None
    granted_seconds: int | None
    mail_stopped: list[int]
    reserve_seconds: list[int | None] | None
    edition: str
    thinking: bool
    hints: bool
    hints_taken: list[int]
    invitation: str | None
    invited: list[Invitee]
    rematch_of: str | None
    rematch: str | None
    sealed: bool


class Invitee(TypedDict):
    player: str | None
    name: str | None
    address: str | None
    inviter: str | None
    created_at: str
    state: InvitationState
    reached: bool


class Proposal(TypedDict):
    id: str
    kind: ProposalKind
    by: int
    seat: int | None
    bot: str | None
    hours: int | None
    agreed: list[int]
    asked: list[int]
    ends_at: str
    accepted: bool
    invitation: str | None


class RatingRange(TypedDict):
    min: int | None
    max: int | None


class GamePlayer(TypedDict):
    seat: int
    player: str | None
    name: str
    bot: str | None
    bot_of: str | None
    autopilot: bool


class ListedGame(TypedDict):
    id: str
    name: str | None
    status: GameStatus
    ruleset: str
    options: Options
    private: bool
    seats: int
    players: list[GamePlayer | None]
    seat: int | None
    ply: int | None
    to_move: int | None
    clock: Clock | None
    start_by: str | None
    deadline: str | None
    paused: bool
    rating: RatingRange | None
    origin: Origin
    created_at: str | None
    started_at: str | None
    finished_at: str | None
    result: Result | None
    deal: str | None
    free_seats: int


class Bot(TypedDict):
    name: str
    labels: dict[str, str]
    descriptions: dict[str, str]
    level: int
    seconds: float
    at_once: bool
    served_by: str


class BotWithToken(TypedDict):
    player: str
    handle: str
    name: str
    owner: str
    rules: BotRules
    playing: int
    created_at: str
    token: str


class Analysis(TypedDict):
    plies: list[AnalysedPly]
    seats: list[AnalysedSeat]
    moments: list[DecisiveMove]
    strokes: list[LuckyMove]
    id: str
    version: str


class LuckyMove(TypedDict):
    ply: int
    round: int
    seat: int
    move: str
    luck: list[float]


class DecisiveMove(TypedDict):
    ply: int
    round: int
    seat: int
    move: str
    loss: float
    before: float
    instead: list[str]


class AnalysedSeat(TypedDict):
    seat: int
    first: float
    last: float
    luck: float
    offered: float
    error: float
    others: float
    rounds: list[AnalysedRound]


class AnalysedRound(TypedDict):
    round: int
    luck: float
    offered: float
    error: float
    others: float


class AnalysedPly(TypedDict):
    ply: int
    round: int
    seat: int
    chances: list[float]
    luck: list[float]
    offered: list[float]
    error: list[float]


class AnalysisUnderWay(TypedDict):
    id: str
    status: AnalysisStatus
    done: int
    plies: int


class Hint(TypedDict):
    ply: int
    ready: bool
    bot: str
    moves: list[AdvisedMove]


class AdvisedMove(TypedDict):
    move: str
    effects: list[str]


class Channel(TypedDict):
    id: str
    kind: ChannelKind
    name: str
    shape: WebhookShape
    address: str | None
    created_at: str
    failing_since: str | None
    deliveries: list[Delivery]


class Delivery(TypedDict):
    kind: str
    game: str | None
    state: MailState
    at: str
    error: str | None


class CreatedChannel(TypedDict):
    id: str
    kind: ChannelKind
    name: str
    shape: WebhookShape
    address: str | None
    created_at: str
    failing_since: str | None
    deliveries: list[Delivery]
    signing_secret: str | None


class CreatedPlayer(TypedDict):
    id: str
    name: str
    token: str
    confirmation: NotRequired[str]


class Error(TypedDict):
    code: int
    status: str
    message: str
    errors: dict[str, Any]
    type: str
    title: str
    detail: str
    instance: str


class PaginationMetadata(TypedDict):
    total: NotRequired[int]
    total_pages: NotRequired[int]
    first_page: NotRequired[int]
    last_page: NotRequired[int]
    page: NotRequired[int]
    previous_page: NotRequired[int]
    next_page: NotRequired[int]


class NewPlayer(TypedDict):
    name: str
    email: NotRequired[str | None]


class ChangedPreferences(TypedDict):
    auto_draw: NotRequired[bool]
    digest_hour: NotRequired[int]
    language: NotRequired[Language]
    mail: NotRequired[MailMode]
    private: NotRequired[bool]
    push: NotRequired[ChannelMode]
    quiet_hours: NotRequired[QuietHours | None]
    rated: NotRequired[bool]
    theme: NotRequired[PageTheme]
    time_zone: NotRequired[str]
    webhook: NotRequired[ChannelMode]


class ChangedProfile(TypedDict):
    name: NotRequired[str]
    email: NotRequired[str | None]
    preferences: NotRequired[ChangedPreferences]


class Confirmation(TypedDict):
    token: str


class NewToken(TypedDict):
    name: NotRequired[str]
    scopes: NotRequired[list[Scope] | None]
    expires_at: NotRequired[str | None]


class RenamedToken(TypedDict):
    name: str


class ChangedContact(TypedDict):
    kind: ContactKind


class GivenBotRules(TypedDict):
    who: NotRequired[BotFor]
    variants: NotRequired[list[Variant]]
    seats: NotRequired[list[int]]
    private: NotRequired[bool]
    without_clock: NotRequired[bool]
    turn_hours_min: NotRequired[int]
    turn_hours_max: NotRequired[int]
    games: NotRequired[int]


class NewBot(TypedDict):
    handle: str
    name: NotRequired[str | None]
    rules: NotRequired[GivenBotRules | None]


class ChangedBot(TypedDict):
    name: NotRequired[str | None]
    rules: NotRequired[GivenBotRules | None]


class GameOptions(TypedDict):
    rotate_start: NotRequired[bool]
    tower: NotRequired[bool]


class NewRatingRange(TypedDict):
    min: NotRequired[int | None]
    max: NotRequired[int | None]


NewNight = TypedDict("NewNight", {"from": "str", "to": "str"})


class NewClock(TypedDict):
    turn_hours: int
    reserve_hours: NotRequired[int]
    night: NotRequired[NewNight | None]
    weekends_off: NotRequired[bool]
    due_time: NotRequired[str | None]
    reminders: NotRequired[list[float]]
    on_timeout: NotRequired[OnTimeout]
    vacation_days: NotRequired[int]
    start_by: NotRequired[str | None]


class NewGame(TypedDict):
    seats: int
    name: NotRequired[str | None]
    options: NotRequired[GameOptions]
    client_seed: NotRequired[str]
    bots: NotRequired[list[str]]
    private: NotRequired[bool]
    hints: NotRequired[bool]
    rating: NotRequired[NewRatingRange | None]
    clock: NotRequired[NewClock | None]


class Join(TypedDict):
    client_seed: NotRequired[str]
    invitation: NotRequired[str | None]


class Fill(TypedDict):
    bot: NotRequired[str]


class NewInvitation(TypedDict):
    address: NotRequired[str]
    player: NotRequired[str]


class NewMessage(TypedDict):
    text: str


class ChangedNote(TypedDict):
    note: str


class ChangedNotices(TypedDict):
    mail: MailMode | None
    push: NotRequired[ChannelMode | None]
    webhook: NotRequired[ChannelMode | None]


class Moves(TypedDict):
    ply: int
    moves: list[str]


class Undo(TypedDict):
    ply: int


class NewVacation(TypedDict):
    starts_at: NotRequired[str | None]
    ends_at: str


class NewChannel(TypedDict):
    shape: WebhookShape
    address: str
    token: NotRequired[str]


class NewProposal(TypedDict):
    kind: ProposalKind
    seat: NotRequired[int | None]
    bot: NotRequired[str | None]
    hours: NotRequired[int | None]


class AnswerToProposal(TypedDict):
    id: str
    agree: bool


class Branch(TypedDict):
    ply: int
    seat: NotRequired[int | None]
    bots: NotRequired[list[str | None] | None]
    name: NotRequired[str | None]


class NewComment(TypedDict):
    text: str
    ply: int


class PuzzleAnswer(TypedDict):
    moves: list[str]


class NewTournament(TypedDict):
    name: str
    kind: TournamentKind
    seats: int
    options: NotRequired[GameOptions]
    clock: NotRequired[NewClock | None]
    boards: NotRequired[int]
    rounds: NotRequired[int | None]
    round_hours: NotRequired[int | None]
    guests: NotRequired[bool]


class NewEntry(TypedDict):
    bot: NotRequired[str | None]


class NewSeason(TypedDict):
    size: NotRequired[int]
