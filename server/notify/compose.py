"""Notices become mails: `compose`, which delivery calls just before it sends.

Each kind has a function that looks whether the notice is still true and writes the letter; here it becomes a message of
text, HTML and, where there is one, a picture of the board.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from datetime import datetime
from email.message import EmailMessage
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from server.addresses import mail_address
from server.board.measure import columns, pad
from server.language import current, speaking
from server.language import gettext as _
from server.notify import account_letters, digest_letter, game_letters
from server.notify.composer import Postpone, Skip
from server.notify.headers import one_line, set_headers
from server.notify.letter import Letter, Link
from server.notify.mime_message import POLICY, fill
from server.notify.recipients import ASKED_FOR, TO_STRANGERS, Recipient, recipient
from server.service.accounts import link_urls, links
from server.service.outbox.deliveries import Notice
from server.service.talk import unsubscribing
from server.service.views import game_words
from server.settings import Settings
from server.storage.database import Store

Builder = Callable[[Store, Settings, Notice, Recipient, datetime], Letter | Skip]

KINDS: dict[str, Builder] = {
    "confirm": account_letters.confirm,
    "sign_in": account_letters.sign_in,
    "address_changed": account_letters.address_changed,
    "token_made": account_letters.token_made,
    "invitation": account_letters.invitation,
    "rematch": account_letters.invitation,
    "vacation_ending": account_letters.vacation_ending,
    "started": game_letters.started,
    "turn": game_letters.turn,
    "turn_link": game_letters.turn_link,
    "reminder": game_letters.reminder,
    "played_for_you": game_letters.played_for_you,
    "over": game_letters.over,
    "message": game_letters.message,
    "digest": digest_letter.digest,
}
"""The function that writes the letter of each `news.Kind`."""

WIDTH = 76
BOARD_CID = "board@ulm"
LIGHTS = {"gray": "#a8a29a", "white": "#ffffff", "brown": "#8a5a33", "turquoise": "#2aa198", "orange": "#e8811a"}
"""Tile colours of the chips beside a push."""


def compose(store: Store, settings: Settings, notice: Notice, now: datetime) -> EmailMessage | Skip | Postpone:
    """The mail of a notice as it is true at `now`; `Skip` when it is not, `Postpone` when its reader wants quiet.

    Reads in short transactions and writes nothing (but the very first signing key).
    """
    builder = KINDS.get(notice.kind)
    if builder is None:
        return Skip(f"this server knows no mail of the kind {notice.kind}")
    person = recipient(store, notice, now)
    if not isinstance(person, Recipient):
        return person
    try:
        mail_address(person.address)
    except ValueError:
        # It was taken before `server/addresses.py` was there.
        return Skip("no mail can be sent to that address: the player has to give another one")
    with speaking(person.language):
        return _composed(builder, store, settings, notice, person, now)


def _composed(
    builder: Builder, store: Store, settings: Settings, notice: Notice, person: Recipient, now: datetime
) -> EmailMessage | Skip:
    letter = builder(store, settings, notice, person, now)
    if isinstance(letter, Skip):
        return letter
    foot, one_click = None, None
    if notice.kind in TO_STRANGERS:
        never = link_urls.unsubscribe_url(settings, unsubscribing.stranger_token(store, person.address, notice.due))
        foot = Link(_("Never again a mail from this server"), never)
        one_click = never if notice.kind == "invitation" else None
    elif person.player_id is not None and notice.kind not in ASKED_FOR:
        claims = {"player": person.player_id} | ({"game": notice.game_id} if notice.game_id else {})
        one_click = link_urls.unsubscribe_url(settings, links.sign(store, "unsubscribe", now=notice.due, **claims))
        foot = Link(_("Fewer mails, or none"), one_click)
    message = EmailMessage(POLICY)
    set_headers(message, settings, notice, person, letter.subject, one_click)
    _fill(message, letter, foot)
    return message


def _fill(message: EmailMessage, letter: Letter, foot: Link | None) -> None:
    picture = letter.board.png if letter.board is not None else None
    shared = {"letter": letter, "foot": foot, "heading": one_line(letter.heading, 200)}
    text = _templates().get_template("letter.txt").render(shared)
    html = (
        _templates()
        .get_template("letter.html")
        .render(shared, language=current(), cid=BOARD_CID, has_picture=picture is not None)
    )
    body = fill(message, _tidy(text), html)
    if picture is not None:
        body.add_related(picture, "image", "png", cid=f"<{BOARD_CID}>", filename="board.png", disposition="inline")


@lru_cache(maxsize=1)
def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates" / "mail"),
        autoescape=select_autoescape(("html",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(fill=_wrapped, table=_table)
    environment.globals.update(chip=_chip, width=WIDTH)
    return environment


def _wrapped(text: str, first: str = "", rest: str | None = None) -> str:
    """Lines of at most `WIDTH` columns; addresses stay whole, so that mail programs know them."""
    if text and len(first) + len(text) <= WIDTH and text.isprintable() and text == text.strip():
        return first + text  # what textwrap would say, in a fiftieth of the time: most lines are short
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=first if rest is None else rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Rows in columns: names to the left, numbers to the right."""
    widths = [max(columns(row[index]) for row in rows) for index in range(len(rows[0]))]
    texts = [not any(row[index].lstrip("+-").isdigit() for row in rows[1:]) for index in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            pad(cell, wide) if is_text else " " * (wide - columns(cell)) + cell
            for cell, wide, is_text in zip(row, widths, texts, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _chip(color: str) -> Markup:
    """A tile as a small square that shows without pictures, in light and dark."""
    style = (
        f"display:inline-block;width:12px;height:12px;line-height:12px;border-radius:3px;margin-right:3px;"
        f"border:1px solid #8a8378;background-color:{LIGHTS[color]};vertical-align:-2px"
    )
    return Markup('<span title="{}" style="{}"></span>').format(game_words.words().colors[color], style)


def _tidy(text: str) -> str:
    """No blanks at line ends, no two empty lines in a row, one line end at the end."""
    lines: list[str] = []
    for line in text.splitlines():
        line = line.rstrip()
        if line or (lines and lines[-1]):
            lines.append(line)
    # The line before a signature has a blank at its end: mail programs know it by that.
    return "\n".join("-- " if line == "--" else line for line in lines).strip("\n") + "\n"
