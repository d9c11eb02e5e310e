"""What the API takes and gives, by the names of its description. Written by clients/make_types.py."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

Digests = dict[str, str]

RecordMove = list[str | int | None]

Request = dict[str, Any]

GameStatus = Literal["open", "running", "finished", "abandoned"]

GameSort = Literal["newest", "deadline"]

Include = Literal["legal_moves", "view", "log"]

Origin = Literal["played", "imported", "example", "sandbox"]

BoardTheme = Literal["light", "dark", "colour-blind", "colour-blind-dark"]

Language = Literal["en", "de", "it"]

FrameEach = Literal["turn", "round"]

BoardLayout = Literal["wide", "narrow", "desk", "square", "town"]

AccountEventName = Literal["game", "left"]

Phase = Literal["draw", "keep", "push", "actions", "over"]

Slot = Literal["N1", "N2", "N3", "E1", "E2", "E3", "S1", "S2", "S3", "W1", "W2", "W3"]

Color = Literal["gray", "white", "brown", "turquoise", "orange"]

ContactKind = Literal["friend", "muted", "blocked"]

Variant = Literal["basic", "advanced"]

Against = Literal["people", "bots"]

Scope = Literal["read", "play", "account"]

PuzzleLevel = Literal["easy", "medium", "hard"]

MailMode = Literal["at_once", "digest", "reminders", "mute"]

ChannelMode = Literal["at_once", "reminders", "mute"]

OwnChannelKind = Literal["push", "webhook", "feed"]

MailState = Literal["pending", "sending", "sent", "skipped", "dead"]

BotFor = Literal["everybody", "owner", "nobody"]

ClockWait = Literal["notice", "mail", "operator"]

InvitationState = Literal["waiting", "accepted", "declined", "left"]

ProposalKind = Literal["replace", "end", "time", "take_back"]

OnTimeout = Literal["steady", "resign"]

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
    """Chance of what came after the position; 32 bytes in hex."""
    position: Any
    moves: list[RecordMove]
    digests: Digests
    result: Result | None
    branch: SandboxPlace


class SandboxPlace(TypedDict):
    of: str
    """Id of the game."""
    ply: int
    seat: int | None
    """Whose knowledge it was made of; null: all hands open."""


class Result(TypedDict):
    scores: list[Score]
    """By seat."""
    winners: list[int]
    """Seats of rank 1."""


class Score(TypedDict):
    vp: int
    """Points before the final scoring."""
    sparrows: int
    barge: int
    cathedral: int
    trade: int
    chronicle: dict[str, int]
    total: int
    quarters: int
    """Quarters with a seal: the tie-breaker."""
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
    """null for games played here."""
    id: str
    name: str | None
    ruleset: str
    options: Options
    seats: int
    players: list[ReplayPlayer]
    """By seat."""
    plies: int
    """Moves in it: the last ply."""
    origin: Origin
    created_at: str | None
    """When it was made."""
    started_at: str | None
    """When the last seat was taken."""
    finished_at: str | None
    """When it ended."""
    result: Result | None
    edition: str
    """Names what game and players are called now. Under `?v=` of it, boards and records may be kept for ever."""
    after: str
    """To go on behind this line: `after` of another request."""


class RecordSeed(TypedDict):
    server: str
    """32 bytes in hex."""
    clients: list[str]
    commitment: str
    """SHA-256 of the server's bytes, in hex."""


class Options(TypedDict):
    rotate_start: bool
    """O2: the start player changes every round."""
    tower: bool
    """O1: the advanced game with Tower tiles in force."""


class ProblemType(TypedDict):
    kind: str
    """Its name, which never changes."""
    type: str
    """Its address: the `type` of such errors."""
    title: str
    code: int
    """The HTTP status that it mostly comes with."""
    advice: str
    """What to do."""


class Pagination(TypedDict):
    total: int
    """Items in the whole list, as far as they are counted."""
    total_pages: int
    """Pages that these fill."""
    total_exact: bool
    """Whether there are just so many, or more."""
    first_page: NotRequired[int]
    last_page: NotRequired[int]
    """Left out while `total` is not exact."""
    page: NotRequired[int]
    """This page; left out when it lies beyond the last."""
    previous_page: NotRequired[int]
    next_page: NotRequired[int]
    """Left out where pages are asked for by `after` alone."""
    next_after: NotRequired[str]
    """For `after` of the next page, where there is one."""


class Index(TypedDict):
    version: str
    """Of the server."""
    rulesets: list[str]
    """By which games are played here."""
    new_games: str
    """By which of them new games are."""
    links: dict[str, str]
    """Addresses: the description of the API, its page, what it promises, and where its lists begin."""


class Health(TypedDict):
    status: Literal["ok"]


class GameEvent(TypedDict):
    event: Literal["game"]
    id: str
    """The `tag`, to go on from (`Last-Event-ID`)."""
    data: Glance
    """As JSON, on one line of the stream."""


class Glance(TypedDict):
    tag: str
    """Names all that the caller sees."""
    ply: int
    round: int | None
    status: GameStatus
    seat: int | None
    """The caller's own."""
    to_move: int | None
    messages: int | None
    """Number of the newest message, for members."""
    legal_moves: NotRequired[list[str]]
    """With `include`: what the caller can play at `ply`; nothing when it is not their turn."""
    log: NotRequired[list[LogEntry]]
    """With `include`: moves as the caller may read them. In the answer to moves those after the `ply` of the
    request; in an event those of the last turns, as many as there are seats, and of the one under way."""
    moved: int | None
    """Seat that made the newest move that the caller sees; draws of the server aside."""
    own: bool
    """That move was the caller's own request: what is told may be an echo of it."""
    finished_at: str | None
    """When it ended."""
    view: NotRequired[View | None]
    """With `include`: as GET shows it."""


