"""schemathesis reads the OpenAPI document and makes up requests, such as it allows and such as it does not; they are
sent to a server on which people play, by accounts that stay good, about games and tokens that there are.

`make test` sends some hundreds to each database, `pytest tests/routes/api/test_fuzz.py --fuzz-calls 50000 -s` as many
as one likes, and prints what was answered.
"""

import json
import random
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from hypothesis.errors import Unsatisfiable
from werkzeug.test import TestResponse

from server.settings import Settings
from tests.routes.caller import BASE, Caller, contract
from tests.service.conftest import give_address

EXAMPLES, MORE_EXAMPLES = 3, 25
PEOPLE = 4
KEPT = 40  # of each kind of thing, the newest: what is older is over, or full
DEAR = {f"{BASE}/replays/{{game_id}}/export.gif": 0.01, f"{BASE}/replays/{{game_id}}/export.html": 0.05,
        f"{BASE}/games/{{game_id}}/events": 0.3}  # fmt: skip
"""What takes long, and the share of its requests that is sent."""
GOODBYE = 0.02
"""The share of wishes to delete the account that is sent: its games go with it."""
A_WHILE = 150  # calls, then there is something new to do


@dataclass(frozen=True)
class Request:
    """A request that was made up, by parts that know neither a game nor a token."""

    method: str
    template: str
    query: dict[str, str]
    headers: dict[str, str]
    body: dict[str, Any]


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    """Settings of a server that takes many requests from one place."""
    chosen = Settings(database_url=database_url, data_dir=tmp_path, example=False)
    limits = [item.name for item in fields(Settings) if "_per_" in item.name]
    return replace(chosen, limits_percent=100_000_000, **dict.fromkeys(limits, 1_000_000))


@pytest.fixture(scope="module")
def requests(application: Flask, pytestconfig: pytest.Config) -> list[Request]:
    """Requests for every operation, such as fit the document and others.

    They follow from the document alone, and to make them up takes most of the time: it is done once for all databases.
    """
    import schemathesis  # takes a second, which only the worker that makes them up has to spend

    many = pytestconfig.getoption("--fuzz-calls") > 5000
    schema = schemathesis.openapi.from_wsgi(f"{BASE}/openapi.json", application)
    made: list[Request] = []

    def keep(case: Any) -> None:
        arguments = case.as_transport_kwargs()
        headers = _sendable(dict(case.headers or {}))
        headers.pop("Prefer", None)  # nobody changes the game while one waits
        body = {key: arguments[key] for key in ("data", "json") if key in arguments}
        if "json" in body:
            body = {"data": json.dumps(body["json"]), "content_type": "application/json"}
        query = {str(key): str(value) for key, value in dict(case.query or {}).items()}
        made.append(Request(case.operation.method.upper(), case.operation.path, query, headers, body))

    for operation in [result.ok() for result in schema.get_all_operations()]:
        for mode in schemathesis.GenerationMode:
            generated = operation.as_strategy(generation_mode=mode)
            run = hypothesis_settings(
                max_examples=MORE_EXAMPLES if many else EXAMPLES,
                phases=(Phase.explicit, Phase.generate),
                deadline=None,
                database=None,
                derandomize=True,
                suppress_health_check=list(HealthCheck),
            )(given(generated)(keep))
            # An operation without parameters cannot be called wrongly.
            with suppress(Unsatisfiable):
                run()
    return made


MADE = {"tokens": "token_id", "vacations": "vacation_id", "comments": "comment_id"}
"""By the end of an address what is made there stands for in others."""


