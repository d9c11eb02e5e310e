"""The daily digest: one letter about all games whose notices a player wants together."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from server.notify import times
from server.notify.letter import Item, Letter, Section
from server.notify.notice import Notice, Skip
from server.notify.recipients import Recipient
from server.notify.tables import counted
from server.service import links, sql
from server.service.accounts import Player
from server.service.table import load
from server.settings import Settings
from server.storage.database import Store
from server.storage.models import utc

DAY = timedelta(days=1)

_GAMES = """
    SELECT g.id, g.name, g.status, g.to_move, g.deadline, g.started_at, g.finished_at, s.seat, s.mail
    FROM seat s JOIN game g ON g.id = s.game_id
    WHERE s.player_id = ? AND (g.status = 'running' OR g.finished_at > ?)
    ORDER BY g.deadline IS NULL, g.deadline, g.created_at, g.id"""
_NEWS = """
    SELECT game_id, kind, count(*) FROM mail
    WHERE player_id = ? AND created_at > ? AND created_at <= ? AND kind IN ('message', 'played_for_you')
    GROUP BY game_id, kind"""


def digest(store: Store, settings: Settings, notice: Notice, person: Recipient, now: datetime) -> Letter | Skip:
    """What waits, and what happened since the digest before."""
    at = times.parse(notice.data["at"])  # quiet hours may have put it off since
    since, until = utc(at - DAY), utc(at)
    with store.read():
        games = [
            dict(zip(("id", "name", "status", "to_move", "deadline", "started", "finished", "seat", "mail"), row,
                     strict=True))
            for row in sql.rows(store, _GAMES, person.player_id, since)
        ]
        news = {(game, kind): number for game, kind, number in sql.rows(store, _NEWS, person.player_id, since, until)}
    games = [game for game in games if (game["mail"] or person.wishes["mail"]) == "digest"]
    yours = [game for game in games if game["status"] == "running" and game["to_move"] == game["seat"]]
    started = [game for game in games if game["started"] and game["started"] > since and game not in yours]
    ended = [game for game in games if game["status"] != "running"]
    told = [(game, news.get((game["id"], "message"), 0), news.get((game["id"], "played_for_you"), 0)) for game in games]
    sections = [
        Section("Your turn", items=[_turn(store, settings, notice, person, game) for game in yours]),
        Section("Started", items=[_item(store, settings, notice, game, "has started") for game in started
                                  if game["status"] == "running"]),
        Section("News", items=[_item(store, settings, notice, game, _news(messages, played))
                               for game, messages, played in told if messages or played]),
        Section("Over", items=[
            _item(store, settings, notice, game, "is over" if game["status"] == "finished" else "was given up")
            for game in ended
        ]),
    ]
    sections = [section for section in sections if section.items]
    if not sections:
        return Skip("there is nothing to tell")
    where = "No game waits for you."
    if yours:
        where = f"{counted(len(yours), 'game')} wait{'s' if len(yours) == 1 else ''} for your move."
    return Letter(
        subject=f"Your games on {times.day(at, person.zone)}: "
        + (f"{counted(len(yours), 'turn')} to play" if yours else "news"),
        heading=f"Your games on {times.day(at, person.zone)}",
        intro=[where],
        sections=sections,
        why="You get this once a day, when there is something to tell, because you chose so.",
    )


def _turn(store: Store, settings: Settings, notice: Notice, person: Recipient, game: dict[str, Any]) -> Item:
    until = "without a deadline"
    if game["deadline"] is not None:
        until = "until " + times.local(times.parse(game["deadline"]), person.zone)
    with store.read():
        table = load(store, game["id"], reader=Player(person.player_id or "", ""))
    return _item(store, settings, notice, game, f"round {table.position.round}, {until}", table.seen_ply(game["seat"]))


def _item(store: Store, settings: Settings, notice: Notice, game: dict[str, Any], detail: str, ply: int = 0) -> Item:
    token = links.turn_token(
        store, now=notice.due, player_id=notice.player_id or "", game_id=game["id"], ply=ply, seat=game["seat"]
    )
    return Item(game["name"], detail, links.turn_url(settings, token))


def _news(messages: int, played: int) -> str:
    said = [counted(messages, "message")] if messages else []
    said += [f"{counted(played, 'turn')} played for you"] if played else []
    return ", ".join(said)