class AccountEvent(TypedDict):
    event: AccountEventName
    id: NotRequired[str]
    """Names how all games stand, to go on from (`Last-Event-ID`); at the beginning of a stream the last event
    alone has it."""
    data: AccountGlance
    """As JSON, on one line of the stream."""


class AccountGlance(TypedDict):
    game: str
    """The id of the game."""
    tag: NotRequired[str]
    """Names all that the caller sees of it."""
    ply: NotRequired[int]
    round: NotRequired[int | None]
    status: NotRequired[GameStatus]
    seat: NotRequired[int | None]
    """The caller's own."""
    to_move: NotRequired[int | None]
    messages: NotRequired[int | None]
    """Number of the newest message."""
    moved: NotRequired[int | None]
    """Seat that made the newest move that the caller sees; draws of the server aside."""
    own: NotRequired[bool]
    """That move was the caller's own request: what is told may be an echo of it."""
    finished_at: NotRequired[str | None]
    """When it ended."""
    legal_moves: NotRequired[list[str]]
    """With `include`: what the caller can play at `ply`; nothing when it is not their turn."""
    log: NotRequired[list[LogEntry]]
    """With `include`: the moves of the last turns, as many as there are seats, and of the one under way."""
    view: NotRequired[View | None]
    """With `include`: as GET shows it."""


class ReplayPlayer(TypedDict):
    seat: int
    player: str | None
    """Id; null for bots, former players and imported games."""
    name: str | None
    bot: str | None
    level: int | None
    """Of a bot of this server, as `GET /bots` has it now."""


class Imported(TypedDict):
    by: str | None
    """Id; null without an account any more."""
    name: str | None
    at: str
    """When it was kept."""


class View(TypedDict):
    active: int | None
    """Seat to move; null when over."""
    bag: ColorCounts
    coat_seals: dict[str, int]
    crests: dict[str, int]
    descendants: list[str]
    """Left in the Oath House."""
    discard: list[str]
    """The last is the top."""
    docks: ColorCounts
    grid: list[list[str]]
    options: Options
    outer: dict[str, str]
    """Occupied slots only."""
    phase: Phase
    ply: int
    """Moves so far, as far as the reader may know."""
    quarters: dict[str, list[int]]
    round: int
    """1 to 10."""
    ruleset: str
    """Rules of this game."""
    scores: list[Score] | None
    start: int
    """Seat number, from 0 on."""
    turn: Turn
    pending: list[Pending]
    """The last is settled first."""
    tower: list[str]
    """In the order of the rounds."""
    coats_size: int
    pile_size: int
    players: list[SeatView]
    """By seat."""


class SeatView(TypedDict):
    barge: int
    """Danube space, 1 to 22."""
    coats: list[Slot]
    coins: int
    crests: int
    """Left in supply."""
    descendants: list[str]
    played: int
    """Cards played, either way."""
    resigned: bool
    seals: int
    """Left in supply."""
    sparrows: int
    table: list[str]
    tiles: ColorCounts
    vp: int
    hand: NotRequired[list[str]]
    """The own seat only."""
    hand_size: int


class ColorCounts(TypedDict):
    gray: int
    white: int
    brown: int
    turquoise: int
    orange: int


class Pending(TypedDict):
    kind: str
    """coat, choose, barge, descendant, dock, abbot, …"""
    offer: NotRequired[list[str]]
    """Coats or cards on offer; for their owner alone."""
    max: NotRequired[int]
    """The largest K of `barge K`."""


class Turn(TypedDict):
    activated: ColorCounts
    credits: Credits
    exchanged: bool
    free_play: bool
    levy_paid: bool
    patrician: bool
    salvaged: bool
    slot: Slot | None
    """Where the tile was pushed in."""
    swapped: bool
    tiles: list[Color]
    """Drawn and not yet pushed."""


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
    """When it was made."""
    automatic: bool
    """The server made it. Of a `draw` told to the seat's owner alone."""


class OwnInvitation(TypedDict):
    game: str
    """Id of the game."""
    name: str
    """What the game is called."""
    inviter: str | None
    """Id; null of one whose account is gone."""
    inviter_name: str | None
    rematch_of: str | None
    """Id of the game that this is a rematch of."""
    invitation: str | None
    """The key of a private game, with which its seat is taken."""
    created_at: str
    """When."""


class PlayerPage(TypedDict):
    player: str
    """Id; of a bot of the house its name."""
    name: str
    bot: str | None
    """By which name it is seated, with @ one that has an account; null for people."""
    bot_of: str | None
    """What the owner of a bot with an account is called."""
    private: bool
    """The page is shown to those who have sat with the player, and tells of these games alone."""
    contact: ContactKind | None
    """What the player is to the caller, who alone knows it."""
    results: list[Results]
    """Of the finished games that the caller may see; none of a bot of the house."""
    together: Together | None
    """null where there is no game, and of the caller."""
    hours: list[int] | None
    """When the player usually moves: for each three hours of the day, from midnight on, in how many hours they
    did so lately, in percent of all. null where too little is known."""
    time_zone: str
    """In which these hours are: the caller's."""


class Together(TypedDict):
    games: int
    won: int
    """By the caller; shared wins count for both."""
    lost: int
    """Won by the player."""


class Results(TypedDict):
    seats: int
    variant: Variant
    against: Against
    """Whether other people played, too."""
    games: int
    won: int
    """Shared wins count."""


