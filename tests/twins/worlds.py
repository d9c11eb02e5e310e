"""Two worlds: a game, played over HTTP, and at each ply its twin, a game that differs in what an observer cannot know.

The twin begins as a copy of the database before the newest move. Its secret seed is another, its commitment the same;
by that seed (`knowledge.Streams`) its piles, coats and Tower come in another order, where the observer has not seen
them, so that others hold other cards and kept others from what was on offer to them. Others may have drawn sooner or
later, another tile, before or after somebody resigned, by themselves or by the server. Then the newest move is played
in both, and whatever the observer asks must be answered alike.
"""

from __future__ import annotations

import copy
import random
import sqlite3
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from server.app import surround
from server.engine.seeds import game_seed
from server.engine.ulm1 import game
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import COLOR_INDEX
from server.engine.ulm1.turn import DRAW, END, RESIGN
from server.engine.ulm2 import RULES
from server.routes.http import context
from server.routes.http.browser_session import COOKIE
from server.service.accounts.players import Player
from server.service.games import loading, model, move_log, saving
from server.service.games.model import Entry
from server.settings import Settings
from server.storage import sql
from server.storage.database import Store, open_database
from server.storage.times import utc
from tests.engine.battery import choose
from tests.routes.pages.conftest import Time, sign_in
from tests.service.conftest import NOW
from tests.tables import Game as GameRow
from tests.tables import Move as MoveRow
from tests.tables import Player as PlayerRow
from tests.tables import ShortLink, Snapshot
from tests.twins.knowledge import Knowledge, Observer, Other, Streams

API = "/api/v1"
ALL_OF_IT = "?include=legal_moves,view,log"
"""To answers and events of the API all that may be told besides."""
UNDO: Move = ("undo",)
DEALING = {"buy", "seal", "search"}
"""What brings cards and coats of arms into play: random moves rarely do."""


@dataclass(frozen=True)
class Eyes:
    """Who looks, with all that lets them in; an answer is the same for the API and the pages."""

    name: str
    player: Player | None
    headers: dict[str, str]


@dataclass
class World:
    """A database and an application on it. `copied` makes another of it, as it is now."""

    path: Path
    application: Flask
    settings: Settings
    time: Time

    def __post_init__(self) -> None:
        self.store: Store = open_database(f"sqlite:///{self.path}", 4)
        self.app = copy.copy(self.application)
        chosen = replace(self.settings, database_url=f"sqlite:///{self.path}")
        self.app.extensions = {**self.application.extensions, "ulm.settings": chosen, "ulm.store": self.store,
                               "ulm.now": self.time}  # fmt: skip
        context.install(self.app)
        surround(self.app)
        self.client = self.app.test_client(use_cookies=False)

    def take_links(self, other: World) -> None:
        """Let the links in mails be called as in the other world, for their names are chance. They are found by what
        they are for: a mail that leads elsewhere here still differs."""
        with other.store.read():
            found = list(ShortLink.select().dicts())
        with self.store.write():
            ShortLink.delete().execute()
            for row in found:
                ShortLink.insert(row).execute()

    def copied(self, path: Path) -> World:
        path.unlink(missing_ok=True)
        with sqlite3.connect(self.path) as source, sqlite3.connect(path) as target:
            source.backup(target)
        source.close()
        target.close()
        return replace(self, path=path)

    def close(self) -> None:
        self.store.close()
        for path in self.path.parent.glob(f"{self.path.name}*"):
            path.unlink()

    def ask(self, eyes: Eyes, method: str, path: str, **how: Any) -> TestResponse:
        headers = {**eyes.headers, **how.pop("headers", {})}
        return self.client.open(path, method=method, headers=headers, **how)

    def loaded(self, game_id: str) -> model.Game:
        """The game as it is, nothing hidden."""
        with self.store.write():
            found = loading.for_change(self.store, game_id)
            if found.unread:
                loading.recompute(self.store, found)
            return found

    def log(self, game_id: str) -> list[Entry]:
        with self.store.read():
            return move_log.log(self.store, loading.for_reader(self.store, game_id, None))


@dataclass
class Step:
    """What is to be played next: by whom, and what (`UNDO`: back by one ply)."""

    seat: int
    move: Move


