"""The mail of a row of the outbox: `compose`, which delivery calls just before it sends. A function for each kind looks
whether it is still true and says what it says; here that becomes text, HTML and a picture."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage

from server.board.text import LETTERS
from server.board.words import words_of
from server.language import current, speaking
from server.language import gettext as _
from server.move_language.reply_mark import reply_mark
from server.notify import account_mails, answer_mails, digest_mail, game_mails, table_mails
from server.notify.mail_content import Link, MailContent, Postpone, Skip
from server.notify.mime_message import one_line, set_headers
from server.notify.plain_text import templates, tidy
from server.notify.recipients import ASKED_FOR, TO_STRANGERS, MailTask, recipient
from server.service.accounts import link_urls, links
from server.service.chat import unsubscribing
from server.service.outbox.deliveries import QueuedMail
from server.settings import Settings
from server.storage.database import Store

Builder = Callable[[MailTask], MailContent]

KINDS: dict[str, Builder] = {
    "confirm": account_mails.confirm,
    "sign_in": account_mails.sign_in,
    "address_changed": account_mails.address_changed,
    "token_made": account_mails.token_made,
    "invitation": account_mails.invitation,
    "invited": account_mails.invitation,
    "rematch": account_mails.invitation,
    "vacation_ending": account_mails.vacation_ending,
    "joined": table_mails.joined,
    "host": table_mails.host,
    "not_started": table_mails.not_started,
    "proposal": table_mails.proposal,
    "agreed": table_mails.agreed,
    "replaced": table_mails.replaced,
    "started": game_mails.started,
    "turn": game_mails.turn,
    "turn_link": game_mails.turn_link,
    "reminder": game_mails.reminder,
    "played_for_you": game_mails.played_for_you,
    "over": game_mails.over,
    "message": game_mails.message,
    "pause": game_mails.pause,
    "digest": digest_mail.digest,
    "answer": answer_mails.answer,
    "resign_question": answer_mails.resign_question,
}
"""The function that writes the mail of each `news.Kind`."""

BOARD_CID = "board@ulm"
PREVIEW_MAX = 160


def compose(store: Store, settings: Settings, queued: QueuedMail, now: datetime) -> EmailMessage | Skip | Postpone:
    """The mail as it is true at `now`; `Skip` when it is not, `Postpone` when its reader wants quiet. Writes nothing
    but links that no mail has had yet."""
    builder = KINDS.get(queued.kind)
    if builder is None:
        return Skip(f"this server knows no mail of the kind {queued.kind}")
    try:
        with store.connection():  # one for all that is read: each time it costs 0.03 ms to take one and give it back
            person = recipient(store, queued, now)
            with speaking(person.language):
                return _composed(builder, MailTask(store, settings, queued, person, now))
    except (Skip, Postpone) as none:
        return none


def _composed(builder: Builder, task: MailTask) -> EmailMessage:
    content, store, settings, queued, person = builder(task), task.store, task.settings, task.queued, task.person
    foot, one_click = None, None
    if queued.kind in TO_STRANGERS:
        token = unsubscribing.stranger_token(store, person.address, queued.due)
        never = link_urls.link_url(settings, "unsubscribe", token)
        foot = Link(_("No mail from this server ever again"), never)
        one_click = never if queued.kind == "invitation" else None
    elif person.player_id is not None and queued.kind not in ASKED_FOR:
        claims = {"player": person.player_id} | ({"game": queued.game_id} if queued.game_id else {})
        token = links.make(store, "unsubscribe", now=queued.due, **claims)
        one_click = link_urls.link_url(settings, "unsubscribe", token)
        foot = Link(
            _("No mails about this game, or fewer in all") if queued.game_id else _("Fewer mails, or none"), one_click
        )
    message = EmailMessage()
    set_headers(message, settings, queued, person, content, one_click)
    _fill(message, content, foot)
    return message


def _fill(message: EmailMessage, content: MailContent, foot: Link | None) -> None:
    board = content.board
    picture = None if board is None else board.png
    mark = reply_mark() if content.reply_to else ""
    shared = {"content": content, "foot": foot, "heading": one_line(content.heading, 200), "mark": mark}
    text = templates().get_template("mail.txt").render(shared)
    html = (
        templates()
        .get_template("mail.html")
        .render(
            shared,
            language=current(),
            cid=BOARD_CID,
            has_picture=picture is not None,
            preview=one_line(content.preview or " ".join(content.intro), PREVIEW_MAX),
            colors=words_of(current()).colors,
            letters=LETTERS,
        )
    )
    message.set_content(tidy(text), cte="quoted-printable")
    message.add_alternative(html, subtype="html", cte="quoted-printable")
    if board is not None and picture is not None:
        _plain, body = message.iter_parts()
        body.add_related(picture, "image", "png", cid=f"<{BOARD_CID}>", filename="board.png", disposition="inline")
        for color, tile in board.tiles.items():
            if (cid := f"{color}.{BOARD_CID}") in html:
                body.add_related(tile, "image", "png", cid=f"<{cid}>", filename=f"{color}.png", disposition="inline")