class FoundPlayer(TypedDict):
    player: str
    """Id."""
    name: str
    bot_of: str | None
    """What the owner of a bot is called; null for people."""


class Opponent(TypedDict):
    player: str
    """Id."""
    name: str
    kind: ContactKind | None
    """What they are to the caller, who alone knows it."""
    games: int
    """In so many of the caller's newest games both sat."""
    last: str | None
    """When the newest of these was made."""


class Contact(TypedDict):
    player: str
    """Id."""
    name: str
    kind: ContactKind
    since: str
    """When the caller said so."""


class Vacation(TypedDict):
    id: str
    starts_at: str
    """When it begins."""
    ends_at: str
    """When it ends."""
    under_way: bool


class Undone(TypedDict):
    ply: int
    view: View


class Played(TypedDict):
    ply: int
    view: View
    legal_moves: NotRequired[list[str]]
    """With `include`: what the caller can play at `ply`; nothing when it is not their turn."""
    log: NotRequired[list[LogEntry]]
    """With `include`: moves as the caller may read them. In the answer to moves those after the `ply` of the
    request; in an event those of the last turns, as many as there are seats, and of the one under way."""
    applied: int
    """How many of the moves were carried out."""


class Token(TypedDict):
    id: str
    name: str
    scopes: list[Scope]
    """What it may be used for."""
    created_at: str
    """When it was made."""
    last_used_at: str | None
    """When it was last seen, to the hour."""
    expires_at: str | None
    """When it ends or has ended; null: never."""


class CreatedToken(TypedDict):
    id: str
    name: str
    scopes: list[Scope]
    """What it may be used for."""
    created_at: str
    """When it was made."""
    last_used_at: str | None
    """When it was last seen, to the hour."""
    expires_at: str | None
    """When it ends or has ended; null: never."""
    token: str


class Statistics(TypedDict):
    games: int
    kinds: dict[str, int]
    plies: Plies
    plies_per_turn: float
    resigned_seats: int
    vp_by_source: dict[str, float]
    """The mean of a seat."""
    by_seat: dict[str, Share]
    """By seat and number of players."""
    by_turn_order: dict[str, Share]
    """By the place in the first round."""
    by_descendant: dict[str, Share]
    """By Descendant."""
    by_coat: dict[str, Share]
    """By city coat of arms."""
    uncounted: int
    """Games that are not counted yet: ask again, each request counts some."""
    older_left_out: bool
    """There are more than 5000 games of this player, or of these days with these points: the newest are in it."""


class Share(TypedDict):
    count: int
    win_rate: float
    """A shared victory counts its share."""
    fair: float
    """The win rate if it made no difference."""
    mean_total: float


class Plies(TypedDict):
    mean: float
    least: int | None
    most: int | None


class Session(TypedDict):
    id: str
    device: str
    """Browser and system, "" when they are not known."""
    began_at: str
    """When it was signed in."""
    last_used_at: str
    """When it was last seen, to the hour."""
    current: bool
    """It is the one that asks: never so of a token."""


class Timeline(TypedDict):
    id: str
    plies: list[TimelinePly]


class TimelinePly(TypedDict):
    ply: int
    seat: int
    move: str
    at: str | None
    """When it was made."""
    round: int
    vp: list[int]
    """Of all seats, after it."""
    text: list[str]
    """Sentences on what happened."""
    changed: list[str]
    """Parts of the state that changed, as record.md §4 names them; `players.SEAT.FIELD`."""


class ReplayState(TypedDict):
    ply: int
    seat: int | None
    state: State | View
    """The whole state; with `seat`, that seat's view."""


class State(TypedDict):
    active: int | None
    """Seat to move; null when over."""
    bag: ColorCounts
    coat_seals: dict[str, int]
    crests: dict[str, int]
    descendants: list[str]
    """Left in the Oath House."""
    discard: list[str]
    """The last is the top."""
    docks: ColorCounts
    grid: list[list[str]]
    options: Options
    outer: dict[str, str]
    """Occupied slots only."""
    phase: Phase
    ply: int
    """Moves so far, as far as the reader may know."""
    quarters: dict[str, list[int]]
    round: int
    """1 to 10."""
    ruleset: str
    """Rules of this game."""
    scores: list[Score] | None
    start: int
    """Seat number, from 0 on."""
    turn: Turn
    pending: list[Pending]
    """The last is settled first."""
    tower: list[str]
    """In the order of the rounds."""
    chance: int
    """Position in the stream of record.md §1."""
    coats: list[Slot]
    """The last is the top."""
    pile: list[str]
    """The last is the top."""
    players: list[SeatState]
    """By seat."""


class SeatState(TypedDict):
    barge: int
    """Danube space, 1 to 22."""
    coats: list[Slot]
    coins: int
    crests: int
    """Left in supply."""
    descendants: list[str]
    played: int
    """Cards played, either way."""
    resigned: bool
    seals: int
    """Left in supply."""
    sparrows: int
    table: list[str]
    tiles: ColorCounts
    vp: int
    hand: list[str]


class Replay(TypedDict):
    imported: Imported | None
    """null for games played here."""
    id: str
    name: str | None
    ruleset: str
    options: Options
    seats: int
    players: list[ReplayPlayer]
    """By seat."""
    plies: int
    """Moves in it: the last ply."""
    origin: Origin
    created_at: str | None
    """When it was made."""
    started_at: str | None
    """When the last seat was taken."""
    finished_at: str | None
    """When it ended."""
    result: Result | None
    edition: str
    """Names what game and players are called now. Under `?v=` of it, boards and records may be kept for ever."""


class PuzzleDay(TypedDict):
    day: str
    """In UTC."""
    id: str
    game: str
    """The finished game that it comes from."""
    ply: int
    round: int
    seat: int
    level: PuzzleLevel
    """How hard it is."""