@dataclass
class Match:
    """A random game in the one world, with what everybody knows of it, and the making of its twins."""

    world: World
    streams: Streams
    rng: random.Random
    chance: random.Random
    """What the servers draw from the system: the same for the same request in both worlds."""
    seats: int
    tower: bool
    rotate: bool
    differed: Counter[str] = field(default_factory=Counter)
    """In how many twins what was different."""
    resigning: float = 0.05
    """How likely somebody resigns while a draw is hidden."""
    dealing: float = 0.5
    """How likely a move of `DEALING` is, where there is one."""

    def __post_init__(self) -> None:
        self.people = [self._person(name) for name in ("Ann", "Ben", "Cleo", "Dan")[: self.seats]]
        self.last: Step
        self.spectator, self.stranger = self._person("Eve"), Eyes("stranger", None, {})
        options = {"tower": self.tower, "rotate_start": self.rotate}
        body = {"seats": self.seats, "options": options, "clock": {"turn_hours": 48}, "name": "Twins"}
        self.id: str = self._made(self.people[0], f"{API}/games", body)["id"]
        for number, eyes in enumerate(self.people[1:]):
            self._made(eyes, f"{API}/games/{self.id}/players", {"client_seed": f"seed {number}"})
        self._made(self.people[0], f"{API}/games/{self.id}/messages", {"text": "Good luck!"})
        del self.streams.shuffles[:]
        game = self.world.loaded(self.id)
        del self.streams.shuffles[:]
        first = RULES.new_game(game.seed, self.seats, options)
        self.knowledge = Knowledge(self.streams, first, list(self.streams.shuffles))
        del self.streams.shuffles[:]
        self._catch_up(first)

    def _person(self, name: str) -> Eyes:
        eyes = Eyes(name, None, {})
        auto_draw = self.rng.random() < 0.6
        made = self._made(eyes, f"{API}/players", {"name": name})
        world = self.world
        with world.store.write():
            PlayerRow.update(
                email=f"{name.lower()}@example.org", email_confirmed_at=NOW,
                preferences=f'{{"auto_draw": {str(auto_draw).lower()}}}',
            ).where(PlayerRow.id == made["id"]).execute()  # fmt: skip
        player = Player(made["id"], name)
        browser = world.app.test_client()
        sign_in(browser, world.store, player, world.time())
        cookie = browser.get_cookie(COOKIE)
        assert cookie is not None
        headers = {"Authorization": f"Bearer {made['token']}", "Cookie": f"{cookie.key}={cookie.value}"}
        return Eyes(name, player, headers)

    def _made(self, eyes: Eyes, path: str, body: Any) -> Any:
        answer = self.world.ask(eyes, "POST", path, json=body)
        assert answer.status_code == 201, answer.text
        return answer.json

    def _catch_up(self, state: State) -> State:
        """Follow what the server has played by itself since."""
        for entry in self.world.log(self.id)[state.ply :]:
            state = self.knowledge.follow(state, entry.seat, entry.move)
        return state

    def eyes(self, observer: Observer) -> list[Eyes]:
        """Those from whom the twin differs in what they cannot know."""
        own = [] if observer is None else [self.people[observer]]
        return [*own, self.spectator, self.stranger]

    # --- what is played ----------------------------------------------------------------------------------------------

    def next_step(self, loaded: model.Game) -> Step:
        """A random move: of the player to move, or a resignation out of turn, or what was played taken back."""
        state, rng = loaded.position, self.rng
        assert state.active is not None
        left = [seat for seat, player in enumerate(state.players) if not player.resigned]
        resigning = 0.0 if len(left) < 3 else self.resigning if loaded.before is not None else 0.004
        if rng.random() < resigning:
            return Step(rng.choice(left), RESIGN)
        newest = self.world.log(self.id)[-1:]
        if newest and rng.random() < 0.05 and self._can_be_taken_back(state, newest[0]):
            return Step(state.active, UNDO)
        legal = game.legal_moves(state)
        if END in legal and rng.random() < 0.25:
            return Step(state.active, END)
        dealing = [move for move in legal if move[0] in DEALING]
        return Step(state.active, choose(rng, dealing if dealing and rng.random() < self.dealing else legal))

    def _can_be_taken_back(self, state: State, entry: Entry) -> bool:
        if entry.seat != state.active or entry.move in (END, RESIGN, DRAW):
            return False
        with self.world.store.write():
            loaded = loading.for_change(self.world.store, self.id)
            loading.recompute(self.world.store, loaded, last=entry.ply - 1)
        return not game.apply(loaded.position, entry.seat, entry.move).reveals

    def play(self, world: World, step: Step) -> TestResponse:
        """Play it over HTTP, at the ply that its player sees there."""
        self.chance.seed(self.world.time.now.isoformat())
        with world.store.read():
            row = GameRow.get_by_id(self.id)
        ply = row.ply if step.seat == row.to_move else row.public_ply
        if step.move == UNDO:
            return world.ask(self.people[step.seat], "POST", f"{API}/games/{self.id}/undo", json={"ply": ply - 1})
        body = {"ply": ply, "moves": [format_move(step.move)]}
        return world.ask(self.people[step.seat], "POST", f"{API}/games/{self.id}/moves{ALL_OF_IT}", json=body)

    def advance(self, twin_path: Path, observer: Observer) -> tuple[World, TestResponse, TestResponse | None]:
        """Play one move in the game and in a twin of it for `observer`: the twin, and the answers to the move (None
        where there was nothing to play in the twin)."""
        game, known = self._decide()
        twin, moves = Twin(self, game, self.last, known, observer, twin_path).made()
        answer, other = self._played(game, known), None
        for move in moves:
            other = self.play(twin, Step(self.last.seat, move))
            assert other.status_code in (200, 201), (self.last, moves, other.text)
        return twin, answer, other

    def seal(self) -> None:
        """From now on others play the same deal: it is that of the day, and of a tournament, called as the game is."""
        store, at = self.world.store, utc(self.world.time())
        with store.write():
            row = GameRow.get_by_id(self.id)
            same = {name: getattr(row, name) for name in ("id", "ruleset", "options", "seats", "created_at")}
            secret = {"server_seed": row.server_seed, "commitment": row.commitment}
            sql.insert(store, "deal", **same, **secret, day=at[:10], closes_at="2026-12-31T00:00:00Z")
            kind = {"kind": "swiss", "boards": 1, "guests": True, "status": "running", "round": 1}
            sql.insert(store, "tournament", **same, **kind, name="Cup")
            for seat, eyes in enumerate(self.people):
                who = {"player_id": eyes.player and eyes.player.id, "name": eyes.name, "entered_at": at}
                sql.insert(store, "tournament_entry", tournament_id=self.id, number=seat, **who)
            table = {"tournament_id": self.id, "round": 1, "board": 0, "place": 0}
            sql.insert(store, "tournament_game", game_id=self.id, **table, entrants=f"{[*range(self.seats)]}")
            GameRow.update(deal_id=self.id, private=True).where(GameRow.id == self.id).execute()

    def skip(self, plies: int) -> None:
        """Play on in the one world alone."""
        for _ in range(plies):
            if self.world.loaded(self.id).status != "running":
                return
            self._played(*self._decide())

    def _decide(self) -> tuple[model.Game, Knowledge]:
        """The game as it stands, and what everybody will know when `last`, which is chosen here, is played."""
        game = self.world.loaded(self.id)
        step = self.last = self.next_step(game)
        known = self.knowledge.copy()
        if step.move != UNDO:  # what was seen stays seen
            known.follow(game.position, step.seat, step.move)
        return game, known

    def _played(self, loaded: model.Game, known: Knowledge) -> TestResponse:
        step = self.last
        self.world.time.now += timedelta(minutes=7)
        answer = self.play(self.world, step)
        assert answer.status_code in (200, 201), (step, answer.text)
        self.knowledge = known
        del self.streams.shuffles[:]
        if step.move != UNDO:
            self._catch_up(game.apply(loaded.position, step.seat, step.move).state)
        del self.streams.shuffles[:]
        return answer


