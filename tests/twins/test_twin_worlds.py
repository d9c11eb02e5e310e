"""The proof that no answer tells what its reader may not know: twin worlds, asked the same, answer alike to the byte.

`--twin-games N` plays that many games, from number `--twin-first` on; without it parts of a few. At each ply the core
of the addresses is asked and of the others a share, now and then all. What is asked is the application's URL map
(`questions.py`), what differs stands in `worlds.py`.
"""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import fields
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
import time_machine
from flask import Flask
from werkzeug.test import TestResponse

from server.engine.canonical import canonical_json
from server.engine.rulesets import Rules
from server.engine.ulm1 import view
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import DRAW, RESIGN
from server.engine.ulm2 import RULES
from server.engine.which import ENGINE
from server.notify.compose import compose
from server.notify.mime_message import finish
from server.service.accounts.links import BadLinkError
from server.service.answering import answers
from server.service.contests import day
from server.service.games import model
from server.service.outbox.deliveries import QueuedMail
from server.settings import Settings
from server.storage import sql
from tests.engine.battery import far_on
from tests.routes.pages.conftest import Time
from tests.service.contests import field
from tests.tables import Mail
from tests.twins import questions
from tests.twins.knowledge import Streams
from tests.twins.questions import Question, Seen
from tests.twins.worlds import API, Eyes, Match, Step, World

pytestmark = pytest.mark.skipif(ENGINE == "compiled", reason="a compiled engine asks no double of its chance")

GAMES, PLIES, SKIPPED = 4, 20, 30
"""What is compared in a usual run: at how many plies of how many games, of which some have gone on for a while."""
SHARE, ALL_AT = 0.03, 20
"""What share of the addresses beside the core is asked at each ply, and at every which one all of them are."""
_ONE_CLOCK, _OTHER_CLOCK = (datetime(year, 1, 1, tzinfo=UTC) for year in (2030, 2040))
"""What the machine's clock says is in no answer: the application has its own."""


class DifferenceError(AssertionError):
    """Two worlds were told apart."""


