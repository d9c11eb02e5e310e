"""Examples for the OpenAPI document. Positions come from the engine: they are right whatever the rules say."""

from hashlib import sha256
from http import HTTPStatus
from typing import Any

from replays.replay import Replay
from replays.stats import Corpus, CorpusForm, rows
from replays.timeline import timeline
from server.engine import record, rulesets, seeds
from server.engine.ulm1.notation import format_move
from server.engine.ulm1.shapes import View
from server.routes.http.problem_details import error_body
from server.routes.http.problem_types import MEDIA_TYPE, PROBLEM_TYPES, members

_EDITION = "5f0c1d2e9a7b"
_TIME = "2026-11-21T09:30:00Z"
_GAME_ID, _ANN, _BEN = "k7m2x9qwab3d", "a3k9s2m4x7w2d5ph", "b8t2n6q3r5v9c4hj"
_SESSION = {"id": "8a41c2d07be95f36", "device": "Firefox, Linux", "began_at": "2026-11-21T09:30:00Z",
            "last_used_at": "2026-11-21T09:30:00Z", "current": False}  # fmt: skip
_TOKEN = {"id": "5f3a9c01d27be648", "name": "laptop", "scopes": ["read", "play"], "created_at": _TIME,
          "last_used_at": _TIME, "expires_at": None}  # fmt: skip
_BOT = {"name": "journeyman", "labels": {"en": "Journeyman", "de": "Geselle", "it": "Lavorante"},
        "descriptions": {"en": "journeyman: plans the whole turn", "de": "Geselle: plant den ganzen Zug",
                         "it": "lavorante: progetta tutto il turno"},
        "level": 2, "seconds": 4.0, "at_once": False, "served_by": "Ulm by mail"}  # fmt: skip
_RULES = {"who": "everybody", "variants": ["basic", "advanced"], "seats": [2, 3], "private": True,
          "without_clock": True, "turn_hours_min": 1, "turn_hours_max": 720, "games": 4}  # fmt: skip
_OWN_BOT = {"player": "b7d2ntq0x4hjk6vw", "handle": "@hal", "name": "Hal (bot)", "owner": "Ann", "rules": _RULES,
            "playing": 1, "created_at": _TIME}  # fmt: skip
_MESSAGE = {"id": 7, "seat": 1, "name": "Ben", "text": "Well pushed!", "at": _TIME}
_IMPORTED = {"origin": "imported", "imported": {"by": _ANN, "name": "Ann", "at": _TIME}}
_OPTIONS = {"rotate_start": False, "tower": True}
_PROBLEM = {
    "kind": "stale-ply",
    **members(409, "stale-ply"),
    "code": 409,
    "advice": PROBLEM_TYPES["stale-ply"].advice,
}
_CLOCK: dict[str, Any] = {
    "turn_hours": 24,
    "reserve_hours": 72,
    "night": {"from": "22:00", "to": "07:00"},
    "reminders": [0.5, 0.9],
    "on_timeout": "steady",
    "vacation_days": 21,
    "start_by": None,
}
_ANALYSIS = {
    "id": _GAME_ID,
    "version": "1-b93741381d19",
    "plies": [{"ply": 1, "round": 1, "seat": 1, "chances": [1.0, 0.0], "luck": [0.0, 0.0], "offered": [0.0, 0.0],
               "error": [0.48, -0.48]}],
    "seats": [
        {"seat": 0, "first": 0.52, "last": 1.0, "luck": 0.0, "offered": 0.0, "error": 0.0, "others": 0.48,
         "rounds": [{"round": 1, "luck": 0.0, "offered": 0.0, "error": 0.0, "others": 0.48}]},
        {"seat": 1, "first": 0.48, "last": 0.0, "luck": 0.0, "offered": 0.0, "error": -0.48, "others": 0.0,
         "rounds": [{"round": 1, "luck": 0.0, "offered": 0.0, "error": -0.48, "others": 0.0}]},
    ],
    "moments": [{"ply": 24, "round": 2, "seat": 1, "move": "seal leaning_house", "loss": 0.23, "before": 0.59,
                 "instead": ["seal tillage", "dock gray"]}],
    "strokes": [{"ply": 11, "round": 1, "seat": 1, "move": "seal leaning_house", "luck": [-0.16, 0.16]}],
}  # fmt: skip
_UNDER_WAY = {"id": _GAME_ID, "status": "running", "done": 40, "plies": 158}
_CLIENT_SEEDS = ["a rainy evening", "three sparrows"]
# A game whose seed is public; no server picks such bytes.
_SERVER_SEED = sha256(b"the example of the API's description").digest()