class PuzzleVerdict(TypedDict):
    id: str
    solved: bool
    """The turn comes to the same as the solution."""
    answer: PuzzleTurn
    solution: PuzzleTurn
    next_best: PuzzleTurn
    """The best other turn."""
    played: PuzzleTurn
    """What was played in the game."""


class PuzzleTurn(TypedDict):
    moves: list[str]
    chance: float | None
    """The chance to win with it; null where it was not measured, for it promised too little."""
    words: list[str]
    """What it brings about."""


class Puzzle(TypedDict):
    id: str
    day: str | None
    """By which it was asked for; null for an id."""
    game: str
    """The finished game that it comes from."""
    name: str
    """What that game is called."""
    players: list[str]
    """Names by seat."""
    ply: int
    """The position is the one after it."""
    round: int
    seat: int
    """Who is to move, and through whose eyes all is shown."""
    level: PuzzleLevel
    """How hard it is."""
    turns: int
    """So many turns come to different positions."""
    moves: list[str]
    """That are tried."""
    view: View
    """The position after these, as the seat sees it."""
    legal_moves: list[str]
    """Those in that position."""


class Profile(TypedDict):
    confirmation: NotRequired[str]
    """What became of the mail that asks to confirm an address that was just given: `sent`, or `held_back`
    because enough of them went there today, of which any confirms it (PUT /players/me/confirmation), or
    too many left the caller's network or the server (POST /players/me/confirmation says why, and in how
    many seconds to ask again)."""
    id: str
    name: str
    email: str | None
    email_confirmed: bool
    """Without it no mail but the one that asks."""
    mail_stopped: MailStopped | None
    """Mails came back: none is sent until the address is confirmed again."""
    preferences: Preferences
    created_at: str
    """When the account was made."""


class Preferences(TypedDict):
    auto_draw: bool
    """Let the server draw when nothing but the blind draw can be meant."""
    digest_hour: int
    """Hour of the player's day at which the digest is sent."""
    language: str
    """Language of mails."""
    mail: MailMode
    """When notices are mailed: each at once, a daily digest of all that waits, reminders alone, or none."""
    private: bool
    """Nobody finds the player by name, reads their page or lists their games but those who have sat with them,
    who see of it what they played together."""
    push: ChannelMode
    """When browsers and phones that push is switched on for are told: at once, of reminders alone, never."""
    quiet_hours: QuietHours | None
    """From when to when nothing is sent, by the player's own clock; what comes up then waits. null: never quiet."""
    theme: str
    """The colours of pages and boards: light or dark as the device is (auto), light, dark; and such as the
    colour-blind can tell apart, light (colour-blind), dark (colour-blind-dark) or as the device is
    (colour-blind-auto)."""
    time_zone: str
    """A name of the IANA data base. A game's clock stands still at night there."""
    webhook: ChannelMode
    """The same for webhooks."""


QuietHours = TypedDict("QuietHours", {"from": "str", "to": "str"})


class MailStopped(TypedDict):
    at: str
    """When the first one did."""
    why: str
    """What the other side said."""


class Export(TypedDict):
    format: str
    exported_at: str
    """When."""
    profile: Profile
    tokens: list[Token]
    sessions: list[Session]
    games: list[OwnGame]
    messages: list[OwnMessage]
    vacations: list[OwnVacation]
    invitations: list[SentInvitation]
    accepted: list[AcceptedInvitation]
    contacts: list[Contact]
    records: list[KeptRecord]
    bots: list[BotAccount]
    mails: list[OwnMail]
    channels: list[OwnChannel]
    audit: list[AuditLine]
    stored: Stored
    """What the caller's records, sandboxes, messages, notes and moves taken back take, about."""


class Stored(TypedDict):
    bytes: int
    most: int
    """What there is for the caller."""


class AuditLine(TypedDict):
    at: str
    """When."""
    what: str
    """sign_in, token_made, address_changed, …"""
    network: str | None
    """Whence, cut to /24 or /48; null: the server did it."""
    details: dict[str, Any]


class OwnChannel(TypedDict):
    kind: OwnChannelKind
    address: str
    """Of a webhook or of a browser's push service."""
    settings: dict[str, Any]
    created_at: str
    """When it was made."""
    failing_since: str | None
    """Since when nothing arrives."""
    deliveries: list[OwnDelivery]
    """What went there."""


class OwnDelivery(TypedDict):
    kind: str
    game: str | None
    ply: int | None
    state: MailState
    created_at: str
    """When its cause was."""
    due_at: str
    """When it was to be sent."""
    done_at: str | None
    """When it was sent or dropped."""
    error: str | None
    """What the other side said."""


class OwnMail(TypedDict):
    kind: str
    game: str | None
    ply: int | None
    state: MailState
    created_at: str
    """When its cause was."""
    due_at: str
    """When it was to be sent."""
    done_at: str | None
    """When it was sent or dropped."""


class BotAccount(TypedDict):
    player: str
    """The id of its account."""
    handle: str
    """By which it is seated, with its @."""
    name: str
    owner: str
    """What its owner is called."""
    rules: BotRules
    playing: int
    """Its games that are not over."""
    created_at: str
    """When it was made."""


class BotRules(TypedDict):
    who: BotFor
    """Who may seat it."""
    variants: list[Variant]
    """Without and with Tower."""
    seats: list[int]
    """Numbers of players."""
    private: bool
    """Private games, too."""
    without_clock: bool
    """Games without a clock, too."""
    turn_hours_min: int
    """With a clock: so long a turn at least."""
    turn_hours_max: int
    """And so long at most."""
    games: int
    """How many at once, those included that wait for players."""


