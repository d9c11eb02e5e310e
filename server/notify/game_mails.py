"""Mails about a running or finished game to those who play it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from server.language import date_and_time, listing
from server.language import gettext as _
from server.notify import game_sections, times, turn_sections
from server.notify.game_sections import Seen
from server.notify.mail_content import Link, MailContent, Section, Skip
from server.notify.plain_text import letter
from server.notify.recipients import MailTask
from server.service.accounts import link_urls, links
from server.service.chat import messages
from server.service.common.naming import spoken
from server.service.games import clock as clocks
from server.service.games.model import Game
from server.service.games.running_time import quiet_until
from server.service.outbox import enqueuing
from server.service.outbox.news import game_key
from server.service.play import timeouts
from server.service.play.pause import PAUSE_MAX
from server.storage.times import parse_utc


def turn(task: MailTask) -> MailContent:
    """It is your turn; also the mail that the game has started, to whom it starts with."""
    seen = game_sections.seen_game(task)
    _check_stale(seen)
    if any(one.seat == seen.seat for one in seen.story.between(task.queued.ply or 0)):
        raise Skip("the player has begun the turn")  # and so knows of it
    first = task.queued.kind == "started"
    game = seen.game_name
    if first:
        subject = _("%(game)s: started, your turn", game=game)
        heading = _("%(game)s has started: it is your turn", game=game)
    else:
        subject = _("%(game)s: your turn, round %(round)s", game=game, round=seen.view["round"])
        heading = _("It is your turn in %(game)s", game=game)
    return _turn_letter(seen, subject, heading)


def started(task: MailTask) -> MailContent:
    """The game has started."""
    if task.queued.data.get("turn"):
        return turn(task)
    seen = game_sections.seen_game(task)
    if seen.game.status != "running":
        raise Skip("the game is over")
    active = seen.view["active"]
    first = "" if active is None else seen.names[active]
    return _told(seen, "started", game_sections.commitment(seen), players=listing(seen.names), first=first)


def turn_link(task: MailTask) -> MailContent:
    """The link of the turn under way, which was asked for by the link of an earlier one."""
    seen = game_sections.seen_game(task)
    # Also to whoever has begun it, or left it to the server: they wait for this mail.
    if not seen.is_to_move or seen.story.turn_began > (task.queued.ply or 0):
        raise Skip("that turn is over")
    return _turn_letter(
        seen,
        _("%(game)s: the link to your turn", game=seen.game_name),
        _("It is your turn in %(game)s", game=seen.game_name),
        _("You get this because a link was asked for on the page of an earlier turn."),
    )


def reminder(task: MailTask) -> MailContent:
    """Your time is running."""
    seen = game_sections.seen_game(task)
    _check_stale(seen)
    until = seen.game.deadline
    if seen.game.waits_for_notice and seen.game.turn_notice == task.queued.key:
        until = task.queued.data["deadline"]  # it is this mail that the clock waits for
    elif seen.game.paused_at is not None or until is None:
        raise Skip("no deadline runs")
    elif parse_utc(until) <= task.now:
        raise Skip("the deadline is past")
    left = times.span(parse_utc(until) - task.queued.due)
    return _turn_letter(
        seen,
        _("%(game)s: reminder, %(time)s left", game=seen.game_name, time=left),
        _("About %(time)s left for your turn in %(game)s", time=left, game=seen.game_name),
        _at_its_end(seen),
    )


def played_for_you(task: MailTask) -> MailContent:
    """The server finished a turn whose time was over."""
    seen = game_sections.seen_game(task)
    ply = task.queued.ply or 0
    told = []
    for one in seen.story.between(ply):
        if one.seat != seen.seat or not one.automatic:
            break
        told.append(one)
    if not told:
        raise Skip("the server did not play for this player")
    if seen.game.status != "running":
        raise Skip("the game is over: the letter about that says it")
    return _told(
        seen,
        "played_for_you",
        game_sections.happened(seen, told, _("What was played")),
        game_sections.belongings(seen),
        game_sections.scores(seen),
        resigned=any(one.move == "resign" for one in told),
        autopilot=seen.game.seats[seen.seat].autopilot,
        last_warning=_is_last_warning(seen),
    )


def over(task: MailTask) -> MailContent:
    """The game is over."""
    seen = game_sections.seen_game(task)
    game = seen.game
    if game.status == "abandoned":
        own_end, agreed = _own_end(seen), game.ended_by_agreement
        return _told(seen, "given_up", game_sections.scores(seen), own_end=own_end, agreed=agreed)
    if game.status != "finished" or game.result is None:
        raise Skip("the game is not over")
    winners = game.result["winners"]
    scores = (seen.view["scores"] or [])[seen.seat]
    return _told(
        seen,
        "over",
        game_sections.final_scores(seen),
        game_sections.chronicle(seen),
        game_sections.since_own_turn(seen, len(seen.story.happened)),
        game_sections.proof(seen),
        shared=len(winners) > 1,
        won=seen.seat in winners,
        names=listing([seen.names[seat] for seat in winners]),
        own_end=_own_end(seen),
        moves=game.position.ply,
        total=scores["total"],
        rank=scores["rank"],
        seats=game.seat_count,
    )


def _told(seen: Seen, kind: str, *sections: Section | None, **values: object) -> MailContent:
    """The letter of a kind, by which nothing is played."""
    said = letter(kind, game=seen.game_name, **values)
    return _letter(seen, said["subject"][0], said["heading"][0], said["intro"], said["action"][0], *sections)


def _letter(
    seen: Seen, subject: str, heading: str, intro: Sequence[str], action: str, *sections: Section | None
) -> MailContent:
    """A mail about a game by which nothing is played."""
    settings, token = seen.task.settings, game_sections.token(seen)
    return MailContent(
        subject=subject,
        heading=heading,
        intro=intro,
        action=Link(action, link_urls.link_url(settings, "turn", token)),
        reply_to=link_urls.reply_address(settings, token),
        board=game_sections.picture(seen),
        sections=_there(*sections),
        why=_why(seen),
    )


def _there(*sections: Section | None) -> list[Section]:
    return [section for section in sections if section is not None]


def _turn_letter(seen: Seen, subject: str, heading: str, more: str = "") -> MailContent:
    task = seen.task
    token = game_sections.token(seen)
    turn = seen.story.this_turn()
    choices = turn_sections.choices(seen, token)
    story = game_sections.since_own_turn(seen, seen.story.turn_began)
    forward = _(
        "The links in this mail play for you: do not forward it to anybody. They change nothing until you confirm."
    )
    return MailContent(
        subject=subject,
        heading=heading,
        preview=f"{_deadline_in_short(seen)} {turn_sections.last_seen(seen)}".strip(),
        intro=[
            " ".join(filter(None, [_where(seen), *_deadline(seen), more])),
            *_unreached(seen),
            *([" ".join(story.paragraphs)] if story is not None else []),
        ],
        action=Link(_("Open your turn"), link_urls.link_url(task.settings, "turn", token)),
        answers=turn_sections.how_to_answer(choices) if task.settings.reply_domain else [],
        reply_to=link_urls.reply_address(task.settings, token),
        board=game_sections.picture(seen),
        happened=_there(
            # That the server drew for its player the choices say.
            game_sections.happened(seen, turn, _("This turn so far")) if len(turn) > 1 else None,
        ),
        choices=choices,
        sections=_there(
            game_sections.belongings(seen),
            game_sections.scores(seen),
            game_sections.tower(seen),
            game_sections.commitment(seen) if task.queued.kind == "started" else None,
        ),
        why=f"{forward} {_why(seen)}",
    )


def present(seen: Seen, heading: str, intro: list[str], told: bool = False) -> MailContent:
    """How the game stands for the reader, and what they may do now, below what the mail is about. A turn that is `told`
    by a mail of its own is not told here, if that mail is there."""
    subject = _("%(game)s: your answer", game=seen.game_name)
    if seen.is_to_move and not (told and _turn_is_mailed(seen)):
        queued = replace(seen.task.queued, ply=seen.story.turn_began)
        content = _turn_letter(replace(seen, task=replace(seen.task, queued=queued)), subject, heading)
        return replace(content, intro=[*intro, *content.intro])
    ended = seen.game.status != "running"
    return _letter(
        seen,
        subject,
        heading,
        intro,
        _("See the last position") if ended else _("Open your turn") if seen.is_to_move else _("Look at the game"),
        None if ended else game_sections.belongings(seen),
        game_sections.final_scores(seen) if seen.view["scores"] else game_sections.scores(seen),
    )


def _turn_is_mailed(seen: Seen) -> bool:
    """Whether the turn under way has a mail of its own that goes out, or went, at once."""
    task, began = seen.task, seen.story.turn_began
    if task.person.mode != "at_once" or quiet_until(task.person.wishes["quiet_hours"], task.person.zone, task.now):
        return False
    # The news are of the ply at which their reader was first asked, which is after the draw where the server drew.
    keys = [game_key("turn", seen.game.id, ply, task.queued.player_id or "") for ply in (began, began + 1)]
    with task.store.read():
        return bool(enqueuing.known(task.store, keys))


def _check_stale(seen: Seen) -> None:
    """Raise `Skip` where it is not this turn any more."""
    if not seen.is_to_move:
        raise Skip("it is not this player's turn any more")
    if seen.story.turn_began > (seen.task.queued.ply or 0):
        raise Skip("that turn is over; another one has begun")
    if seen.game.seats[seen.seat].autopilot:
        raise Skip("the server plays for this player")


def _where(seen: Seen) -> str:
    return _("Round %(round)s of %(rounds)s.", round=seen.view["round"], rounds=seen.state.rules.rounds)


def _why(seen: Seen) -> str:
    return _("You get this because you play in %(game)s.", game=seen.game_name)


def message(task: MailTask) -> MailContent:
    """A player wrote to the others."""
    reader = task.queued.player_id or ""
    found = messages.find(task.store, task.queued.game_id, task.queued.data.get("message"), reader)
    if found is None:
        raise Skip("the message is gone, or not read by this player")
    seen, _seat, _story = game_sections.seat_at(task)
    text, name = found.text, _who(seen, found)
    game, answered = spoken(seen.name), task.settings.reply_domain
    token = links.talk_token(task.store, now=task.queued.due, player_id=reader, game_id=seen.id) if answered else ""
    said = letter("message", game=game, name=name, answered=bool(answered))
    (subject,), (heading,), (action,), (why,) = (said[part] for part in ("subject", "heading", "action", "why"))
    return MailContent(
        subject=subject,
        heading=heading,
        preview=text,
        quote=text.split("\n"),
        action=Link(action, link_urls.messages_url(task.settings, seen.id)),
        answers=said["answers"],
        reply_to=link_urls.talk_address(task.settings, token) if answered else "",
        after=said["after"],
        why=why,
    )


def _who(game: Game, found: messages.Found) -> str:
    """The name of who wrote or did that."""
    return spoken(game.author(found.seat, found.player) or "") or _("A player")


def pause(task: MailTask) -> MailContent:
    """A player wishes for a pause, it has begun, or it is over; with the link by which one answers with one press."""
    reader = task.queued.player_id or ""
    found = messages.find(task.store, task.queued.game_id, task.queued.data.get("message"), reader)
    game, seat, _story = game_sections.seat_at(task)
    if found is None or game.status != "running":
        raise Skip("the game is over, or nobody knows of it any more")
    wished, paused = found.kind == "pause_wish", game.paused_at is not None
    if wished and (paused or game.seats[seat].wants_pause or not game.seats[found.seat].wants_pause):
        raise Skip("the wish is gone, or granted")
    if not wished and paused != (found.kind == "paused"):
        raise Skip("the clock has stopped, or gone on, since")
    settings = task.settings
    token = links.pause_token(task.store, now=task.queued.due, player_id=reader, game_id=game.id)
    over = found.kind == "resumed"
    said = letter(
        "pause", game=spoken(game.name), name=_who(game, found), what=found.kind, held=game.held, days=PAUSE_MAX.days
    )
    (subject,), (heading,), (action,), (why,) = (said[part] for part in ("subject", "heading", "action", "why"))
    return MailContent(
        subject=subject,
        heading=heading,
        intro=said["intro"],
        action=Link(
            action, link_urls.game_url(settings, game.id) if over else link_urls.link_url(settings, "pause", token)
        ),
        after=said["after"],
        why=why,
    )


# What mails say of time


def _deadline(seen: Seen) -> list[str]:
    """Until when there is time for the turn, and why it is longer than usual."""
    if seen.game.paused_at is not None:
        return [_("The game is paused: clocks stand still.")]
    if seen.game.waits_for_notice and "deadline" in seen.task.queued.data:
        return [_("This mail could not be sent any sooner: the rest of your time runs on from now.")]
    if seen.game.clock is not None and seen.game.waits_for_notice:
        clock = clocks.read(seen.game.clock)
        time = times.span(clock.turn + clocks.reserve_left(clock, seen.game.seats[seen.seat]))
        return [_("This mail could not be sent any sooner: your time of %(time)s begins now.", time=time)]
    if seen.game.deadline is None:
        return []
    late = [_("Time in which the server was off, or the mail about this turn was late, does not count.")]
    return [
        _("Your time ends on %(time)s.", time=times.local(parse_utc(seen.game.deadline), seen.task.person.zone)),
        *(late if seen.game.granted_seconds else ()),
    ]


def _deadline_in_short(seen: Seen) -> str:
    """The same in a few words, for lists of mails."""
    game = seen.game
    if game.paused_at is not None or game.waits_for_notice or game.deadline is None:
        return " ".join(_deadline(seen)[:1])
    return _("Until %(time)s.", time=date_and_time(parse_utc(game.deadline), seen.task.person.zone))


def _unreached(seen: Seen) -> list[str]:
    """A word about those at the table whom no mail reaches."""
    names = [seen.names[seat.number] for seat in seen.game.seats if seat.mail_stopped and seat.number != seen.seat]
    if not names:
        return []
    return [_("Mail does not reach %(names)s: tell them some other way when it is their turn.", names=listing(names))]


def _at_its_end(seen: Seen) -> str:
    """What happens when the time of the turn is over."""
    if seen.game.clock is not None and seen.game.clock.get("on_timeout") == "resign":
        return _("When it ends, your seat is resigned.")
    if _is_last_warning(seen):
        return _("When it ends, the server plays the turn for you, and your later turns at once, until you come back.")
    return _("When it ends, the server plays the turn for you.")


def _is_last_warning(seen: Seen) -> bool:
    """Whether the server takes over when the time of one more turn runs out."""
    return seen.game.seats[seen.seat].timeouts == timeouts.AUTOPILOT_AFTER - 1


def _own_end(seen: Seen) -> str:
    """What the server did for a player whose game is over: the mail about the end is the only one that says it."""
    own = next((one for one in reversed(seen.story.moves) if one.seat == seen.seat), None)
    if own is None or not own.automatic:
        return ""
    if own.move == "resign":
        return _("Your time ran out, and under this game’s clock rules that resigned your seat.")
    if own.timed_out:
        return _("Your time for your last turn ran out: the server played it for you.")
    return _("The server played your last turns, because your time had run out twice in a row.")
