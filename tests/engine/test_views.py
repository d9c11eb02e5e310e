"""What a seat may see (record.md §4): views and sentences tell nothing that the rules keep from their reader."""

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from server.board.events import sentences, told
from server.engine.canonical import canonical_json
from server.engine.events import REVEALING, Event
from server.engine.rulesets import Rules
from server.engine.ulm1 import game
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.sentences import pretty
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import CARDS
from server.engine.ulm1.view import log_entry, view, visible_state
from server.engine.ulm2 import RULES
from tests.engine.battery import GAMES, Ply, scrambled, some_game
from tests.engine.positions import do, position

ALL = range(len(GAMES))
NAMES = ["Anna", "Bob {0}", "Carl {who}", "Dora %s"]
KEYS = set(
    """
    ruleset options ply round phase start active grid outer docks bag pile_size discard coats_size coat_seals crests
    quarters descendants tower players turn pending scores
""".split()
)
PLAYER_KEYS = set(
    """
    vp coins sparrows tiles seals crests barge descendants coats hand_size table played resigned
""".split()
)
# Moves that name what only their seat knew, and those whose outcome shows something of the coats by the rules (W2).
NAMES_SECRETS = {"play", "choose", "coat"}
CARD_NAMES = re.compile(r"(?<![\w-])(" + "|".join(sorted(map(pretty, CARDS), key=len, reverse=True)) + r")(?![\w-])")


def viewers(state: State) -> list[int | None]:
    """All seats and a spectator."""
    return [None, *range(len(state.players))]


@pytest.mark.parametrize("number", ALL)
def test_views_leak_nothing(number: int) -> None:
    """Whatever a seat cannot see may be exchanged for anything else: its view stays the same to the last byte."""
    rng = Random(number)
    for ply in some_game(number):
        if ply.after.ply % 2 and not ply.after.pending:
            continue
        for viewer in viewers(ply.after):
            shown = canonical_json(view(ply.after, viewer))
            other = scrambled(ply.after, viewer, rng)
            assert canonical_json(view(other, viewer)) == shown
            assert json.loads(shown) == view(ply.after, viewer)


def test_the_scrambling_changes_all_that_is_hidden() -> None:
    """The check above is worth what it changes: piles, hands, offers, coats, tower, counter, seed."""
    pending = [{"kind": "coat", "offer": ["N1", "N2"]}, {"kind": "choose", "offer": ["siege", "nave-1", "nave-2"]}]
    state = position(
        3,
        tower="free_seal",
        pending=pending,
        seats=[{"hand": ["choir-1", "choir-2", "choir-3"]}, {"hand": ["steeple-1", "steeple-2"]}],
    )
    rng = Random(1)
    for viewer in viewers(state):
        before, changed = state.to_dict(), [scrambled(state, viewer, rng).to_dict() for _ in range(12)]

        def differs(path: tuple[Any, ...], before: Any = before, changed: Any = changed) -> bool:
            """Whether any of the scrambled states has something else there."""

            def at(data: Any) -> Any:
                for key in path:
                    data = data[key]
                return data

            return any(at(other) != at(before) for other in changed)

        for path in (("pile",), ("coats",), ("tower",), ("chance",)):
            assert differs(path)
        for seat in (0, 1):
            assert differs(("players", seat, "hand")) is (viewer != seat)
        for choice in (0, 1):
            assert differs(("pending", choice, "offer")) is (viewer != 0)


@pytest.mark.parametrize("number", ALL)
def test_what_others_read_of_a_move_does_not_depend_on_secrets(number: int) -> None:
    """Sentences and views after a move are the same for others if the hands, piles and offers had been different."""
    rng = Random(number)
    for ply in some_game(number):
        if ply.move[0] in NAMES_SECRETS:
            continue
        for viewer in viewers(ply.before):
            if viewer == ply.seat:
                continue
            other = scrambled(ply.before, viewer, rng, coats=ply.before.players[ply.seat].crests > 0)
            other.seed, other.chance = ply.before.seed, ply.before.chance  # the tiles drawn are public
            applied = game.apply(other, ply.seat, ply.move)
            assert sentences(RULES, applied.events, NAMES, viewer) == sentences(RULES, ply.events, NAMES, viewer)
            assert applied.reveals == ply.reveals
            assert without_new_tower(applied.state, viewer, ply) == without_new_tower(ply.after, viewer, ply)


