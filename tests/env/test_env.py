"""`ulm.env`: what an action and a number mean, what the libraries' own tests say, and that nothing hidden is told."""

import random
import re
import warnings
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from bots import arena
from bots.offers import bot
from server.engine import rulesets
from server.engine.ulm1.tables import CARDS, COLORS, DESCENDANTS, QUARTERS, SLOTS, TOWER
from tests.bots.positions import RULES, positions

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, performance_benchmark, seed_test  # noqa: E402

from ulm.env import ACTIONS, LAYOUT, MOVES, SIZE, UlmAEC, UlmSeat, observe, observe_view  # noqa: E402
from ulm.env.observations import CHOICES, PHASES  # noqa: E402
from ulm.env.table import game_seed, margins, places  # noqa: E402

VARIANTS = [(2, False, False, "ulm/2"), (3, True, False, "ulm/2"), (4, True, True, "ulm/1")]


OPEN_NUMBERS = ("vp", "coins", "sparrows", "seals", "crests", "played", "resigned", "hand_size")
PAGE = Path(__file__).parent.parent.parent / "docs" / "learning.md"


def digest(lines) -> str:
    return sha256("\n".join(lines).encode()).hexdigest()[:16]


def test_what_models_have_learned_by_does_not_change():
    """A stored model knows a move by its action, and what it sees by its place. Neither digest may ever change."""
    assert digest(map(" ".join, MOVES)) == "921ecc5eec2b593c"
    assert digest(f"{name} {place.start} {place.stop}" for name, place in LAYOUT.items()) == "31c1144a2817c36b"
    assert [ACTIONS[move] for move in MOVES] == list(range(len(MOVES)))


@pytest.mark.parametrize(("players", "tower", "rotate", "ruleset"), VARIANTS)
def test_the_libraries_find_nothing_wrong(players, tower, rotate, ruleset):
    def made():
        return UlmAEC(players, tower, rotate, ruleset)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for told in ("Observation is not a NumPy array", "Observation space for each agent probably should be"):
            warnings.filterwarnings("ignore", told)  # a dictionary with a mask, as PettingZoo's own games have it
        api_test(made(), num_cycles=300)
        seed_test(made, num_cycles=200)


def test_the_benchmark_of_pettingzoo_runs(monkeypatch, capsys):
    seconds = iter(range(0, 1000, 3))
    monkeypatch.setattr("time.time", lambda: next(seconds))
    performance_benchmark(UlmAEC())
    assert "turns per second" in capsys.readouterr().out


def test_gymnasium_finds_nothing_wrong():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(UlmSeat(("random", "apprentice")), skip_render_check=True)
        env = gymnasium.make("ulm.env:Ulm-v1", render_mode="ansi")
    env.reset(seed=1)
    assert "round 1 of 10" in env.render()


@pytest.mark.parametrize(("players", "tower", "rotate", "ruleset"), VARIANTS)
def test_the_engine_plays_the_same_game_and_nothing_hidden_is_told(players, tower, rotate, ruleset):
    """Each ply: the mask holds the legal moves, and what a seat observes follows from its view alone."""
    rules, rng = rulesets.rules_for(ruleset), random.Random(players)
    env = UlmAEC(players, tower, rotate, ruleset)
    env.reset(seed=5)
    state = rules.new_game(game_seed(5, 0), players, {"tower": tower, "rotate_start": rotate})
    hidden, hid = None, 0
    while state.active is not None:
        assert env.agent_selection == f"seat_{state.active}"
        for seat, agent in enumerate(env.agents):
            seen = env.observe(agent)
            legal = rules.legal_moves(state, seat)
            assert {MOVES[action] for action in np.flatnonzero(seen["action_mask"])} == set(legal)
            visible = rules.visible_state(state, hidden, seat)
            hid += visible is not state
            assert (seen["observation"] == observe_view(rules.view(visible, seat), seat)).all()
            assert env.observation_space(agent).contains(seen)
        action = rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))
        before, seat = state, state.active
        state = rules.apply(state, seat, MOVES[action]).state
        hidden = rules.hidden_behind(hidden, before, seat, MOVES[action], state)
        env.step(action)
    assert hid >= 10
    assert env.table.state.digest() == state.digest()
    assert all(env.terminations.values())
    assert list(env.rewards.values()) == places(state.scores)
    assert env.last()[1] == env.rewards[env.agent_selection]


