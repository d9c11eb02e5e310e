// What the API takes and gives, by the names of its description. Written by clients/make_types.py.
export interface Sandbox {
  format: "ulm-sandbox/1";
  ruleset: string;
  id: string;
  name: string;
  players: (RecordPlayer)[];
  seed: string;
  position: any;
  moves: (RecordMove)[];
  digests: Digests;
  result: Result | null;
  branch: SandboxPlace;
}
export interface SandboxPlace {
  of: string;
  ply: number;
  seat: number | null;
}
export interface Result {
  scores: (Score)[];
  winners: (number)[];
}
export interface Score {
  vp: number;
  sparrows: number;
  barge: number;
  cathedral: number;
  trade: number;
  chronicle: { [name: string]: number };
  total: number;
  quarters: number;
  rank: number;
}
export interface RecordPlayer {
  name: string;
}
export interface Record {
  format: "ulm-record/1";
  ruleset: string;
  id?: string | null;
  name?: string | null;
  options: Options;
  players: (RecordPlayer)[];
  seed: RecordSeed;
  moves: (RecordMove)[];
  digests: Digests;
  result: Result | null;
}
export interface RecordLine extends Record {
  replay: ExportedReplay;
}
export interface ExportedReplay {
  imported: Imported | null;
  id: string;
  name: string | null;
  ruleset: string;
  options: Options;
  seats: number;
  players: (ReplayPlayer)[];
  plies: number;
  origin: Origin;
  created_at: string | null;
  started_at: string | null;
  finished_at: string | null;
  result: Result | null;
  edition: string;
  after: string;
}
export type Digests = { [name: string]: string };
export type RecordMove = (string | number | null)[];
export interface RecordSeed {
  server: string;
  clients: (string)[];
  commitment: string;
}
export interface Options {
  rotate_start: boolean;
  tower: boolean;
}
export interface ProblemType {
  kind: string;
  type: string;
  title: string;
  code: number;
  advice: string;
}
export interface Pagination {
  total: number;
  total_pages: number;
  total_exact: boolean;
  first_page?: number;
  last_page?: number;
  page?: number;
  previous_page?: number;
  next_page?: number;
  next_after?: string;
}
export interface Index {
  version: string;
  rulesets: (string)[];
  new_games: string;
  links: { [name: string]: string };
}
export interface Health {
  status: "ok";
}
export interface GameEvent {
  event: "game";
  id: string;
  data: Glance;
}
export interface Glance {
  tag: string;
  ply: number;
  round: number | null;
  status: GameStatus;
  seat: number | null;
  to_move: number | null;
  messages: number | null;
  legal_moves?: (string)[];
  log?: (LogEntry)[];
  moved: number | null;
  own: boolean;
  finished_at: string | null;
  view?: View | null;
}
export interface AccountEvent {
  event: AccountEventName;
  id?: string;
  data: AccountGlance;
}
export interface AccountGlance {
  game: string;
  tag?: string;
  ply?: number;
  round?: number | null;
  status?: GameStatus;
  seat?: number | null;
  to_move?: number | null;
  messages?: number | null;
  moved?: number | null;
  own?: boolean;
  finished_at?: string | null;
  legal_moves?: (string)[];
  log?: (LogEntry)[];
  view?: View | null;
}
export interface ReplayPlayer {
  seat: number;
  player: string | null;
  name: string | null;
  bot: string | null;
  level: number | null;
}
export interface Imported {
  by: string | null;
  name: string | null;
  at: string;
}
export interface View {
  active: number | null;
  bag: ColorCounts;
  coat_seals: { [name: string]: number };
  crests: { [name: string]: number };
  descendants: (string)[];
  discard: (string)[];
  docks: ColorCounts;
  grid: ((string)[])[];
  options: Options;
  outer: { [name: string]: string };
  phase: Phase;
  ply: number;
  quarters: { [name: string]: (number)[] };
  round: number;
  ruleset: string;
  scores: (Score)[] | null;
  start: number;
  turn: Turn;
  pending: (Pending)[];
  tower: (string)[];
  coats_size: number;
  pile_size: number;
  players: (SeatView)[];
}
export interface SeatView {
  barge: number;
  coats: (Slot)[];
  coins: number;
  crests: number;
  descendants: (string)[];
  played: number;
  resigned: boolean;
  seals: number;
  sparrows: number;
  table: (string)[];
  tiles: ColorCounts;
  vp: number;
  hand?: (string)[];
  hand_size: number;
}
export interface ColorCounts {
  gray: number;
  white: number;
  brown: number;
  turquoise: number;
  orange: number;
}
export interface Pending {
  kind: string;
  offer?: (string)[];
  max?: number;
}
export interface Turn {
  activated: ColorCounts;
  credits: Credits;
  exchanged: boolean;
  free_play: boolean;
  levy_paid: boolean;
  patrician: boolean;
  salvaged: boolean;
  slot: Slot | null;
  swapped: boolean;
  tiles: (Color)[];
}
export interface Credits {
  card: number;
  seal: number;
  seal_at_1: number;
  step: number;
}
export interface LogEntry {
  ply: number;
  seat: number;
  move: string;
  at: string | null;
  automatic: boolean;
}
export interface OwnInvitation {
  game: string;
  name: string;
  inviter: string | null;
  inviter_name: string | null;
  rematch_of: string | null;
  invitation: string | null;
  created_at: string;
}
export interface PlayerPage {
  player: string;
  name: string;
  bot: string | null;
  bot_of: string | null;
  private: boolean;
  contact: ContactKind | null;
  results: (Results)[];
  together: Together | null;
  hours: (number)[] | null;
  time_zone: string;
}
export interface Together {
  games: number;
  won: number;
  lost: number;
}
export interface Results {
  seats: number;
  variant: Variant;
  against: Against;
  games: number;
  won: number;
}
export interface FoundPlayer {
  player: string;
  name: string;
  bot_of: string | null;
}
export interface Opponent {
  player: string;
  name: string;
  kind: ContactKind | null;
  games: number;
  last: string | null;
}
export interface Contact {
  player: string;
  name: string;
  kind: ContactKind;
  since: string;
}
export interface Vacation {
  id: string;
  starts_at: string;
  ends_at: string;
  under_way: boolean;
}
export interface Undone {
  ply: number;
  view: View;
}
export interface Played {
  ply: number;
  view: View;
  legal_moves?: (string)[];
  log?: (LogEntry)[];
  applied: number;
}
export interface Token {
  id: string;
  name: string;
  scopes: (Scope)[];
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
}
export interface CreatedToken {
  id: string;
  name: string;
  scopes: (Scope)[];
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  token: string;
}
export interface Statistics {
  games: number;
  kinds: { [name: string]: number };
  plies: Plies;
  plies_per_turn: number;
  resigned_seats: number;
  vp_by_source: { [name: string]: number };
  by_seat: { [name: string]: Share };
  by_turn_order: { [name: string]: Share };
  by_descendant: { [name: string]: Share };
  by_coat: { [name: string]: Share };
  uncounted: number;
  older_left_out: boolean;
}
export interface Share {
  count: number;
  win_rate: number;
  fair: number;
  mean_total: number;
}
export interface Plies {
  mean: number;
  least: number | null;
  most: number | null;
}
export interface Session {
  id: string;
  device: string;
  began_at: string;
  last_used_at: string;
  current: boolean;
}
export interface Timeline {
  id: string;
  plies: (TimelinePly)[];
}
export interface TimelinePly {
  ply: number;
  seat: number;
  move: string;
  at: string | null;
  round: number;
  vp: (number)[];
  text: (string)[];
  changed: (string)[];
}
export interface ReplayState {
  ply: number;
  seat: number | null;
  state: State | View;
}
export interface State {
  active: number | null;
  bag: ColorCounts;
  coat_seals: { [name: string]: number };
  crests: { [name: string]: number };
  descendants: (string)[];
  discard: (string)[];
  docks: ColorCounts;
  grid: ((string)[])[];
  options: Options;
  outer: { [name: string]: string };
  phase: Phase;
  ply: number;
  quarters: { [name: string]: (number)[] };
  round: number;
  ruleset: string;
  scores: (Score)[] | null;
  start: number;
  turn: Turn;
  pending: (Pending)[];
  tower: (string)[];
  chance: number;
  coats: (Slot)[];
  pile: (string)[];
  players: (SeatState)[];
}
export interface SeatState {
  barge: number;
  coats: (Slot)[];
  coins: number;
  crests: number;
  descendants: (string)[];
  played: number;
  resigned: boolean;
  seals: number;
  sparrows: number;
  table: (string)[];
  tiles: ColorCounts;
  vp: number;
  hand: (string)[];
}
export interface Replay {
  imported: Imported | null;
  id: string;
  name: string | null;
  ruleset: string;
  options: Options;
  seats: number;
  players: (ReplayPlayer)[];
  plies: number;
  origin: Origin;
  created_at: string | null;
  started_at: string | null;
  finished_at: string | null;
  result: Result | null;
  edition: string;
}
export interface PuzzleDay {
  day: string;
  id: string;
  game: string;
  ply: number;
  round: number;
  seat: number;
  level: PuzzleLevel;
}
export interface PuzzleVerdict {
  id: string;
  solved: boolean;
  answer: PuzzleTurn;
  solution: PuzzleTurn;
  next_best: PuzzleTurn;
  played: PuzzleTurn;
}
export interface PuzzleTurn {
  moves: (string)[];
  chance: number | null;
  words: (string)[];
}
export interface Puzzle {
  id: string;
  day: string | null;
  game: string;
  name: string;
  players: (string)[];
  ply: number;
  round: number;
  seat: number;
  level: PuzzleLevel;
  turns: number;
  moves: (string)[];
  view: View;
  legal_moves: (string)[];
}
export interface Profile {
  confirmation?: string;
  id: string;
  name: string;
  email: string | null;
  email_confirmed: boolean;
  mail_stopped: MailStopped | null;
  preferences: Preferences;
  created_at: string;
}
export interface Preferences {
  auto_draw: boolean;
  digest_hour: number;
  language: string;
  mail: MailMode;
  private: boolean;
  push: ChannelMode;
  quiet_hours: QuietHours | null;
  theme: string;
  time_zone: string;
  webhook: ChannelMode;
}
export interface QuietHours {
  from: string;
  to: string;
}
export interface MailStopped {
  at: string;
  why: string;
}
export interface Export {
  format: string;
  exported_at: string;
  profile: Profile;
  tokens: (Token)[];
  sessions: (Session)[];
  games: (OwnGame)[];
  messages: (OwnMessage)[];
  vacations: (OwnVacation)[];
  invitations: (SentInvitation)[];
  accepted: (AcceptedInvitation)[];
  contacts: (Contact)[];
  records: (KeptRecord)[];
  bots: (BotAccount)[];
  mails: (OwnMail)[];
  channels: (OwnChannel)[];
  audit: (AuditLine)[];
  stored: Stored;
}
export interface Stored {
  bytes: number;
  most: number;
}
export interface AuditLine {
  at: string;
  what: string;
  network: string | null;
  details: { [name: string]: any };
}
export interface OwnChannel {
  kind: OwnChannelKind;
  address: string;
  settings: { [name: string]: any };
  created_at: string;
  failing_since: string | null;
  deliveries: (OwnDelivery)[];
}
export interface OwnDelivery {
  kind: string;
  game: string | null;
  ply: number | null;
  state: MailState;
  created_at: string;
  due_at: string;
  done_at: string | null;
  error: string | null;
}
export interface OwnMail {
  kind: string;
  game: string | null;
  ply: number | null;
  state: MailState;
  created_at: string;
  due_at: string;
  done_at: string | null;
}
export interface BotAccount {
  player: string;
  handle: string;
  name: string;
  owner: string;
  rules: BotRules;
  playing: number;
  created_at: string;
}
export interface BotRules {
  who: BotFor;
  variants: (Variant)[];
  seats: (number)[];
  private: boolean;
  without_clock: boolean;
  turn_hours_min: number;
  turn_hours_max: number;
  games: number;
}
export interface KeptRecord {
  game: string;
  name: string;
  at: string;
}
export interface AcceptedInvitation {
  game: string;
  address: string;
  created_at: string;
  accepted_at: string | null;
}
export interface SentInvitation {
  game: string;
  address: string | null;
  player: string | null;
  created_at: string;
}
export interface OwnVacation {
  starts_at: string;
  ends_at: string;
  created_at: string;
}
export interface OwnMessage {
  game: string;
  seat: number;
  kind: string | null;
  text: string;
  at: string;
}
export interface OwnGame {
  id: string;
  name: string;
  status: GameStatus;
  origin: Origin;
  options: Options;
  seats: number;
  private: boolean;
  created_by_me: boolean;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  result: Result | null;
  seat: number;
  called: string;
  client_seed: string;
  note: string;
  mail: MailMode | null;
  read_message: number;
  push: ChannelMode | null;
  webhook: ChannelMode | null;
  moves: (OwnMove)[];
}
export interface OwnMove {
  ply: number;
  seat: number;
  move: string;
  at: string | null;
  automatic: boolean;
  undone_at: string | null;
}
export interface Notices {
  mail: MailMode | null;
  push: ChannelMode | null;
  webhook: ChannelMode | null;
}
export interface Note {
  note: string;
}
export interface Message {
  id: number;
  seat: number;
  name: string | null;
  text: string;
  at: string;
}
export interface Verdict {
  valid: boolean;
  plies: number | null;
  ply: number | null;
  message: string | null;
  digest: string | null;
  result: Result | null;
}
export interface Invitation {
  game: string;
  address: string | null;
  player: string | null;
  created_at: string;
}
export interface Log {
  ply: number;
  moves: (LogEntry)[];
}
export interface LegalMoves {
  ply: number;
  moves: (string)[];
}
export interface Game {
  id: string;
  name: string | null;
  status: GameStatus;
  ruleset: string;
  options: Options;
  private: boolean;
  seats: number;
  players: (GamePlayer | null)[];
  seat: number | null;
  ply: number | null;
  to_move: number | null;
  clock: Clock | null;
  start_by: string | null;
  deadline: string | null;
  paused: boolean;
  origin: Origin;
  created_at: string | null;
  started_at: string | null;
  finished_at: string | null;
  result: Result | null;
  creator: string | null;
  commitment: string;
  round: number | null;
  phase: Phase | null;
  view: View | null;
  standing: (Score)[] | null;
  pause_votes: (number)[];
  turn_began_at: string | null;
  extra_seconds: number | null;
  proposal: Proposal | null;
  waits_for: ClockWait | null;
  waits_since: string | null;
  granted_seconds: number | null;
  mail_stopped: (number)[];
  reserve_seconds: (number | null)[] | null;
  edition: string;
  thinking: boolean;
  hints: boolean;
  hints_taken: (number)[];
  invitation: string | null;
  invited: (Invitee)[];
  rematch_of: string | null;
  rematch: string | null;
}
export interface Invitee {
  player: string | null;
  name: string | null;
  address: string | null;
  inviter: string | null;
  created_at: string;
  state: InvitationState;
  reached: boolean;
}
export interface Proposal {
  id: string;
  kind: ProposalKind;
  by: number;
  seat: number | null;
  bot: string | null;
  hours: number | null;
  agreed: (number)[];
  asked: (number)[];
  ends_at: string;
  accepted: boolean;
  invitation: string | null;
}
export interface Clock {
  turn_hours: number;
  reserve_hours: number;
  night: Night | null;
  weekends_off: boolean;
  due_time: string | null;
  reminders: (number)[];
  on_timeout: OnTimeout;
  vacation_days: number;
  start_by: string | null;
}
export interface Night {
  from: string;
  to: string;
}
export interface GamePlayer {
  seat: number;
  player: string | null;
  name: string;
  bot: string | null;
  bot_of: string | null;
  autopilot: boolean;
}
export interface ListedGame {
  id: string;
  name: string | null;
  status: GameStatus;
  ruleset: string;
  options: Options;
  private: boolean;
  seats: number;
  players: (GamePlayer | null)[];
  seat: number | null;
  ply: number | null;
  to_move: number | null;
  clock: Clock | null;
  start_by: string | null;
  deadline: string | null;
  paused: boolean;
  origin: Origin;
  created_at: string | null;
  started_at: string | null;
  finished_at: string | null;
  result: Result | null;
  free_seats: number;
}
export interface Bot {
  name: string;
  labels: { [name: string]: string };
  descriptions: { [name: string]: string };
  level: number;
  seconds: number;
  at_once: boolean;
  served_by: string;
}
export interface BotWithToken {
  player: string;
  handle: string;
  name: string;
  owner: string;
  rules: BotRules;
  playing: number;
  created_at: string;
  token: string;
}
export interface Analysis {
  plies: (AnalysedPly)[];
  seats: (AnalysedSeat)[];
  moments: (DecisiveMove)[];
  strokes: (LuckyMove)[];
  id: string;
  version: string;
}
export interface LuckyMove {
  ply: number;
  round: number;
  seat: number;
  move: string;
  luck: (number)[];
}
export interface DecisiveMove {
  ply: number;
  round: number;
  seat: number;
  move: string;
  loss: number;
  before: number;
  instead: (string)[];
}
export interface AnalysedSeat {
  seat: number;
  first: number;
  last: number;
  luck: number;
  offered: number;
  error: number;
  others: number;
  rounds: (AnalysedRound)[];
}
export interface AnalysedRound {
  round: number;
  luck: number;
  offered: number;
  error: number;
  others: number;
}
export interface AnalysedPly {
  ply: number;
  round: number;
  seat: number;
  chances: (number)[];
  luck: (number)[];
  offered: (number)[];
  error: (number)[];
}
export interface AnalysisUnderWay {
  id: string;
  status: AnalysisStatus;
  done: number;
  plies: number;
}
export interface Hint {
  ply: number;
  ready: boolean;
  bot: string;
  moves: (AdvisedMove)[];
}
export interface AdvisedMove {
  move: string;
  effects: (string)[];
}
export interface Channel {
  id: string;
  kind: ChannelKind;
  name: string;
  shape: WebhookShape;
  address: string | null;
  created_at: string;
  failing_since: string | null;
  deliveries: (Delivery)[];
}
export interface Delivery {
  kind: string;
  game: string | null;
  state: MailState;
  at: string;
  error: string | null;
}
export interface CreatedChannel {
  id: string;
  kind: ChannelKind;
  name: string;
  shape: WebhookShape;
  address: string | null;
  created_at: string;
  failing_since: string | null;
  deliveries: (Delivery)[];
  signing_secret: string | null;
}
export interface CreatedPlayer {
  id: string;
  name: string;
  token: string;
  confirmation?: string;
}
export interface Error {
  code: number;
  status: string;
  message: string;
  errors: { [name: string]: any };
  type: string;
  title: string;
  detail: string;
  instance: string;
}
export interface PaginationMetadata {
  total?: number;
  total_pages?: number;
  first_page?: number;
  last_page?: number;
  page?: number;
  previous_page?: number;
  next_page?: number;
}
export interface NewPlayer {
  name: string;
  email?: string | null;
}
export interface ChangedPreferences {
  auto_draw?: boolean;
  digest_hour?: number;
  language?: Language;
  mail?: MailMode;
  private?: boolean;
  push?: ChannelMode;
  quiet_hours?: QuietHours | null;
  theme?: PageTheme;
  time_zone?: string;
  webhook?: ChannelMode;
}
export interface ChangedProfile {
  name?: string;
  email?: string | null;
  preferences?: ChangedPreferences;
}
export interface Confirmation {
  token: string;
}
export interface NewToken {
  name?: string;
  scopes?: (Scope)[] | null;
  expires_at?: string | null;
}
export interface RenamedToken {
  name: string;
}
export interface ChangedContact {
  kind: ContactKind;
}
export interface GivenBotRules {
  who?: BotFor;
  variants?: (Variant)[];
  seats?: (number)[];
  private?: boolean;
  without_clock?: boolean;
  turn_hours_min?: number;
  turn_hours_max?: number;
  games?: number;
}
export interface NewBot {
  handle: string;
  name?: string | null;
  rules?: GivenBotRules | null;
}
export interface ChangedBot {
  name?: string | null;
  rules?: GivenBotRules | null;
}
export interface GameOptions {
  rotate_start?: boolean;
  tower?: boolean;
}
export interface NewNight {
  from: string;
  to: string;
}
export interface NewClock {
  turn_hours: number;
  reserve_hours?: number;
  night?: NewNight | null;
  weekends_off?: boolean;
  due_time?: string | null;
  reminders?: (number)[];
  on_timeout?: OnTimeout;
  vacation_days?: number;
  start_by?: string | null;
}
export interface NewGame {
  seats: number;
  name?: string | null;
  options?: GameOptions;
  client_seed?: string;
  bots?: (string)[];
  private?: boolean;
  hints?: boolean;
  clock?: NewClock | null;
}
export interface Join {
  client_seed?: string;
  invitation?: string | null;
}
export interface Fill {
  bot?: string;
}
export interface NewInvitation {
  address?: string;
  player?: string;
}
export interface NewMessage {
  text: string;
}
export interface ChangedNote {
  note: string;
}
export interface ChangedNotices {
  mail: MailMode | null;
  push?: ChannelMode | null;
  webhook?: ChannelMode | null;
}
export interface Moves {
  ply: number;
  moves: (string)[];
}
export interface Undo {
  ply: number;
}
export interface NewVacation {
  starts_at?: string | null;
  ends_at: string;
}
export type Request = { [name: string]: any };
export interface NewChannel {
  shape: WebhookShape;
  address: string;
  token?: string;
}
export interface NewProposal {
  kind: ProposalKind;
  seat?: number | null;
  bot?: string | null;
  hours?: number | null;
}
export interface AnswerToProposal {
  id: string;
  agree: boolean;
}
export interface Branch {
  ply: number;
  seat?: number | null;
  bots?: (string | null)[] | null;
  name?: string | null;
}
export interface PuzzleAnswer {
  moves: (string)[];
}
export type GameStatus = "open" | "running" | "finished" | "abandoned";
export type GameSort = "newest" | "deadline";
export type Include = "legal_moves" | "view" | "log";
export type Origin = "played" | "imported" | "example" | "sandbox";
export type BoardTheme = "light" | "dark" | "colour-blind" | "colour-blind-dark";
export type Language = "en" | "de" | "it";
export type FrameEach = "turn" | "round";
export type BoardLayout = "wide" | "narrow" | "desk" | "square" | "town";
export type AccountEventName = "game" | "left";
export type Phase = "draw" | "keep" | "push" | "actions" | "over";
export type Slot = "N1" | "N2" | "N3" | "E1" | "E2" | "E3" | "S1" | "S2" | "S3" | "W1" | "W2" | "W3";
export type Color = "gray" | "white" | "brown" | "turquoise" | "orange";
export type ContactKind = "friend" | "muted" | "blocked";
export type Variant = "basic" | "advanced";
export type Against = "people" | "bots";
export type Scope = "read" | "play" | "account";
export type PuzzleLevel = "easy" | "medium" | "hard";
export type MailMode = "at_once" | "digest" | "reminders" | "mute";
export type ChannelMode = "at_once" | "reminders" | "mute";
export type OwnChannelKind = "push" | "webhook" | "feed";
export type MailState = "pending" | "sending" | "sent" | "skipped" | "dead";
export type BotFor = "everybody" | "owner" | "nobody";
export type ClockWait = "notice" | "mail" | "operator";
export type InvitationState = "waiting" | "accepted" | "declined" | "left";
export type ProposalKind = "replace" | "end" | "time" | "take_back";
export type OnTimeout = "steady" | "resign";
export type AnalysisStatus = "waiting" | "running" | "failed";
export type ChannelKind = "push" | "webhook";
export type WebhookShape = "json" | "discord" | "slack" | "matrix" | "ntfy";
export type PageTheme = "auto" | "light" | "dark" | "colour-blind" | "colour-blind-dark" | "colour-blind-auto";
export interface Operations {
  "POST /players": { takes: {  } & NewPlayer; gives: CreatedPlayer };
  "GET /players": { takes: { name: string }; gives: (FoundPlayer)[] };
  "GET /players/me": { takes: {  }; gives: Profile };
  "PATCH /players/me": { takes: {  } & ChangedProfile; gives: Profile };
  "DELETE /players/me": { takes: {  }; gives: null };
  "GET /players/me/export": { takes: {  }; gives: Export };
  "POST /players/me/confirmation": { takes: {  }; gives: null };
  "PUT /players/me/confirmation": { takes: {  } & Confirmation; gives: null };
  "GET /players/me/tokens": { takes: {  }; gives: (Token)[] };
  "POST /players/me/tokens": { takes: {  } & NewToken; gives: CreatedToken };
  "PATCH /players/me/tokens/{token_id}": { takes: { token_id: string | number } & RenamedToken; gives: Token };
  "DELETE /players/me/tokens/{token_id}": { takes: { token_id: string | number }; gives: null };
  "GET /players/me/sessions": { takes: {  }; gives: (Session)[] };
  "DELETE /players/me/sessions/{session_id}": { takes: { session_id: string | number }; gives: null };
  "GET /players/{player_id}": { takes: { player_id: string | number }; gives: PlayerPage };
  "GET /players/me/contacts": { takes: {  }; gives: (Contact)[] };
  "PUT /players/me/contacts/{player_id}": { takes: { player_id: string | number } & ChangedContact; gives: Contact };
  "DELETE /players/me/contacts/{player_id}": { takes: { player_id: string | number }; gives: null };
  "GET /players/me/opponents": { takes: {  }; gives: (Opponent)[] };
  "GET /players/me/invitations": { takes: {  }; gives: (OwnInvitation)[] };
  "DELETE /players/me/invitations/{game_id}": { takes: { game_id: string | number }; gives: null };
  "GET /players/me/bots": { takes: {  }; gives: (BotAccount)[] };
  "POST /players/me/bots": { takes: {  } & NewBot; gives: BotWithToken };
  "GET /players/me/bots/{handle}": { takes: { handle: string | number }; gives: BotAccount };
  "PATCH /players/me/bots/{handle}": { takes: { handle: string | number } & ChangedBot; gives: BotAccount };
  "DELETE /players/me/bots/{handle}": { takes: { handle: string | number }; gives: null };
  "POST /players/me/bots/{handle}/token": { takes: { handle: string | number }; gives: BotWithToken };
  "GET /games": { takes: { page?: number; page_size?: number; after?: string; status?: GameStatus; player?: string; to_move?: "me"; sort?: GameSort }; gives: (ListedGame)[] };
  "POST /games": { takes: {  } & NewGame; gives: Game };
  "GET /games/{game_id}": { takes: { game_id: string | number; invitation?: string }; gives: Game };
  "POST /games/{game_id}/players": { takes: { game_id: string | number } & Join; gives: Game };
  "POST /games/{game_id}/bots": { takes: { game_id: string | number } & Fill; gives: Game };
  "POST /games/{game_id}/rematch": { takes: { game_id: string | number }; gives: Game };
  "DELETE /games/{game_id}/players/me": { takes: { game_id: string | number }; gives: null };
  "GET /bots": { takes: {  }; gives: (Bot)[] };
  "GET /bots/accounts": { takes: { page?: number; page_size?: number }; gives: (BotAccount)[] };
  "POST /games/{game_id}/invitations": { takes: { game_id: string | number } & NewInvitation; gives: Invitation };
  "GET /games/{game_id}/messages": { takes: { game_id: string | number; since?: number }; gives: (Message)[] };
  "POST /games/{game_id}/messages": { takes: { game_id: string | number } & NewMessage; gives: Message };
  "GET /games/{game_id}/note": { takes: { game_id: string | number }; gives: Note };
  "PUT /games/{game_id}/note": { takes: { game_id: string | number } & ChangedNote; gives: Note };
  "GET /games/{game_id}/notices": { takes: { game_id: string | number }; gives: Notices };
  "PUT /games/{game_id}/notices": { takes: { game_id: string | number } & ChangedNotices; gives: Notices };
  "GET /games/{game_id}/legal-moves": { takes: { game_id: string | number }; gives: LegalMoves };
  "GET /games/{game_id}/moves": { takes: { game_id: string | number; since?: number }; gives: Log };
  "POST /games/{game_id}/moves": { takes: { game_id: string | number; include?: (Include)[] } & Moves; gives: Played };
  "POST /games/{game_id}/preview": { takes: { game_id: string | number } & Moves; gives: Played };
  "POST /games/{game_id}/undo": { takes: { game_id: string | number } & Undo; gives: Undone };
  "GET /games/{game_id}/hint": { takes: { game_id: string | number }; gives: Hint };
  "POST /games/{game_id}/hint": { takes: { game_id: string | number }; gives: Hint };
  "GET /games/{game_id}/events": { takes: { game_id: string | number; include?: (Include)[] }; gives: string };
  "GET /events": { takes: { include?: (Include)[] }; gives: string };
  "GET /players/me/vacations": { takes: {  }; gives: (Vacation)[] };
  "POST /players/me/vacations": { takes: {  } & NewVacation; gives: Vacation };
  "DELETE /players/me/vacations/{vacation_id}": { takes: { vacation_id: string | number }; gives: null };
  "POST /games/{game_id}/pause": { takes: { game_id: string | number } & Request; gives: Game };
  "DELETE /games/{game_id}/pause": { takes: { game_id: string | number }; gives: Game };
  "POST /games/{game_id}/return": { takes: { game_id: string | number } & Request; gives: Game };
  "GET /players/me/channels": { takes: {  }; gives: (Channel)[] };
  "POST /players/me/channels": { takes: {  } & NewChannel; gives: CreatedChannel };
  "POST /players/me/channels/{channel_id}/trials": { takes: { channel_id: string | number } & Request; gives: null };
  "DELETE /players/me/channels/{channel_id}": { takes: { channel_id: string | number }; gives: null };
  "POST /games/{game_id}/proposal": { takes: { game_id: string | number } & NewProposal; gives: Game };
  "PUT /games/{game_id}/proposal": { takes: { game_id: string | number } & AnswerToProposal; gives: Game };
  "GET /replays": { takes: { page?: number; page_size?: number; after?: string; player?: string; tower?: boolean; rotate_start?: boolean; seats?: number; origin?: Origin; winner?: string; from?: string; to?: string; score_min?: number; score_max?: number }; gives: (Replay)[] };
  "POST /replays": { takes: {  } & Record; gives: Replay };
  "POST /replays/verify": { takes: {  } & Record; gives: Verdict };
  "GET /replays/{game_id}": { takes: { game_id: string | number }; gives: Replay };
  "GET /replays/{game_id}/record": { takes: { game_id: string | number; v?: string }; gives: Record | Sandbox };
  "GET /replays/{game_id}/states/{ply}": { takes: { game_id: string | number; ply: string | number; v?: string; seat?: number }; gives: ReplayState };
  "GET /replays/{game_id}/states": { takes: { game_id: string | number; v?: string; from?: number; to?: number; seat?: number }; gives: string };
  "POST /replays/{game_id}/branches": { takes: { game_id: string | number } & Branch; gives: Game };
  "GET /replays/{game_id}/timeline": { takes: { game_id: string | number; v?: string }; gives: Timeline };
  "GET /replays/{game_id}/analysis": { takes: { game_id: string | number }; gives: Analysis | AnalysisUnderWay };
  "POST /replays/{game_id}/analysis": { takes: { game_id: string | number }; gives: Analysis | AnalysisUnderWay };
  "GET /puzzles": { takes: { before?: string; page_size?: number }; gives: (PuzzleDay)[] };
  "GET /puzzles/{which}": { takes: { which: string | number; moves?: string }; gives: Puzzle };
  "POST /puzzles/{which}/answer": { takes: { which: string | number } & PuzzleAnswer; gives: PuzzleVerdict };
  "GET /replays/statistics": { takes: { player?: string; tower?: boolean; rotate_start?: boolean; seats?: number; origin?: Origin; winner?: string; from?: string; to?: string; score_min?: number; score_max?: number }; gives: Statistics };
  "GET /replays/{game_id}/export.html": { takes: { game_id: string | number; seat?: number; theme?: BoardTheme; language?: Language }; gives: string };
  "GET /replays/export": { takes: { player?: string; tower?: boolean; rotate_start?: boolean; seats?: number; origin?: Origin; winner?: string; from?: string; to?: string; score_min?: number; score_max?: number; after?: string }; gives: string };
  "GET /replays/{game_id}/export.gif": { takes: { game_id: string | number; seat?: number; theme?: BoardTheme; language?: Language; width?: number; each?: FrameEach }; gives: Blob };
  "GET /games/{game_id}/board.svg": { takes: { game_id: string | number; v?: string; ply?: number; theme?: BoardTheme; size?: number; layout?: BoardLayout; language?: Language }; gives: string };
  "GET /games/{game_id}/board.txt": { takes: { game_id: string | number; v?: string; ply?: number; width?: number; full?: boolean; ascii?: boolean; language?: Language }; gives: string };
  "GET /replays/{game_id}/board.svg": { takes: { game_id: string | number; v?: string; ply?: number; theme?: BoardTheme; size?: number; layout?: BoardLayout; language?: Language; seat?: number }; gives: string };
  "GET /replays/{game_id}/board.txt": { takes: { game_id: string | number; v?: string; ply?: number; width?: number; full?: boolean; ascii?: boolean; language?: Language; seat?: number }; gives: string };
  "GET /healthz": { takes: {  }; gives: Health };
  "GET /readyz": { takes: {  }; gives: Health };
  "GET /": { takes: {  }; gives: Index };
  "GET /problems": { takes: {  }; gives: (ProblemType)[] };
  "GET /problems/{kind}": { takes: { kind: string | number }; gives: ProblemType };
}
