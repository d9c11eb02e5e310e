"""The one mail that answers an answer: what was played and revealed, or which line could not be read."""

from __future__ import annotations

from dataclasses import replace

from server.language import gettext as _
from server.language import pgettext
from server.notify import game_mails, game_sections
from server.notify.game_sections import Seen
from server.notify.mail_content import Item, MailContent, Section, Skip
from server.notify.plain_text import letter
from server.notify.recipients import MailTask
from server.service.accounts import link_urls, links
from server.service.answering import results
from server.service.answering.results import Result
from server.service.views import drafts

LEFT_MOST = 20


def answer(task: MailTask) -> MailContent:
    """What became of a mail of the reader's."""
    seen = game_sections.seen_game(task)
    result = results.read(task.queued.data)
    # The answer ended that turn, and the next has begun meanwhile: it has a mail of its own.
    again = seen.is_to_move and bool(result.carried) and seen.story.turn_began > result.carried[-1].last
    said = letter(
        "answer",
        result=result,
        again=again,
        is_to_move=seen.is_to_move,
        moves=", ".join(move for one in result.carried for move in one.moves),
        left="; ".join(result.left[:LEFT_MOST]) if result.standing == "live" else "",
    )
    content = game_mails.present(seen, " ".join(said["heading"]), said["intro"], again)
    helping = [help_section()] if result.help else []
    return replace(
        content,
        preview=content.intro[0] if content.intro else "",
        # What was asked for, or is offered, stands before all that stands in every mail.
        happened=[*helping, *_previewed(seen, result), *_happened(seen, result), *_offered(result)],
    )


def resign_question(task: MailTask) -> MailContent:
    """Is the seat to be resigned? An answer to this mail alone does it."""
    content = answer(task)
    seen = game_sections.seen_game(task)
    if seen.game.status != "running" or seen.view["players"][seen.seat]["resigned"]:
        raise Skip("there is nothing to resign any more")
    token = links.resign_token(
        task.store, now=task.queued.due, player_id=task.queued.player_id or "", game_id=seen.game.id, seat=seen.seat
    )
    said = letter("resign_question", game=seen.game_name)
    return replace(
        content,
        subject=said["subject"][0],
        heading=said["heading"][0],
        preview=said["intro"][0],
        intro=[*said["intro"], *content.intro],
        answers=[],
        reply_to=link_urls.reply_address(task.settings, token),
    )


def _happened(seen: Seen, result: Result) -> list[Section]:
    """What the moves brought, and what came after them."""
    story, found = seen.story, []
    for one in result.carried:
        told = story.between(one.first, one.last)
        # Something else stands there when they were taken back before this mail was written.
        if [move.move for move in told] == one.moves:
            found.append(game_sections.happened(seen, told, _("What you played")))
    if result.carried:
        found.append(game_sections.happened(seen, story.between(result.carried[-1].last), _("What happened then")))
    elif result.standing == "late":
        found.append(game_sections.happened(seen, story.since_own_turn(), _("Since your last turn")))
    return [section for section in found if section is not None]


def _previewed(seen: Seen, result: Result) -> list[Section]:
    """What moves would bring that were only to be looked at."""
    if not result.preview or not seen.is_to_move:
        return []
    draft = drafts.make(seen.state, seen.seat, seen.names, result.previewed, result.preview)
    if draft.problem is not None:
        return []
    said = [sentence for one in draft.told for sentence in one.sentences]
    own = draft.view["players"][seen.seat]
    stands = _("You would have %(vp)s VP and %(coins)s coins.", vp=own["vp"], coins=own["coins"])
    return [Section(_("If you play %(moves)s", moves=", ".join(result.preview)), paragraphs=[" ".join(said), stands])]


def _offered(result: Result) -> list[Section]:
    if not result.other_text:
        return []
    return [
        Section(
            _("You also wrote"),
            paragraphs=result.other_text.split("\n"),
            notes=[_("It went to nobody. To send it to the table, write it after the word “say”.")],
        )
    ]


def help_section() -> Section:
    """What can be written."""
    return Section(
        _("What you can write"),
        paragraphs=[
            _("One move per line, or several with commas between them; capitals and full stops do not matter.")
        ],
        items=[
            Item(pgettext("answer", "push N1"), _("a move in words; each list shows what is possible")),
            Item("7", _("the move with that number in the mail that you are answering")),
            Item(pgettext("answer", "end"), _("ends your turn")),
            Item(
                pgettext("answer", "then push N1"), _("is also played when the move before it has revealed something")
            ),
            Item(pgettext("answer", "undo"), _("takes back whatever can be taken back")),
            Item(pgettext("answer", "preview push N1"), _("says what it would bring, but plays nothing")),
            Item(pgettext("answer", "show"), _("the board and your moves, again")),
            Item(pgettext("answer", "hand"), _("your cards")),
            Item(pgettext("answer", "say good luck"), _("sends a message to the table")),
            Item(pgettext("answer", "resign"), _("a second mail asks whether you mean it")),
        ],
    )