def added(document: dict[str, Any]) -> dict[str, Any]:
    """Return the OpenAPI document with an example for each JSON body that has one here."""
    examples = _examples()
    for operation in _operations(document):
        for place, value in examples.get(operation.get("operationId", ""), {}).items():
            holder = operation["requestBody"] if place == "request" else operation["responses"][place]
            holder["content"]["application/json"]["example"] = value
    for name, response in document["components"].get("responses", {}).items():
        if "content" in response:
            response["content"][MEDIA_TYPE]["example"] = error_body(HTTPStatus[name], None, None)
    return document


def _operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        operation
        for path in document["paths"].values()
        for method, operation in path.items()
        if method != "parameters" and "responses" in operation
    ]


def _examples() -> dict[str, dict[str, Any]]:
    """Return by operation the examples of its request and of its answers by status."""
    seed = seeds.game_seed(_SERVER_SEED, _CLIENT_SEEDS)
    rules = rulesets.NEWEST
    state = rules.new_game(seed, 2, _OPTIONS)
    active = state.active or 0
    drawn = rules.apply(state, active, ("draw",)).state
    legal = [format_move(move) for move in rules.legal_moves(drawn, active)]
    players = [
        {"seat": 0, "player": _ANN, "name": "Ann", "bot": None, "bot_of": None, "autopilot": False},
        {"seat": 1, "player": _BEN, "name": "Ben", "bot": None, "bot_of": None, "autopilot": False},
    ]
    shared = {
        "id": _GAME_ID,
        "name": "Friday evening",
        "status": "running",
        "ruleset": rules.name,
        "options": _OPTIONS,
        "private": False,
        "seats": 2,
        "players": players,
        "seat": active,
        "ply": drawn.ply,
        "to_move": active,
        "clock": _CLOCK,
        "deadline": "2026-11-22T20:30:00Z",
        "paused": False,
        "origin": "played",
        "created_at": _TIME,
        "started_at": _TIME,
        "finished_at": None,
        "result": None,
    }
    page = {
        **shared,
        "creator": _ANN,
        "commitment": seeds.commitment(_SERVER_SEED),
        "round": drawn.round,
        "phase": drawn.phase,
        "view": rules.view(drawn, active),
        "standing": rules.standing(drawn, None),
        "pause_votes": [],
        "waits_for": None,
        "waits_since": None,
        "granted_seconds": None,
        "mail_stopped": [],
        "reserve_seconds": [259200, 259200],
        "edition": _EDITION,
        "hints": False,
        "hints_taken": [0, 0],
        "thinking": False,
        "invitation": None,
    }
    profile: dict[str, Any] = {
        "id": _ANN,
        "name": "Ann",
        "email": None,
        "email_confirmed": False,
        "mail_stopped": None,
        "preferences": {
            "auto_draw": True,
            "digest_hour": 8,
            "language": "en",
            "mail": "at_once",
            "quiet_hours": {"from": "22:00", "to": "07:00"},
            "theme": "auto",
            "time_zone": "Europe/Berlin",
        },
        "created_at": _TIME,
    }
    push = next(move for move in legal if move.startswith("push"))
    played = rules.apply(drawn, active, tuple(push.split())).state
    after = {"ply": played.ply, "view": rules.view(played, active)}
    return {
        "postPlayers": {
            "request": {"name": "Ann"},
            "201": {"id": _ANN, "name": "Ann", "token": "ulm_" + "0123456789abcdef" * 3},
        },
        "getMe": {"200": profile},
        "patchMe": {
            "request": {"preferences": {"auto_draw": False}},
            "200": {**profile, "preferences": {**profile["preferences"], "auto_draw": False}},
        },
        "postRematch": {"201": _unstarted(page, players)},
        "getNotices": {"200": {"mail": None}},
        "putNotices": {"request": {"mail": "digest"}, "200": {"mail": "digest"}},
        "getNote": {"200": {"note": "Ben saves for the nave."}},
        "putNote": {"request": {"note": "Watch the docks."}, "200": {"note": "Watch the docks."}},
        "postBots": {"request": {"bot": "journeyman"}, "201": page},
        "getKnownBots": {"200": [_BOT]},
        **_own_bots(),
        "getExport": {"200": _export(profile, page)},
        "getTokens": {"200": [_TOKEN]},
        "getSessions": {"200": [_SESSION]},
        "patchOneToken": {"request": {"name": "old laptop"}, "200": {**_TOKEN, "name": "old laptop"}},
        "putConfirmation": {"request": {"token": "eyJwbGF5ZXIiOiJrM25kZDVwcSJ9.awFyqA.1SQKNB3T4DYiU9ucFZ1Gj3vP"}},
        "postTokens": {
            "request": {"name": "laptop", "scopes": ["read", "play"]},
            "201": {**_TOKEN, "last_used_at": None, "token": "ulm_" + "fedcba9876543210" * 3},
        },
        "getGames": {"200": [{**shared, "free_seats": 0}]},
        "postGames": {
            "request": {
                "seats": 2,
                "name": "Friday evening",
                "options": {"tower": True},
                "client_seed": _CLIENT_SEEDS[0],
                "clock": {"turn_hours": 24, "reserve_hours": 72, "night": _CLOCK["night"]},
            },
            "201": _unstarted(page, players),
        },
        "getGame": {"200": page},
        "postSeats": {"request": {"client_seed": _CLIENT_SEEDS[1]}, "201": page},
        "postInvitations": {
            "request": {"address": "cleo@example.org"},
            "201": {"game": _GAME_ID, "address": "cleo@example.org", "created_at": _TIME},
        },
        "getMessages": {"200": [_MESSAGE]},
        "postMessages": {"request": {"text": _MESSAGE["text"]}, "201": _MESSAGE},
        "postBranches": {
            "request": {"ply": drawn.ply, "seat": active, "bots": None, "name": "What if"},
            "201": {**page, "name": "What if", "origin": "sandbox", "private": True, "creator": _ANN},
        },
        "getLegalMoves": {"200": {"ply": drawn.ply, "moves": legal}},
        "getHint": {"200": _hint(drawn.ply, push)},
        "postHint": {"202": {**_hint(drawn.ply, push), "ready": False, "moves": []}},
        "getMoves": {
            "200": {
                "ply": drawn.ply,
                "moves": [{"ply": 1, "seat": active, "move": "draw", "at": _TIME, "automatic": True}],
            }
        },
        "postMoves": {"request": {"ply": drawn.ply, "moves": [push]}, "201": {"applied": 1, **after}},
        "postPreview": {"request": {"ply": drawn.ply, "moves": [push]}, "200": {"applied": 1, **after}},
        "postUndo": {
            "request": {"ply": drawn.ply},
            "200": {"ply": drawn.ply, "view": rules.view(drawn, active)},
        },
        **_clocks(page),
        **_replays(shared, players, seed),
        **_puzzles(rules.view(drawn, active), legal),
        "getHealthz": {"200": {"status": "ok"}},
        "getReadyz": {"200": {"status": "ok"}},
        "getProblems": {"200": [_PROBLEM]},
        "getProblem": {"200": _PROBLEM},
    }