def test_a_twin_is_observed_alike():
    """Whatever is hidden is dealt otherwise: hands, piles, offers, Tower tiles to come, chance."""
    shuffle, otherwise = random.Random(2).shuffle, 0
    for state, _ in positions(3, True, "twins", every=3):
        for seat in range(3):
            twin = RULES.dealt(state, (seat,), shuffle)
            otherwise += twin.digest() != state.digest()
            assert (observe(twin, seat) == observe(state, seat)).all()
    assert otherwise > 100


def marks(names, chosen) -> list[float]:
    """How often each name is chosen."""
    return [float(list(chosen).count(name)) for name in names]


def told(view, seat) -> dict[str, list[float]]:
    """What a view says, by the names of the layout: written by the documents, not by the code."""
    turn, count, top = view["turn"], len(view["players"]), view["pending"][-1:]
    offers = {choice["kind"]: choice.get("offer", ()) for choice in view["pending"]}

    def by_seats(places, owners):
        return [float((seat + who) % count in owners(place) and who < count) for place in places for who in range(4)]

    parts = {
        **{name: [view["options"][key]] for name, key in (("advanced", "tower"), ("rotate_start", "rotate_start"))},
        **{name: [view[name]] for name in ("round", "pile_size", "coats_size")},
        **{name: [view[name][color] for color in COLORS] for name in ("docks", "bag")},
        **{f"{name}_credits": [number] for name, number in turn["credits"].items()},
        **{name: [turn[name]] for name in ("free_play", "swapped", "exchanged", "salvaged", "levy_paid", "patrician")},
        "players": [count],
        "activated": [turn["activated"][color] for color in COLORS],
        "ruleset": marks(["ulm/1", "ulm/2"], [view["ruleset"]]),
        "phase": marks(PHASES, [view["phase"]]),
        "start": marks(range(4), [(view["start"] - seat) % count]),
        "active": marks(range(4), [(view["active"] - seat) % count]),
        "tower_now": marks(TOWER, view["tower"][view["round"] - 1 : view["round"]]),
        "tower_next": marks(TOWER, view["tower"][view["round"] :]),
        "tiles_in_hand": marks(COLORS, turn["tiles"]),
        "pushed_at": marks(SLOTS, [turn["slot"]]),
        "grid": [one for row in view["grid"] for cell in row for one in marks(COLORS, [cell])],
        "outer": [one for slot in SLOTS for one in marks(COLORS, [view["outer"].get(slot)])],
        "coat_seals": by_seats(SLOTS, lambda slot: [view["coat_seals"].get(slot)]),
        "crest_owners": by_seats(QUARTERS, lambda quarter: [view["crests"].get(quarter)]),
        "seals": [
            float(view["quarters"][quarter].count((seat + who) % count)) if who < count else 0.0
            for quarter in QUARTERS
            for who in range(4)
        ],
        "oath_house": marks(DESCENDANTS, view["descendants"]),
        "discard": marks(CARDS, view["discard"]),
        "hand": marks(CARDS, view["players"][seat]["hand"]),
        "choice": marks(CHOICES, [choice["kind"] for choice in top]),
        "choices_later": marks(CHOICES, [choice["kind"] for choice in view["pending"][:-1]]),
        "barge_max": [max((choice["max"] for choice in view["pending"] if "max" in choice), default=0)],
        "cards_offered": marks(CARDS, offers.get("choose", ())),
        "coats_offered": marks(SLOTS, offers.get("coat", ())),
    }
    for number, who in enumerate(("me", "second", "third", "fourth")):
        player = view["players"][(seat + number) % count]
        own = {
            **{name: [player[name]] for name in OPEN_NUMBERS},
            "tiles": [player["tiles"][color] for color in COLORS],
            "barge": marks(range(1, 23), [player["barge"]]),
            "descendants": marks(DESCENDANTS, player["descendants"]),
            "coats": marks(SLOTS, player["coats"]),
            "table": marks(CARDS, player["table"]),
        }
        parts |= {f"{who}.{name}": there if number < count else [0.0] * len(there) for name, there in own.items()}
    return parts


