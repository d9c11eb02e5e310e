"""The example game, and its replay viewer without a script: where it is, and what it shows."""

import re

import pytest

from replays.picture import picture
from server.service.accounts.players import Player
from server.service.archive import replays
from server.service.seating.example_game import EXAMPLE_ID, ensure_example
from server.service.views import replay_viewer
from server.storage.database import Store
from tests.routes.pages.conftest import NOW, Match, Time, read
from tests.service.conftest import Start, make_player

GAME = f"/replays/{EXAMPLE_ID}"


def elements(text: str, tag: str, **wanted: str | None) -> list[dict[str, str | None]]:
    """The attributes of the elements of a page with this tag that have these among them."""
    names = {name.replace("_", "-"): value for name, value in wanted.items()}
    found = [attributes for name, attributes in read(text).tags if name == tag]
    return [one for one in found if all(one.get(name) == value for name, value in names.items())]


def board(text: str, layout: str) -> str:
    """The picture that a page of the viewer shows."""
    found = re.search(rf'data-layout="{layout}">(<svg.*?</svg>)</div>', text, re.DOTALL)
    return found[1]


def wanted(store: Store, ply: int, seat: int | None, layout: str) -> str:
    """The picture that it should show."""
    replay = replays.replay_at(store, EXAMPLE_ID, ply, seat, None)
    return picture(replay, ply, seat, layout=layout, theme="page", prefix=replay_viewer.PREFIXES[layout])


def finished(match: Start, store: Store, private: bool) -> tuple[Match, Player]:
    """A finished game of two, and a stranger."""
    m = match(private=private)
    m.play_turn()
    m.play(m.active, "resign")
    assert m.page(0)["status"] == "finished"
    return m, make_player(store, "Stranger")


@pytest.fixture
def example(store: Store, time: Time) -> Store:
    assert ensure_example(store, NOW) == EXAMPLE_ID
    return store
