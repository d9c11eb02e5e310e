"""The rules page: complete, true to the engine's tables, light, and the same for everybody."""

import re
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest

from server.board.words import words_of
from server.engine import rulesets
from server.engine.ulm1.tables import (
    CARDS,
    COATS,
    COLORS,
    DESCENDANTS,
    QUARTERS,
    TOWER,
)
from server.routes.pages.rulebook import chapters, house_values, rules_pictures, search_index
from server.service.explain import game_words

ROOT = Path(__file__).parents[4]

SECTIONS = tuple(chapters.CHAPTERS)


@pytest.fixture
def page(client):
    """All chapters at once."""
    answer = client.get("/rules/print")
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def text_of(html):
    """What the page says, without its pictures."""
    bare = re.sub(r"<svg.*?</svg>|<[^>]+>", " ", html, flags=re.DOTALL)
    return " ".join(unescape(bare).split())


def test_every_chapter_can_be_gone_to(client, page):
    """From the contents, and from each to the next; on paper they stand in the same order."""
    overview = client.get("/rules").text
    contents = re.findall(r'<li id="([a-z]+)"><a href="/rules/([a-z]+)">', overview)
    assert contents == [(name, name) for name in SECTIONS]  # `/rules#cards` of old bookmarks leads there
    assert re.findall(r'<h2 id="([a-z]+)">', page) == ["board", "goal", *SECTIONS]
    assert "/rules/print" in overview
    for before, after in pairwise(("setup", *SECTIONS[1:])):
        told = client.get(f"/rules/{before}").text
        assert f'rel="next" href="/rules/{after}"' in told
        assert f'rel="prev" href="/rules/{before}"' in client.get(f"/rules/{after}").text
        assert 'aria-current="page"' in told
    assert client.get("/rules/nosuch").status_code == 404


def pages_of(client):
    return [client.get(path).text for path in ("/rules", "/rules/house-values", *(f"/rules/{one}" for one in SECTIONS))]


def test_ids_are_unique_and_headings_in_order(client, page):
    for one in (page, *pages_of(client), client.get("/rules/search?q=seal").text):
        ids = re.findall(r'\sid="([^"]+)"', one)
        assert len(ids) == len(set(ids))
        levels = [int(level) for level in re.findall(r"<h([1-6])[ >]", one)]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(after <= before + 1 for before, after in pairwise(levels))


def test_everything_that_there_is_stands_on_it(page):
    words = words_of("en")
    said = text_of(page) + " ".join(re.findall(r"<title>(.*?)</title>", page))
    for names, keys in (
        (words.quarters, QUARTERS),
        (words.descendants, DESCENDANTS),
        (words.tower, TOWER),
        (words.colors, COLORS),
    ):
        assert [names[key] for key in keys if names[key] not in said] == []
    assert [name for name in words.cards.values() if name not in said] == []


def test_numbers_are_those_of_the_tables(page):
    """D5, §7, §8: spaces, room and worth as the engine has them."""
    said = text_of(page)
    for first, last, quarter in (*rulesets.NEWEST.north_bank, *rulesets.NEWEST.south_bank):
        name, place = words_of("en").quarters[QUARTERS[quarter]], rf"Beside the spaces {first} to {last}\. Room for"
        assert re.search(rf"{name} (?:(?!Beside).)*{place} {rulesets.NEWEST.seal_spaces[quarter]} seals", said)
    for name, (vp, quarter, later) in COATS.items():
        if quarter is None:
            assert f"{name}, silver: {vp} VP" in said
        else:
            place = words_of("en").quarters[QUARTERS[quarter]]
            assert f"{name}, gold: {vp} VP, and {later} VP for each later seal in {place}" in said


def test_the_example_of_a_push_is_a_push():
    """K2, K3: what the caption says is what the engine did."""
    moments = rules_pictures.positions(rulesets.NEWEST)
    before, after = moments.before.to_dict(), moments.after.to_dict()
    column = int(rules_pictures.SLOT[1]) - 1
    old = [row[column] for row in before["grid"]]
    push = moments.push
    assert push.activates == (push.color, old[0], old[1])
    assert push.falls == old[2] == after["outer"][push.falls_at]
    assert [after["turn"]["activated"][color] for color in COLORS] == [push.activates.count(color) for color in COLORS]
    assert moments.end.active is None
    assert moments.late.round == 8


RULES_MD = (ROOT / "docs" / "rules.md").read_text("utf-8")
RULE_IDS = re.findall(r"^- ([A-Z]\d+)\b", RULES_MD, re.MULTILINE)


HOUSE_IDS = [
    rule
    for rule, text in re.findall(r"^- ([A-Z]\d+)\b(.*?)(?=^- |^## |^\| |\Z)", RULES_MD, re.MULTILINE | re.DOTALL)
    if "[H]" in text
]