class Pairs:
    """Plays games in twin worlds and compares what they answer."""

    def __init__(self, application: Flask, template: Path, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.application, self.template, self.folder = application, template, folder
        self.streams = Streams(patch)
        self.chance = random.Random()
        patch.setattr(random, "_urandom", self.chance.randbytes)  # behind `secrets` and `random.SystemRandom`
        self.far: int | None = None
        """Whether games begin where random play rarely comes to: with cards in all hands, and barges far on."""
        new_game = RULES.set_up

        def first(rules: Rules, seed: bytes, players: int, options: Mapping[str, object]) -> State:
            state = new_game(rules, seed, players, options)
            return state if self.far is None else far_on(state, random.Random(self.far), 20)

        patch.setitem(vars(RULES), "set_up", first)
        self.all_at = ALL_AT
        self.asked: Counter[str] = Counter()
        self.differed: Counter[str] = Counter()
        self.plies = 0

    def begun(self, number: int) -> Match:
        """A new game: 2 to 4 seats, with and without the Tower and a start that moves, from the beginning or far on."""
        self.far = number if number % 2 else None
        rng = random.Random(f"twins {number}")
        self.chance.seed(number)
        path = self.folder / "first.sqlite3"
        shutil.copy(self.template, path)
        settings = Settings(database_url=f"sqlite:///{path}", data_dir=self.folder, example=False,
                            base_url="https://ulm.example.org", mail_pictures=number % 5 == 0)  # fmt: skip
        world = World(path, self.application, settings, Time())
        seats, tower, rotate = 2 + number % 3, number // 3 % 2 == 0, number % 4 == 1
        return Match(world, self.streams, rng, self.chance, seats, tower, rotate, self.differed)

    def play(self, number: int, begin: int = 0, plies: int = 5000) -> None:
        """Play a game and compare at so many plies, from ply `begin` on. Raises `DifferenceError`."""
        match = self.begun(number)
        with closing(match.world):
            match.skip(begin)
            while plies and match.world.loaded(match.id).status == "running":
                plies -= 1
                self.ply(match, 1.0 if (self.plies + 1) % self.all_at == 0 else SHARE)

    def ply(self, match: Match, share: float) -> None:
        """Play one ply in both worlds, and ask all that there is to ask."""
        observer = match.rng.choice(match.knowledge.observers)
        twin, answer, other = match.advance(self.folder / "twin.sqlite3", observer)
        self.plies += 1
        with closing(twin):
            if match.world.loaded(match.id).status != "running":
                return  # all is open now
            if other is not None and observer is not None and match.last.seat == observer:
                same(f"the answer to {match.last}", answer, other)
            with closing(match.world.copied(self.folder / "same.sqlite3")) as world:
                # Those who know least are answered least: more often the one with a seat looks.
                eyes = match.rng.choice(match.eyes(observer)[:1] * 2 + match.eyes(observer))
                self.compare(match, world, twin, eyes, share)

    def compare(self, match: Match, world: World, twin: World, eyes: Eyes, share: float) -> None:
        """Ask both worlds through the same eyes."""
        here = f"{API}/games/{match.id}"
        page = world.ask(eyes, "GET", here)
        legal: list[str] = []
        if page.json["seat"] is not None:
            legal = world.ask(eyes, "GET", f"{here}/legal-moves").json["moves"]
        seen = Seen(world, twin, eyes, match.id, match.rng, page.json, legal)
        asked = [*questions.looks(world.app, seen, share), *questions.attempts(seen, share)]
        for question in asked:
            self.ask(world, twin, eyes, question)
        if eyes.player is not None:
            one = mails(world, eyes)
            twin.take_links(world)
            two = mails(twin, eyes)
            self.asked["mails"] += len(one)
            if one != two:
                raise DifferenceError(f"{eyes.name}: mails {one} {two}")
        if eyes.player is not None and page.json["seat"] is not None:
            self.answer(world, twin, eyes, seen)

    def ask(self, world: World, twin: World, eyes: Eyes, question: Question) -> None:
        """Put a question to both worlds. Raises `DifferenceError`."""
        number = self.asked.total()
        self.chance.seed(number)
        with time_machine.travel(_ONE_CLOCK, tick=False):
            one = put(world, eyes, question)
        self.chance.seed(number)
        with time_machine.travel(_OTHER_CLOCK, tick=False):
            two = put(twin, eyes, question)
        self.asked[question.endpoint] += 1
        same(f"{eyes.name}: {question}", one, two)

    def answer(self, world: World, twin: World, eyes: Eyes, seen: Seen) -> None:
        """Answer a mail in both worlds: what is told of it is alike. Who is to move plays nothing that reveals."""
        own = seen.page["to_move"] == seen.page["seat"]
        moves = seen.rng.sample(seen.legal, min(2, len(seen.legal))) if own else ["draw", "push N1", "undo", "end"]
        lines = [f"preview {move}" for move in moves] if own else moves
        lines += seen.rng.sample(["hand", "show", "help", "What now?", "push N9"], 2)
        lines += [] if own else ["3", "push", "buy"]
        token = seen.turn_token()
        for each in (world, twin):
            mail = answers.AnswerMail("<answer@phone.example>", lines, "\n".join(lines))
            with suppress(BadLinkError):
                answers.receive(each.store, token, mail, each.time(), random.Random(1))
        one = mails(world, eyes)
        twin.take_links(world)
        two = mails(twin, eyes)
        self.asked["answers"] += 1
        if one != two:
            raise DifferenceError(f"{eyes.name}: answers {lines} {one} {two}")


def put(world: World, eyes: Eyes, question: Question) -> TestResponse | tuple[int, str, bytes]:
    """The answer to a question; of a stream its head and first event."""
    how: dict[str, Any] = {"json": question.json} if question.json is not None else {}
    how |= {"data": question.form} if question.form is not None else {}
    how |= {"headers": question.headers, "buffered": not question.first}
    answer = world.ask(eyes, question.method, question.path, **how)
    if not question.first or answer.status_code != 200:
        return answer
    parts = answer.iter_encoded()
    begun = answer.status_code, str(answer.headers), next(parts)
    answer.close()
    return begun


def same(what: str, one: Any, two: Any) -> None:
    """Raise `DifferenceError` unless both answers are the same: status, headers, body."""
    told = [
        (answer.status_code, str(answer.headers), _body(answer)) if isinstance(answer, TestResponse) else answer
        for answer in (one, two)
    ]
    if told[0] != told[1]:
        raise DifferenceError(f"{what}\n--- one\n{told[0]}\n--- two\n{told[1]}")


def _body(answer: TestResponse) -> bytes:
    """The bytes of an answer; of a packed one without the second in which it was packed (RFC 1952, MTIME)."""
    packed = answer.headers.get("Content-Encoding") == "gzip"
    return answer.data[:4] + bytes(4) + answer.data[8:] if packed else answer.data


def mails(world: World, eyes: Eyes) -> list[Any]:
    """Every notice to somebody, and the mails that are made of the newest."""
    with world.store.read():
        rows = list(Mail.select().where(Mail.player == eyes.player.id).order_by(Mail.id))
        told = [(row.key, row.kind, row.ply, row.data, row.due_at, row.state) for row in rows]
        names = [field.name for field in fields(QueuedMail)[:9]]
        newest = [QueuedMail(*(getattr(row, name) for name in names), json.loads(row.data)) for row in rows[-2:]]
    settings = world.app.extensions["ulm.settings"]
    made = [(queued, compose(world.store, settings, queued, world.time())) for queued in newest]
    return told + [
        finish(settings, one, mail).data if isinstance(mail, EmailMessage) else repr(mail) for one, mail in made
    ]


@pytest.fixture
def pairs(application: Flask, sqlite_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pairs:
    return Pairs(application, sqlite_template, tmp_path, monkeypatch)


def test_every_rule_is_asked_or_says_why_not(application: Flask) -> None:
    """What is left out is there, and has a reason; what is not left out can be asked."""
    endpoints = {rule.endpoint for rule in application.url_map.iter_rules()}
    assert set(questions.LEFT_OUT) <= endpoints
    assert set(questions.QUERIES) | questions.STREAMS | questions.CORE <= endpoints
    assert all(len(why) > 10 for why in questions.LEFT_OUT.values())


@pytest.mark.slow
def test_twin_worlds_answer_alike(pairs: Pairs, request: pytest.FixtureRequest) -> None:
    """Whoever may not know what differs is answered the same, by every address, at every ply."""
    games, first = (request.config.getoption(name) for name in ("--twin-games", "--twin-first"))
    pairs.all_at = 5 * ALL_AT if games else ALL_AT
    for number in range(first, first + (games or GAMES)):
        if games:
            pairs.play(number)
        else:
            pairs.play(number, begin=SKIPPED * (number % 3), plies=PLIES)
        asked, differed = pairs.asked.total(), dict(pairs.differed)
        print(f"after game {number}: {pairs.plies} plies, {asked} questions, twins differed in {differed}", flush=True)
    assert set(pairs.asked) >= {rule.endpoint for rule in questions.rules(pairs.application)}
    for what in ("hands", "pile", "coats", "tower", "draws", *(("offers", "tiles", "order") if games > 10 else ())):
        assert pairs.differed[what], f"no two worlds differed in their {what}"


def test_a_sealed_game_that_is_over_tells_its_players_no_more(pairs: Pairs) -> None:
    """While others play the same deal, what was hidden stays so at every address; strangers are told of no game."""
    for number in (1, 3):  # three seats and two, far on
        match = pairs.begun(number)
        match.seal()
        match.skip(20)
        match.next_step = _resigns  # type: ignore[method-assign]
        match.skip(match.seats - 2)
        observer = match.rng.randrange(match.seats)
        with closing(match.world):
            twin, answer, other = match.advance(pairs.folder / "twin.sqlite3", observer)
            if match.last.seat == observer:
                same(f"the answer to {match.last}", answer, other)
            with closing(twin), closing(match.world.copied(pairs.folder / "same.sqlite3")) as world:
                pairs.compare(match, world, twin, match.people[observer], 1.0)
                assert world.loaded(match.id).status == "finished"
    for what in ("hands", "pile", "coats"):
        assert pairs.differed[what], f"no two worlds differed in their {what}"


def test_who_has_not_played_a_deal_is_told_the_same_however_others_did(pairs: Pairs) -> None:
    """A stranger, somebody with an account, and somebody who has only begun, ask all addresses about others' games."""
    match = pairs.begun(0)
    world, now = match.world, match.world.time()
    own = match.people[0].player
    assert own is not None
    field.fill(world.store, 3, now)
    begun, there = day.play(world.store, own, now), now.date().isoformat()
    with closing(world), closing(world.copied(pairs.folder / "twin.sqlite3")) as twin:
        _play_otherwise(twin, begun)
        deal = world.ask(match.stranger, "GET", f"{API}/deals/{there}").json["id"]
        more = [
            f"/deal/{there}", f"/deal/{there}/g0000001", f"{API}/deals/{there}", f"{API}/replays/export?deal={deal}",
            "/players/journeyman", f"{API}/players/master", f"{API}/games/{begun}", f"/games/{begun}",
        ]  # fmt: skip
        for eyes in (match.stranger, match.people[1], match.people[0]):
            sat = [{"player": "p0000001"}, {"player": None}]
            page = {"ply": 30, "seat": None, "to_move": None, "players": sat}
            seen = Seen(world, twin, eyes, "g0000001", match.rng, page, [])
            for question in (*questions.looks(world.app, seen, 1.0), *(Question("GET", path) for path in more)):
                pairs.ask(world, twin, eyes, question)


def _play_otherwise(twin: World, begun: str) -> None:
    """Let all games of the deal but that one have gone otherwise, by another secret."""
    others = f"(SELECT id FROM game WHERE deal_id IS NOT NULL AND id <> '{begun}')"
    with twin.store.write():
        result = json.loads(sql.value(twin.store, "SELECT result FROM game WHERE id = 'g0000001'"))
        for score in result["scores"]:
            score["total"] += 7
        for query, *values in (
            ("UPDATE deal SET server_seed = ?", "5a" * 32),
            (f"UPDATE game SET server_seed = ? WHERE id IN {others}", "5a" * 32),
            (f"UPDATE game SET result = ? WHERE status = 'finished' AND id IN {others}", canonical_json(result)),
            (f"UPDATE game SET ply = ply / 2, public_ply = ply / 2, winner_total = 99 WHERE id IN {others}",),
            (f"UPDATE seat SET won = NOT won WHERE game_id IN {others}",),
            (f"DELETE FROM move WHERE ply > 9 AND game_id IN {others}",),
        ):
            sql.execute(twin.store, query, *values)


def _resigns(loaded: model.Game) -> Step:
    assert loaded.to_move is not None
    return Step(loaded.to_move, RESIGN)


def open_hands(patch: pytest.MonkeyPatch) -> None:
    shown = view.player_view
    patch.setattr(view, "player_view", lambda player, own: shown(player, True))


def open_offers(patch: pytest.MonkeyPatch) -> None:
    shown = view.choice_view
    patch.setattr(view, "choice_view", lambda choice, own: shown(choice, True))


def open_log(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(vars(RULES), "log_entry", lambda move, seat, viewer: format_move(move))


def one_tower_tile_more(patch: pytest.MonkeyPatch) -> None:
    def told(state: State, seat: int | None) -> dict[str, Any]:
        return {**view.view(state, seat), "tower": state.tower[: state.round + 2]}

    patch.setitem(vars(RULES), "view", told)


def real_ply(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(model.Game, "seen_ply", lambda game, seat: game.ply)


def real_order(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(vars(RULES), "told_order", lambda log, viewer: list(range(len(log))))


def unmasked_by_resigning(patch: pytest.MonkeyPatch) -> None:
    def hidden_behind(hidden: State | None, before: State, seat: int, move: Move, after: State) -> State | None:
        return before if move == DRAW else None

    patch.setitem(vars(RULES), "hidden_behind", hidden_behind)


def skip_to(match: Match, wanted: Callable[[model.Game], bool]) -> None:
    """Play on in the one world until something is `wanted`, for a while."""
    for _ in range(40):
        if wanted(match.world.loaded(match.id)):
            return
        match.skip(1)


def hides_a_draw(game: model.Game) -> bool:
    return game.before is not None


@pytest.mark.parametrize(("leak", "resigning"), [
    (open_hands, 0.0), (open_offers, 0.0), (open_log, 0.0), (one_tower_tile_more, 0.0), (real_ply, 0.0),
    (real_order, 0.7), (unmasked_by_resigning, 0.7),
])  # fmt: skip
def test_a_leak_is_noticed(
    pairs: Pairs, monkeypatch: pytest.MonkeyPatch, leak: Callable[[pytest.MonkeyPatch], None], resigning: float
) -> None:
    """The comparison is worth what it finds: with each of these leaks two worlds are soon told apart."""
    leak(monkeypatch)
    for number in range(11 if resigning else 1, 66, 6):  # four seats; three, with the Tower; far on
        match = pairs.begun(number)
        match.resigning, match.dealing = resigning, 1.0
        with closing(match.world):
            try:
                match.skip(0 if resigning else 20)
                for _ in range(12 if resigning else 30):
                    if resigning:
                        skip_to(match, hides_a_draw)
                    pairs.ply(match, 0.0)
            except DifferenceError:
                return
    raise AssertionError("nothing was noticed")