class KeptRecord(TypedDict):
    game: str
    name: str
    at: str
    """When."""


class AcceptedInvitation(TypedDict):
    game: str
    address: str
    """The caller's, at that time; empty of one by name."""
    created_at: str
    """When it was sent."""
    accepted_at: str | None
    """When the seat was taken."""


class SentInvitation(TypedDict):
    game: str
    address: str | None
    """null when the caller never saw it: a rematch goes to addresses that stay their players'."""
    player: str | None
    """Id of who was invited by name."""
    created_at: str
    """When."""


class OwnVacation(TypedDict):
    starts_at: str
    """When it began or begins."""
    ends_at: str
    """When it ends."""
    created_at: str
    """When it was entered."""


class OwnMessage(TypedDict):
    game: str
    seat: int
    kind: str | None
    """null: words; else what the player did at the table, without a text."""
    text: str
    at: str
    """When."""


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
    """When it was made."""
    started_at: str | None
    """When it began."""
    finished_at: str | None
    """When it was over."""
    result: Result | None
    seat: int
    called: str
    """The caller's name at this table."""
    client_seed: str
    """The caller's share in the shuffle."""
    note: str
    mail: MailMode | None
    read_message: int
    """Number of the newest message that the caller has read; 0: none."""
    push: ChannelMode | None
    webhook: ChannelMode | None
    moves: list[OwnMove]


class OwnMove(TypedDict):
    ply: int
    seat: int
    """The caller's; of a sandbox any that no bot has."""
    move: str
    at: str | None
    """When it was played."""
    automatic: bool
    """The server made it for the caller."""
    undone_at: str | None
    """When it was taken back."""


class Notices(TypedDict):
    mail: MailMode | None
    """When notices of this game are mailed; null: as the player's preferences say."""
    push: ChannelMode | None
    """The same by this channel."""
    webhook: ChannelMode | None
    """The same by this channel."""


class Note(TypedDict):
    note: str
    """Empty: nothing."""


class Message(TypedDict):
    id: int
    seat: int
    """Whose it is."""
    name: str | None
    text: str
    at: str
    """When it was written."""


class Verdict(TypedDict):
    valid: bool
    plies: int | None
    ply: int | None
    """The ply that fails; null when valid."""
    message: str | None
    """Why it fails; null when valid."""
    digest: str | None
    """Of the last state."""
    result: Result | None


class Invitation(TypedDict):
    game: str
    """Id of the game."""
    address: str | None
    """The one that was given; null of a player who was invited by name."""
    player: str | None
    """Id of a player who was invited by name."""
    created_at: str
    """When."""


class Log(TypedDict):
    ply: int
    moves: list[LogEntry]


class LegalMoves(TypedDict):
    ply: int
    moves: list[str]
    """`resign` is always possible, not listed."""


class Game(TypedDict):
    id: str
    name: str | None
    status: GameStatus
    ruleset: str
    options: Options
    private: bool
    seats: int
    players: list[GamePlayer | None]
    """By seat; null is free."""
    seat: int | None
    """The caller's own."""
    ply: int | None
    to_move: int | None
    """Seat that has to move."""
    clock: Clock | None
    """null: no deadlines."""
    start_by: str | None
    """An open game is given up when it has not started by then."""
    deadline: str | None
    """When the turn has to be over; null without clock, and while it stands still."""
    paused: bool
    """By agreement of all its players, or by the operator."""
    origin: Origin
    created_at: str | None
    """When it was made."""
    started_at: str | None
    """When the last seat was taken."""
    finished_at: str | None
    """When it ended."""
    result: Result | None
    creator: str | None
    """Id of the player who made it, or to whom it passed when they left before the start."""
    commitment: str
    """SHA-256 of the server's secret share in the shuffle, in hex."""
    round: int | None
    phase: Phase | None
    view: View | None
    """null before the start."""
    standing: list[Score] | None
    """What each seat would have if the game ended as `view` shows it; null before the start."""
    pause_votes: list[int]
    """Seats whose players wish for a pause."""
    turn_began_at: str | None
    """Since when the turn under way counts; null while nobody is to move."""
    extra_seconds: int | None
    """So much longer it may take than the clock says: the others gave it."""
    proposal: Proposal | None
    """What is proposed to the players, or how the game has ended by it."""
    waits_for: ClockWait | None
    """What the clock stands still for: until the notice of the turn can be sent (told to those who sit there),
    while this server sends no mail at all, or until the operator lets this game go on. `deadline` is null
    then."""
    waits_since: str | None
    """Since when it does."""
    granted_seconds: int | None
    """So much time of the turn under way was lost because its notice was late or the server was off, and does
    not count. Told to those who sit there."""
    mail_stopped: list[int]
    """Seats whose players no mail reaches, because one came back. Told to those who sit there."""
    reserve_seconds: list[int | None] | None
    """By seat: what is left of the clock's reserve, null for bots. null without a clock."""
    edition: str
    """Names what game and players are called now. Under `?v=` of it, boards and records may be kept for ever."""
    thinking: bool
    """The turn is played by a bot that needs time, or for a player who does not come: it comes by itself."""
    hints: bool
    """Who is to move may ask what a bot would play."""
    hints_taken: list[int]
    """By seat: how many."""
    invitation: str | None
    """For members of a private game that is still open."""
    invited: list[Invitee]
    """For members of a game that is still open."""
    rematch_of: str | None
    """Id of the game that this is a rematch of."""
    rematch: str | None
    """Id of a rematch of this game that is open or under way. Told to who sat here."""


