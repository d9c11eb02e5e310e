"""What is erased is gone: from every answer of every address, and from the bytes of the files."""

import os
import random
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from replays.analysis.puzzles import PuzzleForm
from server.notify import runner, spool
from server.notify.compose import compose
from server.notify.jobs import clean_up
from server.notify.scheduler import Context
from server.service.accounts import sessions
from server.service.accounts.players import player_by_id
from server.service.archive import game_collections, puzzles, replays
from server.service.contests import day
from server.service.erasure import deletion
from server.service.seating import creating
from server.settings import Settings
from server.storage.database import Store
from tests.routes.caller import Caller, new_game
from tests.routes.pages.conftest import sign_in
from tests.service.conftest import NOW, make_player
from tests.service.contests.test_day import play_on
from tests.tables import Player

ONLY_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

NAME, ADDRESS = "Zwirnhild", "zwirnhild@example.org"
SEARCHED = ("Zwirn", "zwirn", "Zwieback")
"""Parts of the name, of the address, of the note and of all else that was the player's alone."""


LEFT_OUT = ("/stream", "/events", "export.gif", ":name>", "/spool")
"""Addresses that are not asked: streams, which tell numbers alone, a picture of points, the API page's files, and the
list of files that the operator sees: mails to others stay there as long as files do."""


