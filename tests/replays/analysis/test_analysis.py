"""The analysis of finished games: it adds up, it can be repeated, and it knows no more than the seat knew."""

import json
import random
import re

import pytest

from bots.chances import odds
from replays import cli, reading, report
from replays.analysis import results
from replays.analysis.course import Effort, Judge
from replays.analysis.plans import Planner, after, dealt
from replays.commands import options
from server.engine.game import Game
from server.engine.ulm1.turn import END
from tests.replays.conftest import GAMES, SHORT, good, replay_of

SMALL = Effort(looked_in=1, chosen_in=2, few=2, measured_in=2, most=2, clear=0.0, revealed_in=2, drawn_in=1, draws=40)


def resigned(replay: Game) -> bool:
    return any(move.text == "resign" for move in replay.record.moves)


@pytest.fixture(scope="module")
def analysed() -> dict[int, tuple[Game, results.Analysis]]:
    """A game of two, of three and of four; where there is one in which somebody resigns, that."""
    replays = {number: replay_of(number) for number in range(1, 13)}
    chosen = {seats: min((not resigned(one), n) for n, one in replays.items() if len(one.names) == seats)[1]
              for seats in (2, 3, 4)}  # fmt: skip
    assert any(resigned(replays[number]) for number in chosen.values())
    return {n: (replays[n], results.analyse(replays[n], SMALL, SHORT)) for n in chosen.values()}


def test_what_changed_a_chance_adds_up_to_the_result(analysed):
    """Luck, what was offered, own errors and those of others: from the first chance to 1, 0 or a share."""
    assert {len(replay.names) for replay, _ in analysed.values()} == {2, 3, 4}
    for replay, found in analysed.values():
        won = replay.record.result["winners"]
        assert sum(seat["first"] for seat in found["seats"]) == pytest.approx(1, abs=0.001)
        for seat in found["seats"]:
            parts = [seat[part] for part in ("luck", "offered", "error", "others")]
            assert seat["last"] == (pytest.approx(1 / len(won)) if seat["seat"] in won else 0)
            assert seat["first"] + sum(parts) == pytest.approx(seat["last"], abs=0.001)
            for part in ("luck", "offered", "error", "others"):
                assert sum(one[part] for one in seat["rounds"]) == pytest.approx(seat[part], abs=0.002)


def test_at_every_ply_chances_add_up_and_change_by_what_is_told(analysed):
    for replay, found in analysed.values():
        before = [seat["first"] for seat in found["seats"]]
        assert [row["ply"] for row in found["plies"]] == list(range(1, replay.plies + 1))
        for row in found["plies"]:
            assert sum(row["chances"]) == pytest.approx(1, abs=0.001)
            assert all(0 <= chance <= 1 for chance in row["chances"])
            for seat, chance in enumerate(row["chances"]):
                told = row["luck"][seat] + row["offered"][seat] + row["error"][seat]
                assert chance - before[seat] == pytest.approx(told, abs=0.0005)
            assert row["error"][row["seat"]] <= 0
            before = row["chances"]


def test_random_moves_are_found_to_be_errors_and_told_in_words(analysed):
    """The moments can be played on from, and say what would have been better in the game's sentences."""
    for replay, found in analysed.values():
        assert sum(seat["error"] for seat in found["seats"]) < -0.3
        assert 0 < len(found["moments"]) <= results.MOMENTS
        for told in results.moments(replay, found["moments"]):
            moment = told.moment
            assert moment["move"] == replay.record.moves[moment["ply"]].text
            assert told.played
            assert told.better
            assert all(text.endswith(".") for text in told.better)
            state = replay.state(moment["ply"])
            moves = tuple(state.rules.parse_move(text) for text in moment["instead"])
            assert after(state, moves) is not None
            assert moves[0] != state.rules.parse_move(moment["move"]) or len(moves) > 1


def test_the_same_record_gives_the_same_analysis(analysed):
    replay, found = next(iter(analysed.values()))
    assert results.analyse(Game(replay.record), SMALL, SHORT) == found


def test_a_decision_is_judged_by_what_its_seat_could_know():
    """Two positions that differ in hidden things alone: the same verdict, so no hindsight is in it."""
    judge = Judge(Planner(odds.shipped(3), SHORT), SMALL, "word")
    replay = replay_of(1)
    assert len(replay.names) == 3
    log: list[tuple[int, str]] = []
    seen = 0
    for step in replay.steps():
        state, seat = step.before, step.entry.seat
        if state.phase == "actions" and not state.pending and seat == state.active and step.ply % 3 == 0:
            twin = state.rules.dealt(state, (seat,), random.Random(step.ply).shuffle)
            assert twin.players != state.players or twin.pile != state.pile
            told = [(by, state.rules.log_entry(move, by, seat)) for by, move in log]
            assert judge.decision(twin, told, (END,)) == judge.decision(state, told, (END,))
            seen += 1
            if seen == 8:
                break
        log.append((step.entry.seat, step.move))
    assert seen == 8


def test_an_open_position_dealt_anew_keeps_hands_and_changes_the_rest():
    state = replay_of(1).state(40)
    other = dealt(state, random.Random(1))
    assert [player.hand for player in other.players] == [player.hand for player in state.players]
    assert sorted(other.pile) == sorted(state.pile)
    assert other.pile != state.pile
    assert other.seed != state.seed


def test_a_game_that_is_not_finished_is_refused(tmp_path):
    good("branch", GAMES / "vector-02.ulm.json", "--ply", 30, "-o", tmp_path / "part.ulm.json")
    assert good("analyse", tmp_path / "part.ulm.json", code=1) == ""
    with pytest.raises(ValueError, match="finished"):
        results.analyse(Game(reading.one(str(tmp_path / "part.ulm.json")).record))


def test_the_command_tells_a_game_in_json_and_in_words(monkeypatch, capsys):
    """In this process, so that it can be done with little effort."""
    whole = results.analyse
    monkeypatch.setattr(results, "analyse", lambda replay, passed: whole(replay, SMALL, SHORT, passed))
    path = str(GAMES / "vector-03.ulm.json")
    assert cli.main(["analyse", "--json", "--jobs", "1", path, path]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["id"] for line in lines] == ["vector-03", "vector-03"]
    assert lines[0] == lines[1]
    assert lines[0]["format"] == results.FORMAT
    monkeypatch.setattr(options, "BAR_DELAY", 0.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert cli.main(["analyse", path]) == 0
    text, bar = capsys.readouterr()
    assert re.search(r"analyse: +[1-9]\d*%.* [1-9]\d*/158 .*<", bar), "plies that are done, and the time left"
    assert "round" in text
    assert "better" in text


def test_the_offline_page_holds_an_analysis(analysed):
    """Its links lead to plies of the page; it loads nothing, and brings no script of its own."""
    replay, found = next(iter(analysed.values()))
    text = "".join(report.html(replay, analysis=found))
    assert "<h2>Analysis</h2>" in text
    part = text[text.index('<section class="panel" id="analysis">') : text.index('<script id="data"')]
    for moment in found["moments"]:
        assert f'<a href="#{moment["ply"]}">' in part
    assert part.count("Better:") == len(found["moments"])
    assert part.count("<script") == 0
    assert "style=" not in part
    assert "Analysis" not in "".join(report.html(replay))


def test_a_page_with_an_analysis_is_of_a_finished_game(tmp_path):
    page = tmp_path / "page.html"
    good("report", GAMES / "vector-03.ulm.json", "--analyse", "--seat", 0, "-o", page, code=2)
