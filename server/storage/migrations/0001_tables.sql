-- Somebody with an account.
CREATE TABLE player (
    id VARCHAR(32) NOT NULL PRIMARY KEY,  -- random
    name TEXT NOT NULL,
    email TEXT,
    email_confirmed_at VARCHAR(20),  -- no mail before that
    preferences TEXT NOT NULL,  -- JSON, what differs from the defaults
    created_at VARCHAR(20) NOT NULL,
    mail_stopped_at VARCHAR(20),  -- a mail to the address came back: none is sent until it is confirmed again
    mail_stopped_why TEXT,
    link_epoch INTEGER NOT NULL DEFAULT 0,  -- links and sessions of an earlier one are worthless (service/accounts/links.py)
    email_given_at VARCHAR(20),  -- null: before that was noted
    stored_bytes BIGINT NOT NULL DEFAULT 0,  -- what the player has stored, about (service/accounts/stored_bytes.py)
    banned_at VARCHAR(20)  -- by the operator: nobody is let into the account, no mail goes to it
);
CREATE INDEX player_banned ON player (banned_at) WHERE banned_at IS NOT NULL;
CREATE INDEX player_mail_stopped ON player (mail_stopped_at) WHERE mail_stopped_at IS NOT NULL;

-- Which accounts are those of programs, and whose.
CREATE TABLE bot_account (
    player_id VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES player (id) ON DELETE CASCADE,
    owner_id VARCHAR(32) NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    handle VARCHAR(24) NOT NULL,  -- by which it is seated, without the @
    who VARCHAR(10) NOT NULL,  -- may seat it
    rules TEXT NOT NULL,  -- JSON: what it plays (service/accounts/bot_accounts.py)
    created_at VARCHAR(20) NOT NULL
);
CREATE UNIQUE INDEX bot_account_handle ON bot_account (handle);
CREATE INDEX bot_account_owner_id ON bot_account (owner_id);

-- A bearer token, only its hash is kept.
CREATE TABLE token (
    id {serial},
    player_id VARCHAR(32) NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    hash VARCHAR(64) NOT NULL,  -- SHA-256, hex
    name TEXT NOT NULL,
    created_at VARCHAR(20) NOT NULL,
    last_used_at VARCHAR(20),  -- written at most hourly
    revoked_at VARCHAR(20),
    scopes VARCHAR(60) NOT NULL DEFAULT 'read play account',  -- what it may do, words with blanks between
    expires_at VARCHAR(20)
);
CREATE UNIQUE INDEX token_hash ON token (hash);
CREATE INDEX token_player_id ON token (player_id);

-- A browser that is signed in, only the hash of its token is kept.
CREATE TABLE session (
    hash VARCHAR(64) NOT NULL PRIMARY KEY,  -- of the token, hex
    player_id VARCHAR(32) NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    device VARCHAR(80) NOT NULL,  -- browser and system in two words
    began_at VARCHAR(20) NOT NULL,
    seen_at VARCHAR(20) NOT NULL,  -- written at most hourly
    fresh_at VARCHAR(20)  -- when a link by mail has begun it; null: it began otherwise
);
CREATE INDEX session_player_id ON session (player_id);

-- A time in which no deadline of the player runs.
CREATE TABLE vacation (
    id {serial},
    player_id VARCHAR(32) NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    starts_at VARCHAR(20) NOT NULL,
    ends_at VARCHAR(20) NOT NULL,
    created_at VARCHAR(20) NOT NULL
);
CREATE INDEX vacation_player_id ON vacation (player_id);

