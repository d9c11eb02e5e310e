"""What can go wrong, by kind: the problem types of RFC 9457. Data only, so that whoever answers can name one.

Kinds are for programs: their names stay, and none is ever given another meaning. What is not listed here has no kind
but its status (`about:blank`, as the RFC has it).
"""

from http import HTTPStatus
from typing import NamedTuple

ADDRESS = "/api/v1/problems/"
"""Below it each kind is explained: with the kind behind it, this is the `type` of an error."""
UNKNOWN = "about:blank"
MEDIA_TYPE = "application/problem+json"


class ProblemType(NamedTuple):
    """A kind of problem: its status, a title that is the same each time, and what to do about it."""

    status: int
    title: str
    advice: str


PROBLEM_TYPES = {
    "bad-request": ProblemType(400, "The request cannot be read", "Correct what `message` names."),
    "bad-json": ProblemType(
        400,
        "The body is no JSON",
        "Send JSON in UTF-8, each key once, without NaN, numbers of more than 18 digits, NUL or lone surrogates.",
    ),
    "unauthorized": ProblemType(
        401, "A token is needed", "Send Authorization: Bearer TOKEN; POST /api/v1/players gives a token."
    ),
    "unknown-token": ProblemType(
        401, "The token is not known", "It was revoked, has expired or was never given: use another one."
    ),
    "forbidden": ProblemType(403, "This is not for the caller to do", "Ask somebody who may."),
    "no-seat": ProblemType(403, "The caller has no seat in this game", "Only the players of a game may do this."),
    "not-your-turn": ProblemType(
        403, "Another seat is to move", "Wait: GET /api/v1/games/ID/events tells when something changes."
    ),
    "missing-scope": ProblemType(
        403,
        "The token lacks a scope",
        "`WWW-Authenticate` names it: use a token that has it. POST /api/v1/players/me/tokens makes one.",
    ),
    "account-closed": ProblemType(
        403,
        "The operator has closed this account",
        "Whoever runs the server has banned it: tokens, sessions and links have ended. Ask them why.",
    ),
    "own-bot": ProblemType(
        403,
        "An owner and their bot in one game with others",
        "Owners see their bots' hands: play one's own bot alone, or leave one of the two out.",
    ),
    "fresh-sign-in": ProblemType(
        403,
        "This needs a fresh sign-in by mail",
        "A token is not enough: sign in on the pages with a link by mail and do it at /account.",
    ),
    "not-found": ProblemType(
        404,
        "There is nothing here for the caller's eyes",
        "Check the address. Private games are shown to their members alone, running games are no replays.",
    ),
    "method-not-allowed": ProblemType(
        405, "The method is not for this address", "Use one of those that the header Allow lists."
    ),
    "gone": ProblemType(410, "The link works no more", "It was used, or it is too old: ask for another one."),
    "conflict": ProblemType(
        409, "The request does not fit the present state", "Read it again and repeat what still makes sense."
    ),
    "stale-ply": ProblemType(
        409,
        "The game has moved on",
        "Read the game again and build on the ply that `errors.ply` names: the newest that the caller may see.",
    ),
    "not-open": ProblemType(409, "The game takes no more players", "Take a seat in another game, or make one."),
    "not-running": ProblemType(
        409, "The game takes no moves", "It has not started, or it is over: its `status` says which."
    ),
    "limit-reached": ProblemType(
        409, "There are as many as one player may have", "Finish or remove some of what there is first."
    ),
    "bot-refuses": ProblemType(
        409,
        "The bot does not take this game",
        "`errors.why` says why: its owner's rules are in GET /api/v1/bots/accounts. Make a game that they take.",
    ),
    "made-before": ProblemType(
        409,
        "It was made before, with a secret that is shown once",
        "`errors.id` is what was made under this Idempotency-Key. If its token is lost, make another under a new key.",
    ),
    "too-large": ProblemType(413, "The request is too large", "Send less; `message` says how much is read."),
    "unsupported-type": ProblemType(
        415, "The body is of another type", "Send JSON in UTF-8, unpacked, with Content-Type: application/json."
    ),
    "not-possible": ProblemType(422, "The request can be read but not carried out", "Do what `message` says."),
    "invalid-field": ProblemType(
        422,
        "A field of the request is wrong",
        "`errors` names each: by place (`json`, `query`, `path`, `headers`), then as the request is nested, down to a"
        " list of sentences. `_schema` stands for the whole.",
    ),
    "unreadable-move": ProblemType(
        422,
        "A text is no move",
        "`errors.index` is its place among those sent; record.md §3 says how moves are written. Nothing was played.",
    ),
    "illegal-move": ProblemType(
        422,
        "A move is against the rules",
        "`errors` has its place (`index`), the `rule` against it, and `legal` moves near to it. Nothing was played.",
    ),
    "invalid-record": ProblemType(
        422, "A record does not verify", "`errors.ply` is the ply that fails. Nothing was kept."
    ),
    "key-used": ProblemType(
        422, "The Idempotency-Key stands for another request", "Choose a new key for each request; repeat it to repeat."
    ),
    "too-many-requests": ProblemType(429, "That was too often", "Wait as long as Retry-After or `message` says."),
    "internal-error": ProblemType(
        500, "A fault of the server", "Try again; if it stays, report the `request_id` that stands in `errors`."
    ),
    "not-installed": ProblemType(501, "This server was installed without it", "Ask its operator for the extra."),
    "unavailable": ProblemType(503, "The server cannot answer now", "Try again after the seconds of Retry-After."),
    "busy": ProblemType(503, "Too many want this at once", "Try again after the seconds of Retry-After."),
}

OF_STATUS = {
    400: "bad-request",
    401: "unauthorized",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    409: "conflict",
    413: "too-large",
    415: "unsupported-type",
    422: "invalid-field",
    429: "too-many-requests",
    500: "internal-error",
    501: "not-installed",
    503: "unavailable",
}


def members(status: int, kind: str | None, prefix: str = "") -> dict[str, str]:
    """Return `type` and `title` of an error of this kind (None: of the one that its status has, if any).

    `prefix` is the path that the server lives below.
    """
    kind = kind or OF_STATUS.get(status)
    if kind is None:
        return {"type": UNKNOWN, "title": HTTPStatus(status).phrase}
    return {"type": f"{prefix}{ADDRESS}{kind}", "title": PROBLEM_TYPES[kind].title}