def without_new_tower(state: State, viewer: int | None, ply: Ply) -> dict[str, Any]:
    """The view of `viewer`, without the Tower tiles when the move turned a new one."""
    shown = view(state, viewer)
    if ply.after.round != ply.before.round:
        del shown["tower"]
    return shown


@pytest.mark.parametrize("number", ALL)
def test_sentences_for_others_name_no_secret_card(number: int) -> None:
    """A card named to others lies open before or after the move."""
    for ply in some_game(number):
        opened = set()
        for data in (ply.before.to_dict(), ply.after.to_dict()):
            opened.update(map(pretty, data["discard"]), *(map(pretty, player["table"]) for player in data["players"]))
        if ply.move[:1] == ("play",):
            opened.add(pretty(ply.move[1]))
        for viewer in viewers(ply.before):
            if viewer != ply.seat:
                told = set(CARD_NAMES.findall(" ".join(sentences(RULES, ply.events, ["A", "B", "C", "D"], viewer))))
                assert told <= opened, (format_move(ply.move), told - opened)
                entry = log_entry(ply.move, ply.seat, viewer)
                assert set(entry.split()) & set(CARDS) <= {card for card in CARDS if pretty(card) in opened}


def test_view_is_a_whitelist() -> None:
    """record.md §4: exactly these keys, a hand for its own seat alone, an offer for its owner alone."""
    barge = {"kind": "barge", "max": 2}
    offers = [{"kind": "coat", "offer": ["N1", "N2"]}, {"kind": "choose", "offer": ["siege"]}, barge]
    seats = [{"hand": ["nave-1"]}, {}, {"hand": ["nave-2"]}]
    state = position(3, tower="free_seal", round_=4, pending=offers, seats=seats)
    for viewer in viewers(state):
        shown = view(state, viewer)
        assert set(shown) == KEYS
        assert (shown["pile_size"], shown["coats_size"]) == (len(state.pile), 10)
        for seat, player in enumerate(shown["players"]):
            assert set(player) == PLAYER_KEYS | ({"hand"} if seat == viewer else set())
            assert player["hand_size"] == len(state.players[seat].hand)
        want = offers if viewer == 0 else [{"kind": "coat"}, {"kind": "choose"}, barge]
        assert shown["pending"] == want
        assert shown["tower"] == list(state.tower[:5])
        rest = {key: value for key, value in state.to_dict().items() if key in KEYS - {"players", "pending", "tower"}}
        assert {key: shown[key] for key in rest} == rest


def test_views_stay_masked_when_the_game_is_over() -> None:
    """record.md §4: views stay masked when the game is over."""
    over = do(position(active=1, round_=10, seats=[{"hand": ["siege"]}]), "end")
    assert "hand" not in view(over, None)["players"][0]
    assert "hand" not in view(over, 1)["players"][0]
    assert view(over, 0)["players"][0]["hand"] == ["siege"]
    assert view(over, None)["scores"] == over.scores


@pytest.mark.parametrize("number", ALL)
def test_the_newest_draw_is_masked(number: int) -> None:
    """record.md §4: while the newest move is `draw`, all but the active player see the view before it, `ply` too."""
    for ply in some_game(number):
        for viewer in viewers(ply.after):
            seen = visible_state(ply.after, ply.before if ply.move == ("draw",) else None, viewer)
            hidden = ply.move == ("draw",) and viewer != ply.seat
            assert seen is (ply.before if hidden else ply.after)
            if hidden:
                assert view(seen, viewer)["ply"] == ply.before.ply


