"""The daily digest: one mail about all games whose mails a player wants together."""

from __future__ import annotations

from server.language import gettext as _
from server.language import ngettext, weekday_and_day
from server.notify import times
from server.notify.mail_content import Item, MailContent, Section, Skip
from server.notify.plain_text import letter
from server.notify.recipients import MailTask
from server.service.accounts import link_urls, links
from server.service.accounts.players import Player
from server.service.common.naming import spoken
from server.service.games import loading
from server.service.play import reminders
from server.service.play.reminders import DigestGame as Game
from server.storage.times import parse_utc


def digest(task: MailTask) -> MailContent:
    """What waits, and what happened since the digest before."""
    at = parse_utc(task.queued.data["at"])  # quiet hours may have put it off since
    games = reminders.digest_contents(task.store, task.person.player_id or "", task.person.wishes["mail"], at)
    yours = [game for game in games if game.status == "running" and game.to_move == game.seat]
    started = [game for game in games if game.has_started and game not in yours]
    ended = [game for game in games if game.status != "running"]
    news = [_item(task, game, _news(game.messages, game.played)) for game in games if game.messages or game.played]
    begun = [_item(task, game, _("has started")) for game in started if game.status == "running"]
    over = [_item(task, game, _("is over") if game.status == "finished" else _("was given up")) for game in ended]
    sections = [
        Section(_("Your turn"), items=[_turn(task, game) for game in yours]),
        Section(_("Started"), items=begun),
        Section(_("News"), items=news),
        Section(_("Over"), items=over),
    ]
    sections = [section for section in sections if section.items]
    if not sections:
        raise Skip("there is nothing to tell")
    said = letter("digest", day=weekday_and_day(at, task.person.zone), turns=len(yours))
    told = [f"{item.label}: {item.detail}." for section in sections for item in section.items]
    return MailContent(
        subject=said["subject"][0],
        heading=said["heading"][0],
        preview=" ".join([*said["intro"], *told]),
        intro=said["intro"],
        sections=sections,
        why=said["why"][0],
    )


def _turn(task: MailTask, game: Game) -> Item:
    with task.store.read():
        loaded = loading.for_reader(task.store, game.id, Player(task.person.player_id or "", ""))
    detail = _("round %(round)s, without a deadline", round=loaded.position.round)
    if loaded.waits_for_notice:
        detail = _("round %(round)s, its clock runs on from this mail", round=loaded.position.round)
    elif game.deadline is not None:
        until = times.local(parse_utc(game.deadline), task.person.zone)
        detail = _("round %(round)s, until %(time)s", round=loaded.position.round, time=until)
    return _item(task, game, detail, loaded.seen_ply(game.seat))


def _item(task: MailTask, game: Game, detail: str, ply: int | None = None) -> Item:
    """A line about a game with a link to it; `ply` is what its reader may see, where that is not what all may see."""
    token = links.turn_token(
        task.store,
        now=task.queued.due,
        player_id=task.queued.player_id or "",
        game_id=game.id,
        ply=game.public_ply if ply is None else ply,
        seat=game.seat,
    )
    return Item(spoken(game.name), detail, link_urls.link_url(task.settings, "turn", token))


def _news(messages: int, played: int) -> str:
    said = [ngettext("%(num)s message", "%(num)s messages", messages)] if messages else []
    said += [ngettext("%(num)s turn played for you", "%(num)s turns played for you", played)] if played else []
    return ", ".join(said)
