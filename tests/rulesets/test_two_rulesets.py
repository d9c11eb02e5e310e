"""A second ruleset moves in: games of both in one server, played, shown, mailed, replayed, verified and compared.

The ruleset is a folder beside this file, and one line of the registry: that which `registered` adds.
"""

import json
import random
import re
import subprocess
from dataclasses import replace
from email.message import EmailMessage
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from replays import cli, stats
from server import engine
from server.board.words import words_of
from server.engine import record as records
from server.engine import rulesets
from server.engine.errors import InvalidStateError, RecordError
from server.engine.rulesets import Rules
from server.engine.ulm1.rules import RULES as ULM1
from server.engine.ulm2 import RULES as ULM2
from server.notify.compose import compose
from server.service.accounts import access
from server.service.archive import verification
from server.service.outbox.deliveries import QueuedMail
from server.service.seating import creating
from server.settings import Settings
from server.storage.database import Store
from tests.routes.caller import Caller, play_on
from tests.rulesets.ulm_test1 import RULES
from tests.service.conftest import NOW, give_address
from tests.tables import Game, Mail

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
ALL = (ULM1, ULM2, RULES)


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rulesets.ALL, RULES.name, RULES)


@pytest.fixture
def ann(client: FlaskClient, store: Store) -> Caller:
    """A player whose address is confirmed."""
    caller = Caller(client, "Ann")
    give_address(store, caller, "ann@example.org")
    return caller


def begin(store: Store, ann: Caller, rules: Rules, seats: int = 2) -> str:
    """A game of Ann against bots, in which she is to move; its id."""
    player = access.authenticate(store, ann.token, NOW)
    bots = ["steady"] * (seats - 1)
    name = f"By {rules.name}"
    page = creating.create(store, player, seats, name, {"tower": True}, "", bots, False, NOW, rules=rules)
    return page["id"]


@pytest.fixture
def running(store: Store, ann: Caller) -> dict[str, str]:
    """A game of each ruleset, side by side: ruleset → id."""
    return {rules.name: begin(store, ann, rules) for rules in ALL}


@pytest.fixture
def finished(running: dict[str, str], ann: Caller) -> dict[str, str]:
    """The same, played to the end, now a move here and now one there."""
    rng = random.Random(5)
    while any(ann.page(game)["status"] == "running" for game in running.values()):
        for game in running.values():
            left = iter(range(12))
            play_on([ann], game, rng, stop=lambda page, legal, left=left: next(left, None) is None)
    return running


def mails(store: Store, settings: Settings, kind: str, game: str) -> list[str]:
    """What the letters of a kind about a game say."""
    plain = replace(settings, base_url="https://ulm.example.org", mail_from="ulm@example.org", mail_pictures=False)
    rows = store.ask(lambda: list(Mail.select().where(Mail.kind == kind, Mail.game_id == game).order_by(Mail.id)))
    said = []
    for row in rows:
        queued = QueuedMail(
            row.id, row.key, row.kind, row.due_at, row.created_at, row.game_id, row.ply, row.player_id, row.address,
            json.loads(row.data),
        )  # fmt: skip
        made = compose(store, plain, queued, row.due_at)
        if isinstance(made, EmailMessage):
            said.append(made.get_body(("plain",)).get_content())
    return said


def printed(capsys: pytest.CaptureFixture[str], code: int, *arguments: object) -> str:
    """What a command of `ulm-replay` prints, in this process: another one does not know of the ruleset."""
    assert cli.main(list(map(str, arguments))) == code
    return capsys.readouterr().out


def text_of(page: str) -> str:
    """What a page says, without its tags."""
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page)))


