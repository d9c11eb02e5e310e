"""Names that the server gives are said in the language of their reader; what is stored and what people chose stays."""

import copy
import pickle
import random

import pytest

from bots import offers
from server.language import LANGUAGES, speaking
from server.service.accounts import profiles
from server.service.archive import replays, sandboxes
from server.service.common.naming import (
    AGAINST_BOT,
    BOTS,
    EXAMPLE,
    FORMER,
    GONE,
    LEVELS,
    OF,
    OF_DAY,
    SHOWN_FIRST,
    Title,
    kind_of,
    seat_name,
    server_name,
    spoken,
    unnamed,
)
from server.service.erasure import deletion
from server.service.explain import history
from server.service.games import loading
from server.service.lists import game_lists, game_page
from server.service.play import turns
from server.service.seating import creating, guests, joining, rematches
from server.service.views import replay_viewer
from tests.service.conftest import NOW, make_player


@pytest.mark.parametrize(("name", "english", "german"), [
    (server_name("random").numbered(12), "random bot (12)", "Zufallsbot (12)"),
    (server_name(GONE).numbered(2), "Former player (2)", "Ehemaliges Mitglied (2)"),
    (unnamed(1), "Player 1", "Spieler 2"),
    (server_name("green"), "Green", "Grün"),
    (Title(kind=SHOWN_FIRST).called(None), EXAMPLE, "Ein Beispiel: drei Bots, Profispiel"),
    (Title(kind=OF).called(None), "Game of Former player", "Partie von Ehemaliges Mitglied"),
    (Title(kind=AGAINST_BOT).called("Ann"), "Ann against a bot", "Ann gegen einen Bot"),
    (Title(kind=OF, plies=(3, 5)).called("Ann"), "Game of Ann, from ply 3, from ply 5",
     "Partie von Ann, ab Schritt 3, ab Schritt 5"),
    (Title("Game of Ann").at(7).called(None), "Game of Ann, from ply 7", "Game of Ann, ab Schritt 7"),
    (Title("2026-11-21", OF_DAY).at(7).called(None), "Deal of 2026-11-21, from ply 7",
     "Tagespartie vom 21.11.2026, ab Schritt 7"),
    ("steady bot", "steady bot", "steady bot"),
    (Title(EXAMPLE).called(None), EXAMPLE, EXAMPLE),
])  # fmt: skip
def test_own_names_are_translated_and_those_of_people_stay(name: str, english: str, german: str) -> None:
    assert str(name) == english
    assert spoken(name, "de") == german
    with speaking("de"):
        assert spoken(name) == german


@pytest.mark.parametrize(
    "name", [None, "Ann", FORMER, server_name(GONE), server_name("steady").numbered(3), unnamed(2)]
)
def test_a_name_is_stored_and_read_again(name: str | None) -> None:
    words, kind = None if name is None else str(name), kind_of(name)
    again = seat_name(words, kind, 2)
    assert (again, kind_of(again)) == (name, kind)
    if again is not None and name is not None:
        assert spoken(again, "it") == spoken(name, "it")


def test_each_language_has_a_name_of_its_own_for_each() -> None:
    assert BOTS.keys() == {*offers.HOUSE, *offers.OLD_NAMES}
    assert list(LEVELS) == list(offers.HOUSE)
    assert all(BOTS[name] == offer.labels["en"] for name, offer in offers.HOUSE.items())
    for name in (server_name(GONE), Title(kind=SHOWN_FIRST).called(None), *map(server_name, BOTS)):
        assert len({spoken(name, code) for code in LANGUAGES}) == len(LANGUAGES)


def test_somebody_called_like_a_bot_is_called_so_in_every_language(store) -> None:
    people = [make_player(store, name) for name in ("steady bot", FORMER)]
    game = creating.create(store, people[0], 2, "Imported game", None, "", [], False, NOW)["id"]
    joining.join(store, people[1], game, "", None, NOW)
    turns.play(store, game, people[0], game_page.page(store, game, people[0])["ply"], ["resign"], None, NOW)
    with speaking("de"):
        watched = replay_viewer.watch(store, game, 1, None, None)
    assert watched.names == [one.name for one in people]
    assert watched.summary["name"] == "Imported game"


def test_the_title_of_a_stranger_is_left_alone(store) -> None:
    """Deleting the account "Cup" renamed "Summer Cup"; now it does not even rename what its owner called after it."""
    cup, other = make_player(store, "Cup"), make_player(store, "Other")
    titles = {}
    for maker, guest, title in ((other, cup, "Summer Cup"), (cup, other, "Cup of Cup"), (other, cup, "Game of Cup"),
                                (other, cup, "Cup")):  # fmt: skip
        game = creating.create(store, maker, 2, title, None, "", [], False, NOW)["id"]
        joining.join(store, guest, game, "", None, NOW)
        titles[game] = title
    deletion.delete_account(store, cup, NOW)
    assert {game: game_page.page(store, game, other)["name"] for game in titles} == titles
    assert {one["id"]: one["name"] for one in game_lists.listing(store, other, None, None, 1, 20)[0]} == titles


def test_a_title_of_the_server_names_its_player_by_reference(store) -> None:
    """It follows a new name, and loses it with the account: rematches and sandboxes alike, whoever made them."""
    ann, ben = make_player(store, "Ann"), make_player(store, "Ben")
    first = creating.create(store, ann, 2, None, None, "", [], False, NOW)["id"]
    joining.join(store, ben, first, "", None, NOW)
    turns.play(store, first, ben, game_page.page(store, first, ben)["ply"], ["resign"], None, NOW)
    again = rematches.offer(store, ben, first, NOW)["id"]
    sandbox = sandboxes.branch(store, ben, first, 0, None, None, None, NOW, random.Random(1))["id"]
    alone = guests.play(store, ann, 2, NOW, random.Random(1))

    def titles() -> list[str]:
        return [game_page.page(store, game, ben)["name"] for game in (first, again, sandbox, alone)]

    assert titles() == ["Game of Ann", "Game of Ann", "Game of Ann, from ply 0", "Ann against a bot"]
    profiles.update_profile(store, ann, {"name": "Anna"}, NOW)
    assert titles() == ["Game of Anna", "Game of Anna", "Game of Anna, from ply 0", "Anna against a bot"]
    assert [one["name"] for one in game_page.page(store, sandbox, ben)["players"]] == ["Ann", "Ben"]
    deletion.delete_account(store, ann, NOW, random.Random(1))
    gone = "Former player"
    assert titles() == [f"Game of {gone}", f"Game of {gone}", f"Game of {gone}, from ply 0", f"{gone} against a bot"]
    with speaking("de"), store.read():
        loaded = loading.for_reader(store, sandbox, ben)
        assert spoken(loaded.name) == "Partie von Ehemaliges Mitglied, ab Schritt 0"
        assert history.names_of(loaded) == ["Ehemaliges Mitglied", "Ben"]
    assert replays.record(store, first)["name"] == f"Game of {gone}"


def test_a_name_is_copied_with_all_languages() -> None:
    """Records hold such names, and whoever tries a change of one copies it; other processes get them, too."""
    name = server_name(GONE).numbered(2)
    for twin in (copy.deepcopy(name), pickle.loads(pickle.dumps(name))):  # noqa: S301 - our own
        assert twin == name
        assert [spoken(twin, code) for code in LANGUAGES] == [spoken(name, code) for code in LANGUAGES]
