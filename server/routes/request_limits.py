"""How often one caller may ask, and how much at once (`service/common/quotas.py` says how much).

A caller is the player whose token or session a request carries, else the network it comes from. What players do is
counted to their network as well, which may do some times as much: many accounts in one hand are one hand. Counters lie
in this process, or where `ULM_LIMITS_STORE` says, for several processes together (`limits` has them). Limits by the
day and for each mailbox are the service's (`service/common/db_rate_limits.py`): those are rows, and outlive a restart.

Hand-written on `limits`: Flask-Limiter (4.1) has one key and one count for a limit, where a request counts here to its
player and to each network around them, for as much as it weighs, and not how much is under way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import lru_cache
from math import ceil

from flask import Flask, Response, g, request
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute

from server.language import gettext as _
from server.language import ngettext
from server.routes.http.answers import is_api_path
from server.routes.http.callers import FILES, caller, known_player
from server.routes.http.context import asked, here, settings
from server.service.common import networks, quotas
from server.service.common.errors import TooManyRequests
from server.service.common.quotas import RequestQuota

AT_ONCE_SECONDS = 5
"""When to ask again while the server is at work for the same caller."""

UNLIMITED = {
    "operations.getHealthz": "asked by what watches the server, and costs next to nothing",
    "operations.getReadyz": "the same: a refusal would take the server out of service",
}
"""Endpoints without a limit, and why."""

MAKING = {
    ("games.postGames", "POST"), ("replays.postBranches", "POST"), ("games.postRematch", "POST"),
    ("new-game-pages.create", "POST"), ("lobby-pages.guest", "POST"), ("replay-pages.go_on", "POST"),
    ("table-pages.again", "POST"), ("deals.postDealGame", "POST"), ("deal-pages.play", "POST"),
    ("tournaments.postTournaments", "POST"), ("tournament-pages.make", "POST"),
}  # fmt: skip
"""What makes a game, or a tournament: `quotas.GAMES`."""

WORK = {
    ("exports.getExportHtml", "GET"): 12, ("exports.getExportGif", "GET"): 12,
    ("replay-pages.export_html", "GET"): 12, ("replay-pages.export_gif", "GET"): 12,
    ("exports.getCorpus", "GET"): 12,
    ("collection-pages.export", "GET"): 100,
    ("replay-pages.preview", "GET"): 2,
    ("replays.postVerify", "POST"): 4, ("replays.postReplays", "POST"): 4, ("exports.getStatistics", "GET"): 4,
    ("players.getExport", "GET"): 4, ("own-data-pages.export", "GET"): 4,
    ("replays.getStateStream", "GET"): 2, ("replay-pages.states", "GET"): 2,
    ("replays.postAnalysis", "POST"): 4, ("replay-pages.analyse", "POST"): 4,
    ("replays.getTimeline", "GET"): 1, ("replay-pages.frames", "GET"): 1,
    ("puzzles.postPuzzleAnswer", "POST"): 1,
    ("tournaments.postStart", "POST"): 12, ("tournaments.postSeason", "POST"): 12,
    ("tournament-pages.change", "POST"): 12,
    ("tournaments.getTournamentRecords", "GET"): 12,
    ("clocks.postVacations", "POST"): 4, ("clocks.deleteOneVacation", "DELETE"): 4,
    ("profile-pages.vacation", "POST"): 4, ("profile-pages.end_vacation", "POST"): 4,
    ("account-events.getAccountEvents", "GET"): 1,
    ("hints.postHint", "POST"): 1, ("game-pages.hint", "POST"): 1,
    ("game-pages.since_boards", "GET"): 1,
}  # fmt: skip
"""What takes the server long, and for how much it counts: `quotas.WORK`."""

ALONE = 4
"""What counts for so much is done for one caller one after the other."""
SIDE_BY_SIDE = 4
"""So many lighter pieces of work may be under way for one caller: pages fetch some ahead."""

_PICTURES = {"boards.getGameBoard", "boards.getGameBoardText", "boards.getReplayBoard",
             "boards.getReplayBoardText", "lobby-pages.picture"}  # fmt: skip
_LIVE = {"live-pages.stream", "live-pages.stream_by_link", "live-pages.pulse", "live-pages.own_pulse"}
"""What open pages ask for by themselves: as cheap as a request of the API."""
_CHEAP = FILES | _LIVE


def _when(seconds: float) -> str:
    if seconds < 100:
        return ngettext("try again in %(num)s second", "try again in %(num)s seconds", max(1, round(seconds)))
    return ngettext("try again in %(num)s minute", "try again in %(num)s minutes", -(-int(seconds) // 60))


def install(app: Flask) -> None:
    """Hold every request to its limits, before anything else is done for it."""
    app.before_request(_require)
    app.after_request(_take_back)
    app.after_request(_tell)
    app.after_request(_end_with_answer)
    app.teardown_request(_end)


def limits_of(endpoint: str | None, method: str) -> Iterator[tuple[RequestQuota, int]]:
    """The limits of a request, and for how much it counts."""
    if endpoint in UNLIMITED:
        return
    yield quotas.REQUESTS, 1
    what = (endpoint or "", "GET" if method == "HEAD" else method)
    if what in WORK:
        yield quotas.WORK, WORK[what]
    elif endpoint in _PICTURES or (endpoint not in _CHEAP and not _is_api(endpoint or "")):
        yield quotas.PAGES, 1
    if what in MAKING:
        yield quotas.GAMES_AT_A_TIME, 1
        yield quotas.GAMES, 1


def _is_api(endpoint: str) -> bool:
    return "-pages." not in endpoint and not endpoint.startswith("spool.")


def _require() -> None:
    request = asked()
    for limit, amount in limits_of(request.endpoint, request.method):
        _count(limit, amount, request.remote_addr or "")
        if limit is quotas.WORK:
            what, most = ("alone", 1) if amount >= ALONE else ("side by side", SIDE_BY_SIDE)
            end = here().work.take({f"{what} for {caller()}": most})
            if end is None:
                raise TooManyRequests(
                    _("the server is already working for you: wait until that is done"), AT_ONCE_SECONDS
                )
            g.end_of_work = end


def _count(limit: RequestQuota, amount: int, machine: str) -> None:
    """Count a request to its caller, then to the networks around them: who is refused takes nothing from others."""
    chosen, counters, player = settings(), here().counters, known_player()
    counted = [] if player is None else [(f"player {player}", 1)]
    for network, times in reversed(networks.counted(machine)):
        if player is None:
            counted.append((f"network {network}", times))
        else:
            counted.append((f"players of {network}", times * limit.together))
    for who, times in counted:
        item = _item(limit.per, chosen.allowed(limit.most) * times)
        left, seconds = counters.count(item, limit.name, who, amount)
        if seconds is not None:
            g.limits_told = [(limit, item, 0, seconds)]
            raise TooManyRequests(_(limit.message, when=_when(seconds)), seconds)
        if limit is not quotas.REQUESTS and (who, times) == counted[0]:
            g.setdefault("limits_told", []).append((limit, item, left, None))
        if limit in (quotas.GAMES, quotas.GAMES_AT_A_TIME):
            g.setdefault("games_counted", []).append((limit, who, times))


@lru_cache(maxsize=100)
def _item(per: timedelta, most: int) -> RateLimitItem:
    return RateLimitItemPerHour(most) if per == quotas.HOUR else RateLimitItemPerMinute(most)


def _take_back(response: Response) -> Response:
    """What was refused has made no game."""
    if response.status_code >= 400:
        for limit, who, times in g.get("games_counted", ()):
            here().counters.take_back(_item(limit.per, settings().allowed(limit.most) * times), limit.name, who)
    return response


def _tell(response: Response) -> Response:
    """Tell programs what is left of limits that are soon reached, and of one that was (draft-ietf-httpapi-ratelimit-
    headers). Of the one for all requests nobody needs to hear before."""
    told = g.get("limits_told")
    if told and is_api_path(request.path):
        policies = [f'"{limit.name}";q={item.amount};w={item.get_expiry()}' for limit, item, _left, _seconds in told]
        states = [
            f'"{limit.name}";r={left}' + ("" if seconds is None else f";t={ceil(seconds)}")
            for limit, _item, left, seconds in told
        ]
        response.headers["RateLimit-Policy"] = ", ".join(policies)
        response.headers["RateLimit"] = ", ".join(states)
    return response


def _end_with_answer(response: Response) -> Response:
    """Work whose answer is made while it is sent ends with that."""
    if response.is_streamed and request.method != "HEAD" and "end_of_work" in g:
        end, source = g.pop("end_of_work"), response.response
        response.response = _until_the_last(response.iter_encoded(), end)
        response.call_on_close(getattr(source, "close", end))
        response.call_on_close(end)  # also when none is wanted
    return response


def _until_the_last(parts: Iterator[bytes], end: Callable[[], None]) -> Iterator[bytes]:
    try:
        yield from parts
    finally:
        end()


def _end(error: BaseException | None = None) -> None:
    end = g.pop("end_of_work", None)
    if end is not None:
        end()
