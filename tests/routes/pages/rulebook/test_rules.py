"""The rules page: complete, true to the engine's tables, light, and the same for everybody."""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest

from server.board.words import WORDS
from server.engine import rulesets
from server.engine.ulm1.tables import (
    CARDS,
    COATS,
    COLORS,
    DESCENDANTS,
    NORTH_BANK,
    QUARTERS,
    SEAL_SPACES,
    SOUTH_BANK,
    TOWER,
)
from server.routes.pages.rulebook import chapters, rules_pictures
from server.service.views import rule_of

ROOT = Path(__file__).parents[4]

SECTIONS = (
    "goal",
    "board",
    "turn",
    "push",
    "actions",
    "danube",
    "quarters",
    "coats",
    "descendants",
    "cards",
    "sparrows",
    "tower",
    "end",
    "details",
    "here",
)


@pytest.fixture
def page(client):
    answer = client.get("/rules")
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def text_of(html: str) -> str:
    """What the page says, without its pictures."""
    bare = re.sub(r"<svg.*?</svg>|<[^>]+>", " ", html, flags=re.DOTALL)
    return " ".join(unescape(bare).split())


def test_every_part_can_be_gone_to(page):
    assert re.findall(r'<li><a href="#([a-z]+)">', page) == list(SECTIONS)
    assert re.findall(r'<h2 id="([a-z]+)">', page) == ["contents", *SECTIONS]
    assert 'href="/rules"' in page


def test_ids_are_unique_and_headings_in_order(page):
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    levels = [int(level) for level in re.findall(r"<h([1-6])[ >]", page)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_it_is_light(page):
    """Also while nothing is compressed; its pictures are the greatest part."""
    assert len(page.encode()) < 300_000
    assert sum(map(len, re.findall(r"<svg.*?</svg>", page, re.DOTALL))) < 260_000


def test_everything_that_there_is_stands_on_it(page):
    words = WORDS["en"]
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
    for first, last, quarter in (*NORTH_BANK, *SOUTH_BANK):
        name, place = WORDS["en"].quarters[QUARTERS[quarter]], rf"Beside the spaces {first} to {last}\. Room for"
        assert re.search(rf"{name} (?:(?!Beside).)*{place} {SEAL_SPACES[quarter]} seals", said)
    for name, (vp, quarter, later) in COATS.items():
        if quarter is None:
            assert f"{name}, silver: {vp} VP" in said
        else:
            place = WORDS["en"].quarters[QUARTERS[quarter]]
            assert f"{name}, gold: {vp} VP, and {later} VP for each later seal in {place}" in said


def test_the_example_of_a_push_is_a_push():
    """K2, K3: what the caption says is what the engine did."""
    moments = rules_pictures.positions()
    before, after = moments.before.to_dict(), moments.after.to_dict()
    column = int(rules_pictures.SLOT[1]) - 1
    old = [row[column] for row in before["grid"]]
    push = moments.push
    assert push.activates == (push.color, old[0], old[1])
    assert push.falls == old[2] == after["outer"][push.falls_at]
    assert [after["turn"]["activated"][color] for color in COLORS] == [push.activates.count(color) for color in COLORS]
    assert moments.end.active is None
    assert moments.late.round == 8


def test_the_game_of_the_pictures_shows_something():
    late, end = rules_pictures.positions().late.to_dict(), rules_pictures.positions().end.to_dict()
    assert sum(bool(seals) for seals in late["quarters"].values()) >= 5
    assert len(late["crests"]) >= 4
    assert any(player["table"] for player in end["players"])


@pytest.mark.parametrize("code", [code for code in ("en", "de", "it") if code in WORDS])
def test_pictures_speak_the_reader_s_language(client, code):
    client.set_cookie("ulm_language", code)
    page = client.get("/rules").get_data(as_text=True)
    assert f'<html lang="{code}"' in page
    for quarter in QUARTERS:
        assert WORDS[code].quarters[quarter] in unescape(page)


def test_the_second_time_nothing_is_drawn(client):
    client.get("/rules")
    drawn = rules_pictures.pictures.cache_info().misses
    client.get("/rules")
    assert rules_pictures.pictures.cache_info().misses == drawn


RULE_IDS = re.findall(r"^- ([A-Z]\d+)\b", (ROOT / "docs" / "rules.md").read_text("utf-8"), re.MULTILINE)


def test_every_rule_has_its_place(client):
    """Each id of docs/rules.md leads to a part of the pages that there is."""
    assert len(RULE_IDS) > 90
    assert set(RULE_IDS) == set(chapters.CHAPTER_OF)
    found = {}
    for rule in RULE_IDS:
        answer = client.get(f"/rules/id/{rule}")
        assert answer.status_code == 303
        path, _, anchor = answer.location.partition("#")
        page = found.setdefault(path, client.get(path).text)
        assert f'id="{anchor}"' in page, rule
    assert client.get("/rules/id/Z9").status_code == 404


def test_every_word_of_the_game_has_its_rule():
    for names in (QUARTERS, DESCENDANTS, TOWER, COLORS, COATS, CARDS):
        assert {rule_of.name(name) for name in names} <= set(RULE_IDS)
    moves = rulesets.NEWEST.notation.moves.values()
    assert {rule_of.move(move) for move in moves} <= set(RULE_IDS)
    assert rule_of.name("nobody") is None
