"""Mails to an address: confirm it, sign in, invitation, rematch, end of a vacation (`templates/mail/letters`)."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from server.language import gettext as _
from server.language import listing, weekday_and_day
from server.notify import times
from server.notify.mail_content import Item, Link, MailContent, Section, Skip
from server.notify.mime_message import one_line
from server.notify.plain_text import letter
from server.notify.recipients import MailTask
from server.service.accounts import access, link_urls, links, tokens
from server.service.accounts.players import Player
from server.service.common import checks
from server.service.common.naming import spoken
from server.service.play import vacation
from server.service.seating import invitations
from server.storage.times import parse_utc

QUOTED_MAX = 40


def _letter(kind: str, url: str = "", sections: Sequence[Section] = (), **values: object) -> MailContent:
    """The letter of a kind with these values; `url` is where its button leads."""
    said = letter(kind, **values)
    (subject,), (heading,), (why,) = said["subject"], said["heading"], said["why"]
    action = Link(said["action"][0], url) if url else None
    after = said.get("after", ())
    return MailContent(subject, heading, intro=said["intro"], action=action, after=after, sections=sections, why=why)


def confirm(task: MailTask) -> MailContent:
    """Is this address yours?"""
    claims = {"player": task.person.player_id, "address": links.address_claim(task.person.address)}
    token = links.make(task.store, "confirm", now=task.queued.due, **claims)
    return _letter("confirm", link_urls.link_url(task.settings, "confirm", token), name=_quoted(task.person.name))


def sign_in(task: MailTask) -> MailContent:
    """A link that signs in."""
    if task.now - task.queued.due >= links.LIFETIMES["sign_in"]:
        raise Skip("the link would be too old")
    player_id, address = task.person.player_id or "", task.person.address
    token = links.sign_in_token(task.store, now=task.queued.due, player_id=player_id, address=address)
    url, back = link_urls.link_url(task.settings, "sign_in", token), task.queued.data.get("back")
    if back:
        url += "?" + urlencode({"next": back})
    return _letter("sign_in", url, name=one_line(task.person.name))


def address_changed(task: MailTask) -> MailContent:
    """To the address that an account had until now. It lets nobody in: the mailbox may be somebody else's by now."""
    at = times.local(task.queued.due, task.person.zone)
    removed = task.queued.data.get("removed")
    return _letter("address_changed", time=at, name=_quoted(task.person.name), removed=removed)


def _quoted(text: str) -> str:
    """Words of somebody whom the reader may not know: short, in quotes, and leading nowhere."""
    return _("“%(words)s”", words=one_line(checks.without_web_addresses(text), QUOTED_MAX))


def invitation(task: MailTask) -> MailContent:
    """Somebody would like to play with you; also the offer of a rematch, and to who was invited by name."""
    offer = invitations.offer(task.store, task.queued.data.get("invitation"), task.queued.game_id)
    if offer is None:
        raise Skip("the invitation is gone")
    if offer.accepted:
        raise Skip("the invitation was accepted")
    seated = [seat for seat in offer.game.seats if not seat.free]
    free = offer.game.seat_count - len(seated)
    if offer.game.status != "open" or not free:
        raise Skip("the game takes no more players")
    if task.person.player_id is not None and any(seat.player == task.person.player_id for seat in seated):
        raise Skip("the player sits there already")
    rematch, by_name = task.queued.kind == "rematch", not offer.address
    if not by_name and offer.address.lower() != task.person.address.lower():
        raise Skip("the player has another address by now")
    due, number, address = task.queued.due, offer.number, task.person.address
    token = links.invitation_token(task.store, now=due, invitation_id=number, address=address)
    names, game, host = [spoken(seat.name or "") for seat in seated], spoken(offer.game.name), _("A player")
    if rematch:  # they have played together
        host = one_line(offer.inviter or host, 60)
    else:
        host = _quoted(offer.inviter) if offer.inviter else host
        names, game = [_quoted(name) for name in names], _quoted(game)
    return _letter(
        "invitation",
        link_urls.link_url(task.settings, "invitation", token),
        rematch=rematch,
        by_name=by_name,
        host=host,
        game=game,
        seats=offer.game.seat_count,
        players=listing(names),
        free=free,
    )


def vacation_ending(task: MailTask) -> MailContent:
    """Your clocks run again soon."""
    ends_at = task.queued.data["ends_at"]
    waiting = vacation.waiting_for(task.store, task.person.player_id or "", task.queued.created_at, ends_at)
    ends = parse_utc(ends_at)
    if waiting is None or ends <= task.now:
        raise Skip("the vacation has ended, or ends at another time")
    zone = task.person.zone
    return _letter("vacation_ending", day=weekday_and_day(ends, zone), time=times.local(ends, zone), waiting=waiting)


def token_made(task: MailTask) -> MailContent:
    """A new token opens the account: was it you?"""
    kept = tokens.listing(task.store, Player(task.person.player_id or "", task.person.name))
    made = next((one for one in kept if one["id"] == task.queued.data["token"]), None)
    if made is None:
        raise Skip("the token was revoked")
    name, ends = made["name"], made["expires_at"]
    may = access.scopes_in_words()
    items = [
        Item(_("Name"), one_line(name) if name else _("none")),
        Item(_("Made"), times.local(parse_utc(made["created_at"]), task.person.zone)),
        Item(_("It ends"), times.local(parse_utc(ends), task.person.zone) if ends else _("never by itself")),
        Item(_("It may"), listing([may[one] for one in made["scopes"]])),
    ]
    url = f"{task.settings.public_url}/account/tokens"
    return _letter("token_made", url, [Section(_("The token"), items=items)], name=one_line(task.person.name))
