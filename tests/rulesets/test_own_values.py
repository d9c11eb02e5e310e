"""An operator's own values: read strictly, named by what they say, played beside those of the project."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from flask.testing import FlaskClient

from replays import audit, checking, cli
from server import cli as ulm
from server.engine import own_values, record, rulesets
from server.engine.errors import RecordError
from server.engine.own_values import OwnValuesError
from server.engine.rulesets import Rules
from server.engine.ulm1.rules import RULES as ULM1
from server.engine.ulm1.ruleset import Top
from server.engine.ulm1.tables import BROWN, QUARTER_INDEX, WHITE
from server.engine.ulm2 import RULES as ULM2
from server.service.archive import verification
from server.service.common import own_rulesets
from server.settings import Settings, SettingsError
from server.storage.database import Store
from tests.routes.caller import Caller, play_on

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BOX = (HERE / "box.toml").read_text("utf-8")


def withdraw(name: str) -> None:
    """Take a ruleset away again, as where its file is missing when a process starts."""
    rulesets.OWN.remove(name)
    chosen = vars(rulesets)["_chosen"]
    chosen[:] = [rules for rules in chosen if rules is not rulesets.ALL[name]]
    del rulesets.ALL[name]


@pytest.fixture(autouse=True)
def withdrawn() -> Iterator[None]:
    """What a test has registered is gone after it."""
    yield
    for name in [*rulesets.OWN]:
        withdraw(name)


@pytest.fixture
def box(tmp_path: Path) -> Path:
    path = tmp_path / "box.toml"
    path.write_text(BOX, "utf-8")
    return path


def read(text: str) -> Rules:
    return own_values.ruleset_of(tomllib.loads(text)).rules


def problems(text: str) -> list[str]:
    with pytest.raises(OwnValuesError) as caught:
        read(text)
    return caught.value.problems


def test_values_take_the_place_of_those_of_the_base() -> None:
    rules = read(BOX)
    assert rules.coats["N1"] == (2, QUARTER_INDEX["garden"], 1)
    assert rules.coats["N2"] == (5, None, 0)
    assert rules.coats["E1"] == ULM1.coats["E1"]
    assert rules.south_bank == ((1, 4, 5), (5, 11, 6), (12, 22, 7))
    assert rules.north_bank == ULM1.north_bank
    assert rules.cathedral["nave-1"] == (1, 4)
    assert rules.tops["fustian-white"] == Top(WHITE, (("coins", 4),))
    assert rules.tops["works_of_art-white"] == ULM1.tops["works_of_art-white"]
    assert rules.tops["siege"] == Top(None, (("tiles", 3),))
    assert rules.tops["construction_freeze"] == Top(None, (("coins", 5),))
    assert rules.tops["fisherman_jousting"] == ULM1.tops["fisherman_jousting"]
    assert rules.parse_move("barge 5") == ("barge", "5")
    assert rules.verbs is ULM1.verbs
    assert list(rulesets.ALL) == rulesets.built_in(), "reading registers nothing"


def test_the_name_says_which_values() -> None:
    """Two operators who choose one name share it only where all their values are the same."""
    name = read(BOX).name
    assert name.startswith("ulm-box/1-")
    assert len(name) <= 32  # the column of the database
    assert read(BOX.replace("default = true", "")).name == name
    assert read(BOX + "\nreformation = { look = 2 }").name == name, "the value of the base"
    turned = dict(reversed(tomllib.loads(BOX).items()))
    assert own_values.ruleset_of(turned).rules.name == name
    others = {read(BOX.replace("vp = 5", "vp = 4")).name, read(BOX.replace("tiles = 3", "tiles = 4")).name}
    assert len({name, *others}) == 3
    assert read(BOX.replace("ulm-box/1", "ulm-box/2")).name == name.replace("box/1", "box/2")
    assert name == "ulm-box/1-177e3bfe", "records bear it: it must never change"


def test_what_a_card_does_is_said_in_short_or_in_whole() -> None:
    """The same box has the same name."""
    name = read(BOX).name
    for short, whole in (
        ("siege = { tiles = 3 }", 'siege = { pays = "none", effects = ["tiles 3"] }'),
        ("fustian = { coins = 4 }", 'fustian = { effects = ["coins 4"] }\nfustian-gray = { pays = "gray" }'),
        ("{ vp = 1, steps = 5 }", '{ effects = ["vp 1", "steps_up_to 5"] }'),
    ):
        assert read(BOX.replace(short, whole)).name == name
    turned = read(BOX.replace("{ vp = 1, steps = 5 }", '{ effects = ["steps_up_to 5", "vp 1"] }'))
    assert turned.name != name
    assert turned.tops["commercial_goods-white"] == Top(WHITE, (("steps_up_to", 5), ("vp", 1)))


def test_a_card_may_do_otherwise_than_its_kind() -> None:
    rules = read("""
        name = "ulm-box/1"
        base = "ulm/2"
        [trade]
        fustian = { pays = "none", coins = 4 }
        fustian-orange = { pays = "white", effects = ["seal 2", "cards 1"] }
        works_of_art-gray = { pays = "brown" }
        [chronicle]
        first_chronicle = { effects = ["seal 2"] }
    """)
    assert rules.tops["fustian-gray"] == Top(None, (("coins", 4),))
    assert rules.tops["fustian-orange"] == Top(WHITE, (("seal", 2), ("cards", 1)))
    assert rules.tops["works_of_art-gray"] == Top(BROWN, (("vp", 5), ("steps_exact", 1)))
    assert rules.tops["works_of_art-white"] == ULM2.tops["works_of_art-white"]
    assert rules.chronicle_seal_price == 2


def test_the_template_is_whole_and_changes_nothing() -> None:
    text = own_values.template(ULM1)
    assert problems(text) == ["every value is as in ulm/1: play by that"]
    assert read(text.replace('"tiles 2"', '"tiles 1"')).tops["siege"] == Top(None, (("tiles", 1),))


@pytest.mark.parametrize("case", tomllib.loads((HERE / "wrong_values.toml").read_text("utf-8"))["wrong"])
def test_what_is_wrong_is_said(case: dict[str, str]) -> None:
    change = case["values"]
    found = problems(change if "name" in change else f'name = "ulm-box/1"\n{change}')
    assert any(case["said"] in problem for problem in found), found


def test_everything_wrong_is_said_at_once() -> None:
    assert len(problems('name = "x"\ndefault = 1\n[trade]\nsilk = {}\n[chronicle]\nsiege = { tiles = 9 }')) == 4


def test_a_record_is_known_by_the_name_of_its_rules() -> None:
    """Whoever lacks the values refuses it and says why."""
    rules = rulesets.register(read(BOX))
    text = record.dumps(record.make("x", "", {}, ["Anna", "Ben"], bytes(32), ["", ""], [], rules=rules))
    record.verify(record.loads(text))
    assert audit.audit(json.loads(text))[1], "the set-up is that of ulm/1"
    withdraw(rules.name)
    with pytest.raises(RecordError, match="'ruleset' is none of ulm/1"):
        record.loads(text)


def test_files_are_read_when_a_process_starts(box: Path, tmp_path: Path) -> None:
    assert own_rulesets.load("") == []
    for _ in range(2):  # once by the command, once by the application
        [own] = own_rulesets.load(str(box))
    assert rulesets.for_new_games() is rulesets.rules_for(own.rules.name)
    older = BOX.replace("default = true", "").replace("tiles = 3", "tiles = 4")
    (tmp_path / "older.toml").write_text(older, "utf-8")
    assert len(own_rulesets.load(str(tmp_path))) == 2
    (tmp_path / "older.toml").write_text(BOX.replace("tiles = 3", "tiles = 4"), "utf-8")
    with pytest.raises(SettingsError, match="new games are played by one ruleset, not by ulm-box"):
        own_rulesets.load(str(tmp_path))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "No such file"), (b"name =", "it is not TOML"), (b"\xff", "it is not TOML"),
        (b"#" * 100_001, "more than 100000 bytes"), (b'name = "ulm/1"', "these are rulesets of the project"),
    ],
)  # fmt: skip
def test_a_bad_file_stops_the_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, said: str
) -> None:
    path = tmp_path / "box.toml"
    if content is not None:
        path.write_bytes(content)
    code = ulm.main(["rulesets"], {"ULM_RULESETS": str(path), "ULM_DATA_DIR": str(tmp_path)})
    assert code == 2
    told = capsys.readouterr().err
    assert told.startswith(f"ulm: ULM_RULESETS: {path}: ")
    assert said in told


@SQLITE
def test_new_games_are_played_by_the_values_of_the_box(
    client: FlaskClient,
    store: Store,
    settings: Settings,
    box: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those that there are stay with theirs; pages, boards and records say by which rules a game is played."""
    ann = Caller(client, "Ann")
    old = ann.post("/games", {"seats": 2, "bots": ["steady"]}, 201).json["id"]
    [own] = own_rulesets.load(str(box))
    name = own.rules.name
    game = ann.post("/games", {"seats": 2, "bots": ["steady"]}, 201).json["id"]
    assert (ann.page(old)["ruleset"], ann.page(game)["ruleset"]) == ("ulm/2", name)
    assert client.get(f"/games/{game}").status_code == client.get(f"/games/{old}").status_code == 200
    play_on([ann], game, Random(3))
    kept = ann.get(f"/replays/{game}/record").json
    assert kept["ruleset"] == name
    assert ann.post("/replays/verify", kept, 200).json["valid"] is True
    assert verification.verify_game(store, game) == []

    listed = client.get("/rules/house-values").text
    assert '<th scope="col">ulm/2</th>' in listed
    assert '<th scope="col">ulm/1</th>' not in listed
    assert f'<th scope="col">{name}</th>' in listed
    assert "<td>3 coins and 2 VP</td><td>4 coins</td>" in listed
    assert "<td>1\u2060–\u20606</td><td>1\u2060–\u20604</td>" in listed
    assert "Beside the spaces 1 to 4." in client.get("/rules/quarters").text
    assert "2 VP, and 1 VP for each later seal in Garden" in client.get("/rules/coats").text

    file = tmp_path / "game.ulm.json"
    file.write_text(json.dumps(kept), "utf-8")
    environment = {"ULM_DATABASE_URL": settings.database, "ULM_DATA_DIR": str(settings.data_dir)}
    assert ulm.main(["rulesets"], {**environment, "ULM_RULESETS": str(box)}) == 0
    [_oldest, ours, theirs] = capsys.readouterr().out.splitlines()
    assert (ours.split()[:2], theirs.split()[:5]) == (["ulm/2", "1"], [name, "1", "game", "new", "games"])
    withdraw(name)
    assert ulm.main(["rulesets"], environment) == 1
    assert f"{name}" in (told := capsys.readouterr().out)
    assert "MISSING: put its file back" in told
    assert name in ann.get(f"/games/{game}", status=404).json["detail"]
    assert cli.main(["check", str(file)]) == cli.DEFECTIVE
    assert "'ruleset' is none of ulm/1" in capsys.readouterr().out
    assert cli.main(["--rulesets", str(box), "check", str(file)]) == 0
    monkeypatch.setattr(checking, "ALONE", 0.0)
    many = tmp_path / "many.jsonl"
    many.write_text(f"{file.read_text()}\n" * (checking.BATCH + 1))
    assert cli.main(["--rulesets", str(box), "check", "--jobs", "2", str(many)]) == 0, "helpers know it, too"
    assert cli.main(["--rulesets", str(file), "check", str(file)]) == cli.FAILED


