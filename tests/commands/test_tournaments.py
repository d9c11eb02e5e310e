"""`ulm tournament`: a whole tournament of bots from one command, and one step by step."""

import json
import re

from replays.cli import main as replay
from server.cli import main


def test_a_whole_tournament_of_eight_bots_runs_from_one_command(tmp_path, capsys):
    settings = {"ULM_DATA_DIR": str(tmp_path)}
    assert main(["db", "migrate"], settings) == 0
    capsys.readouterr()
    wishes = ["--kind", "knock-out", "--seats", "4", "--bots", "8", "--bot", "random", "apprentice", "--name", "Bots"]
    assert main(["tournament", "run", *wishes], settings) == 0
    out = capsys.readouterr().out
    made = re.search(r"^Page: .*/tournaments/(\w+)$", out, re.MULTILINE)[1]
    assert "Bots: knock-out, over, round 2 of 2" in out
    table = [line for line in out.splitlines() if re.match(r" +\d", line)]
    assert len(table) == 8
    assert main(["tournament", "records", made], settings) == 0
    file = tmp_path / "records.jsonl"
    file.write_text(capsys.readouterr().out, "utf-8")
    assert replay(["standings", str(file)]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if re.match(r" +\d", line)] == table
    assert replay(["check", "-q", str(file)]) == 0
    tags = {json.loads(line)["tournament"]["round"] for line in file.read_text("utf-8").splitlines()}
    assert tags == {1, 2}


def test_step_by_step(tmp_path, capsys):
    settings = {"ULM_DATA_DIR": str(tmp_path)}

    def ulm(*words: str) -> str:
        assert main(["tournament", *words], settings) == 0
        return capsys.readouterr().out

    assert main(["db", "migrate"], settings) == 0
    capsys.readouterr()
    made = ulm("create", "--kind", "round-robin", "--hours", "48", "--ruleset", "ulm/1", "--no-guests").strip()
    assert main(["tournament", "start", made], settings) == 2
    assert "two entrants" in capsys.readouterr().err
    for _ in range(3):
        ulm("enter", made, "random")
    ulm("leave", made, "2")
    ulm("start", made)
    page = json.loads(ulm("show", made, "--json"))
    assert (page["ruleset"], page["round_hours"], page["guests"], page["rounds"]) == ("ulm/1", 48, False, 1)
    assert [one["number"] for one in page["standings"]] == [1, 3]
    assert made in ulm("list")