def test_every_rule_has_its_place(client, page):
    """Each id of docs/rules.md leads to where its content stands, in a chapter and on paper."""
    assert len(RULE_IDS) > 90
    assert set(RULE_IDS) == set(chapters.CHAPTER_OF)
    assert [rule for rule in RULE_IDS if page.count(f'id="rule-{rule}"') != 1] == []
    found = {}
    for rule in RULE_IDS:
        answer = client.get(f"/rules/id/{rule}")
        assert answer.status_code == 303
        path, _, anchor = answer.location.partition("#")
        assert anchor == f"rule-{rule}"
        page = found.setdefault(path, client.get(path).text)
        assert f'id="{anchor}"' in page, rule
    assert client.get("/rules/id/Z9").status_code == 404


def test_every_word_of_the_game_has_its_rule():
    for names in (QUARTERS, DESCENDANTS, TOWER, COLORS, COATS, CARDS):
        assert {game_words.rule_of(name) for name in names} <= set(RULE_IDS)
    moves = rulesets.NEWEST.notation.moves.values()
    assert {game_words.rule_of_move(move) for move in moves} <= set(RULE_IDS)
    with pytest.raises(KeyError):
        game_words.rule_of("nobody")


def test_every_house_value_is_listed(client, page):
    """Each rule with the mark [H] has its entry, and where it is told a link leads there; the coats (§8) have one."""
    listed = client.get("/rules/house-values").text
    assert {"C1", "C2", "A7", "D5", "W4", "B1", "B4", "B5", "B7", "L4", "E6", "O3"} <= set(HOUSE_IDS)
    table_of_cards = RULES_MD[RULES_MD.index("- B6 ") : RULES_MD.index("- B7 ")]
    assert "[H]" in table_of_cards
    for rule in {*HOUSE_IDS, "B6"}:
        assert f'id="house-{rule}"' in listed, rule
        assert page.count(f'href="/rules/house-values#house-{rule}"') == 1, rule
    assert {*HOUSE_IDS, "B6"} == house_values.RULES
    assert 'id="house-8"' in listed
    # What one source alone says [S1] is told apart from what the sources agree on, and is marked where it is told.
    marked = {
        "8" if text.startswith("(") else "B6"
        for text in re.findall(r"^.*\[S1\]", RULES_MD.split("## 1 ")[1], re.MULTILINE)
    }
    assert set(re.findall(r'id="source-(\w+)"', listed)) == marked
    assert set(re.findall(r'href="/rules/house-values#source-(\w+)"', page)) == marked
    assert "Certain" not in listed
    for path in ("/rules", "/", "/rules/coats"):
        assert "/rules/house-values" in client.get(path).text


@pytest.mark.parametrize(
    ("code", "query", "place", "words"),
    [
        ("en", "k4", "/rules/push#rule-K4", "blocked"),
        ("en", "§V12", "/rules/tower#rule-V12", "Long reach"),
        ("de", "Gärten", "/rules/quarters#quarter-garden", "Wappen"),
        ("de", "munzmeister", "/rules/descendants#rule-N3", "Münzaktion"),
        ("it", "torre oca", "/rules/quarters#rule-Q5", "scarti"),
    ],
)
def test_search_finds_words_of_the_reader_s_language(client, code, query, place, words):
    """Rule ids, cards, quarters, Descendants, Tower tiles, any word; capitals and accents do not matter."""
    client.set_cookie("ulm_language", code)
    page = client.get("/rules/search", query_string={"q": query}).text
    assert place in re.findall(r'<li><a href="(/rules/[a-z]+#[^"]+)"', page)
    assert words in text_of(page)


def test_search_looks_for_a_few_words_whatever_a_query_holds():
    """The letter U+FDFA stands for four words: 80 of them were looked for as 320, for most of a second."""
    assert len(search_index.words(80 * "\ufdfa")) <= 8
    assert len(search_index.words(" ".join(f"w{number}" for number in range(80)))) == 8
    assert max(map(len, search_index.words(80 * "\ufdfb"))) <= 40
    assert search_index.words("Sëal SEAL garden") == ["seal", "garden"]


def test_search_takes_anything(client):
    for query in ("", " ", "%", '"><script>', "\\", "(", "x" * 500, "\u0000", "e e e"):
        answer = client.get("/rules/search", query_string={"q": query})
        assert answer.status_code == 200
        assert "<script>" not in answer.text
    assert "Nothing in the rules" in client.get("/rules/search?q=monopoly").text


def test_the_worked_turn_is_played_by_the_engine(client, page):
    """Every step has its address, says what the engine did, and shows the position after it."""
    moments = rules_pictures.moments(rulesets.NEWEST)
    assert moments[0].state.ply == 0
    assert moments[-1].state.active != moments[0].state.active
    for number, moment in enumerate(moments):
        if moment.move:
            assert moment.move in rulesets.NEWEST.legal_moves(moments[number - 1].state)
        told = client.get(f"/rules/turn?step={number}").text
        assert f"Step {number} of {rules_pictures.STEPS}" in told
        assert (f"step={number + 1}#example" in told) == (number < rules_pictures.STEPS)
        vp = moment.state.to_dict()["players"][0]["vp"]
        assert re.search(rf">{vp}</text>", told)
    assert "Anna pushes a Sail tile in at N2" in text_of(page)
    assert "Step 8 of 8" in client.get("/rules/turn?step=99").text
    assert "Step 0 of 8" in client.get("/rules/turn?step=x").text