@SQLITE
def test_pages_boards_and_letters_have_their_own_numbers(
    running: dict[str, str], ann: Caller, client: FlaskClient, store: Store, settings: Settings
) -> None:
    for rules in ALL:
        game, other = running[rules.name], ULM1 if rules is RULES else RULES
        play_on([ann], game, random.Random(3), stop=lambda page, legal: page["round"] == 2)
        ply = ann.page(game)["ply"]
        board = ann.get(f"/games/{game}/board.svg?ply={ply}").text
        text = ann.get(f"/games/{game}/board.txt?full=true").text
        page = text_of(client.get(f"/games/{game}").text)
        [letter] = mails(store, settings, "turn", game)[-1:]
        for shown in (board, text, page, letter):
            assert f"round 2 of {rules.rounds}".lower() in shown.lower()
            assert f"of {other.rounds}" not in shown
        for space in (1, 22):
            worth = f"{rules.space_value[space]:+}".replace("-", "\u2212").replace("+0", "0")
            assert f"<title>space {space}, worth {worth}" in unescape(board)
        assert len(re.findall(r'data-seal-space="\d"', board)) == sum(rules.seal_spaces)
        token = re.search(r"https://ulm\.example\.org(/t/\S+)", letter)
        assert token
        own = text_of(client.get(token[1]).text)
        assert f"round 2 of {rules.rounds}".lower() in own.lower()
    # In text: the drawn board has a legend only where there is room to spare.
    legend = re.sub(r"\s+", " ", ann.get(f"/games/{running[RULES.name]}/board.txt?full=true").text)
    assert "sail a step with a sparrow" in legend
    assert words_of("de", RULES).actions["turquoise"] == "1 Feld mit Spatz"
    assert "with a sparrow" not in ann.get(f"/games/{running[ULM1.name]}/board.txt?full=true").text


@SQLITE
def test_moves_are_previewed_and_refused_by_the_games_own_rules(
    running: dict[str, str], ann: Caller, store: Store
) -> None:
    """In one game a step brings a sparrow, in the other none; and only one writes a barge's fourth step."""
    for rules in ALL:
        game = running[rules.name]
        play_on([ann], game, random.Random(11), stop=lambda page, legal: "river" in legal)
        page = ann.page(game)
        before = page["view"]["players"][0]["sparrows"]
        tried = ann.post(f"/games/{game}/preview", {"ply": page["ply"], "moves": ["river"]}, 200).json
        flown = tried["view"]["players"][0]["sparrows"] - before - (tried["view"]["players"][0]["barge"] == 20)
        assert flown == (rules is RULES)
        problem = ann.play(game, "barge 4", status=422).json
        assert problem["type"].endswith("illegal-move" if rules is RULES else "unreadable-move")
        ann.play(game, "river", status=201)
        told = [one for one in text_of(ann.client.get(f"/games/{game}").text).split(".") if "flies along" in one]
        assert bool(told) == (rules is RULES)


