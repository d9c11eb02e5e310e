"""What a legal move costs, gains and brings about: it is what then happens, and it tells nothing that is hidden."""

import random
from collections import Counter

import pytest

from server.engine.ulm1 import game
from server.engine.ulm1.notation import Move
from server.engine.ulm1.rules import RULES as ULM1
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import COLORS
from server.engine.ulm2 import RULES
from server.service.explain import card_facts, effects, game_words, why_not
from server.service.explain.effects import Effect
from tests.engine.positions import position
from tests.service.views.test_drafts import GAMES, NAMES, positions

TOO_MANY = Effect("one Card action more than you can use this turn", "idle")
COUNTED = ("coins", "sparrows", "seals", "crests", "card")


def _numbers(found: tuple[Effect, ...]) -> Counter[str]:
    """What the effects say is more or less for the player: by `coin`, `VP`, `gray tile` …"""
    numbers: Counter[str] = Counter()
    for effect in found:
        if (
            effect.sign in ("theirs", "other")
            or effect.text[0] not in ("+", "\N{MINUS SIGN}")
            or " at the end" in effect.text
        ):
            continue
        number, _, what = effect.text[1:].partition(" ")
        what = what.partition(" (")[0].removeprefix("family ").removesuffix("s")  # where it goes, and a longer name
        assert (effect.text[0] == "+") == (effect.sign == "gain"), effect
        numbers[what] += int(number) if effect.sign == "gain" else -int(number)
    return numbers


def _happened(before: State, after: State, seat: int, move: tuple[str, ...]) -> Counter[str]:
    was, has = before.players[seat], after.players[seat]
    changes = {
        "coin": has.coins - was.coins,
        "sparrow": has.sparrows - was.sparrows,
        "seal": has.seals - was.seals,
        "crest": has.crests - was.crests,
        "VP": has.vp - was.vp,
        # The card that is played or chosen is named by the move.
        "card": len(has.hand) - len(was.hand) + {"play": 1, "choose": -1, "take": -1}.get(move[0], 0),
    }
    names = game_words.words().action_names
    changes |= {f"{names[color]} tile": has.tiles[at] - was.tiles[at] for at, color in enumerate(COLORS)}
    if move[0] != "end":
        changes["Card action"] = max(0, after.turn.card_credits - before.turn.card_credits)
        changes["bonus step"] = max(0, after.turn.step_credits - before.turn.step_credits)
    return Counter({what: number for what, number in changes.items() if number})


def _no_use(found: tuple[Effect, ...]) -> bool:
    """Whether they say of a Card action that it is of no use; why follows."""
    return any(
        one == TOO_MANY or (one.text.startswith("a Card action, of no use this turn: ") and one.sign == "idle")
        for one in found
    )


def _offered_one(after: State) -> bool:
    """A single card on offer is a card that comes to hand with its choice: it is told already."""
    return bool(after.pending) and after.pending[-1][0] == "choose" and len(after.pending[-1][1]) == 1


@pytest.mark.parametrize(("number", "seats", "tower"), GAMES[1:5])
def test_what_is_told_is_what_happens_and_the_same_whatever_is_hidden(number: int, seats: int, tower: bool) -> None:
    """Every legal move of random games, played on the true position, and told from two deals of what is hidden."""
    rng, told_of = random.Random(number), 0
    for state in positions(number, seats, tower):
        seat = state.active
        assert seat is not None
        other = state.rules.dealt(state, (seat,), rng.shuffle)
        other.seed, other.chance = rng.randbytes(32), rng.randrange(1000)
        for move in game.legal_moves(state):
            after = game.apply(state, seat, move).state
            found = effects.of_move(state, seat, move, NAMES)
            assert found == effects.of_tried(
                other, RULES.final_scores(other), seat, move, *why_not.try_move(other, move), NAMES
            ), move
            expected = _happened(state, after, seat, move)
            if _no_use(found):
                del expected["Card action"]
            if _offered_one(after):
                expected["card"] += 1
            assert _numbers(found) == expected, move
            _others_agree(found, state, after, seat, move)
            _end_agrees(found, state, after, seat)
            _jump_agrees(found, state, after, seat)
            _reach_agrees(found, state, after, seat)
            order = [("cost", "gain", "idle", "theirs", "other").index(effect.sign) for effect in found]
            assert order == sorted(order)
            told_of += 1
    assert told_of > 400