class Invitee(TypedDict):
    player: str | None
    """Id of who was invited by name; before a seat is taken to who did it alone, but for rematches."""
    name: str | None
    address: str | None
    """Of who was invited by mail; told to the one who did it alone."""
    inviter: str | None
    """Id of who invited them."""
    created_at: str
    """When."""
    state: InvitationState
    reached: bool
    """Whether mail reaches them, as far as is known."""


class Proposal(TypedDict):
    id: str
    kind: ProposalKind
    """`replace`: another plays for `seat`, whose player is gone. `end`: the game ends here, without a result.
    `time`: `seat`, which is to move, has `hours` more. `take_back`: the `end` of the newest turn is
    undone."""
    by: int
    """Seat of who proposes it."""
    seat: int | None
    """Seat that it is about; of `end` that of a player who is gone, and not asked."""
    bot: str | None
    """Of `replace`: who would play; null: a person who is invited."""
    hours: int | None
    """Of `time`."""
    agreed: list[int]
    """Seats whose players agree."""
    asked: list[int]
    """Seats whose players all have to."""
    ends_at: str
    """Until when it can come about."""
    accepted: bool
    """All have agreed: the game has ended, or the seat waits for who is invited."""
    invitation: str | None
    """What a person takes the seat over with (`POST /games/ID/players`). For who agreed."""


class Clock(TypedDict):
    turn_hours: int
    """Hours that a turn may take."""
    reserve_hours: int
    """Hours that each player may use beyond that, in the whole game."""
    night: Night | None
    """When no time counts, by the clock on the wall where the player to move lives (preference `time_zone`)."""
    weekends_off: bool
    """No time counts on Saturdays and Sundays, where the player to move lives."""
    due_time: str | None
    """A turn's time ends at this time of the day, where its player lives: the first time behind `turn_hours`.
    null: to the minute."""
    reminders: list[float]
    """Fractions of the turn's time at which its player is reminded by mail."""
    on_timeout: OnTimeout
    """When the time is over: a bot plays the rest of the turn (`steady`), or the seat resigns."""
    vacation_days: int
    """Days of each player's vacations in a calendar year (UTC) in which no time counts."""
    start_by: str | None
    """The game is abandoned when it has not started by then; null: four weeks after it was made."""


Night = TypedDict("Night", {"from": "str", "to": "str"})


class GamePlayer(TypedDict):
    seat: int
    player: str | None
    """Id; null without an account."""
    name: str
    bot: str | None
    """By which name it is seated; with @ a bot that has an account, null for people."""
    bot_of: str | None
    """What the owner of a bot with an account is called."""
    autopilot: bool
    """The player was late twice in a row: the server plays until they come back."""


class ListedGame(TypedDict):
    id: str
    name: str | None
    status: GameStatus
    ruleset: str
    options: Options
    private: bool
    seats: int
    players: list[GamePlayer | None]
    """By seat; null is free."""
    seat: int | None
    """The caller's own."""
    ply: int | None
    to_move: int | None
    """Seat that has to move."""
    clock: Clock | None
    """null: no deadlines."""
    start_by: str | None
    """An open game is given up when it has not started by then."""
    deadline: str | None
    """When the turn has to be over; null without clock, and while it stands still."""
    paused: bool
    """By agreement of all its players, or by the operator."""
    origin: Origin
    created_at: str | None
    """When it was made."""
    started_at: str | None
    """When the last seat was taken."""
    finished_at: str | None
    """When it ended."""
    result: Result | None
    free_seats: int


class Bot(TypedDict):
    name: str
    """By which it is seated."""
    labels: dict[str, str]
    """What people call it, by language; `en` is always there."""
    descriptions: dict[str, str]
    """How well it plays, by language, as the pages say it where one is chosen."""
    level: int
    """0 plays at random, 1 apprentice, 2 journeyman, 3 master; others up to 9."""
    seconds: float
    """The longest that it thinks in a turn."""
    at_once: bool
    """It answers with the move before it."""
    served_by: str
    """This server, or the package that brings it."""


class BotWithToken(TypedDict):
    player: str
    """The id of its account."""
    handle: str
    """By which it is seated, with its @."""
    name: str
    owner: str
    """What its owner is called."""
    rules: BotRules
    playing: int
    """Its games that are not over."""
    created_at: str
    """When it was made."""
    token: str


class Analysis(TypedDict):
    plies: list[AnalysedPly]
    seats: list[AnalysedSeat]
    moments: list[DecisiveMove]
    """Up to five, in the order of the game."""
    strokes: list[LuckyMove]
    """Up to three, in the order of the game."""
    id: str
    version: str
    """By which method and weights it was made."""


class LuckyMove(TypedDict):
    ply: int
    round: int
    seat: int
    move: str
    luck: list[float]
    """What it did to the chance of each seat."""


class DecisiveMove(TypedDict):
    ply: int
    """The last ply before it: one can play on from there."""
    round: int
    seat: int
    move: str
    loss: float
    """How much of the chance to win it cost."""
    before: float
    """The chance before it."""
    instead: list[str]
    """What the seat should have gone on with, by what it knew."""


class AnalysedSeat(TypedDict):
    seat: int
    first: float
    """The chance before the first move."""
    last: float
    """1, 0 or a share of the victory."""
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
    """Its own errors: never more than 0."""
    others: float
    """Errors of the others."""


class AnalysedPly(TypedDict):
    ply: int
    round: int
    seat: int
    """Whose move it was."""
    chances: list[float]
    """The chance of each seat to win, after it."""
    luck: list[float]
    """What of the change is due to what the move revealed."""
    offered: list[float]
    """What the turn had to offer, more or less than the estimate had thought."""
    error: list[float]
    """What an error of the seat did, to itself and to the others, judged by what it knew."""


