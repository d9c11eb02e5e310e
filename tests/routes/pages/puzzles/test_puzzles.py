"""Puzzles on pages and over the API: how they are put, tried, answered, and what is said of bad answers."""

import json
import re
from html import escape, unescape

import pytest

from server.engine.ulm2 import RULES
from server.routes.pages.game import board_links
from server.service.archive import puzzles
from server.service.seating.example_game import ensure_example
from server.storage import sql
from tests.service.conftest import NOW

API = "/api/v1/puzzles"
PUZZLE = "97e40a8fcc43"
SOLUTION = [
    "swap orange", "push N3", "seal oath_house", "descendant barge_driver", "river", "river", "sail", "sail", "end",
]  # fmt: skip


@pytest.fixture
def client(app, store, time):
    ensure_example(store, NOW)
    puzzles.ensure_puzzles(store, NOW)
    return app.test_client()


def asked(client, moves, which=PUZZLE):
    return client.post(f"{API}/{which}/answer", json={"moves": moves})


def test_a_puzzle_is_put_without_its_solution_as_its_seat_saw_it(client):
    there = client.get(f"{API}/{PUZZLE}").get_json()
    state = client.get(f"/api/v1/replays/{there['game']}/states/{there['ply']}?seat={there['seat']}").get_json()
    assert there["view"] == state["state"]
    assert there["view"]["active"] == there["seat"]
    assert "push N3" in there["legal_moves"]
    assert not {"solution", "chance", "others"} & there.keys()
    tried = client.get(f"{API}/{PUZZLE}?moves=swap orange,push N3").get_json()
    assert tried["moves"] == ["swap orange", "push N3"]
    assert tried["view"] != there["view"]
    assert "end" in tried["legal_moves"]


def test_today_the_day_and_the_id_lead_to_the_same(client):
    today = client.get(f"{API}/today").get_json()
    assert today["day"] == puzzles.day_of(NOW)
    assert client.get(f"{API}/{today['day']}").get_json() == today
    assert client.get(f"{API}/{today['id']}").get_json() == {**today, "day": None}
    assert [one["id"] for one in client.get(API).get_json()] == [today["id"]]
    for which in ("2031-01-01", "2026-02-30", "nosuch"):
        assert client.get(f"{API}/{which}").status_code == 404
        assert client.get(f"/puzzles/{which}").status_code == 404


def test_the_days_are_read_on_from_day_to_day(client, store):
    with store.write():
        for day in range(1, 10):
            sql.execute(store, "INSERT INTO puzzle_day (day, puzzle_id) VALUES (?, ?)", f"2026-01-0{day}", PUZZLE)
    first = client.get(f"{API}?page_size=4")
    assert [one["day"][-2:] for one in first.get_json()][1:] == ["09", "08", "07"]
    address = first.headers["Link"].split(">")[0].lstrip("<")
    second = client.get(address)
    assert [one["day"][-2:] for one in second.get_json()] == ["06", "05", "04", "03"]
    assert "Link" not in client.get(f"{API}?before=2026-01-03").headers
    page = client.get("/puzzles?before=2026-01-05").get_data(as_text=True)
    assert "/puzzles/2026-01-04" in page
    assert "/puzzles/2026-01-05" not in page


def test_the_solution_is_told_from_another_turn_and_from_the_same_in_another_order(client):
    right = asked(client, SOLUTION).get_json()
    assert right["solved"]
    assert right["answer"]["chance"] == right["solution"]["chance"] > right["next_best"]["chance"]
    assert right["solution"]["words"]
    assert asked(client, [*SOLUTION[:5], "sail", "river", "sail", "end"]).get_json()["solved"]
    other = asked(client, right["next_best"]["moves"]).get_json()
    assert not other["solved"]
    assert other["answer"] == right["next_best"]
    poor = asked(client, ["push N2", "end"]).get_json()
    assert not poor["solved"]
    assert poor["answer"]["chance"] is None