NONE_BUYS = "no use this turn: two tiles buy a card"


@pytest.mark.parametrize(("card_tiles", "tiles", "hand", "free", "said"), [
    (0, 0, (), True, NONE_BUYS), (0, 0, ("nave-1",), True, f"{NONE_BUYS}, and yours needs no Card action"),
    (1, 1, (), True, TOO_MANY.text), (2, 3, (), True, TOO_MANY.text), (0, 1, (), True, ", then +1 Card action"),
    (0, 0, ("nave-1",), False, ", then +1 Card action"), (0, 0, ("nave-1", "nave-2"), True, ", then +1 Card action"),
    (1, 2, ("nave-1", "nave-2"), True, ", then +1 Card action"),
])  # fmt: skip
def test_q7_a_card_action_is_promised_where_it_is_of_use_and_else_it_is_said_why(
    card_tiles: int, tiles: int, hand: tuple[str, ...], free: bool, said: str
) -> None:
    """The tile from the docks counts: with one more it buys a card. After it the same is told."""
    state = RULES.new_game(bytes(32), 2, {})
    seat = state.active
    assert seat is not None
    state.phase, state.turn.activated, state.turn.free_play = "actions", [0, 0, card_tiles, 0, 1], free
    player = state.players[seat]
    player.tiles, player.hand, player.coins, player.barge = [tiles, 0, 0, 0, 0], hand, 5, 17
    of_use = said.endswith("+1 Card action")
    found = effects.of_move(state, seat, ("seal", "shipyard"), NAMES)
    assert any(effect.text.endswith(said) for effect in found), found
    state = game.apply(state, seat, ("seal", "shipyard")).state
    found = effects.of_move(state, seat, ("dock", "gray"), NAMES)
    assert _no_use(found) is not of_use, found
    assert any("+1 Card action" in effect.text for effect in found) is of_use


def test_what_a_card_on_the_table_counts_more_is_told_by_its_name() -> None:
    """B9: "+7 VP at the end" stood beside "6 VP if no barge is ahead", and "+1" beside a top half that only sails."""
    for play, told in (
        (("play", "fisherman_jousting", "table"), {"+6 VP at the end", "+1 VP at the end (Siege)"}),
        (("play", "first_chronicle", "table"), {"+1 VP at the end (Siege)"}),
    ):
        seat = {"hand": [play[1]], "table": ["siege"], "played": 1, "barge": 3, "coins": 2}
        state = position(seats=[seat, {"barge": 1}])
        found = effects.of_move(state, 0, play, NAMES)
        assert {one.text for one in found if " at the end" in one.text} == told
        assert {one.sign for one in found if " at the end" in one.text} == {"gain"}


def _others_agree(found: tuple[Effect, ...], before: State, after: State, seat: int, move: Move) -> None:
    """W5, K5: what others get is told by their names, each once; and of a push, for which of their seals."""
    said = {effect.text for effect in found if effect.sign == "theirs"}
    for other, (was, has) in enumerate(zip(before.players, after.players, strict=True)):
        if other == seat:
            continue
        got = [text for text in said if text.startswith(f"{NAMES[other]} gets ")]
        expected = set()
        if has.vp != was.vp:
            expected.add(f"{NAMES[other]} gets {has.vp - was.vp} VP")
        if has.sparrows != was.sparrows:
            falls_at = RULES.pushed(before, move).falls_at
            expected.add(f"{NAMES[other]} gets {has.sparrows - was.sparrows} sparrow (for the seal at {falls_at})")
        assert set(got) == expected


