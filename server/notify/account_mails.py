"""Mails to an address: confirm it, sign in, an invitation, a rematch, the end of a vacation."""

from __future__ import annotations

from server.language import gettext as _
from server.language import listing, ngettext
from server.notify import times
from server.notify.mail_content import Item, Link, MailContent, Section, Skip
from server.notify.mime_message import one_line
from server.notify.recipients import MailTask
from server.service.accounts import access, link_urls, links, tokens
from server.service.accounts.players import Player
from server.service.common import checks
from server.service.common.naming import spoken
from server.service.play import vacation
from server.service.seating import invitations
from server.storage.times import parse_utc

QUOTED_MAX = 40


def confirm(task: MailTask) -> MailContent:
    """Is this address yours?"""
    claims = {"player": task.person.player_id, "address": links.address_claim(task.person.address)}
    token = links.make(task.store, "confirm", now=task.queued.due, **claims)
    return MailContent(
        subject=_("Confirm your address"),
        heading=_("Is this your address?"),
        intro=[
            _(
                "Somebody, hopefully you, gave this address for the account %(name)s on Ulm by mail, a server "
                "where the board game Ulm is played at leisure.",
                name=_quoted(task.person.name),
            ),
            _("Until you confirm it, no other mail will come here."),
            _(
                "Open the link where you are signed in to that account. If you confirm anywhere else, all its "
                "sessions and tokens end, so that the account is yours alone."
            ),
        ],
        action=Link(_("Confirm this address"), link_urls.confirm_url(task.settings, token)),
        after=[_("The link is good for a week. If it was not you, do nothing, and nothing will happen.")],
        why=_("You get this because your address was given for an account."),
    )


def sign_in(task: MailTask) -> MailContent:
    """A link that signs in."""
    if task.now - task.queued.due >= links.LIFETIMES["sign_in"]:
        raise Skip("the link would be too old")
    token = links.sign_in_token(
        task.store, now=task.queued.due, player_id=task.person.player_id or "", address=task.person.address
    )
    return MailContent(
        subject=_("Your link to sign in"),
        heading=_("Sign in"),
        intro=[_("Here is the link that signs you in as %(name)s.", name=one_line(task.person.name))],
        action=Link(_("Sign in"), link_urls.sign_in_url(task.settings, token, task.queued.data.get("back", ""))),
        after=[
            _("It works once, within an hour of being asked for."),
            _("If it was not you who asked, do nothing: without this mail nobody can sign in."),
        ],
        why=_("You get this because a link was asked for with your address."),
    )


def address_changed(task: MailTask) -> MailContent:
    """To the address that an account had until now. It lets nobody in: the mailbox may be somebody else's by now."""
    at = times.local(task.queued.due, task.person.zone)
    if task.queued.data.get("removed"):
        what = _(
            "Since %(time)s the account %(name)s of Ulm by mail has had no mail address. Until then it was this one.",
            time=at,
            name=_quoted(task.person.name),
        )
    else:
        what = _(
            "Since %(time)s the account %(name)s of Ulm by mail has had another mail address. Until then it was "
            "this one.",
            time=at,
            name=_quoted(task.person.name),
        )
    return MailContent(
        subject=_("Your account’s address has changed"),
        heading=_("This address was removed from your account"),
        intro=[
            what,
            _(
                "No more mail comes here, nobody can sign in with this address, and the links in earlier mails "
                "no longer work."
            ),
        ],
        after=[
            _("If it was you, there is nothing to do."),
            _(
                "If it was not you, somebody else was signed in to your account. Write soon to whoever runs this "
                "server, at the address this mail comes from, and keep this mail: its time says when it happened."
            ),
        ],
        why=_("You get this because this address was confirmed for the account."),
    )


def _quoted(text: str) -> str:
    """Words of somebody whom the reader may not know: short, in quotes, and leading nowhere."""
    return _("“%(words)s”", words=one_line(checks.without_web_addresses(text), QUOTED_MAX))


def invitation(task: MailTask) -> MailContent:
    """Somebody would like to play with you; also the offer of a rematch."""
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
    if offer.address.lower() != task.person.address.lower():
        raise Skip("the player has another address by now")
    token = links.invitation_token(task.store, now=task.queued.due, invitation_id=offer.number, address=offer.address)
    rematch = task.queued.kind == "rematch"
    names, game = [spoken(seat.name or "") for seat in seated], spoken(offer.game.name)
    if rematch:  # they have played together
        host, table = one_line(offer.inviter or _("A player"), 60), listing(names)
    else:
        host = _quoted(offer.inviter) if offer.inviter else _("A player")
        table, game = listing([_quoted(name) for name in names]), _quoted(game)
    intro = [
        _(
            "The game is %(game)s, for %(seats)s players. At the table: %(players)s. Seats left: %(free)s.",
            game=game,
            seats=offer.game.seat_count,
            players=table,
            free=free,
        ),
        _("You get a mail whenever it is your turn, and play through the links in it, at leisure."),
    ]
    if rematch:
        subject = _("%(name)s offers a rematch", name=host)
        heading = _("%(name)s would like to play again", name=host)
        why = _("You get this because %(name)s played with you.", name=host)
    else:
        # Nothing in it is a stranger's: a subject is read before anybody asks who wrote it.
        subject = heading = _("An invitation to a game of Ulm")
        intro.insert(0, _("A player on this server, who goes by the name %(name)s, invites you.", name=host))
        why = _("You get this because %(name)s gave your address.", name=host)
        intro[1] += " " + _("You need no account and no password: the link is enough, and confirms your address.")
    return MailContent(
        subject=subject,
        heading=heading,
        intro=intro,
        action=Link(_("Take a seat"), link_urls.invitation_url(task.settings, token)),
        after=[_("The link is good for 30 days, while a seat is free. If you would rather not, do nothing.")],
        why=why,
    )


def vacation_ending(task: MailTask) -> MailContent:
    """Your clocks run again soon."""
    ends_at = task.queued.data["ends_at"]
    waiting = vacation.waiting_for(task.store, task.person.player_id or "", task.queued.created_at, ends_at)
    ends = parse_utc(ends_at)
    if waiting is None or ends <= task.now:
        raise Skip("the vacation has ended, or ends at another time")
    return MailContent(
        subject=_("Your vacation ends on %(day)s", day=times.day(ends, task.person.zone)),
        heading=_("Your vacation ends soon"),
        intro=[
            _(
                "It ends on %(time)s. From then on the clocks in your games run again.",
                time=times.local(ends, task.person.zone),
            ),
            ngettext(
                "%(num)s game will be waiting for your move.", "%(num)s games will be waiting for your move.", waiting
            )
            if waiting
            else _("No game is waiting for you at present."),
        ],
        why=_("You get this because you entered a vacation on the server."),
    )


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
    return MailContent(
        subject=_("A new token for your account"),
        heading=_("A program can act in your name now"),
        intro=[
            _(
                "A token was made for the account %(name)s of Ulm by mail. Whoever has it can do all that it "
                "allows, without your mail.",
                name=one_line(task.person.name),
            ),
        ],
        sections=[Section(_("The token"), items=items)],
        action=Link(_("Look at your tokens, or revoke one"), f"{task.settings.public_url}/account/tokens"),
        after=[
            _(
                "If it was you, do nothing. If it was not, open your account with this link, revoke the token "
                "and sign out on all devices."
            ),
        ],
        why=_("You get this because a token was made for your account."),
    )