@pytest.mark.parametrize(
    "moves",
    [["push N3"], ["push N3", "end", "end"], ["nonsense"], ["end"], ["resign"], ["draw"], ["push N3", "seal x"]],
)
def test_what_is_no_whole_turn_is_refused_and_says_what_to_do(client, moves):
    answer = asked(client, moves)
    assert answer.status_code == 422
    assert "give legal moves" in answer.get_json()["detail"]
    page = client.get(f"/puzzles/{PUZZLE}/answer", query_string={"draft": ",".join(moves)})
    assert page.status_code == 422
    assert "Give legal moves" in page.get_data(as_text=True) or "give legal moves" in page.get_data(as_text=True)
    if moves != ["push N3"]:
        tried = client.get(f"{API}/{PUZZLE}", query_string={"moves": ",".join(moves)})
        assert tried.status_code == 422


def test_the_page_holds_what_the_check_in_the_browser_needs(client):
    page = client.get(f"/puzzles/{PUZZLE}").get_data(as_text=True)
    view = json.loads(unescape(page.split('data-view="')[1].split('"')[0]))
    assert view == client.get(f"{API}/{PUZZLE}").get_json()["view"]
    record = client.get("/replays/masters3/record").get_json()
    assert f'data-commitment="{record["seed"]["commitment"]}"' in page
    solved = client.get(f"/puzzles/{PUZZLE}/answer", query_string={"draft": ",".join(SOLUTION[:-1]), "move": "end"})
    text = solved.get_data(as_text=True)
    assert "Solved: that is the best turn." in text
    assert "/replays/masters3?ply=41&amp;seat=1#go-on" in text


def test_a_wrong_turn_may_be_tried_again_before_the_solution_is_told(client):
    solution = asked(client, SOLUTION).get_json()["solution"]["words"]
    address = {"draft": "push N2", "move": "end"}
    text = client.get(f"/puzzles/{PUZZLE}/answer", query_string=address).get_data(as_text=True)
    assert "That is not the best turn." in text
    assert "Try again" in text
    hidden = [words for words in solution if escape(words) not in text]
    assert hidden, "what the solution brings about is not told"
    assert "#go-on" not in text, "neither is the game that shows it"
    tell = unescape(re.search(r'href="([^"]+)"[^>]*>Show the solution', text)[1])
    text = client.get(tell).get_data(as_text=True)
    assert all(escape(words) in text for words in solution)
    assert "Show the solution" not in text


def test_where_there_is_none_the_pages_say_so(app, time):
    client = app.test_client()
    assert "There are no puzzles yet." in client.get("/puzzles").get_data(as_text=True)
    answer = client.get(f"{API}/today")
    assert answer.status_code == 404
    assert "no puzzles yet" in answer.get_json()["detail"]
    assert client.get(API).get_json() == []


def test_tiles_of_the_supply_are_pressed_to_be_given(client):
    """A3, B4: on the board of a puzzle as on the mat of a game; what is asked then are the moves that take one."""
    several = ""
    for push in [move for move in client.get(f"{API}/{PUZZLE}").get_json()["legal_moves"] if move.startswith("push")]:
        tried = client.get(f"{API}/{PUZZLE}", query_string={"moves": push}).get_json()
        giving = [(color, move) for move in tried["legal_moves"] for color in set(board_links.given(RULES, move))]
        page = client.get(f"/puzzles/{PUZZLE}", query_string={"draft": push}).get_data(as_text=True)
        links = dict(re.findall(r'href="([^"]+)"[^>]*data-link="supply-(\w+)"', page))
        assert set(links.values()) == {color for color, _ in giving}, push
        for address, color in links.items():
            if "ask=" in address:
                several = client.get(unescape(address).partition("#")[0]).get_data(as_text=True)
                asked_part = several.split('id="asked"')[1].split("</section>")[0]
                moves = {unescape(move) for move in re.findall(r'data-move="([^"]+)"', asked_part)}
                assert moves == {move for other, move in giving if other == color}
    assert several