class AnalysisUnderWay(TypedDict):
    id: str
    status: AnalysisStatus
    """How it stands."""
    done: int
    """Plies that are analysed."""
    plies: int
    """Plies of the game."""


class Hint(TypedDict):
    ply: int
    """On which it builds."""
    ready: bool
    """false: it is thought about, ask again."""
    bot: str
    """Which bot was asked."""
    moves: list[AdvisedMove]
    """Up to the first that reveals something; empty while it is thought about."""


class AdvisedMove(TypedDict):
    move: str
    effects: list[str]
    """What it costs, gains and brings about, in words."""


class Channel(TypedDict):
    id: str
    kind: ChannelKind
    name: str
    """The browser, or the host of the address."""
    shape: WebhookShape
    """What a webhook is sent."""
    address: str | None
    """Of a webhook."""
    created_at: str
    """When it was made."""
    failing_since: str | None
    """Since when nothing has arrived; after three days it is off."""
    deliveries: list[Delivery]
    """The newest first."""


class Delivery(TypedDict):
    kind: str
    game: str | None
    state: MailState
    at: str
    """When it was done, or is to be tried."""
    error: str | None
    """Why it failed the last time, or is not sent."""


class CreatedChannel(TypedDict):
    id: str
    kind: ChannelKind
    name: str
    """The browser, or the host of the address."""
    shape: WebhookShape
    """What a webhook is sent."""
    address: str | None
    """Of a webhook."""
    created_at: str
    """When it was made."""
    failing_since: str | None
    """Since when nothing has arrived; after three days it is off."""
    deliveries: list[Delivery]
    """The newest first."""
    signing_secret: str | None
    """By which bodies of the shape json are signed."""


class CreatedPlayer(TypedDict):
    id: str
    name: str
    token: str
    """Keep it: it is stored hashed and never shown again."""
    confirmation: NotRequired[str]
    """What became of the mail that asks to confirm an address that was just given: `sent`, or `held_back`
    because enough of them went there today, of which any confirms it (PUT /players/me/confirmation), or
    too many left the caller's network or the server (POST /players/me/confirmation says why, and in how
    many seconds to ask again)."""


class Error(TypedDict):
    code: int
    """HTTP status code"""
    status: str
    """Name of the code"""
    message: str
    """What is wrong and what to do"""
    errors: dict[str, Any]
    """Details; {} without any. Of fields of the request: by place (`json`, `query`, `path`, `headers`), then
    nested as the request is, down to lists of sentences."""
    type: str
    """The kind of error, by an address that explains it; `about:blank` when the code says all"""
    title: str
    """The same for every error of this type"""
    detail: str
    """As `message`"""
    instance: str
    """The path that was asked for"""


class PaginationMetadata(TypedDict):
    total: NotRequired[int]
    """Total number of items."""
    total_pages: NotRequired[int]
    """Total number of pages."""
    first_page: NotRequired[int]
    """First available page number."""
    last_page: NotRequired[int]
    """Last available page number."""
    page: NotRequired[int]
    """Current page number."""
    previous_page: NotRequired[int]
    """Previous page number."""
    next_page: NotRequired[int]
    """Next page number."""


class NewPlayer(TypedDict):
    name: str
    """Shown to everybody."""
    email: NotRequired[str | None]
    """For turn mail, once it is confirmed. Shown to nobody else. Without it: no mail."""


class ChangedPreferences(TypedDict):
    auto_draw: NotRequired[bool]
    """Draw for me when nothing but the blind draw can be meant."""
    digest_hour: NotRequired[int]
    """Hour of the player's day at which the digest is sent."""
    language: NotRequired[Language]
    """Language of mails."""
    mail: NotRequired[MailMode]
    """When notices are mailed: each at once, a daily digest of all that waits, reminders alone, or none."""
    private: NotRequired[bool]
    """Nobody finds the player by name, reads their page or lists their games but those who have sat with them,
    who see of it what they played together."""
    push: NotRequired[ChannelMode]
    """When browsers and phones that push is switched on for are told: at once, of reminders alone, never."""
    quiet_hours: NotRequired[QuietHours | None]
    """From when to when nothing is sent, by the player's own clock; what comes up then waits. null: never quiet."""
    theme: NotRequired[PageTheme]
    """The colours of pages and boards: light or dark as the device is (auto), light, dark; and such as the
    colour-blind can tell apart, light (colour-blind), dark (colour-blind-dark) or as the device is
    (colour-blind-auto)."""
    time_zone: NotRequired[str]
    """A name of the IANA data base. A game's clock stands still at night there."""
    webhook: NotRequired[ChannelMode]
    """The same for webhooks."""


class ChangedProfile(TypedDict):
    name: NotRequired[str]
    email: NotRequired[str | None]
    """null removes it."""
    preferences: NotRequired[ChangedPreferences]


class Confirmation(TypedDict):
    token: str
    """The last part of the link in the mail, behind `/confirm/`."""


class NewToken(TypedDict):
    name: NotRequired[str]
    """To tell it from the others."""
    scopes: NotRequired[list[Scope] | None]
    """What it may be used for; left out: all that the token of this request may."""
    expires_at: NotRequired[str | None]
    """When it ends, with its zone; left out: when the token of this request does, if ever."""


class RenamedToken(TypedDict):
    name: str
    """To tell it from the others."""


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
    """By which it is seated, without an @; nobody else has it."""
    name: NotRequired[str | None]
    """What it is called; `(bot)` is put behind it. Left out: the handle."""
    rules: NotRequired[GivenBotRules | None]