@pytest.mark.parametrize(("players", "advanced"), [(2, False), (3, True)])
def test_each_number_stands_where_the_layout_says(players, advanced):
    seen = set()
    for state, _ in positions(players, advanced, "layout", every=1):
        for seat in range(players):
            parts, numbers = told(RULES.view(state, seat), seat), observe(state, seat)
            assert {name: numbers[place].tolist() for name, place in LAYOUT.items()} == parts
            seen |= {name for name, there in parts.items() if any(there)}
    assert {"choice", "choices_later", "cards_offered", "coats_offered", "crest_owners", "second.coats"} <= seen


def test_an_illegal_action_ends_the_game():
    env = UlmAEC(3)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(ACTIONS[("end",)])
    assert env.rewards == {other: -1.0 if other == agent else 0.0 for other in env.agents}
    assert all(env.terminations.values())
    seat = UlmSeat()
    seat.reset(seed=1)
    assert seat.step(ACTIONS[("resign",)])[1:4] == (-1.0, True, False)


def test_rewards():
    scores = [{"rank": 2, "total": 30}, {"rank": 1, "total": 41}, {"rank": 2, "total": 30}, {"rank": 4, "total": 7}]
    assert places(scores) == pytest.approx([0, 1, 0, -1])
    assert margins(scores) == [-11, 11, -11, -34]


@pytest.mark.parametrize("wrong", [{"players": 5}, {"ruleset": "ulm/0"}, {"reward": "money"}])
def test_what_there_is_not_is_refused(wrong):
    with pytest.raises(ValueError, match=r"player|ruleset|reward"):
        UlmAEC(**wrong)


def test_a_learner_among_bots():
    """By its name from gymnasium; the same seed is the same game, the one after it another."""

    def played(env, seed):
        observation, info = env.reset(seed=seed)
        said, reward, over, rng = [observation], 0.0, False, random.Random(0)
        while not over:
            assert (env.unwrapped.action_masks() == info["action_mask"]).all()
            action = rng.choice(np.flatnonzero(info["action_mask"]).tolist())
            observation, reward, over, _, info = env.step(action)
            said.append(observation)
        return np.array(said).tobytes(), reward

    env = gymnasium.make("ulm.env:Ulm-v1", opponents=("apprentice", "random"), tower=True)
    assert env.observation_space.shape == (SIZE,)
    first, second = played(env, 4), played(env, None)
    assert first != second
    assert played(env, 4) == first
    assert played(env, None) == second
    assert first[1] in (-1.0, 0.0, 1.0)


def test_the_page_as_it_stands(capsys):
    """Some of its games: it is ahead by then, and what it has learned can sit at a table. The shapes are told."""
    page, known = PAGE.read_text("utf-8"), {}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(block.replace("range(300)", "range(15)"), known)  # noqa: S102
    assert float(re.search(r"usually (\S+) points", capsys.readouterr().out)[1]) > 1
    first, other = arena.play([known["Learned"](), bot("random")], bytes(32), {}, arena.chances_of(2)).scores
    assert first["total"] > other["total"]
    for text in (page, UlmAEC.__doc__, UlmSeat.__doc__):
        assert f"float32 ({SIZE},)" in text
        assert f"int8 ({len(MOVES)},)" in text