-- A table: what it is played under, its secret, and where it stands.
CREATE TABLE game (
    id VARCHAR(32) NOT NULL PRIMARY KEY,  -- random, short enough for an address
    name TEXT NOT NULL,  -- the words of who named it; empty where the server did (service/common/naming.py)
    status VARCHAR(16) NOT NULL,  -- open, running, finished, abandoned
    ruleset VARCHAR(32) NOT NULL,
    options TEXT NOT NULL,  -- JSON
    seats INTEGER NOT NULL,
    creator_id VARCHAR(32) REFERENCES player (id) ON DELETE SET NULL,
    private {boolean} NOT NULL,
    invitation VARCHAR(64),  -- lets somebody into a private game
    server_seed VARCHAR(64) NOT NULL,  -- hex; secret until the game is over
    commitment VARCHAR(64) NOT NULL,
    ply INTEGER NOT NULL,  -- of the newest move that stands
    public_ply INTEGER NOT NULL,  -- the same for all but the active seat: a newest `draw` is not counted
    to_move INTEGER,
    version INTEGER NOT NULL,  -- grows with every change; never shown, because it counts draws
    result TEXT,  -- JSON {"scores", "winners"} when finished
    origin VARCHAR(16) NOT NULL,  -- played, imported, example, sandbox
    created_at VARCHAR(20) NOT NULL,
    started_at VARCHAR(20),
    finished_at VARCHAR(20),
    clock TEXT,  -- JSON (service/games/clock.py); null: no deadlines
    turn_began_at VARCHAR(20),
    deadline VARCHAR(20),  -- of the turn under way
    paused_at VARCHAR(20),
    start_by VARCHAR(20),  -- an open game that has not started by then is abandoned
    unplayed {boolean} NOT NULL DEFAULT {false},  -- finished before as many turns were ended as there are seats
    title VARCHAR(16),  -- which title the server gave
    title_player_id VARCHAR(32) REFERENCES player (id) ON DELETE SET NULL,  -- whom that names
    title_plies TEXT,  -- of sandboxes: at which plies they left the game that is called so
    turn_notice VARCHAR(200),  -- key of the turn's mail, until the clock knows what became of it
    lost_since VARCHAR(20),  -- of the turn under way: its notice could have gone out then, and did not
    lost_until VARCHAR(20),  -- until then; null: it waits still
    granted_seconds INTEGER,  -- so much time of the turn was lost by that, and does not count
    tower {boolean} NOT NULL DEFAULT {false},  -- for lists, as `options` says
    rotate_start {boolean} NOT NULL DEFAULT {false},  -- likewise
    winner_total INTEGER,  -- for lists, as `result` says: the points of its first winner
    hints {boolean} NOT NULL DEFAULT {false},  -- allowed among people
    archived INTEGER NOT NULL DEFAULT 0,  -- 1: its log lies in `ArchivedLog`; 2: it was put back by hand, and stays
    held {boolean} NOT NULL DEFAULT {false}  -- by the operator: no player ends the pause
);
CREATE INDEX game_best ON game (private, unplayed, status, winner_total, finished_at);
CREATE INDEX game_created_at ON game (created_at);
CREATE INDEX game_creator_id ON game (creator_id);
CREATE INDEX game_deadline ON game (deadline);
CREATE INDEX game_finished_at ON game (finished_at);
CREATE INDEX game_last_over ON game (private, unplayed, status, finished_at DESC, id,
    winner_total, seats, tower, rotate_start, origin);
CREATE INDEX game_last_started ON game (private, unplayed, status, started_at DESC, id);
CREATE INDEX game_newest ON game (private, unplayed, created_at DESC, id);
CREATE INDEX game_newest_of_status ON game (private, unplayed, status, created_at DESC, id);
CREATE INDEX game_origin ON game (origin);
CREATE INDEX game_start_by ON game (start_by);
CREATE INDEX game_status ON game (status);
CREATE INDEX game_title_player_id ON game (title_player_id);
CREATE INDEX game_to_archive ON game (finished_at, id) WHERE status = 'finished' AND archived <> 1;
CREATE INDEX game_turn_notice ON game (id) WHERE turn_notice IS NOT NULL;
CREATE INDEX game_unplayed ON game (finished_at) WHERE unplayed = {true};