def test_log_entries() -> None:
    """A card kept from an offer stays secret in the log of others; all else is told as it was played."""
    moves: list[Move] = [("choose", "siege"), ("take", "siege"), ("coat", "N1"), ("draw",), ("play", "siege", "table")]
    for viewer in (None, 0, 1):
        want = ["choose siege" if viewer == 0 else "choose", "take siege", "coat N1", "draw", "play siege table"]
        assert [log_entry(move, 0, viewer) for move in moves] == want


# Sentences


def test_every_event_has_a_sentence() -> None:
    """Each kind of event that the engine makes, and no other, has a sentence; private ones have one for others."""
    engine = Path(game.__file__).parent
    made = {kind for path in engine.glob("*.py") for kind in re.findall(r'Event\(\s*"([a-z_]+)"', path.read_text())}
    assert made == set(told()) - {"round_tower"}
    assert set(told()) >= REVEALING


@pytest.mark.parametrize("number", ALL)
def test_sentences_are_whole(number: int) -> None:
    """Each event makes one sentence for every reader, with the name of the seat in it as it is."""
    for ply in some_game(number):
        for event in ply.events:
            for viewer in viewers(ply.before):
                for see_all in (False, True):
                    [text] = sentences(RULES, [event], NAMES, viewer, see_all)
                    assert text.endswith(".")
                    form = told()[event.kind].said
                    assert (NAMES[event.seat] in text) is ("{who}" in form.one)
                    assert not re.search(r"[{}]", text.replace(NAMES[event.seat], ""))


def test_private_sentences_and_those_to_whoever_did_something() -> None:
    """The own seat and a replay read the names, others the number; nobody else is spoken to."""

    def said(event: Event, *viewer: object, rules: Rules = RULES, **more: Any) -> str:
        return sentences(rules, [event], NAMES, *viewer, **more)[0]  # type: ignore[arg-type]

    event, single = (Event("look_at_cards", 0, cards, len(cards), True) for cards in (("siege", "nave-1"), ("siege",)))
    assert said(event, 0) == said(event, 1, see_all=True) == "Anna looks at siege and nave-1."
    assert said(event, 1) == said(event) == said(event, 1, you=1) == "Anna looks at 2 cards."
    assert said(single, 1) == "Anna looks at 1 card."
    assert said(event, 0, you=0) == "You look at siege and nave-1."
    with pytest.raises(ValueError, match="no sentence for others"):
        said(Event("coat", 0, ("N1",), 3, True), 1)
    own = replace(RULES, forms={"look_at_cards": told()["draw_card"][:2]})
    assert said(event, 0, rules=own, you=0) == "Anna draws siege.", "a ruleset's own sentence"


def test_all_that_names_its_seat_can_be_said_to_the_one_who_sits_there() -> None:
    for kind, (said, _, yours) in told().items():
        assert (yours is not None) is ("{who}" in said.one), kind
        if yours is not None:
            assert set(re.findall(r"{.*?}", yours.one)) == set(re.findall(r"{.*?}", said.one)) - {"{who}"}, kind
            assert (yours.many is None) is (said.many is None), kind


# Every kind of move that may reveal, as it does and as it does not: the move, what the position has, with full docks
# or a card to be had, and what makes the difference.
SHORT = {"docks": "white white white white", "bag": ""}  # a tile put into the bag is drawn from it at once
BLOCKED = {"N1": "gray", "N2": "white", "N3": "brown", "W1": "gray", "W2": "white", "W3": "brown"}


