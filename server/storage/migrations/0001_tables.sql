CREATE TABLE player (
    id VARCHAR(32) NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT,
    email_confirmed_at VARCHAR(20),
    preferences TEXT NOT NULL,
    created_at VARCHAR(20) NOT NULL,
    mail_stopped_at VARCHAR(20),
    mail_stopped_why TEXT,
    link_epoch INTEGER NOT NULL DEFAULT 0,
    email_given_at VARCHAR(20),
    stored_bytes BIGINT NOT NULL DEFAULT 0,
    banned_at VARCHAR(20)
);
CREATE INDEX player_banned ON player (banned_at) WHERE banned_at IS NOT NULL;
CREATE INDEX player_mail_stopped ON player (mail_stopped_at) WHERE mail_stopped_at IS NOT NULL;

CREATE TABLE bot_account (
    player_id VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES player (id) ON DELETE CASCADE,
    owner_id VARCHAR(32) NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    handle VARCHAR(24) NOT NULL,
    who VARCHAR(10) NOT NULL,
    rules TEXT NOT NULL,
    created_at VARCHAR(20) NOT NULL
);
CREATE UNIQUE INDEX bot_account_handle ON bot_account (handle);
CREATE INDEX bot_account_owner_id ON bot_account (owner_id);

CREATE TABLE token (
    id {serial},
    player_id VARCHAR(32) NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    hash VARCHAR(64) NOT NULL,
    name TEXT NOT NULL,
    created_at VARCHAR(20) NOT NULL,
    last_used_at VARCHAR(20),
    revoked_at VARCHAR(20),
    scopes VARCHAR(60) NOT NULL DEFAULT 'read play account',
    expires_at VARCHAR(20)
);
CREATE UNIQUE INDEX token_hash ON token (hash);
CREATE INDEX token_player_id ON token (player_id);

CREATE TABLE session (
    hash VARCHAR(64) NOT NULL PRIMARY KEY,
    player_id VARCHAR(32) NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    device VARCHAR(80) NOT NULL,
    began_at VARCHAR(20) NOT NULL,
    seen_at VARCHAR(20) NOT NULL,
    fresh_at VARCHAR(20)
);
CREATE INDEX session_player_id ON session (player_id);

CREATE TABLE vacation (
    id {serial},
    player_id VARCHAR(32) NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    starts_at VARCHAR(20) NOT NULL,
    ends_at VARCHAR(20) NOT NULL,
    created_at VARCHAR(20) NOT NULL
);
CREATE INDEX vacation_player_id ON vacation (player_id);

