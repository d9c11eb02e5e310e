"""Names that the server gives are said in the language of their reader; what is stored and what people chose stays."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from server.language import LANGUAGES, speaking
from server.service import bots, deletion, replays, story, viewing
from server.service.called import BOTS, EXAMPLE, FORMER, spoken
from server.service.example import EXAMPLE_ID, ensure_example
from server.service.table import load
from tests.service.conftest import NOW, Match


@pytest.mark.parametrize(("name", "german"), [
    ("steady bot", "Besonnener Bot"),
    ("random bot (12)", "Zufallsbot (12)"),
    ("Former player (2)", "Ehemaliger Mitspieler (2)"),
    (EXAMPLE, "Ein Beispiel: drei Bots, Profispiel"),
])
def test_own_names_are_translated(name: str, german: str) -> None:
    assert spoken(name) == name
    assert spoken(name, "de") == german
    with speaking("de"):
        assert spoken(name) == german
        assert spoken(name, "en") == name


@pytest.mark.parametrize("name", ["", "Ann", "Steady bot", "steady bot 2", "steady bot (x)", " steady bot", "\n"])
def test_others_stay(name: str) -> None:
    assert spoken(name, "de") == name


def test_each_language_has_a_name_of_its_own_for_each() -> None:
    assert BOTS.keys() == bots.BOTS.keys()
    for name in (FORMER, EXAMPLE, *BOTS.values()):
        assert len({spoken(name, code) for code in LANGUAGES}) == len(LANGUAGES)


def test_pages_and_mails_tell_of_them_in_the_readers_language(match: Callable[..., Match]) -> None:
    m = match(2)
    m.play_turn()
    deletion.delete_account(m.store, m.players[0], NOW)
    left = m.players[1]
    with speaking("de"), m.store.read():
        table = load(m.store, m.id, reader=left)
        told = story.tell(m.store, table, 1)
    assert told.names == ["Ehemaliger Mitspieler", "Player 1"]
    with speaking("de"):
        watched = viewing.look(m.store, m.id, 1, None, left)
    assert watched.names == told.names
    said = [text for chapter in watched.log.chapters for line in chapter.lines for text in line.text]
    assert any("Ehemaliger Mitspieler" in text for text in said)
    assert "Ehemaliger Mitspieler" in watched.boards["wide"]
    assert "Former player" not in watched.boards["wide"]
    packed = {code: viewing.chunk(m.store, m.id, 0, None, "wide", code, left) for code in ("de", "en")}
    assert packed["de"][1] == watched.version != packed["en"][1], "a page in one language loads the boards of that"
    with speaking("de"):
        assert replays.record(m.store, m.id, left)["players"][0]["name"] == "Former player", "what is stored stays"
        assert replays.summary(m.store, m.id, left)["players"][0]["name"] == "Former player"


def test_the_example_is_called_so_in_every_language(store) -> None:
    ensure_example(store, NOW)
    with speaking("it"):
        assert viewing.look(store, EXAMPLE_ID, 0, None, None).summary["name"].startswith("Un esempio")
    assert viewing.look(store, EXAMPLE_ID, 0, None, None).summary["name"] == EXAMPLE