def _hint(ply: int, push: str) -> dict[str, Any]:
    """Return the example of a hint."""
    moves = [{"move": push, "effects": ["+1 Coin tile"]}, {"move": "money", "effects": ["+2 coins"]}]
    return {"ply": ply, "ready": True, "bot": "journeyman", "moves": moves}


def _own_bots() -> dict[str, dict[str, Any]]:
    """Return the examples of bots with accounts."""
    with_token = {**_OWN_BOT, "token": "ulm_" + "89abcdef01234567" * 3}
    return {
        "getBotAccounts": {"200": [_OWN_BOT]},
        "getOwnBots": {"200": [_OWN_BOT]},
        "postOwnBots": {"request": {"handle": "hal", "name": "Hal", "rules": {"seats": [2, 3]}}, "201": with_token},
        "getOneBot": {"200": _OWN_BOT},
        "patchOneBot": {
            "request": {"rules": {"who": "owner"}},
            "200": {**_OWN_BOT, "rules": {**_RULES, "who": "owner"}},
        },
        "postBotToken": {"201": with_token},
    }


def _clocks(page: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the examples of vacations, pauses and coming back."""
    vacation = {"starts_at": "2026-12-01T00:00:00Z", "ends_at": "2026-12-15T00:00:00Z"}
    kept = {"id": "17", **vacation, "under_way": False}
    return {
        "getVacations": {"200": [kept]},
        "postVacations": {"request": vacation, "201": kept},
        "postPause": {"request": {}, "200": {**page, "pause_votes": [page["seat"]]}},
        "deletePause": {"200": page},
        "postReturn": {"request": {}, "200": page},
    }


def _export(profile: dict[str, Any], page: dict[str, Any]) -> dict[str, Any]:
    """Return the example of all that is kept about a player."""
    named = ("id", "name", "status", "origin", "options", "seats", "private", "created_at", "started_at",
             "finished_at", "result", "seat")  # fmt: skip
    move = {"ply": 1, "seat": page["seat"], "move": "draw", "at": _TIME, "automatic": True, "undone_at": None}
    return {
        "format": "ulm-account/1",
        "exported_at": _TIME,
        "profile": profile,
        "tokens": [_TOKEN],
        "sessions": [_SESSION],
        "games": [
            {
                **{name: page[name] for name in named},
                "created_by_me": True,
                "called": "Ann",
                "client_seed": _CLIENT_SEEDS[0],
                "note": "Ben saves for the nave.",
                "mail": None,
                "moves": [move],
            }
        ],
        "messages": [{"game": _GAME_ID, "seat": page["seat"], "text": _MESSAGE["text"], "at": _TIME}],
        "vacations": [],
        "bots": [_OWN_BOT],
        "invitations": [{"game": _GAME_ID, "address": "cleo@example.org", "created_at": _TIME}],
        "accepted": [],
        "records": [],
        "mails": [
            {"kind": "turn", "game": _GAME_ID, "ply": 1, "state": "sent", "created_at": _TIME, "due_at": _TIME,
             "done_at": _TIME}
        ],
        "audit": [
            {"at": _TIME, "what": "account_made", "network": "192.0.2.0/24", "details": {"by": "api"}},
        ],
        "stored": {"bytes": 4213, "most": 20_000_000},
    }  # fmt: skip


def _unstarted(page: dict[str, Any], players: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the page of the same game while its second seat is free."""
    return {
        **page,
        "status": "open",
        "players": [players[0], None],
        "seat": 0,
        "ply": 0,
        "round": None,
        "phase": None,
        "to_move": None,
        "deadline": None,
        "view": None,
        "standing": None,
        "started_at": None,
    }


def _puzzles(view: View, legal: list[str]) -> dict[str, Any]:
    """Return the examples of puzzles."""
    name, seat = "5d41402abc4b", view["active"]
    about = {"game": _GAME_ID, "ply": view["ply"], "round": view["round"], "seat": seat, "level": "hard"}
    turn = {
        "moves": ["push N2", "money", "end"],
        "chance": 0.61,
        "words": ["Ann pushes gray in at N2.", "Ann ends the turn."],
    }
    other = {**turn, "moves": ["push W1", "end"], "chance": 0.48}
    return {
        "getPuzzles": {"200": [{"day": "2026-11-21", "id": name, **about}]},
        "getPuzzle": {
            "200": {"id": name, "day": "2026-11-21", "name": "Friday evening", "players": ["Ann", "Ben"], **about,
                    "turns": 271, "moves": [], "view": view, "legal_moves": legal},
        },
        "postPuzzleAnswer": {
            "request": {"moves": other["moves"]},
            "200": {"id": name, "solved": False, "answer": other, "solution": turn, "next_best": other, "played": turn},
        },
    }  # fmt: skip


def _replays(shared: dict[str, Any], players: list[dict[str, Any]], seed: bytes) -> dict[str, Any]:
    """Return the examples of replays: a game that seat 1 resigns at once, the shortest there is."""
    rules = rulesets.NEWEST
    over = rules.apply(rules.new_game(seed, 2, _OPTIONS), 1, ("resign",)).state
    kept = record.make(
        _GAME_ID,
        "Friday evening",
        _OPTIONS,
        [player["name"] for player in players],
        _SERVER_SEED,
        _CLIENT_SEEDS,
        [record.MoveEntry("resign", 1, _TIME)],
    )
    file, result = kept.to_dict(), kept.result
    replay = {key: shared[key] for key in ("id", "name", "ruleset", "options", "seats", "created_at", "started_at")} | {
        "players": [{key: player[key] for key in ("seat", "player", "name", "bot")} for player in players],
        "plies": 1,
        "origin": "played",
        "finished_at": _TIME,
        "result": result,
        "edition": _EDITION,
        "imported": None,
    }
    return {
        "getReplays": {"200": [replay]},
        "getStatistics": {"200": {**_added_up(kept), "uncounted": 0, "older_left_out": False}},
        "getReplay": {"200": replay},
        "getRecord": {"200": file},
        "getStates": {"200": {"ply": 1, "seat": None, "state": over.to_dict()}},
        "getAnalysis": {"200": _ANALYSIS, "202": _UNDER_WAY},
        "postAnalysis": {"200": _ANALYSIS, "202": _UNDER_WAY},
        "getTimeline": {"200": {"id": _GAME_ID, "plies": timeline(Replay(kept))}},
        "postReplays": {"request": file, "201": {**replay, **_IMPORTED}},
        "postVerify": {
            "request": file,
            "200": {"valid": True, "plies": 1, "ply": None, "message": None, "digest": over.digest(), "result": result},
        },
    }


def _added_up(kept: record.Record) -> CorpusForm:
    corpus = Corpus()
    corpus.add(rows(kept))
    return corpus.to_dict()
