"""Making a game, and playing again with the same people."""

from __future__ import annotations

import random
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime

from server.engine import rulesets
from server.engine.rulesets import Rules
from server.engine.ulm1.shapes import Options
from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.common import checks, idempotency
from server.service.common.errors import Conflict, bad_field
from server.service.common.ids import Entropy, random_id
from server.service.common.naming import OF, Title
from server.service.games import clock as clocks
from server.service.games import finish_move, loading
from server.service.games.bots import CHOSEN_FIRST, names
from server.service.games.model import Game, Seat
from server.service.games.saving import changing, insert
from server.service.lists import game_page
from server.service.lists.game_page import GamePage
from server.service.outbox import addressees
from server.service.outbox.enqueuing import tell
from server.service.outbox.news import News
from server.service.seating import seats as seating
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc


def create(
    store: Store,
    player: Player,
    seats: int,
    name: str | None,
    options: Mapping[str, object] | None,
    client_seed: str | None,
    bots: Sequence[str | None] | None,
    private: bool,
    now: datetime,
    rng: random.Random | None = None,
    entropy: Entropy = secrets.token_bytes,
    clock: Mapping[str, object] | None = None,
    most: int | None = None,
    title: Title | None = None,
    asked: idempotency.Asked | None = None,
    rules: Rules | None = None,
    hints: bool = False,
) -> GamePage:
    """Open a game; `player` takes seat 0, `bots` the next ones, or all of them: then the player looks on. Full at once,
    it starts at once. The server's share of the seed is chosen and committed to here, before any other `client_seed` is
    known. Of the bots None leaves a seat to a person, `@handle` asks one with an account. `rng` is the bots' chance,
    `entropy` the source of secrets, `most` how many unfinished games a player may sit in, `title` its name without a
    `name`, `rules` None what new games are played by; `hints`: among people, too. What was `asked` before is the game
    that was made then. Returns its page. Raises `Unprocessable`, `Conflict` beyond `most` and where a bot refuses,
    `Forbidden` for one's own bot among others."""
    seats = checks.whole("seats", seats, 2, 4)
    bots = seating.check_bots(bots, seats)
    rules = rules or rulesets.for_new_games()
    chosen = check_options(options, rules)
    title = Title(checks.name("name", name)) if name else title or Title(kind=OF, player=player.id)
    private = checks.flag("private", private)
    game = Game.new(title, chosen, seats, "played", now, rules, creator=player.id, private=private, entropy=entropy)
    game.hints = checks.flag("hints", hints)
    game.invitation = random_id(entropy, 20) if private else None
    game.clock = clocks.check(clock, now)
    alone = len(bots) == seats
    if not alone:
        game.seats.append(Seat(0, player.id, None, player.name, checks.client_seed(client_seed)))
        seating.note_preferences(game.seats[0], player.preferences)
    elif any(seating.is_handle(bot) for bot in bots):
        raise bad_field("bots", _("bots with accounts play where somebody sits: let one of them make the game"))
    elif private or game.clock is not None:
        raise bad_field("bots", "games of bots alone are for all to see, and have no clock: leave a seat to yourself")
    given = dict(enumerate(bots, 0 if alone else 1))
    with changing(store):
        told = idempotency.before(store, asked)
        if told is not None:
            return made_before(store, player, told)
        seating.require_room(store, player, most)
        if alone:
            seating.require_room_for_bots(store, player)
        for seat in range(len(game.seats), seats):
            game.seats.append(Seat(seat, None, None, None, ""))
            bot = given.get(seat)
            if bot:
                seating.seat_bot(store, game, game.seats[seat], bot, player)
        seating.require_own_hands(store, game)
        insert(store, game)
        if not any(one.free for one in game.seats):
            finish_move.start(store, game, now, rng)
        idempotency.keep(store, asked, {"game": game.id}, now)
        return game_page.describe(game, player)


def made_before(store: Store, player: Player, told: idempotency.FirstAnswer) -> GamePage:
    """The page of the game that a request made before, or sat down in; inside a transaction. Raises `NotFound`."""
    game = loading.for_reader(store, told.kept["game"], player)
    game.require_visible(player)
    return game_page.describe(game, player)


def check_options(options: Mapping[str, object] | None, rules: Rules) -> Options:
    """The options of rules.md §14 under these rules, complete. Raises `Unprocessable`."""
    if options is None:
        options = {}
    if not isinstance(options, dict):
        raise bad_field("options", "give an object")
    there_are = rules.check_options({})
    if any(key not in there_are for key in options):
        known = f"known are {', '.join(there_are)}"
        raise bad_field("options", known)
    return rules.check_options({key: checks.flag(f"options.{key}", value) for key, value in options.items()})


_INVITE = """
    INSERT INTO invitation (game_id, inviter_id, address, created_at) VALUES (?, ?, ?, ?)
    ON CONFLICT DO NOTHING RETURNING id"""
_OFFERED = 'SELECT 1 FROM game WHERE id IN (SELECT game_id FROM mail WHERE "key" = ?)'


def offer_rematch(
    store: Store, player: Player, game_id: str, now: datetime, asked: idempotency.Asked | None = None
) -> GamePage:
    """Open a private game like one that is over, bots included, and offer its seats to the others by mail. What was
    `asked` before is the game that it made. Returns the page of the new game; its `invitation` lets those in who get no
    mail. Raises `NotFound`, `Forbidden` (no seat), `Conflict` (not over, a rematch was offered), and what `create`
    raises."""
    with store.read():
        game = loading.for_reader(store, game_id, player)
        game.require_seated(player)
        if game.started_at is None or game.status not in ("finished", "abandoned"):
            raise Conflict(_("a rematch is for a game that was played and is over"))
        people = [seat.player for seat in game.seats if seat.player is not None and seat.is_person]
        repeated = idempotency.carried_out(store, asked)
        for one in people:
            if not repeated and sql.row(store, _OFFERED, _rematch_key(game.id, one)):
                raise Conflict(_("a rematch of this game was offered already: look at your mail"))
    # One that is not here any more is replaced.
    bots = [
        seat.called_bot if seat.bot is None or seat.bot in names() else CHOSEN_FIRST
        for seat in game.seats
        if seat.called_bot is not None and seat.player != player.id
    ]
    # The date to start by was that of the game before.
    clock = None if game.clock is None else {**game.clock, "start_by": None}
    page = create(
        store,
        player,
        game.seat_count,
        None,
        game.options,
        "",
        bots,
        True,
        now,
        clock=clock,
        title=game.title,
        asked=asked,
        hints=game.hints,
    )
    with store.write():
        news = []
        for other in people:
            if other == player.id:
                continue
            address = addressees.reached_at(store, other)
            if address is None:
                continue
            made = sql.row(store, _INVITE, page["id"], player.id, address, utc(now))
            number = None if made is None else made[0]
            news.append(News("rematch", other, _rematch_key(game.id, other), page["id"], data={"invitation": number}))
        tell(store, news, now)
    return page


def _rematch_key(game_id: str, player_id: str) -> str:
    return f"rematch:{game_id}:{player_id}"
