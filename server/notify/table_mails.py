"""Mails about a table and who sits there, by which nothing is played (`templates/mail/letters`)."""

from __future__ import annotations

from server.notify.game_sections import seat_at
from server.notify.mail_content import Link, MailContent, Skip
from server.notify.plain_text import letter
from server.notify.recipients import MailTask
from server.notify.times import local
from server.service.accounts import link_urls
from server.service.common.naming import spoken
from server.service.games.model import Game
from server.storage.times import parse_utc


def _letter(task: MailTask, game: Game, **values: object) -> MailContent:
    """The letter of the mail's kind, whose button leads to the game's page."""
    said = letter(task.queued.kind, game=spoken(game.name), **values)
    (subject,), (heading,), (action,), (why,) = (said[part] for part in ("subject", "heading", "action", "why"))
    url = link_urls.game_url(task.settings, game.id)
    return MailContent(subject, heading, intro=said["intro"], action=Link(action, url), why=why)


def _open_game(task: MailTask) -> tuple[Game, int]:
    """The game of a mail that is true as long as it is open, and where its reader sits. Raises `Skip`."""
    game, seat, _story = seat_at(task)
    if game.status != "open":
        raise Skip("the game waits for nobody any more")
    return game, seat


def joined(task: MailTask) -> MailContent:
    """Somebody has taken a seat in a game that waits for more."""
    game, _seat = _open_game(task)
    name = game.seats[task.queued.data["seat"]].name
    if name is None:
        raise Skip("the seat is free again")
    return _letter(task, game, name=spoken(name), free=sum(seat.free for seat in game.seats))


def host(task: MailTask) -> MailContent:
    """Who made the game has left it."""
    game, _seat = _open_game(task)
    if game.creator != task.queued.player_id:
        raise Skip("the game is somebody else's by now")
    return _letter(task, game, free=sum(seat.free for seat in game.seats))


def not_started(task: MailTask) -> MailContent:
    """The game was given up before it began."""
    game, _seat, _story = seat_at(task)
    last = "" if game.start_by is None else local(parse_utc(game.start_by), task.person.zone)
    return _letter(task, game, last=last)