@dataclass
class Twin:
    """The making of one twin: of the game as it stands in `game`, before `step`, which leaves everybody knowing what
    `known` says."""

    match: Match
    game: model.Game
    step: Step
    known: Knowledge
    observer: Observer
    path: Path

    def made(self) -> tuple[World, list[Move]]:
        """The twin, and what its player has to play there to have played `step`; it may be nothing."""
        rng, state, step = self.match.rng, self.game.position, self.step
        entries = [replace(entry) for entry in self.match.world.log(self.match.id)]
        self.other = Other(self.game.seed, self.known.names(self.observer, rng))
        moves = [self._named(step.move, step.seat, state.ply + 1)]
        self._rename(entries)
        self._redraw_pairs(entries)
        changed = Counter[str]()
        hidden = self.game.before is not None and state.active != self.observer
        waits = state.phase == "draw" and not state.pending and DRAW in game.legal_moves(state)
        own = step.seat == state.active
        if hidden and rng.random() < 0.4:
            at = max(index for index, entry in enumerate(entries) if entry.move == DRAW)
            del entries[at]  # not drawn yet
            changed["draws"] += 1
            if own and step.move != UNDO:
                moves = [DRAW, *moves]
        elif hidden and not (own and step.move != UNDO):
            self._draw_another(self.game.before, entries)
            changed["tiles"] += 1
        elif state.active != self.observer and waits and (step.move == DRAW or not own) and rng.random() < 0.6:
            first = len(entries)
            while first > self.match.knowledge.began and entries[first - 1].move == RESIGN:
                first -= 1
            drawn = Entry(0, state.active or 0, DRAW, None)
            entries.insert(rng.randint(first, len(entries)), drawn)
            self._draw_another(state, entries)
            changed["draws"] += 1
            if step.move == DRAW:
                moves = []
        elif state.active != self.observer and step.move == DRAW and rng.random() < 0.3:
            moves = []
            changed["draws"] += 1
        self._reorder(entries, changed)
        self._retime(entries)
        return self._stored(entries, changed), moves

    def _named(self, move: Move, seat: int, ply: int) -> Move:
        """The move, with the card that was really kept in the twin."""
        if move[0] != "choose" or seat == self.observer:
            return move
        counter = self.known.decks[self.known.kept[ply]][0]
        return ("choose", self.other.names[counter].get(move[1], move[1]))

    def _rename(self, entries: list[Entry]) -> None:
        for entry in entries:
            entry.move = self._named(entry.move, entry.seat, entry.ply)

    def _redraw_pairs(self, entries: list[Entry]) -> None:
        """Of two tiles that others drew, the one that went back unseen may have been another."""
        for draw, kept in pairwise(entries):
            if draw.seat != self.observer and draw.ply in self.known.pairs and kept.move[0] == "keep":
                counter, first, second = self.known.pairs[draw.ply]
                stays = COLOR_INDEX[kept.move[1]]
                number = self.match.rng.randrange(5)
                if first == stays:
                    self.other.tiles[counter + 1] = (False, number)
                else:
                    self.other.tiles |= {counter: (False, number), counter + 1: (True, second)}

    def _draw_another(self, before: State | None, entries: list[Entry]) -> None:
        """The newest, hidden draw brings another tile."""
        if before is not None and sum(before.bag) > 2:
            number = self.match.rng.randrange(5)
            self.other.tiles |= {before.chance: (False, number), before.chance + 1: (False, number + 1)}

    def _reorder(self, entries: list[Entry], changed: Counter[str]) -> None:
        """Others drew before or after somebody resigned."""
        for index, entry in enumerate(entries):
            if entry.move != DRAW or entry.seat == self.observer:
                continue
            last = index
            while last + 1 < len(entries) and entries[last + 1].move == RESIGN and entries[last + 1].seat != entry.seat:
                last += 1
            if last > index and self.match.rng.random() < 0.5:
                entries[index : last + 1] = [*entries[index + 1 : last + 1], entry]
                changed["order"] += 1

    def _retime(self, entries: list[Entry]) -> None:
        """Who drew, and when, is not told of others; the plies are counted anew."""
        for index, entry in enumerate(entries):
            entry.ply = index + 1
            if entry.move == DRAW and (entry.seat != self.observer or entry.at is None):
                entry.at = entries[index - 1].at if index else self.game.started_at
                entry.automatic = self.match.rng.random() < 0.5

    def _stored(self, entries: list[Entry], changed: Counter[str]) -> World:
        match, rng = self.match, self.match.rng
        secret = rng.randbytes(32)
        seed = game_seed(secret, [place.client_seed for place in self.game.seats])
        match.streams.others[seed] = self.other
        twin = match.world.copied(self.path)
        with twin.store.write():
            GameRow.update(server_seed=secret.hex()).where(GameRow.id == match.id).execute()
            sql.execute(twin.store, "UPDATE deal SET server_seed = ?", secret.hex())
            standing = MoveRow.select().where(MoveRow.game == match.id, MoveRow.undone_at.is_null())
            rows = {row.ply: row for row in standing}
            for entry in entries:
                values = {"seat": entry.seat, "move": format_move(entry.move), "played_at": entry.at,
                          "automatic": entry.automatic}  # fmt: skip
                row = rows.pop(entry.ply, None)
                if row is None:
                    MoveRow.insert(game=match.id, ply=entry.ply, **values).execute()
                elif any(getattr(row, name) != value for name, value in values.items()):
                    MoveRow.update(**values).where(MoveRow.id == row.id).execute()
            for row in rows.values():
                row.delete_instance()
            # The others' wishes, too: whether the server draws for them.
            for seat, eyes in enumerate(match.people):
                if seat != self.observer and eyes.player is not None:
                    wish = f'{{"auto_draw": {rng.choice(("true", "false"))}}}'
                    PlayerRow.update(preferences=wish).where(PlayerRow.id == eyes.player.id).execute()
            Snapshot.delete().execute()
            made = loading.for_change(twin.store, match.id)
            saving.save(twin.store, made)
        self._compare(made.position, changed)
        return twin

    def _compare(self, other: State, changed: Counter[str]) -> None:
        """Count what is different."""
        state = self.game.position
        hands = [seat for seat in range(len(state.players)) if seat != self.observer]
        changed["hands"] += any(state.players[seat].hand != other.players[seat].hand for seat in hands)
        changed["pile"] += state.pile != other.pile
        changed["coats"] += state.coats != other.coats
        changed["tower"] += state.tower != other.tower
        changed["offers"] += [c for c in state.pending if c[0] in ("choose", "coat")] != [
            c for c in other.pending if c[0] in ("choose", "coat")
        ]
        self.match.differed += changed
        assert [len(player.hand) for player in state.players] == [len(player.hand) for player in other.players]
