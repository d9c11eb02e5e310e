"""What players of a running game agree upon: that another plays for one who is gone, that the game ends, that somebody
has more time, that the end of a turn is taken back. One at a time is proposed; it comes about when all who still play
have agreed, and not at all when one of them says no."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

from server.engine.ulm1.notation import format_move
from server.engine.ulm1.turn import END
from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.common import checks, db_rate_limits
from server.service.common.errors import Conflict, Forbidden, bad_field
from server.service.common.ids import random_id
from server.service.common.quotas import DAY, PROPOSALS_A_DAY
from server.service.games import bots, due_work, finish_move, loading, move_log, notices, proposals, table_events
from server.service.games import clock as clocks
from server.service.games.model import SANDBOX, Game, Proposal
from server.service.games.saving import change_row, changing, save, save_proposal, turn_columns
from server.service.lists import game_page
from server.service.lists.game_page import GamePage
from server.service.outbox import enqueuing
from server.service.outbox.enqueuing import tell
from server.service.play import turns
from server.service.seating import taking_over
from server.storage.database import Store
from server.storage.times import parse_utc, utc


class Wish(NamedTuple):
    """What somebody proposes; which of the rest it needs hangs on the kind."""

    kind: str
    seat: int | None = None  # of `replace`: whose player is gone
    bot: str | None = None  # of `replace`: who plays for them; None: a person
    hours: int | None = None  # of `time`


def propose(
    store: Store, player: Player, game_id: str, wish: Wish, now: datetime, rng: random.Random | None = None
) -> GamePage:
    """Propose something to the others, who are told; where nobody else has to agree it comes about at once. Returns the
    page of the game. Raises `NotFound`, `Forbidden` (no seat, a bot), `Conflict` (not running, resigned, something else
    is proposed, or it cannot be now), `Unprocessable`, `TooManyRequests`."""
    with changing(store):
        game = loading.for_change(store, game_id)
        number = _require_playing(game, player)
        if _may_come(game, now):
            raise Conflict(_("something is proposed already: agree, or say no to it first"))
        seat, hours = _checks(wish.kind)(store, game, number, wish, now)
        game.proposal = Proposal(
            id=random_id(secrets.token_bytes, 12),
            kind=wish.kind,
            by=number,
            seat=seat,
            bot=wish.bot if wish.kind == "replace" else None,
            hours=hours,
            agreed=[number],
            ends_at=utc(now + proposals.LASTS),
            turn=game.turn_began_at,
            ply=game.public_ply,
            invitation=None,
        )
        most = PROPOSALS_A_DAY
        refusal = _("you have proposed %(number)s things in this game today: try again tomorrow", number=most)
        db_rate_limits.require(store, "proposal", f"{game.id} {player.id}", most, DAY, now, refusal)
        if _all_agree(game):
            _carry_out(store, game, now, rng)
        else:
            save_proposal(store, game)
            others = [one for one in proposals.asked(game, game.proposal) if one != number]
            tell(store, notices.of_proposal("proposal", game, others), now)
            table_events.note(store, game, "proposed", number, now, game.proposal["kind"])
    return game_page.page(store, game_id, player)


def answer(
    store: Store,
    player: Player,
    game_id: str,
    proposal_id: str,
    agree: bool,
    now: datetime,
    rng: random.Random | None = None,
) -> GamePage:
    """Agree with what is proposed, or end it by a no; who has proposed it takes it back so. Returns the page of the
    game. Raises `NotFound`, `Forbidden` (no seat, not asked), `Conflict` (it is not proposed any more)."""
    with changing(store):
        game = loading.for_change(store, game_id)
        number = _require_playing(game, player)
        proposal = game.proposal
        if proposal is None or proposal["id"] != proposal_id or not proposals.holds(game):
            raise Conflict(_("that is not proposed any more: look at the game again"))
        if now >= parse_utc(proposal["ends_at"]):
            raise Conflict(_("that was not agreed upon in time: propose it again"))
        if number not in proposals.asked(game, proposal):
            raise Forbidden(_("this is for the others at the table to say"))
        if not agree:
            game.proposal = None
            save_proposal(store, game)
            table_events.note(store, game, "disagreed", number, now)
        elif number not in proposal["agreed"]:
            proposal["agreed"].append(number)
            if _all_agree(game):
                _carry_out(store, game, now, rng)
            else:
                save_proposal(store, game)
    return game_page.page(store, game_id, player)


def look_after(store: Store, game_id: str, now: datetime, rng: random.Random | None = None) -> bool:
    """Forget what can no longer come about, and carry out what waits for nobody any more; whether either was so."""
    with store.read():
        if _waits(loading.for_reader(store, game_id, None), now):
            return False
    with changing(store):
        game = loading.for_change(store, game_id)
        if _waits(game, now):
            return False
        if _may_come(game, now):
            _carry_out(store, game, now, rng)
        else:
            game.proposal = None
            save_proposal(store, game)
        return True


def _may_come(game: Game, now: datetime) -> bool:
    """Whether what is proposed could come about now, if all agreed."""
    return game.proposal is not None and proposals.holds(game) and now < parse_utc(game.proposal["ends_at"])


def _waits(game: Game, now: datetime) -> bool:
    """Whether nothing is proposed, or it waits for people still."""
    if game.status != "running" or game.proposal is None:
        return True
    return _may_come(game, now) and (game.proposal["invitation"] is not None or not _all_agree(game))


def _require_playing(game: Game, player: Player) -> int:
    """Where somebody sits who may agree."""
    number = game.require_seated(player)
    state = game.require_running()
    if game.origin == SANDBOX:
        raise Conflict(_("you play this game alone: there is nobody to agree with"))
    if not game.seats[number].is_person:
        raise Forbidden(_("this is for people: a bot plays where it is seated, and does nothing else"))
    if state.players[number].resigned:
        raise Conflict(_("your seat has resigned: this is for those who play"))
    if game.seats[number].autopilot:
        raise Conflict(_("the server plays for you: say first that you are back"))
    return number


# What can be proposed


def _checks(kind: str) -> Callable[[Store, Game, int, Wish, datetime], tuple[int | None, int | None]]:
    found = {"replace": _check_replace, "end": _check_end, "time": _check_time, "take_back": _check_take_back}.get(kind)
    if found is None:
        raise bad_field("kind", _("one of %(names)s", names=", ".join(proposals.KINDS)))
    return found


def _check_replace(store: Store, game: Game, _number: int, wish: Wish, now: datetime) -> tuple[int | None, int | None]:
    seat = checks.whole("seat", wish.seat, 0, game.seat_count - 1)
    if game.sealed and wish.bot is None:
        raise Conflict(_("others play the same deal: name a bot, who has seen nothing of it"))
    if game.position.players[seat].resigned:
        raise Conflict(_("that seat has resigned: nobody can play on for it"))
    if seat not in proposals.gone(store, game, now):
        raise Conflict(
            _(
                "the player of that seat is not gone: only a seat that the server plays because its time ran out twice "
                "in a row is given away, or without a clock one that is to move and has not moved for %(days)s days",
                days=proposals.SILENT.days,
            )
        )
    if wish.bot is not None and wish.bot not in bots.names():
        raise bad_field("bot", _("one of %(names)s, or nothing for a person", names=", ".join(bots.names())))
    return seat, None


def _check_end(store: Store, game: Game, number: int, _wish: Wish, now: datetime) -> tuple[int | None, int | None]:
    away = proposals.gone(store, game, now)
    if not [seat for seat in clocks.living(game) if seat.is_person and seat.number != number]:
        raise Conflict(_("only bots play against you: resign, if you do not want to play on"))
    return (away[0] if away and game.clock is None else None), None


def _check_time(_store: Store, game: Game, number: int, wish: Wish, _now: datetime) -> tuple[int | None, int | None]:
    hours = checks.whole("hours", wish.hours, 1, proposals.HOURS_MAX)
    if game.clock is None or game.deadline is None or game.to_move is None:
        raise Conflict(_("no time runs in this game now"))
    if game.to_move == number:
        raise Conflict(_("it is your turn: more time is for the others to give"))
    if game.to_move not in [seat.number for seat in proposals.present(game)]:
        raise Conflict(_("who is to move is no person, or gone: more time would help nobody"))
    return game.to_move, hours


def _check_take_back(
    store: Store, game: Game, number: int, _wish: Wish, _now: datetime
) -> tuple[int | None, int | None]:
    if game.sealed:
        raise Conflict(_("others play the same deal: a turn that has ended stands"))
    newest = move_log.standing(store, game.id, game.public_ply, game.public_ply)
    if not newest or newest[0].move != format_move(END) or newest[0].seat != number:
        raise Conflict(
            _("only who played last can take back the end of their turn, and only until the next player has begun")
        )
    if [seat.number for seat in proposals.present(game)] == [number]:
        raise Conflict(_("nobody else is here who could agree to it: the end of your turn stands"))
    return None, None


# What comes about


def _all_agree(game: Game) -> bool:
    """Whether somebody is asked about what is proposed, and all who are agree."""
    proposal = game.proposal
    asked = set() if proposal is None else {*proposals.asked(game, proposal)}
    return proposal is not None and bool(asked) and asked <= {*proposal["agreed"]}


def _carry_out(store: Store, game: Game, now: datetime, rng: random.Random | None) -> None:
    """Let what is proposed come about."""
    proposal = game.proposal
    if proposal is None:
        return
    seat, last = proposal["seat"], proposal["agreed"][-1]
    told = notices.of_proposal("agreed", game, [one.number for one in game.seats if one.number != last])
    table_events.note(store, game, "agreed", last, now, proposal["kind"])
    if proposal["kind"] == "end":
        proposal["ends_at"] = utc(now)
        save_proposal(store, game)  # it says how the game has ended
        loading.read_hidden(store, game)
        game.abandon(utc(now))
        finish_move.after_moves(store, game, game.to_move, now, rng)
        return
    if proposal["kind"] == "replace" and proposal["bot"] is None:
        proposal["invitation"] = random_id(secrets.token_bytes, 20)
        proposal["ends_at"] = utc(now + proposals.LASTS)
        save_proposal(store, game)
        tell(store, [one for one in told if one.player != game.seats[seat or 0].player], now)
        return
    game.proposal = None
    save_proposal(store, game)
    if proposal["kind"] == "replace":
        before = game.seats[seat or 0].player
        taking_over.give_seat(store, game, seat or 0, proposal["bot"] or bots.CHOSEN_FIRST, now, rng)
        told = [*notices.of_replacement(game, seat or 0, before), *(one for one in told if one.player != before)]
    elif proposal["kind"] == "time":
        _give_time(store, game, proposal["hours"] or 0, now)
    else:
        _take_back(store, game, proposal["ply"], now)
    tell(store, told, now)


def _give_time(store: Store, game: Game, hours: int, now: datetime) -> None:
    if game.clock is None or game.to_move is None:
        return
    clock, seat = clocks.read(game.clock), game.seats[game.to_move]
    stops = clocks.suspensions(store, [seat.player or ""], now)
    days = clocks.calendar(clock, clocks.zone(game, seat), seat.player, stops, clocks.lost_time(game, now))
    clocks.lengthen(game, clock, days, timedelta(hours=hours))
    clocks.set_deadline(game, clock, stops)
    change_row(store, game.id, **turn_columns(game))


def _take_back(store: Store, game: Game, ply: int, now: datetime) -> None:
    """Undo the `end` that led to `ply`, and the draw that may have followed: it is the same one once the turn has ended
    again, unless something else is drawn before."""
    loading.recompute(store, game, last=ply - 1)
    turns.mark_undone(store, game, ply - 1, now)
    enqueuing.forget_turns(store, game.id, ply, now)
    change_row(store, game.id, taken_back=game.taken_back + 1)  # what stood at an address may stand there no more
    game.to_move = game.position.active
    if game.to_move is not None:
        seat = game.seats[game.to_move]
        clocks.begin_turn(game, seat, None, now)
        if game.clock is not None:
            clocks.set_deadline(game, clocks.read(game.clock), clocks.suspensions(store, [seat.player or ""], now))
    save(store, game)
    due_work.note(store, game, now)