@dataclass
class Site:
    """A server on which people play: who they are, what there is, and what was answered so far."""

    client: FlaskClient
    chance: random.Random
    people: list[Caller] = field(default_factory=list)
    games: list[str] = field(default_factory=list)
    replays: list[str] = field(default_factory=list)
    seated: dict[str, set[str | None]] = field(default_factory=dict)
    things: dict[str, list[str]] = field(default_factory=lambda: {"number": ["1"]} | {one: [] for one in MADE.values()})
    codes: dict[str, Counter[int]] = field(default_factory=dict)
    strangers: int = 0
    new_after: int = 0

    def __post_init__(self) -> None:
        self.judge = contract(self.client)
        self.people = [Caller(self.client, f"Player {number}") for number in range(PEOPLE)]
        for number, caller in enumerate(self.people):
            give_address(self.client.application.extensions["ulm.store"], caller, f"player{number}@example.org")
        self.begin_anew()
        cup = self.people[0].post("/tournaments", {"name": "Cup", "kind": "swiss", "seats": 2}, 201).json["id"]
        for bot in ("random", "apprentice"):
            self.people[0].post(f"/tournaments/{cup}/entries", {"bot": bot}, 201)
        self.things["tournament_id"] = [cup]
        over = self.games.pop(-2)
        self.people[-1].play(over, "resign", status=201)
        self.replays.append(over)

    def begin_anew(self) -> None:
        """Games of those who are here now, in the place of those that are over; days off; an open table."""
        self.new_after = self.calls + A_WHILE
        self.games = []
        for caller in self.people:
            other = self.chance.choice([one for one in self.people if one is not caller])
            for bots in ([], ["random"]):
                body = {"seats": 2, "bots": bots, "options": {"tower": True}, "clock": {"turn_hours": 24}}
                self.games.append(caller.post("/games", body, 201).json["id"])
                self.seated[self.games[-1]] = {caller.id, None if bots else other.id}
                if not bots:
                    other.post(f"/games/{self.games[-1]}/players", {}, 201)
        self.games.append(self.people[0].post("/games", {"seats": 4}, 201).json["id"])
        self.seated[self.games[-1]] = {self.people[0].id}

    @property
    def calls(self) -> int:
        return sum(map(Counter.total, self.codes.values()))

    def send(self, request: Request) -> None:
        """Send a request as one of the people, about something that there is; judge the answer and learn from it."""
        if self.calls >= self.new_after:
            self.begin_anew()
        path, game = self.address(request.template)
        seated = [one for one in self.people if one.id in self.seated.get(game, ())]
        caller = self.chance.choice(seated if seated and self.chance.random() < 0.7 else self.people)
        if request.template.endswith(("/moves", "/preview", "/legal-moves", "/undo")) and self.chance.random() < 0.7:
            caller = self.mover(game) or caller
        headers = request.headers | self.authorized(caller)
        if self.chance.random() < 0.04:  # schemathesis makes tokens up as well, for half of its requests
            headers |= {"Authorization": request.headers.get("Authorization", "")}
        body = self.sensible(request, caller, game) or request.body
        asked = {"query_string": request.query, "headers": headers, **body}
        response = self.call(request.method, request.template, path, **asked)
        if headers["Authorization"] != f"Bearer {caller.token}":
            self.strangers += 1
        elif response.status_code == 401 or (response.status_code == 204 and path == f"{BASE}/players/me"):
            # The token was revoked, or the account deleted: somebody else comes.
            self.people[self.people.index(caller)] = Caller(self.client, "Somebody new")
        self.learn(request, response, game, caller)

    def call(self, method: str, template: str, path: str, **arguments: Any) -> TestResponse:
        with self.client.open(path, method=method, **arguments) as response:
            assert response.status_code < 500, (method, path, arguments, response.text)
            self.judge.check(method, path, response)
        self.codes.setdefault(f"{method} {template}", Counter())[response.status_code] += 1
        return response

    def address(self, template: str) -> tuple[str, str]:
        """The address of something that there is, mostly, and the game that it is about."""
        known = self.replays if "/replays/" in template and self.chance.random() < 0.9 else self.games
        game = self.chance.choice(known) if self.chance.random() < 0.97 else "nobody"
        path = template.replace("{game_id}", game).replace("{ply}", str(self.chance.choice((0, 0, 1, 1, 2, 999_999))))
        path = path.replace("{kind}", self.chance.choice(("stale-ply", "conflict", "no-such-kind")))
        for name, known in self.things.items():
            path = path.replace(f"{{{name}}}", self.chance.choice(known or ["nobody"]))
        return path, game

    def mover(self, game: str) -> Caller | None:
        """Who is to move in a game, as the server says."""
        template = f"{BASE}/games/{{game_id}}"
        page = self.call("GET", template, f"{BASE}/games/{game}", headers=self.authorized(self.people[0])).json
        if page.get("to_move") is None:
            return None
        moving = page["players"][page["to_move"]]["player"]
        return next((caller for caller in self.people if caller.id == moving), None)

    def sensible(self, request: Request, caller: Caller, game: str) -> dict[str, Any] | None:
        """Another body for a request that plays, more often than not: what schemathesis makes up is never legal."""
        kinds = ("/moves", "/preview", "/undo", "/branches", "/vacations")
        if request.method != "POST" or not request.template.endswith(kinds):
            return None
        if not request.body or self.chance.random() < 0.3:
            return None
        if request.template.endswith("/branches"):
            data: dict[str, Any] = {"ply": self.chance.choice((0, 0, 1, 2))}
        elif request.template.endswith("/vacations"):
            begins = datetime.now(UTC) + timedelta(days=self.chance.randrange(1, 300))
            data = {"starts_at": begins.isoformat(), "ends_at": (begins + timedelta(days=1)).isoformat()}
        else:
            template = f"{BASE}/games/{{game_id}}/legal-moves"
            found = self.call("GET", template, f"{BASE}/games/{game}/legal-moves", headers=self.authorized(caller))
            if found.status_code != 200:
                return None
            legal, ply = found.json["moves"], found.json["ply"]
            chosen = "resign" if self.chance.random() < 0.02 else self.chance.choice(legal or ["resign"])
            data = {"ply": ply, "moves": [chosen]}
            if request.template.endswith("/undo"):
                data = {"ply": max(0, ply - self.chance.choice((0, 1, 1, 2)))}
        return {"data": json.dumps(data), "content_type": "application/json"}

    @staticmethod
    def authorized(caller: Caller) -> dict[str, str]:
        return {"Authorization": f"Bearer {caller.token}"}

    def learn(self, request: Request, response: TestResponse, game: str, caller: Caller) -> None:
        """Remember what there is now."""
        if response.status_code == 201 and response.is_json and isinstance(response.json, dict):
            made = response.json
            last = request.template.rpartition("/")[2]
            if last in MADE:
                self.keep(self.things[MADE[last]], str(made["id"]))
            elif "/tournaments" in request.template:
                self.keep(self.things["tournament_id"], made["id"])
            elif made.get("status") in ("open", "running"):
                self.keep(self.games, made["id"])
                self.seated.setdefault(made["id"], set()).add(caller.id)
            elif "plies" in made:
                self.keep(self.replays, made["id"])
            elif (made.get("view") or {}).get("phase") == "over":
                self.keep(self.replays, game)

    def keep(self, known: list[str], number: str) -> None:
        if number not in known:
            known.append(number)
            del known[:-KEPT]