class World:
    """A server in which somebody has done all that can be done, with others around who stay."""

    def __init__(self, app: Flask, client: FlaskClient, store: Store, settings: Settings) -> None:
        self.app, self.client, self.store = app, client, store
        self.settings = replace(settings, mail_pictures=False, mail_workers=0)  # neither is what this is about
        app.extensions["ulm.now"] = lambda: NOW
        self.own, self.ben, self.cleo = Caller(client, NAME), Caller(client, "Ben"), Caller(client, "Cleo")
        for caller, address in ((self.own, ADDRESS), (self.ben, "ben@example.org"), (self.cleo, "cleo@example.org")):
            caller.call("PATCH", "/players/me", {"email": address}, 200)
            with store.write():
                Player.update(email_confirmed_at=NOW).where(Player.id == caller.id).execute()
        own, ben, cleo = self.own, self.ben, self.cleo
        self.over = new_game([own, ben])
        own.call("PUT", f"/games/{self.over}/note", {"note": "Zwieback plan"}, 200)
        own.post(f"/games/{self.over}/messages", {"text": "good luck"}, 201, headers={"Idempotency-Key": "m1"})
        self.two_turns([own, ben], self.over)
        ben.play(self.over, "resign", status=201, headers={"Idempotency-Key": "k-last"})
        for caller in (own, ben):
            caller.post(f"/replays/{self.over}/comments", {"ply": 3, "text": "well pushed"}, 201)
        author = player_by_id(store, own.id)
        self.collection = game_collections.add(store, author, "", self.over, None, NOW)
        course = game_collections.read(store, self.collection, author)[0]
        course.update(title="Zwieback course", text="for Zwirn")
        game_collections.change(store, author, self.collection, course, NOW)
        self.rematch = ben.post(f"/games/{self.over}/rematch", {}, 201).json["id"]
        self.sandbox = ben.post(f"/replays/{self.over}/branches", {"ply": 2}, 201).json["id"]
        own.post(f"/replays/{self.over}/branches", {"ply": 1}, 201)
        self.running = new_game([own, ben, cleo])
        self.two_turns([own, ben, cleo], self.running)
        waiting = ben.post("/games", {"seats": 3, "name": "Later"}, 201).json["id"]
        own.post(f"/games/{waiting}/players", {}, 201)
        own.post(f"/games/{waiting}/invitations", {"address": "dan@example.org"}, 201)
        own.post(f"/games/{waiting}/invitations", {"player": cleo.id}, 201)
        cleo.call("PUT", f"/players/me/contacts/{own.id}", {"kind": "friend"}, 200)
        own.call("PUT", f"/players/me/contacts/{ben.id}", {"kind": "muted"}, 200)
        cleo.post(f"/games/{self.cleos()}/invitations", {"address": ADDRESS}, 201)
        own.post("/players/me/tokens", {"name": "Zwieback phone"}, 201)
        own.post("/players/me/channels", {"shape": "json", "address": "https://zwirn.example.org/Zwieback"}, 201)
        own.post("/players/me/bots", {"handle": "zwirn", "name": "Zwieback"}, 201)
        ben.post("/games", {"seats": 2, "bots": ["@zwirn"]}, 201)
        own.post("/players/me/vacations", {"ends_at": "2026-12-01T00:00:00Z"}, 201)
        given = {**own.get(f"/replays/{self.over}/record").json, "name": "From afar"}
        given["players"] = [{"name": "X"}, {"name": "Y"}]
        self.cup = own.post("/tournaments", {"name": "A cup", "kind": "swiss", "seats": 2}, 201).json["id"]
        for caller in (ben, own):
            caller.post(f"/tournaments/{self.cup}/entries", {}, 201)
        self.imported = own.post("/replays", given, 201).json["id"]
        self.keep_puzzle()
        self.play_deal()
        sessions.new_session(store, own.id, NOW)
        self.deliver()

    def keep_puzzle(self) -> None:
        """A puzzle out of the game that is over, which names who sat there."""
        replay = replays.replay_at(self.store, self.over, 0, None, None)
        step = next(one for one in replay.steps() if one.before.phase == "push")
        form: PuzzleForm = {
            "ply": step.ply - 1, "round": 1, "seat": step.entry.seat, "level": "easy", "moves": ["end"], "chance": 0.5,
            "others": [], "played": ["end"], "turns": 9,
        }  # fmt: skip
        with self.store.write():
            puzzles.keep(self.store, self.over, [form], NOW)
        assert NAME in str(self.client.get("/api/v1/puzzles/today").json["players"])

    def play_deal(self) -> None:
        """The deal of the day, which is over, so that everybody sees who has played it."""
        player = player_by_id(self.store, self.own.id)
        assert player is not None
        day.look_after(self.store, NOW)
        play_on(self.store, player, self.own.post("/deals/today/games", {}, 201).json["id"])
        day.look_after(self.store, NOW + timedelta(days=1))
        assert NAME in str(self.client.get("/api/v1/deals/today").json["field"])

    def cleos(self) -> str:
        return str(self.cleo.post("/games", {"seats": 2, "name": "Cleo's"}, 201).json["id"])

    @staticmethod
    def two_turns(callers: list[Caller], game: str) -> None:
        rng = random.Random(4)
        for number in range(14):
            page = callers[0].page(game)
            mover = callers[page["to_move"]]
            mover.play(game, rng.choice(mover.legal(game)), status=201, headers={"Idempotency-Key": f"k{number}"})

    def context(self) -> Context:
        delivery = runner.delivery(self.store, self.settings, compose, "one", lambda: NOW)
        return Context(self.store, self.settings, random.Random(1), lambda: NOW, delivery, lambda: True)

    def deliver(self) -> None:
        context = self.context()
        while context.delivery.run():
            pass
        context.delivery.close()

    def answers(self) -> dict[str, bytes]:
        """What every address gives to Ben, to a stranger and to the operator, signed in or by token."""
        found = {}
        values = {
            "ply": 1, "kind": "conflict", "name": "none", "token": "none", "slot": "N1", "words": "end",
            "filename": "ulm.css", "crop": "whole", "rule_id": "A5", "chapter": "turn", "which": "today", "lesson": 1,
            "theme": "light", "code": "en", "token_id": 1, "handle": "hal", "session_id": 1, "vacation_id": 1,
            "player_id": self.own.id, "collection_id": self.collection,
            "tournament_id": self.cup, "month": "2026-11", "day": "2026-11-21",
            "secret": "none", "size": "192",
        }  # fmt: skip
        games = (self.over, self.rematch, self.sandbox, self.running, self.imported)
        ben = self.store.ask(lambda: Player.get_by_id(self.ben.id))
        sign_in(self.client, self.store, ben)
        for rule in self.app.url_map.iter_rules():
            if "GET" not in (rule.methods or ()) or rule.rule.endswith(LEFT_OUT):
                continue
            for game in games if "game_id" in rule.arguments else ("",):
                given = {name: value for name, value in {**values, "game_id": game}.items() if name in rule.arguments}
                with self.app.test_request_context():
                    path = self.app.url_for(rule.endpoint, **given)
                for who, headers in (("Ben", {"Authorization": f"Bearer {self.ben.token}"}), ("page", {})):
                    response = self.client.get(path, headers=headers)
                    found[f"{who} {path}"] = response.get_data()
                    response.close()
        return found

    def delete(self) -> None:
        self.own.call("DELETE", "/players/me", status=204)


