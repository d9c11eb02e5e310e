"""Letters to an address: confirm it, sign in, an invitation, a rematch, the end of a vacation."""

from __future__ import annotations

from datetime import datetime

from server.engine.sentences import listing
from server.notify import times
from server.notify.headers import one_line
from server.notify.letter import Letter, Link
from server.notify.notice import Notice, Skip
from server.notify.recipients import Recipient
from server.service import links, sql
from server.settings import Settings
from server.storage.database import Store


def confirm(store: Store, settings: Settings, notice: Notice, person: Recipient, now: datetime) -> Letter | Skip:
    """Is this address yours?"""
    claims = {"player": person.player_id, "address": links.address_claim(person.address)}
    token = links.sign(store, "confirm", now=notice.due, **claims)
    return Letter(
        subject="Confirm your address",
        heading="Is this your address?",
        intro=[
            (f"Somebody, you we hope, gave this address for the account {one_line(person.name)} of Ulm by mail, a "
             "server on which the board game Ulm is played at leisure."),
            "Until you confirm it no other mail comes here.",
        ],
        action=Link("Confirm this address", links.confirm_url(settings, token)),
        after=["The link is good for a week. If it was not you, do nothing: then nothing happens."],
        why="You get this because your address was given for an account.",
    )


def sign_in(store: Store, settings: Settings, notice: Notice, person: Recipient, now: datetime) -> Letter | Skip:
    """A link that signs in."""
    if now - notice.due >= links.LIFETIMES["sign_in"]:
        return Skip("the link would be too old")
    claims = {"player": person.player_id, "address": links.address_claim(person.address)}
    token = links.sign(store, "sign_in", now=notice.due, **claims)
    return Letter(
        subject="Your link to sign in",
        heading="Sign in",
        intro=[f"Here is the link that signs you in as {one_line(person.name)}."],
        action=Link("Sign in", links.sign_in_url(settings, token)),
        after=[
            "It works once, within an hour of being asked for.",
            "If it was not you who asked, do nothing: without this mail nobody can sign in.",
        ],
        why="You get this because a link was asked for with your address.",
    )


_INVITATION = """
    SELECT i.id, i.address, i.accepted_at, p.name, g.name, g.status, g.seats
    FROM invitation i JOIN game g ON g.id = i.game_id LEFT JOIN player p ON p.id = i.inviter_id
    WHERE i.id = ? AND i.game_id = ?"""
_SEATED = "SELECT name, player_id FROM seat WHERE game_id = ? AND name IS NOT NULL ORDER BY seat"


def invitation(store: Store, settings: Settings, notice: Notice, person: Recipient, now: datetime) -> Letter | Skip:
    """Somebody would like to play with you; also the offer of a rematch."""
    with store.read():
        found = sql.row(store, _INVITATION, notice.data.get("invitation"), notice.game_id)
        seated = sql.rows(store, _SEATED, notice.game_id)
    if found is None:
        return Skip("the invitation is gone")
    number, address, accepted, inviter, game, status, seats = found
    if accepted is not None:
        return Skip("the invitation was accepted")
    if status != "open" or len(seated) >= seats:
        return Skip("the game takes no more players")
    if person.player_id is not None and any(player == person.player_id for _, player in seated):
        return Skip("the player sits there already")
    if address.lower() != person.address.lower():
        return Skip("the player has another address by now")
    token = links.sign(
        store, "invitation", now=notice.due, invitation=number, address=links.address_claim(address)
    )
    host = one_line(inviter or "A player", 60)
    rematch = notice.kind == "rematch"
    free = seats - len(seated)
    table = listing([name for name, _ in seated])
    stranger = "" if rematch else " You need no account and no password: the link is enough, and confirms your address."
    return Letter(
        subject=f"{host} offers a rematch" if rematch else f"{host} invites you to a game of Ulm",
        heading=f"{host} would like to play again" if rematch else f"{host} invites you to a game of Ulm",
        intro=[
            f"The game is {game}, for {seats} players. At the table: {table}. Seats left: {free}.",
            f"You get a mail whenever it is your turn, and play by the links in it, at leisure.{stranger}",
        ],
        action=Link("Take a seat", links.invitation_url(settings, token)),
        after=["The link is good for 30 days, while a seat is free. If you would rather not, do nothing."],
        why=f"You get this because {host} " + ("played with you." if rematch else "gave your address."),
    )


_TO_MOVE = """
    SELECT count(*) FROM game g JOIN seat s ON s.game_id = g.id AND s.seat = g.to_move
    WHERE s.player_id = ? AND g.status = 'running'"""


def vacation_ending(
    store: Store, settings: Settings, notice: Notice, person: Recipient, now: datetime
) -> Letter | Skip:
    """Your clocks run again soon."""
    ends_at = notice.data["ends_at"]
    with store.read():
        still = sql.row(
            store, "SELECT 1 FROM vacation WHERE player_id = ? AND starts_at <= ? AND ends_at = ?", person.player_id,
            notice.created_at, ends_at,
        )
        waiting = sql.row(store, _TO_MOVE, person.player_id)
    ends = times.parse(ends_at)
    if still is None or ends <= now:
        return Skip("the vacation has ended, or ends at another time")
    number = 0 if waiting is None else waiting[0]
    return Letter(
        subject=f"Your vacation ends on {times.day(ends, person.zone)}",
        heading="Your vacation ends soon",
        intro=[
            f"It ends on {times.local(ends, person.zone)}. From then on time runs again in your games.",
            "No game waits for you at present." if not number
            else f"{number} game{'' if number == 1 else 's'} will wait for your move.",
        ],
        why="You get this because you have told the server of a vacation.",
    )
