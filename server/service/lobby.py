"""Before the first move: making a game, taking a seat, leaving it."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from server.engine import setup
from server.engine.state import canonical_json
from server.language import N_
from server.language import gettext as _
from server.service import bots as bot_players
from server.service import called, checks, notices, preferences, reading, replies, sql, waiting
from server.service import clock as clocks
from server.service.accounts import Entropy, Player, random_id
from server.service.automatic import go_on
from server.service.called import OF, ServerName, Title
from server.service.errors import Conflict, Forbidden, bad_field
from server.service.table import Place, Table, changing, load, save
from server.storage import models
from server.storage.database import Store
from server.storage.models import utc

OPTIONS: dict[str, bool] = setup.check_options({})

# What stands in the way of joining, leaving and filling up, by the game's status.
_CLOSED = {
    "running": N_("this game takes no more players: it is running"),
    "finished": N_("this game takes no more players: it is finished"),
    "abandoned": N_("this game takes no more players: it is abandoned"),
}
_OVER = {"finished": N_("the game is finished"), "abandoned": N_("the game is abandoned")}
_NO_SEAT = {
    "running": N_("no seat is free any more: the game is running"),
    "finished": N_("no seat is free any more: the game is finished"),
    "abandoned": N_("no seat is free any more: the game is abandoned"),
}


def create(
    store: Store,
    player: Player,
    seats: int,
    name: str | None,
    options: dict[str, Any] | None,
    client_seed: str | None,
    bots: Sequence[str | None] | None,
    private: bool,
    now: datetime,
    rng: random.Random | None = None,
    entropy: Entropy = secrets.token_bytes,
    clock: dict[str, Any] | None = None,
    most: int | None = None,
    title: Title | None = None,
    asked: replies.Asked | None = None,
) -> dict[str, Any]:
    """Open a game; `player` takes seat 0, `bots` (names of bots) the next ones. Full at once, it starts at once.

    A None among the bots leaves that seat to a person.

    The server's share of the seed is chosen and committed to here, before any other `client_seed` is known. `rng` is
    the bots' chance (not the game's), `entropy` the source of secrets, `clock` how long turns may take (None: as long
    as they like), `most` how many unfinished games a player may sit in (None: any number). For what was `asked` before
    under the same key it is the game that was made then, as it is now. Without a `name` it is
    called by `title`, and without that after its player. Returns the page of the game. Raises `Unprocessable`, and
    `Conflict` beyond `most`.
    """
    seats = checks.whole("seats", seats, 2, 4)
    bots = _check_bots(bots, seats)
    chosen = check_options(options)
    title = Title(checks.name("name", name)) if name else title or Title(kind=OF, player=player.id)
    server_seed = entropy(32)
    table = Table(
        id=random_id(entropy, 12),
        name="",
        title=title,
        status="open",
        options=chosen,
        seats=seats,
        creator=player.id,
        private=checks.flag("private", private),
        invitation=random_id(entropy, 20) if private else None,
        server_seed=server_seed.hex(),
        commitment=setup.commitment(server_seed),
        origin="played",
        created_at=utc(now),
        clock=clocks.check(clock, now),
    )
    table.places.append(Place(0, player.id, None, player.name, checks.client_seed(client_seed)))
    _note_preferences(table.places[0], player.preferences)
    for seat in range(1, seats):
        bot = bots[seat - 1] if seat <= len(bots) else None
        table.places.append(Place(seat, None, bot, _seat_name(table, called.server_name(bot)) if bot else None, ""))
    with changing(store):
        told = replies.before(store, asked)
        if told is not None:
            return made_before(store, player, told)
        require_room(store, player, most)
        table.name = title.called(name_of(store, title.player))
        insert(table)
        if not any(place.free for place in table.places):
            _start(store, table, now, rng)
        replies.keep(store, asked, {"game": table.id}, now)
        return reading.describe(table, player)


def made_before(store: Store, player: Player, told: replies.Told) -> dict[str, Any]:
    """The page of the game that a request made before, or sat down in; inside a transaction. Raises `NotFound`."""
    table = load(store, told.kept["game"], reader=player)
    table.require_visible(player)
    return reading.describe(table, player)


def join(
    store: Store,
    player: Player,
    game_id: str,
    client_seed: str | None,
    invitation: str | None,
    now: datetime,
    rng: random.Random | None = None,
    asked: replies.Asked | None = None,
) -> dict[str, Any]:
    """Take the first free seat; the game starts when it was the last one. Returns the page of the game.

    Raises `NotFound` (also for a private game without its invitation), `Conflict` (started, full, or seated already).
    """
    client_seed = checks.client_seed(client_seed)
    with changing(store):
        table = load(store, game_id, lock=True)
        table.require_visible(player, invitation)
        told = replies.before(store, asked)
        if told is not None:
            return made_before(store, player, told)
        if table.seat_of(player) is not None:
            raise Conflict(_("you have a seat in this game already"))
        if table.status != "open":
            raise Conflict(_(_CLOSED[table.status]), kind="not-open")
        if clocks.too_late_to_start(table, now):
            raise Conflict(_("this game takes no more players: it had to start by a date that is past"))
        place = next(place for place in table.places if place.free)
        place.player, place.name, place.client_seed = player.id, _seat_name(table, player.name), client_seed
        _note_preferences(place, _present_preferences(store, player))
        sql.execute(
            store,
            "UPDATE seat SET player_id = ?, name = ?, client_seed = ? WHERE game_id = ? AND seat = ?",
            player.id,
            place.name,
            client_seed,
            table.id,
            place.seat,
        )
        if any(place.free for place in table.places):
            sql.execute(store, "UPDATE game SET version = version + 1 WHERE id = ?", table.id)
        else:
            _start(store, table, now, rng)
        waiting.game_changes(store, table.id)
        replies.keep(store, asked, {"game": table.id}, now)
        return reading.describe(table, player)


def leave(store: Store, player: Player, game_id: str, now: datetime) -> None:
    """Give the seat back before the start. An open game that no human sits in any more is abandoned.

    Raises `NotFound`, `Forbidden` (no seat), `Conflict` (started; `resign` is the way out then).
    """
    with changing(store):
        table = load(store, game_id, lock=True)
        table.require_visible(player)
        seat = table.require_seat(player)
        if table.status != "open":
            raise Conflict(
                _("the game has started: play the move `resign` instead")
                if table.status == "running"
                else _(_OVER[table.status])
            )
        sql.execute(
            store,
            # Note and wish were the player's own: whoever sits there next must find neither.
            "UPDATE seat SET player_id = NULL, name = NULL, client_seed = '', mail = NULL, note = NULL"
            " WHERE game_id = ? AND seat = ?",
            table.id,
            seat,
        )
        humans = [place for place in table.places if place.player is not None and place.seat != seat]
        sql.execute(
            store,
            "UPDATE game SET status = ?, finished_at = ?, version = version + 1 WHERE id = ?",
            "open" if humans else "abandoned",
            None if humans else utc(now),
            table.id,
        )
        waiting.game_changes(store, table.id)


def fill_with_bots(
    store: Store,
    player: Player,
    game_id: str,
    bot: str,
    now: datetime,
    rng: random.Random | None = None,
    asked: replies.Asked | None = None,
) -> dict[str, Any]:
    """Let bots take all free seats, so that the game starts now. Its creator may, while they sit in it.

    Returns the page of the game. Raises `NotFound`, `Forbidden` (not the creator's, no seat), `Conflict` (started),
    `Unprocessable` (no such bot).
    """
    _check_bots([bot], 2)
    with changing(store):
        table = load(store, game_id, lock=True)
        table.require_visible(player)
        table.require_seat(player)
        told = replies.before(store, asked)
        if told is not None:
            return made_before(store, player, told)
        if table.creator != player.id:
            raise Forbidden(_("only who made this game may fill it with bots"))
        if table.status != "open":
            raise Conflict(_(_NO_SEAT[table.status]), kind="not-open")
        if clocks.too_late_to_start(table, now):
            raise Conflict(_("this game had to start by a date that is past"))
        for place in table.places:
            if place.free:
                place.bot, place.name = bot, _seat_name(table, called.server_name(bot))
                sql.execute(
                    store,
                    "UPDATE seat SET bot = ?, name = ?, name_kind = ? WHERE game_id = ? AND seat = ?",
                    bot,
                    place.name,
                    called.kind_of(place.name),
                    table.id,
                    place.seat,
                )
        _start(store, table, now, rng)
        waiting.game_changes(store, table.id)
        replies.keep(store, asked, {"game": table.id}, now)
        return reading.describe(table, player)


def insert(table: Table) -> None:
    """Store the rows of a new game and its seats."""
    models.Game.insert(
        id=table.id,
        **(table.title or Title(table.name)).columns(),
        status=table.status,
        ruleset=table.ruleset,
        options=canonical_json(table.options),
        seats=table.seats,
        creator=table.creator,
        private=table.private,
        invitation=table.invitation,
        server_seed=table.server_seed,
        commitment=table.commitment,
        origin=table.origin,
        created_at=table.created_at,
        clock=None if table.clock is None else canonical_json(table.clock),
        start_by=None if table.clock is None else table.clock["start_by"],
    ).execute()
    models.Seat.insert_many(
        [
            {
                "game": table.id,
                "seat": place.seat,
                "player": place.player,
                "bot": place.bot,
                "name": place.name,
                "name_kind": called.kind_of(place.name),
                "named_after": place.named_after,
                "client_seed": place.client_seed,
            }
            for place in table.places
        ]
    ).execute()


def check_options(options: dict[str, Any] | None) -> dict[str, bool]:
    """The options of rules.md §14, complete. Raises `Unprocessable`."""
    if options is None:
        options = {}
    if not isinstance(options, dict):
        raise bad_field("options", "give an object")
    unknown = [key for key in options if key not in OPTIONS]
    if unknown:
        known = f"known are {', '.join(OPTIONS)}"
        raise bad_field("options", known)
    return {**OPTIONS, **{key: checks.flag(f"options.{key}", value) for key, value in options.items()}}


def _check_bots(names: Sequence[str | None] | None, seats: int) -> list[str | None]:
    if names is None:
        return []
    if not isinstance(names, list) or len(names) > seats - 1:
        message = f"give a list of at most {seats - 1} names: seat 0 is yours"
        raise bad_field("bots", message)
    for name in names:
        if name is not None and (not isinstance(name, str) or name not in bot_players.BOTS):
            known = f"known bots are {', '.join(bot_players.BOTS)}"
            raise bad_field("bots", known)
    return list(names)


def _seat_name(table: Table, name: str) -> str:
    return free_name(name, [place.name for place in table.places if place.name is not None])


def free_name(name: str, taken: list[str]) -> str:
    """The name on a seat: with a number behind it when somebody at this table is called alike.

    Who reads the log must not take one player for another, nor a player for a bot.
    """
    candidates = (name if number == 1 else _numbered(name, number) for number in range(1, len(taken) + 2))
    return next(wanted for wanted in candidates if not any(checks.alike(wanted, other) for other in taken))


def _numbered(name: str, number: int) -> str:
    return name.numbered(number) if isinstance(name, ServerName) else f"{name} ({number})"


def name_of(store: Store, player_id: str | None) -> str | None:
    """How a player is called now; None when the account is gone."""
    found = None if player_id is None else sql.row(store, "SELECT name FROM player WHERE id = ?", player_id)
    return None if found is None else found[0]


def require_room(store: Store, player: Player, most: int | None) -> None:
    """Raise `Conflict` when the player sits in `most` unfinished games. (Some at the same time may slip through.)"""
    if most is None:
        return
    found = sql.row(
        store,
        "SELECT COUNT(*) FROM seat s JOIN game g ON g.id = s.game_id"
        " WHERE s.player_id = ? AND g.status IN ('open', 'running')",
        player.id,
    )
    if found is not None and found[0] >= most:
        raise Conflict(_("you sit in %(number)s unfinished games: finish or leave some before you make another",
                         number=found[0]), kind="limit-reached")


def _note_preferences(place: Place, preferences: dict[str, Any]) -> None:
    place.auto_draw, place.time_zone = preferences["auto_draw"], preferences["time_zone"]


def _present_preferences(store: Store, player: Player) -> dict[str, Any]:
    found = sql.row(store, "SELECT preferences FROM player WHERE id = ?", player.id)
    if found is None:
        raise Forbidden(_("your account is gone: make a new one with POST /api/v1/players"))
    return preferences.read(found[0])


def _start(store: Store, table: Table, now: datetime, rng: random.Random | None) -> None:
    table.start(now)
    go_on(table, utc(now), rng)
    clocks.turn_goes_on(store, table, None, now)
    notices.after_moves(store, table, None, now)
    save(store, table)