-- Who sits where: a player, a bot, nobody yet, or (imported games) a name alone.
CREATE TABLE seat (
    id {serial},
    game_id VARCHAR(32) NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    player_id VARCHAR(32) REFERENCES player (id) ON DELETE SET NULL,
    bot VARCHAR(32),
    name TEXT,  -- null: the seat is free
    client_seed TEXT NOT NULL,
    mail VARCHAR(16),  -- this game's notices; null: as the player's preferences say
    reserve_seconds INTEGER,  -- left of the clock's reserve
    timeouts INTEGER NOT NULL DEFAULT 0,  -- in a row
    autopilot {boolean} NOT NULL DEFAULT {false},  -- the server plays until the player comes back
    wants_pause {boolean} NOT NULL DEFAULT {false},
    note TEXT,  -- the player's own; nobody else reads it
    name_kind VARCHAR(16),  -- of a name that the server gave; null: words of somebody
    named_after_id VARCHAR(32) REFERENCES player (id) ON DELETE SET NULL,  -- in sandboxes
    won {boolean} NOT NULL DEFAULT {false},  -- for lists, as the game's `result` says
    listed VARCHAR(24) NOT NULL DEFAULT 'open',  -- for lists, as the game says (service/games/listing_keys.py)
    created_at VARCHAR(20),  -- likewise
    finished_at VARCHAR(20)  -- likewise
);
CREATE UNIQUE INDEX seat_game_id_player_id ON seat (game_id, player_id);
CREATE UNIQUE INDEX seat_game_id_seat ON seat (game_id, seat);
CREATE INDEX seat_last_over ON seat (player_id, listed, finished_at DESC, game_id);
CREATE INDEX seat_named_after_id ON seat (named_after_id);
CREATE INDEX seat_newest ON seat (player_id, listed, created_at DESC, game_id);
CREATE INDEX seat_won ON seat (player_id, listed, finished_at DESC, game_id) WHERE won;

-- The append-only log. Rows are never changed but for an undo, which marks them, those of a game that is long over
-- move to `ArchivedLog`.
CREATE TABLE move (
    id {bigserial},
    game_id VARCHAR(32) NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    ply INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    move TEXT NOT NULL,
    played_at VARCHAR(20),  -- null: an imported record did not tell
    automatic {boolean} NOT NULL,  -- a `draw` that the server made for the player
    undone_at VARCHAR(20)
);
CREATE INDEX move_game_id ON move (game_id);
CREATE UNIQUE INDEX move_game_id_ply_standing ON move (game_id, ply) WHERE undone_at IS NULL;

-- The log of a game that is long over, instead of its rows (service/games/move_log.py).
CREATE TABLE archived_log (
    game_id VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    moves INTEGER NOT NULL,  -- how many rows it stands for
    log {blob} NOT NULL
);

-- A disposable copy of the newest state, written in the transaction that writes the log.
CREATE TABLE snapshot (
    game_id VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    ply INTEGER NOT NULL,
    state TEXT NOT NULL,  -- canonical JSON (record.md §4)
    before TEXT  -- the state before the newest move, when that is a `draw`
);

-- The record of an imported game as it was given, canonicalised, unknown keys included.
CREATE TABLE imported_record (
    game_id VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    player_id VARCHAR(32) REFERENCES player (id) ON DELETE SET NULL,
    digest VARCHAR(64) NOT NULL,  -- SHA-256 of the text: the same record is kept once
    text TEXT NOT NULL
);
CREATE UNIQUE INDEX imported_record_digest ON imported_record (digest);
CREATE INDEX imported_record_player_id ON imported_record (player_id);

-- Where a sandbox begins: its ply 0, which its log goes on from. Never changed.
CREATE TABLE sandbox (
    game_id VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    position TEXT NOT NULL,  -- canonical JSON (record.md §4)
    of_game VARCHAR(32) NOT NULL,  -- the game that it left; no reference, that may be gone
    of_ply INTEGER NOT NULL,
    of_seat INTEGER  -- whose knowledge it was made of; null: a finished game, all open
);

