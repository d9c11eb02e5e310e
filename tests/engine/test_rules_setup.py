"""Components and setup: rules.md §1, §2, held against a second writing of record.md §1."""

from hashlib import sha256
from hmac import new as hmac
from typing import Any

import pytest

from server.engine.seeds import commitment, game_seed
from server.engine.ulm1 import tables
from server.engine.ulm1.state import State
from server.engine.ulm1.view import view
from server.engine.ulm2 import RULES
from tests.engine.positions import CHRONICLE, counts, do, legal, position

SEEDS = [sha256(bytes([number])).digest() for number in range(12)]
GAMES = [(seed, players, tower) for seed in SEEDS for players in (2, 3, 4) for tower in (False, True)]
COLORS = ["gray", "white", "brown", "turquoise", "orange"]
CATHEDRAL = [f"{kind}-{number}" for kind in ("nave", "choir", "steeple") for number in (1, 2, 3)]
TRADE = [f"{kind}-{color}" for kind in ("fustian", "works_of_art", "commercial_goods") for color in COLORS]
DESCENDANTS = "abbot scholar mint_master city_guard builder merchant councilman barge_driver".split()
COATS = "N1 N2 N3 E1 E2 E3 S1 S2 S3 W1 W2 W3".split()
TOWER = (
    "extra_river extra_money card_for_coin card_for_tile free_seal cheap_seal dear_seal tile_levy coin_levy "
    "keep_pushed pick_tile long_reach"
).split()


class Stream:
    """record.md §1 once more, as plainly as it can be written."""

    def __init__(self, seed: bytes) -> None:
        self.seed, self.counter = seed, 0

    def below(self, n: int) -> int:
        while n > 1:
            u = int(hmac(self.seed, self.counter.to_bytes(8, "big"), "sha256").hexdigest()[:16], 16)
            self.counter += 1
            if u < 2**64 - 2**64 % n:
                return u % n
        return 0

    def shuffled(self, items: list[str]) -> list[str]:
        items = list(items)
        for i in reversed(range(1, len(items))):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


def expected(seed: bytes, players: int) -> dict[str, Any]:
    """What record.md §1 makes of a seed."""
    stream = Stream(seed)
    found: dict[str, Any] = {"start": stream.below(players)}
    found["pile"] = stream.shuffled(CATHEDRAL + TRADE + CHRONICLE)
    found["descendants"] = stream.shuffled(DESCENDANTS)[:4]
    found["coats"] = stream.shuffled(COATS)
    grid = stream.shuffled("gray gray white white brown turquoise turquoise orange orange".split())
    found["grid"] = [grid[0:3], grid[3:6], grid[6:9]]
    bag = [color for color in COLORS for _ in range(9 - grid.count(color))]
    found["tiles"] = [bag.pop(stream.below(len(bag))) for _ in range(players)]
    found["bag"] = counts(bag)
    found["tower"] = stream.shuffled(TOWER)[:10]
    found["chance"] = stream.counter
    return found


def each_game() -> list[tuple[State, dict[str, Any], dict[str, Any]]]:
    """Fresh games with their JSON form and what is expected of them."""
    found = []
    for seed, players, tower in GAMES:
        state = RULES.new_game(seed, players, {"tower": tower})
        found.append((state, state.to_dict(), expected(seed, players)))
    return found


def test_C1_two_to_four_players() -> None:
    """C1: 2 to 4 players, seats 0..n-1."""
    for players in (2, 3, 4):
        assert len(RULES.new_game(SEEDS[0], players, {}).players) == players
    for players in (-1, 0, 1, 5):
        with pytest.raises(ValueError, match="2 to 4 players"):
            RULES.new_game(SEEDS[0], players, {})


def test_C2_C3_C4_C5_what_there_is() -> None:
    """C2: 50 Action tiles, ten of each colour."""
    for _, data, _ in each_game():
        for color in COLORS:
            lying = [name for row in data["grid"] for name in row].count(color)
            lying += data["docks"][color] + data["bag"][color]
            assert lying + sum(player["tiles"][color] for player in data["players"]) == 10
    # C3: 33 cards, 9 Cathedral, 15 Trade, 9 Chronicle.
    assert list(tables.CARDS) == CATHEDRAL + TRADE + CHRONICLE
    assert (len(CATHEDRAL), len(TRADE), len(CHRONICLE)) == (9, 15, 9)
    # C4: 12 Tower tiles, 8 Descendants, 12 coats, 8 of them gold-rimmed.
    assert (list(tables.TOWER), list(tables.DESCENDANTS), list(tables.COATS)) == (TOWER, DESCENDANTS, COATS)
    assert sum(quarter is not None for _, quarter, _ in tables.COATS.values()) == 8
    # C5: per player 1 barge, 12 seals that can be placed, 3 family crests.
    for state, _, _ in each_game():
        assert [(p.seals, p.crests) for p in state.players] == [(12, 3)] * len(state.players)