def files(settings: Settings) -> Iterator[Path]:
    return (path for path in settings.data_dir.rglob("*") if path.is_file())


def files_that_know(settings: Settings) -> list[str]:
    """Which files hold anything of what is searched for."""
    return sorted(path.name for path in files(settings) if any(word.encode() in path.read_bytes() for word in SEARCHED))


@pytest.fixture
def world(app: Flask, client: FlaskClient, store: Store, settings: Settings) -> World:
    return World(app, client, store, settings)


def knowing(answers: dict[str, bytes]) -> list[str]:
    return [path for path, data in answers.items() if any(word.encode() in data for word in SEARCHED)]


@ONLY_SQLITE
def test_no_answer_knows_who_it_was(world: World) -> None:
    before = knowing(world.answers())
    assert len(before) > 25, "the name was everywhere, so that its absence means something"
    assert any("/replays/" in path for path in before)
    world.delete()
    assert knowing(world.answers()) == []


@ONLY_SQLITE
def test_no_file_knows_who_it_was(world: World) -> None:
    """Neither the database nor its log, nor mails to the player; those to others only as long as files stay."""
    before = files_that_know(world.settings)
    assert {"ulm.sqlite3-wal"} <= set(before)
    mails = {path.name for path in spool.directory(world.settings).iterdir() if ADDRESS.encode() in path.read_bytes()}
    assert len(mails) > 2
    assert mails < set(before), "others were told of the player, too"
    world.delete()
    left = files_that_know(world.settings)
    assert [name for name in left if not name.endswith(".eml")] == []
    assert not mails & {path.name for path in files(world.settings)}
    for name in left:
        assert ADDRESS.encode() not in (spool.directory(world.settings) / name).read_bytes()
    later = NOW + timedelta(days=world.settings.mail_files_days)
    for path in files(world.settings):
        if path.suffix in (".eml", ".png"):
            os.utime(path, (NOW.timestamp(), NOW.timestamp()))
    clean_up(world.context(), later + timedelta(seconds=1))
    assert files_that_know(world.settings) == []


@ONLY_SQLITE
def test_nothing_is_left_in_pages_that_were_full_once(store: Store, settings: Settings) -> None:
    """Many come and go, so that pages of the database are split, merged and given back: none keeps a name. Who reads at
    that moment only puts it off."""
    names = [f"Zwirn {number} {'x' * (number % 40)}" for number in range(120)]
    people = [make_player(store, name) for name in names]
    random.Random(5).shuffle(people)
    for number, player in enumerate(people):
        if number % 4 == 0:
            creating.create(store, player, 3, None, None, "", [], False, NOW)
    store.empty_log()
    assert files_that_know(settings) == ["ulm.sqlite3"]
    reader = sqlite3.connect(store.name, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM player").fetchone()
    for player in people:
        deletion.delete_account(store, player, NOW)
    assert not store.empty_log()
    assert "ulm.sqlite3-wal" in files_that_know(settings), "somebody still reads what was"
    reader.execute("COMMIT")
    assert store.empty_log()
    assert files_that_know(settings) == []
    reader.close()


@ONLY_SQLITE
def test_a_spool_that_cannot_be_cleared_stops_nobody(
    store: Store, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_given: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(spool, "remove", full)
    spool.forget(store, settings, ["some"])