def _jump_agrees(found: tuple[Effect, ...], before: State, after: State, seat: int) -> None:
    """D2: that a barge comes further than it has steps is explained, and nothing where it jumps over nobody."""
    way = range(before.players[seat].barge + 1, after.players[seat].barge)
    jumps = after.players[seat].barge in {effect_space(one) for one in found} and any(
        player.barge in way for player in before.players
    )
    assert ("occupied spaces are skipped" in {one.text for one in found}) == jumps


def _reach_agrees(found: tuple[Effect, ...], before: State, after: State, seat: int) -> None:
    """D5: of the space where the barge comes to lie it is said which quarters come into reach and which go out of it,
    and nothing where none do: `within reach of nothing` stood at most steps."""
    here, there = before.players[seat].barge, after.players[seat].barge
    for text in (one.text for one in found if effect_space(one) == there):
        near = RULES.reach_long if before.tower_tile == "long_reach" else RULES.reach
        new, left = set(near[there]) - set(near[here]), set(near[here]) - set(near[there])
        assert ("within reach of" in text, "no longer" in text) == (bool(new or left), bool(left)), text
        assert "nothing" not in text


def effect_space(effect: Effect) -> int | None:
    """The space to which an effect says that the barge comes."""
    said = effect.text.removeprefix("to space ").partition(",")[0]
    return int(said) if effect.text.startswith("to space ") else None


def _end_agrees(found: tuple[Effect, ...], before: State, after: State, seat: int) -> None:
    """E2 to E4: the final score changes by what is told of points, of sparrows and of the end."""
    if after.active is None:
        return
    change = RULES.final_scores(after)[seat]["total"] - RULES.final_scores(before)[seat]["total"]
    numbers = _numbers(found)
    for effect in found:
        if " VP at the end" in effect.text and effect.sign in ("gain", "cost"):
            change -= int(effect.text[1:].split()[0]) * (1 if effect.sign == "gain" else -1)
    assert change == numbers["VP"] + numbers["sparrow"]


def test_a_card_says_how_far_it_sails_and_asks_only_where_there_is_a_choice() -> None:
    seats = [{"hand": ["fisherman_jousting"], "barge": 18}, {"barge": 20}]
    move = RULES.parse_move("play fisherman_jousting top")
    said = {effect.text: effect.sign for effect in effects.of_move(position(seats=seats), 0, move, NAMES[:2])}
    assert said["sail 3 steps"] == "gain"
    assert any(text.startswith("to space 22, within reach of ") for text in said), said
    assert "occupied spaces are skipped" in said
    chosen = [effect.text for effect in effects.of_move(position(seats=seats, rules=ULM1), 0, move, NAMES[:2])]
    assert "sail up to 3 steps" in chosen
    for rules, text in ((RULES, "sail 3 steps"), (ULM1, "sail up to 3 steps")):
        assert card_facts.top(rules, "fisherman_jousting") == text
    assert card_facts.top(RULES, "works_of_art-gray") == "5 VP and 1 step on the Danube"
    near_the_end = [{"hand": ["fisherman_jousting"], "barge": 21}, {"barge": 1}]
    said = {effect.text: effect.sign for effect in effects.of_move(position(seats=near_the_end), 0, move, NAMES[:2])}
    assert said["sail 1 step"] == "gain"


def test_a_push_says_that_it_brings_the_seal_of_free_seal() -> None:
    for coins, text, sign in (
        (2, "one seal action without a tile", "gain"),
        (1, "one seal action without a tile: The seal costs 2 coins, and you have 1", "idle"),
    ):
        state = position(tower="free_seal", phase="push", drawn="white", seats=[{"coins": coins}])
        found = effects.of_move(state, 0, RULES.parse_move("push E1"), NAMES[:2])
        assert Effect(text, sign) in found, found