def test_what_is_odd_about_a_box_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def checked(text: str) -> tuple[int, list[str]]:
        (tmp_path / "box.toml").write_text(text, "utf-8")
        code = ulm.main(["rulesets", "check", str(tmp_path / "box.toml")], {"ULM_DATA_DIR": str(tmp_path / "none")})
        return code, capsys.readouterr().out.splitlines()

    start = 'name = "ulm-box/1"\nbase = "ulm/2"\n'
    code, said = checked(start + '[trade]\nfustian = { effects = ["vp 1", "coins 3"] }')
    assert (code, len(said)) == (0, 1)
    assert said[0].endswith(", based on ulm/2: nothing odd.")
    code, said = checked(start + 'siege = 3\n[chronicle]\nsiege = { effects = ["tiles"] }')
    assert (code, [one.split(":")[0] for one in said[:2]]) == (1, ["wrong", "wrong"])
    assert said[2].endswith("no ruleset; correct it first.")
    code, said = checked((ROOT / "examples/box.toml").read_text("utf-8"))
    assert code == 1
    assert said[-1].endswith(", based on ulm/2: it can be played; look whether the box says so.")
    for part in (
        "odd: last_spaces: the sources have coin, sparrow, dock, card (D4), here it is sparrow, coin, card, dock",
        "odd: chronicle.patrician: the sources say what its top does (B6), and here it does something else",
        "odd: siege: it costs a tile, and brings nothing while tiles can do nothing",
        "odd: trade.works_of_art: its five cards ask for white, white, brown, turquoise, orange, not for each",
    ):
        assert any(line.startswith(part) for line in said), said
    code, said = checked(
        start
        + """
        [coats]
        N2 = { vp = 9 }
        N1 = { vp = 3, quarter = "leaning_house", later = 5 }
        [chronicle]
        city_wall = { effects = ["coins 20"] }
        """
    )
    assert code == 1
    assert [one.split(":")[1] for one in said[:-1]] == [" coats", " coats.N1.later", " side", " city_wall"]


@SQLITE
def test_a_box_whose_cards_do_otherwise_is_played_and_checked(
    client: FlaskClient, store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a server against a bot, and by whoever reads the record."""
    file = ROOT / "examples/box.toml"
    [own] = own_rulesets.load(str(file))
    ann = Caller(client, "Ann")
    game = ann.post("/games", {"seats": 2, "bots": ["steady"], "options": {"tower": True}}, 201).json["id"]
    page = play_on([ann], game, Random(4))
    assert (page["status"], page["ruleset"]) == ("finished", own.rules.name)
    assert verification.verify_game(store, game) == []
    kept = ann.get(f"/replays/{game}/record").json
    assert ann.post("/replays/verify", kept, 200).json["valid"] is True
    assert audit.audit(kept)[1], "the shuffle is that of its base"
    assert "use it before anything else" in " ".join(client.get("/rules/actions").text.split())
    (tmp_path / "game.ulm.json").write_text(json.dumps(kept), "utf-8")
    assert cli.main(["--rulesets", str(file), "check", str(tmp_path / "game.ulm.json")]) == 0
    assert "1 records checked, 0 defective" in capsys.readouterr().out