@pytest.mark.slow
def test_generated_requests_are_answered_as_described(
    client: FlaskClient, requests: list[Request], pytestconfig: pytest.Config
) -> None:
    """Never a 5xx; every status, body and header as documented, for requests that fit the document and for others."""
    calls = pytestconfig.getoption("--fuzz-calls")
    site, began = Site(client, random.Random(7)), time.monotonic()
    while site.calls < calls:
        for request in site.chance.sample(requests, len(requests)):
            leaves = (request.method, request.template) == ("DELETE", f"{BASE}/players/me")
            if site.chance.random() < (GOODBYE if leaves else DEAR.get(request.template, 1)):
                site.send(request)
            if site.calls >= calls:
                break
    total = sum(site.codes.values(), Counter[int]())
    print(f"\n{site.calls} calls in {time.monotonic() - began:.0f} s: {dict(sorted(total.items()))}; "
          f"{site.strangers} with another token")  # fmt: skip
    for name, seen in sorted(site.codes.items()):
        print(f"  {name}: {dict(sorted(seen.items()))}")
    never = {name for name, seen in site.codes.items() if not any(code < 400 for code in seen)}
    assert len(site.codes) >= 45
    assert total[401] < 0.1 * site.calls, "most were asked by nobody"
    assert sum(count for code, count in total.items() if code < 300) > 0.25 * site.calls, "most were turned away"
    assert any(422 in seen for seen in site.codes.values())
    assert {name for name, seen in site.codes.items() if set(seen) == {401}} == set()
    assert len(never) <= (len(site.codes) * 0.4 if calls < 5000 else 9), never


def _sendable(headers: dict[str, Any]) -> dict[str, str]:
    """Headers as a server can receive them: Latin-1, no line breaks."""
    return {
        name: str(value).encode("latin-1", "ignore").decode("latin-1").replace("\n", "").replace("\r", "")
        for name, value in headers.items()
        if name.replace("-", "").isalnum() and name.isascii()
    }
