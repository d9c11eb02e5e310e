"""The mail that brings what a player wrote to the others of a game."""

from __future__ import annotations

from server.language import gettext as _
from server.notify import game_sections
from server.notify.mail_content import Link, MailContent, Skip
from server.notify.recipients import MailTask
from server.service.accounts import link_urls, links
from server.service.chat import messages
from server.service.common.naming import spoken


def message(task: MailTask) -> MailContent:
    """A player wrote to the others."""
    found = messages.find(task.store, task.queued.game_id, task.queued.data.get("message"))
    if found is None:
        raise Skip("the message is gone")
    seen, _seat, _story = game_sections.seat_at(task)
    author, player_id, text = found
    name = spoken(seen.author(author, player_id) or "") or _("A player")
    game = spoken(seen.name)
    return MailContent(
        subject=_("%(game)s: a message from %(name)s", game=game, name=name),
        heading=_("%(name)s writes to the players of %(game)s", name=name, game=game),
        preview=text,
        quote=text.split("\n"),
        # No link of a turn: who writes back need not be to move.
        action=Link(_("Read and write messages"), link_urls.messages_url(task.settings, seen.id)),
        answers=[_("Answer this mail to write back to all of them.")] if task.settings.reply_domain else [],
        reply_to=_talk(task, seen.id),
        after=[]
        if task.settings.reply_domain
        else [_("A reply to this mail reaches nobody: write back on the page of the game, signed in.")],
        why=_("You get this because you have a seat in %(game)s.", game=game),
    )


def _talk(task: MailTask, game_id: str) -> str:
    """Where answers to a message go."""
    if not task.settings.reply_domain:
        return ""
    token = links.talk_token(task.store, now=task.queued.due, player_id=task.queued.player_id or "", game_id=game_id)
    return link_urls.talk_address(task.settings, token) or ""
