"""Mails about a table and who sits there, by which nothing is played (`templates/mail/letters`)."""

from __future__ import annotations

from server.notify.game_sections import seat_at
from server.notify.mail_content import Link, MailContent, Skip
from server.notify.plain_text import letter
from server.notify.recipients import MailTask
from server.notify.times import local
from server.service.accounts import link_urls
from server.service.common.errors import NotFound
from server.service.common.naming import spoken
from server.service.explain import history, proposal_words
from server.service.games import loading, proposals
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
    """Somebody has taken a seat in a game that waits for more, or taken one over."""
    game, _seat, _story = seat_at(task)
    name = game.seats[task.queued.data["seat"]].name
    if game.status not in ("open", "running") or name is None:
        raise Skip("the game is over, or the seat free again")
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


def proposal(task: MailTask) -> MailContent:
    """Do you agree?"""
    game, seat, _story = seat_at(task)
    found = game.proposal
    if found is None or found["id"] != task.queued.data["id"] or not proposals.holds(game):
        raise Skip("that is not proposed any more")
    if seat in found["agreed"]:
        raise Skip("the player has agreed")
    last = local(parse_utc(found["ends_at"]), task.person.zone)
    what = proposal_words.asked(found, history.names_of(game), game.options["tower"], seat)
    return _letter(task, game, what=what, last=last)


def agreed(task: MailTask) -> MailContent:
    """All have agreed."""
    game, _seat, _story = seat_at(task)
    data, found = task.queued.data, game.proposal
    invited = found is not None and found["id"] == data["id"]
    return _letter(task, game, what=proposal_words.done(data, history.names_of(game), invited))


def replaced(task: MailTask) -> MailContent:
    """Somebody else plays for the reader now, who has no seat there any more."""
    with task.store.read():
        try:
            game = loading.for_reader(task.store, task.queued.game_id or "", None)
        except NotFound:
            raise Skip("the game is gone") from None
    return _letter(task, game)