CREATE TABLE game (
    id VARCHAR(32) NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    status VARCHAR(16) NOT NULL,
    ruleset VARCHAR(32) NOT NULL,
    options TEXT NOT NULL,
    seats INTEGER NOT NULL,
    creator_id VARCHAR(32) REFERENCES player (id) ON DELETE SET NULL,
    private {boolean} NOT NULL,
    invitation VARCHAR(64),
    server_seed VARCHAR(64) NOT NULL,
    commitment VARCHAR(64) NOT NULL,
    ply INTEGER NOT NULL,
    public_ply INTEGER NOT NULL,
    to_move INTEGER,
    version INTEGER NOT NULL,
    result TEXT,
    origin VARCHAR(16) NOT NULL,
    created_at VARCHAR(20) NOT NULL,
    started_at VARCHAR(20),
    finished_at VARCHAR(20),
    clock TEXT,
    turn_began_at VARCHAR(20),
    deadline VARCHAR(20),
    paused_at VARCHAR(20),
    start_by VARCHAR(20),
    unplayed {boolean} NOT NULL DEFAULT {false},
    title VARCHAR(16),
    title_player_id VARCHAR(32) REFERENCES player (id) ON DELETE SET NULL,
    title_plies TEXT,
    turn_notice VARCHAR(200),
    lost_since VARCHAR(20),
    lost_until VARCHAR(20),
    granted_seconds INTEGER,
    tower {boolean} NOT NULL DEFAULT {false},
    rotate_start {boolean} NOT NULL DEFAULT {false},
    winner_total INTEGER,
    hints {boolean} NOT NULL DEFAULT {false},
    archived INTEGER NOT NULL DEFAULT 0,
    held {boolean} NOT NULL DEFAULT {false}
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

CREATE TABLE seat (
    id {serial},
    game_id VARCHAR(32) NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    player_id VARCHAR(32) REFERENCES player (id) ON DELETE SET NULL,
    bot VARCHAR(32),
    name TEXT,
    client_seed TEXT NOT NULL,
    mail VARCHAR(16),
    reserve_seconds INTEGER,
    timeouts INTEGER NOT NULL DEFAULT 0,
    autopilot {boolean} NOT NULL DEFAULT {false},
    wants_pause {boolean} NOT NULL DEFAULT {false},
    note TEXT,
    name_kind VARCHAR(16),
    named_after_id VARCHAR(32) REFERENCES player (id) ON DELETE SET NULL,
    won {boolean} NOT NULL DEFAULT {false},
    listed VARCHAR(24) NOT NULL DEFAULT 'open',
    created_at VARCHAR(20),
    finished_at VARCHAR(20)
);
CREATE UNIQUE INDEX seat_game_id_player_id ON seat (game_id, player_id);
CREATE UNIQUE INDEX seat_game_id_seat ON seat (game_id, seat);
CREATE INDEX seat_last_over ON seat (player_id, listed, finished_at DESC, game_id);
CREATE INDEX seat_named_after_id ON seat (named_after_id);
CREATE INDEX seat_newest ON seat (player_id, listed, created_at DESC, game_id);
CREATE INDEX seat_won ON seat (player_id, listed, finished_at DESC, game_id) WHERE won;

CREATE TABLE move (
    id {bigserial},
    game_id VARCHAR(32) NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    ply INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    move TEXT NOT NULL,
    played_at VARCHAR(20),
    automatic {boolean} NOT NULL,
    undone_at VARCHAR(20)
);
CREATE INDEX move_game_id ON move (game_id);
CREATE UNIQUE INDEX move_game_id_ply_standing ON move (game_id, ply) WHERE undone_at IS NULL;

CREATE TABLE archived_log (
    game_id VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    moves INTEGER NOT NULL,
    log {blob} NOT NULL
);

CREATE TABLE snapshot (
    game_id VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    ply INTEGER NOT NULL,
    state TEXT NOT NULL,
    before TEXT
);

CREATE TABLE imported_record (
    game_id VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    player_id VARCHAR(32) REFERENCES player (id) ON DELETE SET NULL,
    digest VARCHAR(64) NOT NULL,
    text TEXT NOT NULL
);
CREATE UNIQUE INDEX imported_record_digest ON imported_record (digest);
CREATE INDEX imported_record_player_id ON imported_record (player_id);

CREATE TABLE sandbox (
    game_id VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    position TEXT NOT NULL,
    of_game VARCHAR(32) NOT NULL,
    of_ply INTEGER NOT NULL,
    of_seat INTEGER
);

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

CREATE TABLE used_link (
    hash VARCHAR(64) NOT NULL PRIMARY KEY,
    expires_at VARCHAR(20) NOT NULL
);
CREATE INDEX used_link_expires_at ON used_link (expires_at);

CREATE TABLE short_link (
    token VARCHAR(26) NOT NULL PRIMARY KEY,
    key VARCHAR(100) NOT NULL,
    purpose VARCHAR(16) NOT NULL,
    claims TEXT NOT NULL,
    game_id VARCHAR(32) REFERENCES game (id) ON DELETE CASCADE,
    player_id VARCHAR(32) REFERENCES player (id) ON DELETE CASCADE,
    epoch INTEGER NOT NULL,
    created_at VARCHAR(20) NOT NULL
);
CREATE INDEX short_link_game_id ON short_link (game_id);
CREATE UNIQUE INDEX short_link_key ON short_link (key);
CREATE INDEX short_link_player_id ON short_link (player_id);
CREATE INDEX short_link_purpose_created_at ON short_link (purpose, created_at);

CREATE TABLE mail (
    id {bigserial},
    key VARCHAR(200) NOT NULL,
    kind VARCHAR(32) NOT NULL,
    game_id VARCHAR(32) REFERENCES game (id) ON DELETE CASCADE,
    ply INTEGER,
    player_id VARCHAR(32) REFERENCES player (id) ON DELETE CASCADE,
    address TEXT,
    data TEXT NOT NULL,
    state VARCHAR(12) NOT NULL,
    due_at VARCHAR(20) NOT NULL,
    attempts INTEGER NOT NULL,
    lease_owner VARCHAR(64),
    lease_until VARCHAR(20),
    created_at VARCHAR(20) NOT NULL,
    done_at VARCHAR(20),
    message_id VARCHAR(200),
    error TEXT,
    fault VARCHAR(6),
    bounce_token VARCHAR(26),
    sent_to VARCHAR(32),
    tried_at VARCHAR(20),
    request VARCHAR(64)
);
CREATE UNIQUE INDEX mail_bounce_token ON mail (bounce_token);
CREATE INDEX mail_game_id ON mail (game_id);
CREATE UNIQUE INDEX mail_key ON mail (key);
CREATE INDEX mail_player_id ON mail (player_id);
CREATE INDEX mail_state_done_at ON mail (state, done_at);
CREATE INDEX mail_state_due_at ON mail (state, due_at);

CREATE TABLE mail_pause (
    id {bigserial},
    cause VARCHAR(8) NOT NULL,
    why TEXT NOT NULL,
    since VARCHAR(20) NOT NULL,
    ended_at VARCHAR(20),
    retry_at VARCHAR(20),
    failures INTEGER NOT NULL,
    alarmed_at VARCHAR(20),
    heeded_at VARCHAR(20)
);
CREATE UNIQUE INDEX mail_pause_open ON mail_pause (cause) WHERE ended_at IS NULL;

CREATE TABLE mail_tally (
    name VARCHAR(12) NOT NULL PRIMARY KEY,
    total BIGINT NOT NULL
);

CREATE TABLE blocked_mailbox (
    hash VARCHAR(32) NOT NULL PRIMARY KEY,
    created_at VARCHAR(20) NOT NULL
);

CREATE TABLE received_mail (
    id {bigserial},
    key VARCHAR(32) NOT NULL,
    at VARCHAR(20) NOT NULL,
    door VARCHAR(8) NOT NULL,
    address VARCHAR(32) NOT NULL,
    player VARCHAR(32),
    outcome VARCHAR(8) NOT NULL,
    why VARCHAR(60) NOT NULL,
    size INTEGER NOT NULL,
    tries INTEGER NOT NULL
);
CREATE INDEX receivedmail_address_at ON received_mail (address, at);
CREATE INDEX receivedmail_at ON received_mail (at);
CREATE UNIQUE INDEX receivedmail_key ON received_mail (key);
CREATE INDEX receivedmail_player_at ON received_mail (player, at);

CREATE TABLE received_count (
    day VARCHAR(10) NOT NULL,
    what VARCHAR(70) NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (day, what)
);

CREATE TABLE reply (
    id {serial},
    name VARCHAR(20) NOT NULL,
    request VARCHAR(12) NOT NULL,
    player_id VARCHAR(32) REFERENCES player (id) ON DELETE CASCADE,
    game_id VARCHAR(32) REFERENCES game (id) ON DELETE CASCADE,
    status INTEGER NOT NULL,
    told TEXT NOT NULL,
    created_at VARCHAR(20) NOT NULL
);
CREATE INDEX reply_game_id_player_id ON reply (game_id, player_id);
CREATE UNIQUE INDEX reply_name ON reply (name);
CREATE INDEX reply_player_id ON reply (player_id);

CREATE TABLE bot_turn (
    game_id VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    secret VARCHAR(64) NOT NULL,
    alone INTEGER NOT NULL,
    due_at VARCHAR(20) NOT NULL,
    failures INTEGER NOT NULL,
    lease_owner VARCHAR(64),
    lease_until VARCHAR(20),
    late_ply INTEGER,
    request VARCHAR(64)
);

CREATE TABLE hint (
    id VARCHAR(32) NOT NULL PRIMARY KEY,
    game_id VARCHAR(32) NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    about VARCHAR(64) NOT NULL,
    secret VARCHAR(64) NOT NULL,
    moves TEXT,
    asked_at VARCHAR(20) NOT NULL,
    lease_until VARCHAR(20)
);
CREATE UNIQUE INDEX hint_game_id_seat_about ON hint (game_id, seat, about);
CREATE INDEX hint_waiting ON hint (asked_at) WHERE moves IS NULL;

CREATE TABLE lease (
    name VARCHAR(64) NOT NULL PRIMARY KEY,
    owner VARCHAR(64) NOT NULL,
    until VARCHAR(20) NOT NULL
);

CREATE TABLE audit (
    id {bigserial},
    at VARCHAR(20) NOT NULL,
    what VARCHAR(40) NOT NULL,
    player_id VARCHAR(32),
    network VARCHAR(50),
    details TEXT NOT NULL
);
CREATE INDEX audit_at ON audit (at);
CREATE INDEX audit_player_id ON audit (player_id, id);

CREATE TABLE trouble (
    id {bigserial},
    at VARCHAR(20) NOT NULL,
    process VARCHAR(64) NOT NULL,
    logger VARCHAR(60) NOT NULL,
    message VARCHAR(200) NOT NULL,
    cause VARCHAR(200) NOT NULL,
    request VARCHAR(64)
);

CREATE TABLE tally (
    game_id VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    rows TEXT NOT NULL
);
CREATE INDEX tally_version ON tally (version);

CREATE TABLE statistic (
    version INTEGER NOT NULL,
    span VARCHAR(5) NOT NULL,
    period VARCHAR(10) NOT NULL,
    origin VARCHAR(16) NOT NULL,
    seats INTEGER NOT NULL,
    tower {boolean} NOT NULL,
    rotate_start {boolean} NOT NULL,
    sums TEXT NOT NULL,
    PRIMARY KEY (version, span, period, origin, seats, tower, rotate_start)
);

CREATE TABLE analysis (
    game_id VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    wanted_at VARCHAR(20),
    done INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    version VARCHAR(40),
    data TEXT,
    lease_owner VARCHAR(64),
    lease_until VARCHAR(20),
    request VARCHAR(64)
);
CREATE INDEX analysis_wanted_at ON analysis (wanted_at);

CREATE TABLE puzzle (
    id VARCHAR(32) NOT NULL PRIMARY KEY,
    game_id VARCHAR(32) NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    ply INTEGER NOT NULL,
    data TEXT NOT NULL,
    found_at VARCHAR(20) NOT NULL
);
CREATE UNIQUE INDEX puzzle_game_id_ply ON puzzle (game_id, ply);

CREATE TABLE puzzle_day (
    day VARCHAR(10) NOT NULL PRIMARY KEY,
    puzzle_id VARCHAR(32) NOT NULL REFERENCES puzzle (id) ON DELETE CASCADE
);
CREATE INDEX puzzle_day_puzzle_id ON puzzle_day (puzzle_id);