class ChangedBot(TypedDict):
    name: NotRequired[str | None]
    """In games to come."""
    rules: NotRequired[GivenBotRules | None]


class GameOptions(TypedDict):
    rotate_start: NotRequired[bool]
    """Left out: `false`."""
    tower: NotRequired[bool]
    """Left out: `false`."""


NewNight = TypedDict("NewNight", {"from": "str", "to": "str"})


class NewClock(TypedDict):
    turn_hours: int
    """Hours that a turn may take."""
    reserve_hours: NotRequired[int]
    """Hours that each player may use beyond that, in the whole game. Left out: `0`."""
    night: NotRequired[NewNight | None]
    """When no time counts, by the clock on the wall where the player to move lives (preference `time_zone`)."""
    weekends_off: NotRequired[bool]
    """No time counts on Saturdays and Sundays, where the player to move lives. Left out: `false`."""
    due_time: NotRequired[str | None]
    """A turn's time ends at this time of the day, where its player lives: the first time behind `turn_hours`.
    null: to the minute."""
    reminders: NotRequired[list[float]]
    """Fractions of the turn's time at which its player is reminded by mail. Left out: `[0.5, 0.9]`."""
    on_timeout: NotRequired[OnTimeout]
    """When the time is over: a bot plays the rest of the turn (`steady`), or the seat resigns. Left out:
    `"steady"`."""
    vacation_days: NotRequired[int]
    """Days of each player's vacations in a calendar year (UTC) in which no time counts. Left out: `21`."""
    start_by: NotRequired[str | None]
    """The game is abandoned when it has not started by then; null: four weeks after it was made."""


class NewGame(TypedDict):
    seats: int
    name: NotRequired[str | None]
    options: NotRequired[GameOptions]
    client_seed: NotRequired[str]
    """Your share in the shuffle: any text. docs/playing.md says what it proves, and to whom."""
    bots: NotRequired[list[str]]
    """Names of bots, each of which fills a seat; as many as seats: the caller looks on."""
    private: NotRequired[bool]
    """Only for those who have the invitation. Left out: `false`."""
    hints: NotRequired[bool]
    """Among people, too; against bots alone there are hints in any case. Left out: `false`."""
    clock: NotRequired[NewClock | None]
    """How long turns may take; null or left out: as long as the players like."""


class Join(TypedDict):
    client_seed: NotRequired[str]
    """Your share in the shuffle: any text. docs/playing.md says what it proves, and to whom."""
    invitation: NotRequired[str | None]
    """Needed for a private game, and for a seat to take over."""


class Fill(TypedDict):
    bot: NotRequired[str]
    """Takes all free seats; one with an account takes one. A name of `GET /bots`, or `@` and a handle of `GET
    /bots/accounts`. Left out: `"apprentice"`."""


class NewInvitation(TypedDict):
    address: NotRequired[str]
    """Where the invitation goes. Shown to nobody else."""
    player: NotRequired[str]
    """Id of a player: it is on their first page, and mailed where mail reaches them."""


class NewMessage(TypedDict):
    text: str
    """Plain text, at most 1000 characters, lines parted by a line feed."""


class ChangedNote(TypedDict):
    note: str
    """Plain text of at most 4000 characters; empty forgets the note."""


class ChangedNotices(TypedDict):
    mail: MailMode | None
    """When notices of this game are mailed; null: as the player's preferences say."""
    push: NotRequired[ChannelMode | None]
    """The same by this channel."""
    webhook: NotRequired[ChannelMode | None]
    """The same by this channel."""


class Moves(TypedDict):
    ply: int
    """The ply on which they build, as GET showed it."""
    moves: list[str]
    """Texts of record.md §3. What follows a move that reveals is not applied."""


class Undo(TypedDict):
    ply: int
    """The ply to go back to: within the own turn, not beyond a reveal."""


class NewVacation(TypedDict):
    starts_at: NotRequired[str | None]
    """With its zone; left out: now."""
    ends_at: str
    """With its zone."""


class NewChannel(TypedDict):
    shape: WebhookShape
    """What is sent: our own form, signed (json), or what one of these services takes."""
    address: str
    """Where it is sent: https:// and the rest. Of Matrix the home server, a slash and the room's ID; of ntfy the
    topic."""
    token: NotRequired[str]
    """The access token that Matrix needs, and ntfy may."""


class NewProposal(TypedDict):
    kind: ProposalKind
    """`replace`: another plays for `seat`, whose player is gone. `end`: the game ends here, without a result.
    `time`: `seat`, which is to move, has `hours` more. `take_back`: the `end` of the newest turn is
    undone."""
    seat: NotRequired[int | None]
    """Of `replace`: whose player is gone."""
    bot: NotRequired[str | None]
    """Of `replace`, one of the house; null: a person, for whom there is an `invitation`. A name of `GET /bots`,
    or `@` and a handle of `GET /bots/accounts`."""
    hours: NotRequired[int | None]
    """Of `time`: how many more."""


class AnswerToProposal(TypedDict):
    id: str
    """The proposal's, as the game shows it."""
    agree: bool
    """false ends it for all."""


class Branch(TypedDict):
    ply: int
    """The ply to go on from, one that the caller has seen."""
    seat: NotRequired[int | None]
    """Go on with what this seat knew. Of a game that is not over: your own, also without."""
    bots: NotRequired[list[str | None] | None]
    """By seat the name of a bot, or null for yourself; without it all seats are yours."""
    name: NotRequired[str | None]


class PuzzleAnswer(TypedDict):
    moves: list[str]
    """Up to the first that reveals something, or to the end of the turn."""