@SQLITE
def test_both_are_played_replayed_verified_and_compared(
    finished: dict[str, str],
    ann: Caller,
    store: Store,
    settings: Settings,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files: list[Path] = []
    for rules in ALL:
        game = finished[rules.name]
        page = ann.page(game)
        assert page["status"] == "finished"
        assert page["round"] == rules.rounds
        for score, player in zip(page["result"]["scores"], page["view"]["players"], strict=True):
            assert score["barge"] == rules.space_value[player["barge"]]
        assert verification.verify_game(store, game) == []
        text = ann.get(f"/replays/{game}/record").text
        read = records.loads(text)
        assert (read.ruleset, records.loads(records.dumps(read))) == (rules.name, read)
        assert records.verify(read).scores == page["result"]["scores"]
        assert ann.post("/replays/verify", json.loads(text), 200).json["valid"] is True
        plies = len(read.moves)
        for ply in (0, plies // 2, plies):
            state = ann.get(f"/replays/{game}/states/{ply}").json["state"]
            assert state == engine.Game(read).state(ply).to_dict()
        assert ann.get(f"/replays/{game}/board.svg?ply={plies // 2}&seat=0").text.count(f"of {rules.rounds}")
        timeline = ann.get(f"/replays/{game}/timeline").json["plies"]
        flights = sum("flies along" in " ".join(one["text"]) for one in timeline)
        assert bool(flights) == (rules is RULES)
        rows = stats.rows(read)
        assert [row["total"] for row in rows] == [sum(v for k, v in row.items() if k.startswith("vp_")) for row in rows]
        assert mails(store, settings, "over", game)
        files.append(tmp_path / f"{len(files)}.ulm.json")
        files[-1].write_text(text, encoding="utf-8")
    assert "3 records checked, 0 defective" in printed(capsys, 0, "check", *files)


@SQLITE
def test_a_position_is_played_on_by_the_rules_of_its_game(finished: dict[str, str], ann: Caller, store: Store) -> None:
    for rules in ALL:
        game = ann.post(f"/replays/{finished[rules.name]}/branches", {"ply": 20, "bots": [None, "random"]}, 201).json
        assert game["ruleset"] == rules.name
        page = play_on([ann, ann], game["id"], random.Random(2))
        assert (page["status"], page["round"]) == ("finished", rules.rounds)
        assert verification.verify_game(store, game["id"]) == []
        assert ann.get(f"/replays/{game['id']}/record").json["ruleset"] == rules.name


@SQLITE
def test_a_given_record_stays_with_its_ruleset(finished: dict[str, str], ann: Caller, store: Store) -> None:
    given = ann.get(f"/replays/{finished[RULES.name]}/record").json
    given["id"] = "from outside"
    kept = ann.post("/replays", given, 201).json
    assert kept["ruleset"] == RULES.name
    assert verification.verify_game(store, kept["id"]) == []
    by_other_rules = {**given, "ruleset": ULM1.name}
    assert ann.post("/replays/verify", by_other_rules, 200).json["valid"] is False


@SQLITE
def test_rules_that_are_gone_are_refused_clearly(
    running: dict[str, str], ann: Caller, client: FlaskClient, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server of an older version, say, on the same database: it says so, and all other games go on."""
    game = running[RULES.name]
    state = ann.page(game)["view"]
    bare = records.make("x", "", {}, ["a", "b"], bytes(32), ["", ""], [], rules=RULES).to_dict()
    monkeypatch.delitem(rulesets.ALL, RULES.name)
    for path in (f"/games/{game}", f"/games/{game}/moves", f"/games/{game}/board.svg"):
        assert "ulm-test/1, which this server does not know" in ann.get(path, status=404).json["detail"]
    problem = ann.post(f"/games/{game}/moves", {"ply": state["ply"], "moves": ["resign"]}, 404).json
    assert "ulm-test/1" in problem["detail"]
    assert "ulm-test/1" in text_of(client.get(f"/games/{game}").text)
    assert {one["id"] for one in ann.get(f"/games?player={ann.id}").json} == set(running.values())
    assert [finding.what for finding in verification.verify_game(store, game)] == ["log"]
    assert next(iter(verification.verify_all(store))).message == (
        f"ply 0 cannot be laid out: unknown ruleset 'ulm-test/1': there are {', '.join(rulesets.ALL)}"
    )
    with pytest.raises(RecordError, match="ply 0: 'ruleset' is none of ulm/1"):
        records.from_dict(bare)
    with pytest.raises(InvalidStateError, match="unknown ruleset 'ulm-test/1'"):
        rulesets.state_from_dict(state)
    assert ann.post("/replays/verify", bare, 200).json["valid"] is False
    ann.get("/replays/statistics", status=200)
    with store.write():
        Game.update(private=True).where(Game.id == game).execute()
    for path in ("", "/moves", "/board.svg"):  # a private one is no more than one that is not there
        stranger = Caller(client)
        hidden, missing = (stranger.get(f"/games/{one}{path}", status=404).json for one in (game, "x" * len(game)))
        assert hidden["detail"] == missing["detail"]
    assert ann.play(running[ULM1.name], *ann.legal(running[ULM1.name])[:1]).status_code == 201


def test_nothing_else_knows_of_the_second_ruleset() -> None:
    """It is its folder, and the line that the fixture above stands for."""
    root = Path(__file__).parents[2]
    found = subprocess.run(
        ["git", "grep", "-lE", "ulm-test/1|ulm_test1", "--", "server", "replays", "benchmarks", "wsgi.py"],
        cwd=root, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.stdout == ""