@pytest.mark.parametrize(
    ("text", "given", "reveals"),
    [
        ("keep gray", {"phase": "keep", "drawn": "gray white", "seats": [{"descendants": ["builder"]}]}, False),
        ("keep gray", {"phase": "keep", "drawn": "gray white", "seats": [{"descendants": ["builder"]}], **SHORT}, True),
        ("swap white", {"phase": "push", "drawn": "gray", **SHORT}, False),
        ("exchange gray white", {"seats": [{"descendants": ["merchant"], "tiles": "gray"}], **SHORT}, False),
        ("push N1", {"phase": "push", "drawn": "gray"}, False),
        ("salvage", {"tower": "keep_pushed", "slot": "N1", "outer": {"S1": "gray"}, **SHORT}, False),
        ("levy gray gray", {"tower": "tile_levy", "seats": [{"tiles": "gray gray"}]}, False),
        ("levy gray gray", {"tower": "tile_levy", "seats": [{"tiles": "gray gray"}], **SHORT}, True),
        ("levy", {"tower": "coin_levy", **SHORT}, False),
        ("play nave-1 top gray", {"seats": [{"hand": ["nave-1"], "tiles": "gray"}]}, False),
        ("play nave-1 top gray", {"seats": [{"hand": ["nave-1"], "tiles": "gray"}], **SHORT}, True),
        ("play nave-1 table", {"seats": [{"hand": ["nave-1"]}], **SHORT}, False),
        ("play reformation top", {"seats": [{"hand": ["reformation"]}]}, True),
        ("buy gray white", {"activated": "brown", "seats": [{"tiles": "gray white"}]}, True),
        ("buy coin", {"activated": "brown", "tower": "card_for_coin"}, True),
        ("take siege", {"pending": [{"kind": "goose_tower"}], "discard": ["siege"]}, False),
        ("search", {"pending": [{"kind": "goose_tower"}], "discard": ["siege"]}, True),
        ("coin", {"pending": [{"kind": "town_hall"}], **SHORT}, False),
        ("seal town_hall", {"activated": "orange", "seats": [{"barge": 12}]}, True),
        ("seal town_hall", {"activated": "orange", "seats": [{"barge": 12}], "pile": []}, False),
        ("seal garden", {"activated": "orange", "seats": [{"barge": 7}], "coats": []}, False),
        ("barge 1", {"pending": [{"kind": "barge", "max": 1}], "seats": [{"barge": 21}]}, True),
        ("barge 0", {"pending": [{"kind": "barge", "max": 1}], "seats": [{"barge": 21}]}, False),
        ("draw", {"phase": "draw", "bag": "gray"}, True),  # even the last
        ("draw", {"phase": "draw", "bag": ""}, False),
        ("dock gray", {"pending": [{"kind": "dock"}], "bag": "gray"}, True),
        ("dock gray", {"pending": [{"kind": "dock"}], "bag": ""}, False),
        ("coat N1", {"pending": [{"kind": "coat", "offer": ["N1"]}]}, False),
        ("choose siege", {"pending": [{"kind": "choose", "offer": ["siege"]}]}, False),
        ("pick gray", {"phase": "draw", "tower": "pick_tile"}, False),
        ("end", {"tower": "free_seal", "start": 1}, False),  # a new round turns a Tower tile
        ("end", {"outer": BLOCKED}, False),  # T5 with full docks
        ("end", {"outer": BLOCKED, **SHORT}, True),
        ("resign", {"players": 3, "phase": "push", "drawn": "gray"}, False),
        ("resign", {"players": 3, "phase": "push", "drawn": "gray", **SHORT}, True),
        ("resign", {"players": 3, "pending": [{"kind": "coat", "offer": ["N1", "N2"]}]}, False),
    ],
)
def test_what_each_move_reveals(text: str, given: dict[str, object], reveals: bool) -> None:
    """record.md §3: whether a move reveals is decided by what it did, tile by tile and card by card."""
    state = position(**given)  # type: ignore[arg-type]
    applied = game.apply(state, 0, RULES.parse_move(text))
    assert applied.reveals is reveals
    filled = sum(applied.state.docks) > sum(state.docks)
    drawn = len(applied.state.pile) + len(applied.state.discard) < len(state.pile)
    taken = sum(applied.state.bag) < sum(state.bag) and not text.startswith("pick")
    assert reveals is (filled or drawn or taken or applied.state.chance > state.chance)