-- Somebody who was invited to a game by mail.
CREATE TABLE invitation (
    id {serial},
    game_id VARCHAR(32) NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    inviter_id VARCHAR(32) REFERENCES player (id) ON DELETE SET NULL,
    address TEXT NOT NULL,
    created_at VARCHAR(20) NOT NULL,
    accepted_at VARCHAR(20),
    player_id VARCHAR(32) REFERENCES player (id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX invitation_game_id_address ON invitation (game_id, address);
CREATE INDEX invitation_inviter_id ON invitation (inviter_id);
CREATE INDEX invitation_player_id ON invitation (player_id);

-- What a player wrote to the others of a game.
CREATE TABLE message (
    id {bigserial},
    game_id VARCHAR(32) NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    player_id VARCHAR(32) REFERENCES player (id) ON DELETE SET NULL,
    text TEXT NOT NULL,
    created_at VARCHAR(20) NOT NULL
);
CREATE INDEX message_game_id ON message (game_id);
CREATE INDEX message_player_id ON message (player_id);

-- A link that works once and was used.
CREATE TABLE used_link (
    hash VARCHAR(64) NOT NULL PRIMARY KEY,  -- SHA-256 of the token, hex
    expires_at VARCHAR(20) NOT NULL
);
CREATE INDEX used_link_expires_at ON used_link (expires_at);

-- What the token of a link in a mail leads to.
CREATE TABLE short_link (
    token VARCHAR(26) NOT NULL PRIMARY KEY,  -- random (service/accounts/links.py)
    key VARCHAR(100) NOT NULL,  -- what it is for, so that it is made once
    purpose VARCHAR(16) NOT NULL,
    claims TEXT NOT NULL,  -- JSON
    game_id VARCHAR(32) REFERENCES game (id) ON DELETE CASCADE,
    player_id VARCHAR(32) REFERENCES player (id) ON DELETE CASCADE,
    epoch INTEGER NOT NULL,  -- the player's link epoch when it was made; 0 where that is not asked for
    created_at VARCHAR(20) NOT NULL  -- the newest time for which it was made
);
CREATE INDEX short_link_game_id ON short_link (game_id);
CREATE UNIQUE INDEX short_link_key ON short_link (key);
CREATE INDEX short_link_player_id ON short_link (player_id);
CREATE INDEX short_link_purpose_created_at ON short_link (purpose, created_at);

-- The outbox: one row for each mail, written in the transaction that causes it.
CREATE TABLE mail (
    id {bigserial},
    key VARCHAR(200) NOT NULL,  -- what the mail is about, so that it is written once
    kind VARCHAR(32) NOT NULL,
    game_id VARCHAR(32) REFERENCES game (id) ON DELETE CASCADE,
    ply INTEGER,
    player_id VARCHAR(32) REFERENCES player (id) ON DELETE CASCADE,
    address TEXT,  -- where there is no player yet, or not the player's present address
    data TEXT NOT NULL,  -- JSON
    state VARCHAR(12) NOT NULL,  -- pending, sending, sent, skipped, dead
    due_at VARCHAR(20) NOT NULL,
    attempts INTEGER NOT NULL,
    lease_owner VARCHAR(64),
    lease_until VARCHAR(20),
    created_at VARCHAR(20) NOT NULL,
    done_at VARCHAR(20),
    message_id VARCHAR(200),
    error TEXT,
    fault VARCHAR(6),  -- of the last try, where it failed: ours, theirs
    bounce_token VARCHAR(26),  -- random: finds the mail when it comes back
    sent_to VARCHAR(32),  -- of a mail that was handed over: its address as a hash
    tried_at VARCHAR(20),  -- when a try failed the last time
    refused_at VARCHAR(20),  -- when it was first refused for good, by an answer about its reader or it
    request VARCHAR(64)  -- the id of that which caused it
);
CREATE UNIQUE INDEX mail_bounce_token ON mail (bounce_token);
CREATE INDEX mail_game_id ON mail (game_id);
CREATE UNIQUE INDEX mail_key ON mail (key);
CREATE INDEX mail_player_id ON mail (player_id);
CREATE INDEX mail_state_done_at ON mail (state, done_at);
CREATE INDEX mail_state_due_at ON mail (state, due_at);

-- A time in which no mail is sent, by the operator's word or because none can be.
CREATE TABLE mail_pause (
    id {bigserial},
    cause VARCHAR(8) NOT NULL,  -- operator, fault
    why TEXT NOT NULL,
    since VARCHAR(20) NOT NULL,
    ended_at VARCHAR(20),
    retry_at VARCHAR(20),  -- of a fault: when one mail tries whether it is over
    failures INTEGER NOT NULL,
    alarmed_at VARCHAR(20),
    heeded_at VARCHAR(20)  -- of an operator's that is over: when every clock went on from where it stood
);
CREATE UNIQUE INDEX mail_pause_open ON mail_pause (cause) WHERE ended_at IS NULL;

-- How many mails became what, since the beginning.
CREATE TABLE mail_tally (
    name VARCHAR(12) NOT NULL PRIMARY KEY,
    total BIGINT NOT NULL
);

-- Where nobody wants mail from this server.
CREATE TABLE blocked_mailbox (
    hash VARCHAR(32) NOT NULL PRIMARY KEY,  -- service/outbox/stranger_mail.py
    created_at VARCHAR(20) NOT NULL
);

-- A mail that came to an address of ours and was worth a look (service/outbox/received_mail.py).
CREATE TABLE received_mail (
    id {bigserial},
    key VARCHAR(32) NOT NULL,  -- hash of the address and the Message-ID: the same mail is done once
    at VARCHAR(20) NOT NULL,
    door VARCHAR(8) NOT NULL,  -- play, talk, bounce, check
    address VARCHAR(32) NOT NULL,  -- hash of its token
    player VARCHAR(32),  -- hash of the id of whose token it is
    outcome VARCHAR(8) NOT NULL,  -- done, again, dropped; of checks awaited, done
    why VARCHAR(60) NOT NULL,
    size INTEGER NOT NULL,
    tries INTEGER NOT NULL  -- that failed by a mistake of ours
);
CREATE INDEX receivedmail_address_at ON received_mail (address, at);
CREATE INDEX receivedmail_at ON received_mail (at);
CREATE UNIQUE INDEX receivedmail_key ON received_mail (key);
CREATE INDEX receivedmail_player_at ON received_mail (player, at);

-- How many mails came in on a day, by what became of them.
CREATE TABLE received_count (
    day VARCHAR(10) NOT NULL,
    what VARCHAR(70) NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (day, what)
);

-- What the first answer to a request with an Idempotency-Key can be made of again (`common/idempotency`).
CREATE TABLE reply (
    id {serial},
    name VARCHAR(20) NOT NULL,  -- hash of whose key it is, what for, and which
    request VARCHAR(12) NOT NULL,  -- hash of what was asked
    player_id VARCHAR(32) REFERENCES player (id) ON DELETE CASCADE,
    game_id VARCHAR(32) REFERENCES game (id) ON DELETE CASCADE,
    status INTEGER NOT NULL,
    told TEXT NOT NULL,  -- JSON
    created_at VARCHAR(20) NOT NULL
);
CREATE INDEX reply_game_id_player_id ON reply (game_id, player_id);
CREATE UNIQUE INDEX reply_name ON reply (name);
CREATE INDEX reply_player_id ON reply (player_id);

-- A turn of a bot that is due, and is played by a job.
CREATE TABLE bot_turn (
    game_id VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    secret VARCHAR(64) NOT NULL,  -- hex; what the bot's chance follows from
    alone INTEGER NOT NULL,  -- 1: nobody waits for it, it is a game of bots
    due_at VARCHAR(20) NOT NULL,
    failures INTEGER NOT NULL,  -- in a row
    lease_owner VARCHAR(64),
    lease_until VARCHAR(20),  -- without an owner: it is not tried again before
    late_ply INTEGER,  -- there its player's time was over: the rest of the turn is played for them
    request VARCHAR(64)  -- the id of that which caused it
);

-- A hint that somebody asked for.
CREATE TABLE hint (
    id VARCHAR(32) NOT NULL PRIMARY KEY,
    game_id VARCHAR(32) NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    about VARCHAR(64) NOT NULL,  -- a hash of what the seat saw
    secret VARCHAR(64) NOT NULL,  -- hex; what the bot's chance follows from
    moves TEXT,  -- with commas between; null: it is thought about
    asked_at VARCHAR(20) NOT NULL,
    lease_until VARCHAR(20)
);
CREATE UNIQUE INDEX hint_game_id_seat_about ON hint (game_id, seat, about);
CREATE INDEX hint_waiting ON hint (asked_at) WHERE moves IS NULL;

-- Which process does a job that only one may do.
CREATE TABLE lease (
    name VARCHAR(64) NOT NULL PRIMARY KEY,
    owner VARCHAR(64) NOT NULL,
    until VARCHAR(20) NOT NULL
);

-- A line of the audit log. It outlives its account, and so refers to none.
CREATE TABLE audit (
    id {bigserial},
    at VARCHAR(20) NOT NULL,
    what VARCHAR(40) NOT NULL,
    player_id VARCHAR(32),
    network VARCHAR(50),  -- of the caller, cut to /24 or /48
    details TEXT NOT NULL  -- JSON; nothing that would have to be erased
);
CREATE INDEX audit_at ON audit (at);
CREATE INDEX audit_player_id ON audit (player_id, id);

-- An error that some process has logged, of the newest some (service/admin/recent_errors.py).
CREATE TABLE trouble (
    id {bigserial},
    at VARCHAR(20) NOT NULL,
    process VARCHAR(64) NOT NULL,
    logger VARCHAR(60) NOT NULL,
    message VARCHAR(200) NOT NULL,
    cause VARCHAR(200) NOT NULL,
    request VARCHAR(64)
);

-- What statistics count of a finished game, and how far that is (service/archive/tallies.py).
CREATE TABLE tally (
    game_id VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    rows TEXT NOT NULL  -- JSON, one object for each seat
);
CREATE INDEX tally_version ON tally (version);

-- What the tallies of one kind of games, of one period, add up to.
CREATE TABLE statistic (
    version INTEGER NOT NULL,
    span VARCHAR(5) NOT NULL,
    period VARCHAR(10) NOT NULL,
    origin VARCHAR(16) NOT NULL,
    seats INTEGER NOT NULL,
    tower {boolean} NOT NULL,
    rotate_start {boolean} NOT NULL,
    sums TEXT NOT NULL,  -- JSON, whole numbers by name (replays/sums.py)
    PRIMARY KEY (version, span, period, origin, seats, tower, rotate_start)
);

-- What luck and what skill made of a finished game, or that somebody wishes to know.
CREATE TABLE analysis (
    game_id VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    wanted_at VARCHAR(20),  -- null: nothing is to be done
    done INTEGER NOT NULL,  -- plies, of the analysis under way
    failures INTEGER NOT NULL,
    version VARCHAR(40),  -- by which method and weights `data` was found
    data TEXT,  -- JSON (replays/analysis/results.py)
    lease_owner VARCHAR(64),
    lease_until VARCHAR(20),
    request VARCHAR(64)  -- the id of that which caused it
);
CREATE INDEX analysis_wanted_at ON analysis (wanted_at);

-- A position of a finished game in which one turn beats all others.
CREATE TABLE puzzle (
    id VARCHAR(32) NOT NULL PRIMARY KEY,  -- follows from game and ply
    game_id VARCHAR(32) NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    ply INTEGER NOT NULL,
    data TEXT NOT NULL,  -- JSON (replays/analysis/puzzles.py)
    found_at VARCHAR(20) NOT NULL
);
CREATE UNIQUE INDEX puzzle_game_id_ply ON puzzle (game_id, ply);

-- Which puzzle is that of a day.
CREATE TABLE puzzle_day (
    day VARCHAR(10) NOT NULL PRIMARY KEY,  -- 2026-11-23, in UTC
    puzzle_id VARCHAR(32) NOT NULL REFERENCES puzzle (id) ON DELETE CASCADE
);
CREATE INDEX puzzle_day_puzzle_id ON puzzle_day (puzzle_id);
