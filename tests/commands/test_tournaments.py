"""`ulm tournament`: a whole tournament of bots from one command."""

import json
import re
from contextlib import closing

from replays.cli import main as replay
from server.cli import main
from server.service.contests import tournaments
from server.storage.database import open_database


def test_a_whole_tournament_of_eight_bots_runs_from_one_command(tmp_path, capsys):
    settings = {"ULM_DATA_DIR": str(tmp_path)}
    assert main(["db", "migrate"], settings) == 0
    capsys.readouterr()
    assert main(["tournament", "run", "--bots", "1"], settings) != 0
    with closing(open_database(f"sqlite:///{tmp_path}/ulm.sqlite3")) as store:
        assert tournaments.listing(store, None) == []
    wishes = ["--kind", "knock-out", "--seats", "4", "--bots", "8", "--bot", "random", "apprentice"]
    assert main(["tournament", "run", *wishes], settings) == 0
    out = capsys.readouterr().out
    made = re.search(r"^Page: .*/tournaments/(\w+)$", out, re.MULTILINE)[1]
    table = [line for line in out.splitlines() if re.match(r" +\d", line)]
    assert len(table) == 8
    file = tmp_path / "records.jsonl"
    with closing(open_database(f"sqlite:///{tmp_path}/ulm.sqlite3")) as store:
        file.write_text("\n".join(map(json.dumps, tournaments.records(store, made))), "utf-8")
    assert replay(["standings", str(file)]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if re.match(r" +\d", line)] == table
    assert replay(["check", "-q", str(file)]) == 0
    tags = {json.loads(line)["tournament"]["round"] for line in file.read_text("utf-8").splitlines()}
    assert tags == {1, 2}
