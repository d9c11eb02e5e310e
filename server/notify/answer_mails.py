"""The one mail that answers an answer: what was played, what it revealed, what can be done now; or which line could
not be read, and how to write it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from server.language import gettext as _
from server.language import ngettext, pgettext
from server.notify import game_mails, game_sections
from server.notify.game_sections import Seen
from server.notify.mail_content import Item, MailContent, Section, Skip
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
    content = game_mails.present(seen, _heading(seen, result), _told(seen, result))
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
    question = [
        _("Do you want to resign from %(game)s? This cannot be taken back.", game=seen.game_name),
        _("If so, answer this mail with the line “resign”. Any other answer leaves everything as it is."),
    ]
    return replace(
        content,
        subject=_("%(game)s: do you want to resign?", game=seen.game_name),
        heading=_("Do you want to resign?"),
        preview=question[0],
        intro=[*question, *content.intro],
        answers=[],
        reply_to=link_urls.reply_address(task.settings, token) or "",
    )


def _heading(seen: Seen, result: Result) -> str:
    match result.standing:
        case "over" | "given_up":
            return _("This game is over")
        case "resigned":
            return _("You have resigned")
        case "late":
            return _("That turn is over: here is the current one")
        case "waiting":
            return _("It is not your turn")
    if result.questions:
        return _("Not all of it was played") if result.played else _("Nothing was played")
    if result.played:
        return _("Played, and your turn goes on") if seen.is_to_move else _("Played")
    if result.undone:
        return _("Taken back")
    if result.preview:
        return _("This is what would happen")
    if result.unsaid:
        return _("Your message could not be sent")
    if result.said:
        return _("Your message was sent")
    return _("This is how it stands")


def _told(seen: Seen, result: Result) -> list[str]:
    """What became of the mail, a paragraph each."""
    return list(_paragraphs(seen, result))


def _paragraphs(seen: Seen, result: Result) -> Iterator[str]:
    if result.not_resigned:
        yield _("You have not resigned: your answer does not say “resign”.")
    if result.came_back:
        yield _("The server has been playing for you. Now that you are back, it stops.")
    yield from _why_not_live(result)
    if result.undone:
        yield ngettext("%(num)s move was taken back.", "%(num)s moves were taken back.", result.undone)
    if result.nothing_to_undo:
        yield _("There was nothing to take back.")
    if result.played:
        moves = [move for one in result.carried for move in one.moves]
        yield _("Played: %(moves)s.", moves=", ".join(moves))
    for question in result.questions:
        if question.line:
            yield _("“%(line)s”: %(why)s", line=question.line, why=question.why)
        else:
            yield question.why
        if question.options:
            yield _("You could write: %(moves)s.", moves="; ".join(question.options))
    yield from _why_left(result)
    if result.unsaid:
        yield _("Your message was not sent: %(why)s", why=result.unsaid)
    if result.said:
        yield ngettext("Your message went to the table.", "%(num)s messages went to the table.", result.said)
    if _was_empty(result):
        yield _("No move was found in your mail.")


def _why_not_live(result: Result) -> Iterator[str]:
    match result.standing:
        case "late":
            yield _("You answered a mail about a turn that is over. Nothing was played. Answer this mail instead.")
        case "waiting":
            if result.left or result.questions:
                yield _("Nothing was played.")
            yield _("You get a mail when it is your turn.")
        case "resigned":
            yield _("Your seat has resigned: your points stay, and the others play on.")
        case "over":
            yield _("The game is over: no more moves are accepted.")
        case "given_up":
            yield _("The game was given up: nobody was left to play it.")


def _why_left(result: Result) -> Iterator[str]:
    if not result.left or result.standing != "live":
        return
    left = "; ".join(result.left[:LEFT_MOST])
    match result.stop:
        case "revealed":
            yield _(
                "The last move revealed something, so what followed it in your mail was not played: %(moves)s. "
                "(Write “then” before a move that is to be played in any case.)",
                moves=left,
            )
        case "ended":
            yield _("Your turn was over before this: %(moves)s.", moves=left)
        case _:
            yield _("So this was not played either: %(moves)s.", moves=left)


def _was_empty(result: Result) -> bool:
    done = result.played or result.undone or result.nothing_to_undo or result.preview or result.said or result.unsaid
    asked = result.help or result.hand or result.resigning or result.not_resigned or result.questions or result.left
    return result.standing == "live" and bool(result.other_text) and not (done or asked)


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