def test_C6_coins_and_sparrows_are_unlimited() -> None:
    """C6: coins and sparrows never run out."""
    state = position(activated="gray", seats=[{"coins": 10**6, "sparrows": 10**6, "hand": ["swabian_league"]}])
    after = do(state, "money", "play swabian_league top")
    assert (after.players[0].coins, after.players[0].sparrows) == (10**6 + 2, 10**6 + 1)


def test_P1_P2_P3_P4_what_lies_where_at_the_beginning() -> None:
    """P1, P2, P3, P4: piles, Descendants, grid, docks and bag, in the order that the seed gives."""
    for state, data, found in each_game():
        assert (data["pile"], data["discard"], data["coats"]) == (found["pile"], [], found["coats"])
        assert data["descendants"] == found["descendants"]
        assert (data["grid"], data["outer"]) == (found["grid"], {})
        assert (data["docks"], data["bag"]) == (dict.fromkeys(COLORS, 1), found["bag"])
        assert sum(data["bag"].values()) == 36 - len(state.players)
    assert {name for _, data, _ in each_game() for name in data["descendants"]} == set(DESCENDANTS)


def test_P5_what_a_player_starts_with() -> None:
    """P5: barge on 1, 5 VP, 12 seals, 3 crests, 2 coins, 2 sparrows, 1 tile from the bag."""
    for _, data, found in each_game():
        for player, tile in zip(data["players"], found["tiles"], strict=True):
            assert player == {
                "vp": 5, "coins": 2, "sparrows": 2, "tiles": counts(tile), "seals": 12, "crests": 3, "barge": 1,
                "descendants": [], "coats": [], "hand": [], "table": [], "played": 0, "resigned": False,
            }  # fmt: skip


def test_P6_the_start_player_is_chosen_at_random() -> None:
    """P6: the start player is chosen at random and moves first; every seat can be it."""
    for _, data, found in each_game():
        assert (data["start"], data["active"], data["phase"]) == (found["start"], found["start"], "draw")
        assert (data["ply"], data["round"], data["chance"]) == (0, 1, found["chance"])
    for players in (2, 3, 4):
        assert {d["start"] for _, d, _ in each_game() if len(d["players"]) == players} == set(range(players))


def test_P7_the_tower_shows_this_round_and_the_next() -> None:
    """P7: ten Tower tiles, one a round; in the advanced game that of this round and of the next are public."""
    for state, data, found in each_game():
        assert data["tower"] == found["tower"]
        assert state.tower_tile == (found["tower"][0] if state.advanced else None)
        for round_ in range(1, 11):
            state.round = round_
            for viewer in (None, 0, 1):
                shown = view(state, viewer)["tower"]
                assert shown == (found["tower"][: round_ + 1] if state.advanced else [])


def test_P7_the_basic_game_has_no_tile_in_force() -> None:
    """P7: in the basic game the Tower tiles only count the rounds."""
    for tile in TOWER:
        data = position(activated="gray turquoise orange", seats=[{"tiles": "gray gray", "coins": 5}]).to_dict()
        data["tower"] = [tile, *(name for name in TOWER if name != tile)][:10]
        basic = RULES.state_from_dict(data, SEEDS[0])
        assert not legal(basic, "levy", "salvage", "pick")
        after = do(basic, "money", "river", "seal leaning_house")
        assert after.players[0].coins == 5 + 1 - 2
        assert after.turn.step_credits == 0


def test_P5_seed_of_a_game_from_server_and_clients() -> None:
    """record.md §1: seed = SHA-256(server ‖ 0 ‖ client 0 ‖ 0 ‖ … ), commitment = SHA-256(server)."""
    server = SEEDS[3]
    assert game_seed(server, ["a", "", "ü€😀"]) == sha256(server + b"\0a\0\0" + "ü€😀".encode()).digest()
    assert commitment(server) == sha256(server).hexdigest()
    assert len({game_seed(server, seeds) for seeds in (["a", "b"], ["b", "a"], ["ab", ""], ["", "ab"])}) == 4
    assert game_seed(server, ["x" * 64, "😀" * 64])
    for bad in ("x" * 65, "a\0", "\ud800", 7):
        with pytest.raises(ValueError, match="client seed"):
            game_seed(server, ["", bad])  # type: ignore[list-item]


def test_O1_tower_is_off_by_default() -> None:
    """O1, O2: `tower` and `rotate_start` are off by default; other options are refused."""
    assert RULES.new_game(SEEDS[0], 2, {}).to_dict()["options"] == {"rotate_start": False, "tower": False}
    both = RULES.new_game(SEEDS[0], 2, {"tower": True, "rotate_start": True})
    assert both.to_dict()["options"] == {"rotate_start": True, "tower": True}
    for bad in ({"Tower": True}, {"tower": 1}, {"tower": None}):
        with pytest.raises(ValueError, match="option"):
            RULES.new_game(SEEDS[0], 2, bad)
