"""Notices become mails: `compose`, which delivery calls just before it sends.

Each kind has a function that looks whether the notice is still true and writes the letter; here it becomes a message of
text, HTML and, where there is one, a picture of the board.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage
from functools import cache, lru_cache
from operator import getitem
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from server.board.text import LETTERS
from server.board.words import words_of
from server.language import current, speaking
from server.language import gettext as _
from server.move_language.reply_mark import reply_mark
from server.notify import account_letters, answer_letters, digest_letter, game_letters, message_letter
from server.notify.headers import one_line, set_headers
from server.notify.letter import Letter, Link, Postpone, Skip
from server.notify.plain_text import WIDTH, sections, tidy, wrapped
from server.notify.recipients import ASKED_FOR, TO_STRANGERS, LetterTask, recipient
from server.service.accounts import link_urls, links
from server.service.chat import unsubscribing
from server.service.explain import game_words
from server.service.outbox.deliveries import Notice
from server.settings import Settings
from server.storage.database import Store

Builder = Callable[[LetterTask], Letter]

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
    "message": message_letter.message,
    "digest": digest_letter.digest,
    "answer": answer_letters.answer,
    "resign_question": answer_letters.resign_question,
}
"""The function that writes the letter of each `news.Kind`."""

BOARD_CID = "board@ulm"
PREVIEW_MAX = 160
_FILLER = Markup("&#847;&zwnj;&nbsp;" * 60)  # noqa: S704 - ours
"""What follows the preview: it keeps lists of mails from showing the first words of the letter behind it."""
LIGHTS = {
    "gray": ("#a8a29a", "#1f1b16"),
    "white": ("#ffffff", "#1f1b16"),
    "brown": ("#7a4a26", "#ffffff"),
    "turquoise": ("#2aa198", "#0b2623"),
    "orange": ("#e8811a", "#1f1b16"),
}
"""Colours of the chips of tiles, each with that of the letter on it."""


def compose(store: Store, settings: Settings, notice: Notice, now: datetime) -> EmailMessage | Skip | Postpone:
    """The mail of a notice as it is true at `now`; `Skip` when it is not, `Postpone` when its reader wants quiet.

    Reads in short transactions, and writes nothing but the links that no mail has had yet.
    """
    builder = KINDS.get(notice.kind)
    if builder is None:
        return Skip(f"this server knows no mail of the kind {notice.kind}")
    try:
        with store.connection():  # one for all that is read: each time it costs 0.03 ms to take one and give it back
            person = recipient(store, notice, now)
            with speaking(person.language):
                return _composed(builder, LetterTask(store, settings, notice, person, now))
    except (Skip, Postpone) as none:
        return none


def _composed(builder: Builder, task: LetterTask) -> EmailMessage:
    letter, store, settings, notice, person = builder(task), task.store, task.settings, task.notice, task.person
    foot, one_click = None, None
    if notice.kind in TO_STRANGERS:
        never = link_urls.unsubscribe_url(settings, unsubscribing.stranger_token(store, person.address, notice.due))
        foot = Link(_("No mail from this server ever again"), never)
        one_click = never if notice.kind == "invitation" else None
    elif person.player_id is not None and notice.kind not in ASKED_FOR:
        claims = {"player": person.player_id} | ({"game": notice.game_id} if notice.game_id else {})
        one_click = link_urls.unsubscribe_url(settings, links.make(store, "unsubscribe", now=notice.due, **claims))
        foot = Link(
            _("No mails about this game, or fewer in all") if notice.game_id else _("Fewer mails, or none"), one_click
        )
    message = EmailMessage()
    set_headers(message, settings, notice, person, letter, one_click)
    _fill(message, letter, foot)
    return message


def _fill(message: EmailMessage, letter: Letter, foot: Link | None) -> None:
    picture = letter.board.png if letter.board is not None else None
    mark = reply_mark() if letter.reply_to else ""
    shared = {"letter": letter, "foot": foot, "heading": one_line(letter.heading, 200), "mark": mark}
    text = _templates().get_template("letter.txt").render(shared)
    preview = one_line(letter.preview or " ".join(letter.intro), PREVIEW_MAX)
    html = (
        _templates()
        .get_template("letter.html")
        .render(
            shared,
            language=current(),
            cid=BOARD_CID,
            has_picture=picture is not None,
            preview=preview,
            chips=_chips(game_words.board_language()),
        )
    )
    message.set_content(tidy(text), cte="quoted-printable")
    message.add_alternative(html, subtype="html", cte="quoted-printable")
    if picture is not None:
        _plain, body = message.iter_parts()
        body.add_related(picture, "image", "png", cid=f"<{BOARD_CID}>", filename="board.png", disposition="inline")


class _Environment(Environment):
    """What the templates look up are fields, which are there, or it is a fault: no undefined values, and none of the
    calls by which Jinja makes them, which cost a turn mail 0.1 ms."""

    getattr = staticmethod(getattr)  # type: ignore[assignment]
    getitem = staticmethod(getitem)  # type: ignore[assignment]


@lru_cache(maxsize=1)
def _templates() -> Environment:
    environment = _Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates" / "mail"),
        autoescape=select_autoescape(("html",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(fill=wrapped, sections=sections)
    environment.globals.update(_=_, width=WIDTH, filler=_FILLER)
    return environment


@cache  # of so many as there are languages
def _chips(language: str) -> dict[str, Markup]:
    """For each colour a tile as a small square with its letter, that shows without pictures, in light and dark."""
    style = (
        "display:inline-block;width:16px;height:16px;line-height:16px;border-radius:3px;margin-right:3px;"
        "border:1px solid #8a8378;background-color:{};color:{};font-size:11px;text-align:center;"
        "vertical-align:1px"
    )
    return {
        color: Markup('<span title="{}" style="{}">{}</span>').format(
            words_of(language).colors[color], style.format(ground, ink), LETTERS[color]
        )
        for color, (ground, ink) in LIGHTS.items()
    }
