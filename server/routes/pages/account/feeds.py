"""`/feeds/…`: one's turns for calendars and feed readers, at secret addresses; games that ended, for all."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple
from urllib.parse import urlsplit

from flask import Blueprint, Response, render_template

from server import language
from server.language import gettext as _
from server.routes.http.caching import conditional
from server.routes.http.context import settings, store
from server.service.accounts import channels
from server.service.common.naming import spoken
from server.service.games import listing_keys
from server.service.lists import game_lists
from server.service.lists.list_pages import LAST_OVER
from server.service.lists.own_turns import own_turns
from server.storage.times import parse_utc

blp = Blueprint("feed-pages", __name__)
SHOWN = 30


@blp.get("/feeds/<secret>/deadlines.ics")
@conditional
def calendar(secret: str) -> Response:
    """Until when the player has time for each turn."""
    from icalendar import Calendar, Event  # a seventh of a second

    player = channels.of_feed(store(), secret)
    with language.speaking(player.preferences["language"]):
        found = Calendar()
        found.add("prodid", "-//Ulm by mail//deadlines//EN")
        found.add("version", "2.0")
        found.add("x-wr-calname", _("Ulm by mail: my turns"))
        found.add("refresh-interval", timedelta(hours=1), parameters={"value": "DURATION"})
        for turn in own_turns(store(), player):
            if turn.deadline is None:
                continue
            event = Event()
            event.add("uid", f"{turn.game}-{turn.began}@{urlsplit(settings().public_url).hostname}")
            event.add("dtstamp", parse_utc(turn.began))
            event.add("dtstart", parse_utc(turn.deadline))
            event.add("summary", _("Your turn in %(game)s ends", game=turn.name))
            event.add("url", _url(turn.game))
            event.add("transp", "TRANSPARENT")  # nobody is busy then
            found.add_component(event)
    return Response(found.to_ical(), mimetype="text/calendar")


class _Entry(NamedTuple):
    """What a feed tells. `updated` is text in UTC."""

    id: str
    url: str
    title: str
    updated: str
    text: str


@blp.get("/feeds/<secret>/turns.atom")
@conditional
def turns(secret: str) -> Response:
    """The turns that the player has to play."""
    player = channels.of_feed(store(), secret)
    with language.speaking(player.preferences["language"]):
        zone = player.preferences["time_zone"]
        entries = [
            _Entry(
                f"{_url(turn.game)}#{turn.began}",
                _url(turn.game),
                _("It is your turn in %(game)s", game=turn.name),
                turn.began,
                ""
                if turn.deadline is None
                else _("Until %(time)s.", time=language.date_and_time(parse_utc(turn.deadline), zone)),
            )
            for turn in own_turns(store(), player)
        ]
        # The address is a secret: the feed does not name itself by it.
        return _atom(f"urn:ulm:turns:{player.id}", _("Ulm by mail: my turns"), entries, player.created_at)


@blp.get("/feeds/finished.atom")
@conditional
def finished() -> Response:
    """The public games that ended last, with their points."""
    where = game_lists.visible(None, statuses=("finished",), kinds=(listing_keys.PLAYED,))
    games, _total = game_lists.selected(store(), None, where, LAST_OVER, 1, SHOWN)
    entries = [
        _Entry(
            f"{settings().public_url}/replays/{game['id']}",
            f"{settings().public_url}/replays/{game['id']}",
            spoken(game["name"]),
            game["finished_at"] or game["created_at"],
            ", ".join(_points(game)),
        )
        for game in games
    ]
    here = f"{settings().public_url}/feeds/finished.atom"
    return _atom(here, _("Ulm by mail: games that ended"), entries, "2026-01-01T00:00:00Z")


def _points(game: game_lists.ListedGame) -> list[str]:
    scores = game["result"]["scores"] if game["result"] else []
    names = [spoken(one["name"]) if one else "" for one in game["players"]]
    return [f"{name} {score['total']}" for name, score in zip(names, scores, strict=False)]


def _url(game_id: str) -> str:
    return f"{settings().public_url}/games/{game_id}"


def _atom(feed_id: str, title: str, entries: list[_Entry], since: str) -> Response:
    """A feed (RFC 4287); `since` is when it changed where nothing is in it."""
    updated = max([since, *(entry.updated for entry in entries)])
    values = {"id": feed_id, "title": title, "updated": updated, "entries": entries, "site": settings().public_url}
    data = render_template("pages/account/feed.xml", language=language.current(), **values)
    return Response(data, mimetype="application/atom+xml")
