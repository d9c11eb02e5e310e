"""Making a game."""

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
from server.service.common.errors import bad_field
from server.service.common.ids import Entropy, random_id
from server.service.common.naming import OF, Title
from server.service.games import clock as clocks
from server.service.games import finish_move, loading, table_events
from server.service.games.model import Game, Seat
from server.service.games.saving import change_row, changing, insert
from server.service.lists import game_page, ratings
from server.service.lists.game_lists import RatingRange
from server.service.lists.game_page import GamePage
from server.service.seating import seats as seating
from server.storage.database import Store


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
    rematch_of: str | None = None,
    offered: Sequence[str] = (),
    rating: RatingRange | None = None,
) -> GamePage:
    """Open a game; `player` takes seat 0, `bots` the next ones, or all of them: then the player looks on. Full at once,
    it starts at once. The server's share of the seed is chosen and committed to here, before any other `client_seed` is
    known. Of the bots None leaves a seat to a person, `@handle` asks one with an account. `rng` is the bots' chance,
    `entropy` the source of secrets, `most` how many unfinished games a player may sit in, `title` its name without a
    `name`, `rules` None what new games are played by; `hints`: among people, too; `offered`: ids of players to
    whom seats are offered; `rematch_of`: the id of the game that it follows; `rating`: between which those are who sit
    down by themselves. What was `asked` before is the game
    that was made then. Returns its page. Raises `Unprocessable`, `Conflict` beyond `most` and where a bot refuses,
    `Forbidden` for one's own bot among others."""
    seats = checks.whole("seats", seats, 2, 4)
    bots = seating.check_bots(bots, seats)
    rules = rules or rulesets.for_new_games()
    chosen = check_options(options, rules)
    title = Title(checks.name("name", name)) if name else title or Title(kind=OF, player=player.id)
    private = checks.flag("private", private)
    game = Game.new(title, chosen, seats, "played", now, rules, creator=player.id, private=private, entropy=entropy)
    game.rating_min, game.rating_max = ratings.check_range(rating)
    game.hints, game.rematch_of = checks.flag("hints", hints), rematch_of
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
        seating.offer(store, game, player, offered, now)
        if rematch_of is not None:
            before = loading.for_reader(store, rematch_of, player)
            table_events.note(store, before, "rematch", before.require_seat(player), now)
            change_row(store, rematch_of)  # its page says so
        if not any(one.free for one in game.seats):
            finish_move.start(store, game, now, rng)
        idempotency.keep(store, asked, {"game": game.id}, now)
        return game_page.describe(game, player)


def made_before(store: Store, player: Player, told: idempotency.FirstAnswer) -> GamePage:
    """The page of the game that a request made before, or sat down in; inside a transaction. Raises `NotFound`, also
    for a private game that the player has left."""
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
