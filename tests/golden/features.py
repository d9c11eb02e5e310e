"""What a golden game shows: every feature of ruleset ulm/1 that some stored game must contain, and how one is seen.

`of_step` looks at one ply, `of_game` at how a game ended. Both return names from `WANTED` alone: one that is misspelt
in a detector is refused.
"""

from collections.abc import Iterable, Iterator, Sequence

from server.engine.events import Event
from server.engine.ulm1 import scoring
from server.engine.ulm1.game import CHOICES
from server.engine.ulm1.notation import Move
from server.engine.ulm1.quarters import price
from server.engine.ulm1.rules import RULES
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import (
    BROWN,
    CATHEDRAL,
    CHRONICLE,
    DESCENDANTS,
    ORANGE,
    QUARTER_INDEX,
    ROUNDS,
    TOWER,
    TRADE,
)

SPACES = {19: "space_coin", 20: "space_sparrow", 22: "draw_card"}
OFFERS = ("coat", "choose", "descendant")  # choices whose breaking off puts something back (O3)

WANTED: dict[str, tuple[str, ...]] = {
    # Each text that is a move at all: all verbs, each card each way with each argument, coats, Descendants, slots …
    "move": tuple(RULES.notation.moves),
    "choice": tuple(CHOICES),
    "choice raised": ("choose by buy", "choose by search", "choose by reformation", "dock by space 21", "dock by siege",
                      "dock by swabian_league", "barge by tillage", "barge by card", "while settling another"),
    "choice skipped": ("tillage", "shipyard", "abbot", "no coat can be taken", "barge at the end of the river"),
    "descendant in effect": (*DESCENDANTS, "abbot passes", "builder draws two alike", "city_wall leaves the abbot out",
                             "mint_master beside extra_money", "barge_driver beside extra_river"),
    "tower tile in effect": (*TOWER, "tile_levy unpaid", "coin_levy unpaid", "first_chronicle under dear_seal",
                             "first_chronicle under cheap_seal", "last salvageable tile is cleared instead"),
    "privilege": tuple(f"{quarter}: {part}" for quarter, parts in (
        ("leaning_house", ("coat",)), ("oath_house", ("descendant",)), ("town_hall", ("coin", "dock")),
        ("reichenauer_hof", ("1 VP", "more VP")), ("goose_tower", ("search", "take")),
        ("tillage", ("dock", "barge")), ("garden", ("coat",)), ("shipyard", ("buy", "play"))) for part in parts),
    "river": ("space 19", "space 20", "space 21", "space 22", "jump over a barge", "barge move of 0"),
    "coats": ("crest pays another", "crest pays its owner", "coat seal pays another", "coat seal pays its owner",
              "coat without a seal left", "silver coat", "gold coat"),
    "cards": ("play by free play", "play by brown tile", "play by credit", "buy by brown tile", "buy by credit",
              "choose among three", "choose among two", "reshuffle"),
    "phase": tuple(f"{verb} in {phase}" for verb in ("play", "seal", "exchange", "levy")
                   for phase in ("draw", "push", "actions")),
    "bag": ("empty", "outer tiles drawn from (L4)", "all lines blocked (T5)", "docks not full", "docks empty",
            "docks filled by tiles given up", "draws no tile", "own tile instead of a drawn one",
            "builder finds one tile"),
    "resign": ("in turn", "out of turn", "tiles in hand", *(f"{kind} pending" for kind in OFFERS),
               "other choice pending", "down to one in turn", "down to one out of turn",
               "down to one out of turn, choice pending", "at the last turn", "ends a round", "first seat of a round",
               "crest of a resigned seat pays", "coat seal of a resigned seat pays", "before the first move"),
    "end": ("round 10", "tie broken by quarters", "shared victory", "down to one", "resigned seat with most VP",
            "negative VP"),
    "score": (*(f"{card} counts" for card in CHRONICLE), "fisherman_jousting 6", "fisherman_jousting 3",
              "fisherman_jousting 0", "construction_freeze at most", "ulm_sparrow at most", "Cathedral set",
              "Trade three of a kind", "Trade one of every kind", "Trade both kinds of set", "barge before the bridge",
              "barge past the bridge", "hand card left"),
    "whole game": tuple(f"{players} players{tower}{rotate}" for players in (2, 3, 4) for tower in ("", ", tower")
                        for rotate in ("", ", rotate_start")),
}  # fmt: skip

ALL = frozenset(f"{group}: {name}" for group, names in WANTED.items() for name in names)


def of_step(before: State, seat: int, move: Move, events: Sequence[Event], after: State) -> set[str]:
    """Return the features of one ply: `move` by `seat` led from `before` to `after` with `events`."""
    found = {f"move: {' '.join(move)}"}
    if move == ("resign",):
        found.update(_resign(before, seat, after))
    else:
        for part in (_choices, _descendants, _tower, _prices, _privileges, _river, _coats, _cards, _bag):
            found.update(part(before, seat, move, events, after))
        if f"phase: {move[0]} in {before.phase}" in ALL and not before.pending:
            found.add(f"phase: {move[0]} in {before.phase}")
    if after.round != before.round and after.players[after.start].resigned:
        found.add("resign: first seat of a round")
    return only_wanted(found)


def of_game(last: State) -> set[str]:
    """Return the features that the last state of a game shows; none while it runs."""
    if last.scores is None:
        return set()
    return only_wanted({*_end(last), *_score(last)})


def only_wanted(found: set[str]) -> set[str]:
    if unknown := found - ALL:
        raise ValueError(f"not in the list of features: {sorted(unknown)}")
    return found


def _kinds(events: Iterable[Event]) -> set[str]:
    return {event.kind for event in events}


def _choices(before: State, seat: int, move: Move, events: Sequence[Event], after: State) -> Iterator[str]:
    if before.pending:
        yield f"choice: {before.pending[-1][0]}"
        if len(after.pending) >= len(before.pending):
            yield "choice raised: while settling another"
    raised = after.pending[-1][0] if after.pending and len(after.pending) >= len(before.pending) else None
    if raised == "choose":
        cause = move[1] if move[0] == "play" else move[0]
        yield f"choice raised: choose by {cause}"
    elif raised == "barge" and move[0] == "play":
        yield "choice raised: barge by card"
    elif raised == "dock":
        yield f"choice raised: dock by {move[1] if move[0] == 'play' else 'space 21'}"
    if move == ("seal", "tillage") and any(choice[0] == "barge" for choice in after.pending):
        yield "choice raised: barge by tillage"
    kinds = _kinds(events)
    if move == ("seal", "tillage") and "tillage_coin" in kinds:
        yield "choice skipped: tillage"
    if move == ("seal", "shipyard") and "card_credit" in kinds:
        yield "choice skipped: shipyard"
    if move[0] == "clear" and "abbot" in before.players[seat].descendants and not after.pending:
        yield "choice skipped: abbot"
    if "no_coat" in kinds:
        yield "choice skipped: no coat can be taken"
    if move[0] == "play" and move[1].startswith(("works", "commercial")) and move[2] == "top" and not after.pending:
        yield "choice skipped: barge at the end of the river"


def _descendants(before: State, seat: int, move: Move, events: Sequence[Event], after: State) -> Iterator[str]:
    own = before.players[seat].descendants
    tile = before.tower_tile
    kinds = _kinds(events)
    if before.pending and before.pending[-1][0] == "abbot":
        yield "descendant in effect: " + ("abbot passes" if move == ("pass",) else "abbot")
    if "keep_drawn" in kinds:
        yield "descendant in effect: scholar"
    if move == ("money",) and "mint_master" in own:
        yield "descendant in effect: mint_master" + (" beside extra_money" if tile == "extra_money" else "")
    if "guard" in kinds:
        yield "descendant in effect: city_guard"
    if move[0] == "keep":
        first, second = before.turn.tiles
        yield "descendant in effect: builder" + (" draws two alike" if first == second else "")
    if move[0] == "exchange":
        yield "descendant in effect: merchant"
    if move[0] == "buy" and len(move) == 3 and move[1] != move[2] and "look_at_cards" in kinds:
        yield "descendant in effect: councilman"
    if move == ("sail",) and "barge_driver" in own:
        yield "descendant in effect: barge_driver" + (" beside extra_river" if tile == "extra_river" else "")
    if move[:3] == ("play", "city_wall", "top") and "abbot" in own and not after.pending:
        yield "descendant in effect: city_wall leaves the abbot out"


def _tower(before: State, seat: int, move: Move, events: Sequence[Event], after: State) -> Iterator[str]:
    tile, turn, player = before.tower_tile, before.turn, before.players[seat]
    effect = "tower tile in effect: "
    if move == ("sail",) and "barge_driver" not in player.descendants:
        yield effect + "extra_river"
    if move == ("money",) and tile == "extra_money" and "mint_master" not in player.descendants:
        yield effect + "extra_money"
    if move == ("buy", "coin"):
        yield effect + "card_for_coin"
    if move[0] == "buy" and len(move) == 2 and move[1] != "coin":
        yield effect + "card_for_tile"
    if move[0] == "levy":
        yield f"{effect}{tile}"
    if "levy_unpaid" in _kinds(events):
        yield f"{effect}{tile} unpaid"
    if move == ("salvage",):
        yield effect + "keep_pushed"
    if move[0] == "clear" and tile == "keep_pushed" and not turn.salvaged and turn.slot >= 0:
        out = (turn.slot + 6) % 12
        if before.outer[out] >= 0 > after.outer[out]:
            yield effect + "last salvageable tile is cleared instead"
    if move[0] == "pick" and not turn.patrician:
        yield effect + "pick_tile"


def _prices(before: State, seat: int, move: Move, events: Sequence[Event], after: State) -> Iterator[str]:
    """Tower tiles and the seal action."""
    tile, turn, effect = before.tower_tile, before.turn, "tower tile in effect: "
    if move[0] != "seal":
        return
    if turn.seal_at_1_credits:
        if tile in ("dear_seal", "cheap_seal"):
            yield f"{effect}first_chronicle under {tile}"
    elif not turn.activated[ORANGE]:
        yield effect + "free_seal"
    elif tile in ("dear_seal", "cheap_seal"):
        assert price(before) == (3 if tile == "dear_seal" else 1)
        yield effect + tile
    if QUARTER_INDEX[move[1]] not in RULES.reach[before.players[seat].barge]:
        yield effect + "long_reach"


def _privileges(before: State, seat: int, move: Move, events: Sequence[Event], after: State) -> Iterator[str]:
    if move[0] == "seal":
        kinds = _kinds(events)
        if "look_at_coats" in kinds and "no_coat" not in kinds:
            yield f"privilege: {move[1]}: coat"
        for event in events:
            if event.kind == "hof_vp":
                yield "privilege: reichenauer_hof: " + ("1 VP" if event.number == 1 else "more VP")
        return
    kind = before.pending[-1][0] if before.pending else None
    if kind == "descendant":
        yield "privilege: oath_house: descendant"
    elif kind == "town_hall":
        yield f"privilege: town_hall: {move[0]}"
    elif kind == "goose_tower":
        yield f"privilege: goose_tower: {move[0]}"
    elif kind == "tillage":
        yield "privilege: tillage: dock"
        if after.pending and after.pending[-1][0] == "barge":
            yield "privilege: tillage: barge"
    elif move[0] in ("buy", "play") and after.turn.card_credits < before.turn.card_credits:
        yield f"privilege: shipyard: {move[0]}"


def _river(before: State, seat: int, move: Move, events: Sequence[Event], after: State) -> Iterator[str]:
    old, new = before.players[seat].barge, after.players[seat].barge
    if new != old:
        if new == 21 and after.pending and after.pending[-1][0] == "dock":
            yield "river: space 21"
        if new in SPACES and SPACES[new] in _kinds(events):
            yield f"river: space {new}"
        steps = int(move[1]) if move[0] == "barge" else 1
        if new - old > steps:
            yield "river: jump over a barge"
    if move == ("barge", "0"):
        yield "river: barge move of 0"


def _coats(before: State, seat: int, move: Move, events: Sequence[Event], after: State) -> Iterator[str]:
    kinds = _kinds(events)
    for event in events:
        who = "its owner" if event.seat == seat else "another"
        if event.kind == "crest_vp":
            yield f"coats: crest pays {who}"
            if before.players[event.seat].resigned:
                yield "resign: crest of a resigned seat pays"
        elif event.kind == "seal_sparrow":
            yield f"coats: coat seal pays {who}"
            if before.players[event.seat].resigned:
                yield "resign: coat seal of a resigned seat pays"
    if move[0] == "coat":
        yield "coats: gold coat" if "crest" in kinds else "coats: silver coat"
        if "coat_seal" not in kinds:
            yield "coats: coat without a seal left"


def _cards(before: State, seat: int, move: Move, events: Sequence[Event], after: State) -> Iterator[str]:
    turn = before.turn
    if move[0] in ("play", "buy"):
        if move[0] == "play" and turn.free_play:
            yield "cards: play by free play"
        else:
            yield f"cards: {move[0]} by " + ("brown tile" if turn.activated[BROWN] else "credit")
    for event in events:
        if event.kind == "look_at_cards":
            numbers = {2: "choose among two", 3: "choose among three"}
            if event.number in numbers:
                yield f"cards: {numbers[event.number]}"
        elif event.kind == "reshuffle":
            yield "cards: reshuffle"


def _bag(before: State, seat: int, move: Move, events: Sequence[Event], after: State) -> Iterator[str]:
    kinds = _kinds(events)
    if not any(after.bag):
        yield "bag: empty"
        if sum(after.docks) < 5:
            yield "bag: docks not full"
        if not any(after.docks):
            yield "bag: docks empty"
    if "sweep" in kinds:
        yield "bag: all lines blocked (T5)"
    if "empty_bag" in kinds:
        yield "bag: outer tiles drawn from (L4)"
    if sum(before.docks) < 5 and "refill" in kinds and move[0] in ("buy", "levy", "play"):
        yield "bag: docks filled by tiles given up"
    if "draw_nothing" in kinds:
        yield "bag: draws no tile"
    if move[0] == "push" and len(move) == 3 and not before.turn.tiles:
        yield "bag: own tile instead of a drawn one"
    if move == ("draw",) and "builder" in before.players[seat].descendants and len(after.turn.tiles) == 1:
        yield "bag: builder finds one tile"


def _resign(before: State, seat: int, after: State) -> Iterator[str]:
    active = before.active
    in_turn = seat == active
    left = sum(not player.resigned for player in after.players)
    yield "resign: in turn" if in_turn else "resign: out of turn"
    if before.ply == 0:
        yield "resign: before the first move"
    kinds = [choice[0] for choice in before.pending]
    if in_turn:
        if before.turn.tiles:
            yield "resign: tiles in hand"
        for kind in kinds:
            yield f"resign: {kind if kind in OFFERS else 'other choice'} pending"
    if left == 1:
        yield "end: down to one"
        yield "resign: down to one " + ("in turn" if in_turn else "out of turn")
        if not in_turn and kinds:
            yield "resign: down to one out of turn, choice pending"
    elif after.active is None:
        assert before.round == ROUNDS
        yield "resign: at the last turn"
    if after.round != before.round:
        yield "resign: ends a round"


def _end(last: State) -> Iterator[str]:
    scores = last.scores or []
    best = scoring.winners(scores)
    top = scores[best[0]]
    still_in = [score for score, player in zip(scores, last.players, strict=True) if not player.resigned]
    if len(still_in) > 1:
        yield "end: round 10"
        if len(best) > 1:
            yield "end: shared victory"
        elif sum(score["total"] == top["total"] for score in still_in) > 1:
            yield "end: tie broken by quarters"
    if any(score["total"] > top["total"] for score in scores):
        yield "end: resigned seat with most VP"
    if any(score["vp"] < 0 for score in scores):
        yield "end: negative VP"
    if len(still_in) == len(scores):
        tower = ", tower" if last.advanced else ""
        yield f"whole game: {len(scores)} players{tower}{', rotate_start' if last.rotate_start else ''}"


def _score(last: State) -> Iterator[str]:
    for score, player in zip(last.scores or [], last.players, strict=True):
        for card, vp in score["chronicle"].items():
            if vp:
                yield f"score: {card} counts"
            if card == "fisherman_jousting":
                yield f"score: fisherman_jousting {vp}"
        if "construction_freeze" in score["chronicle"] and player.coins > 6:
            yield "score: construction_freeze at most"
        if "ulm_sparrow" in score["chronicle"] and player.sparrows > 5:
            yield "score: ulm_sparrow at most"
        cathedral = sum(card in CATHEDRAL for card in player.table)
        if score["cathedral"] > 3 * cathedral:
            yield "score: Cathedral set"
        kinds = [TRADE[card][0] for card in player.table if card in TRADE]
        beyond = score["trade"] - 3 * len(kinds)
        if beyond >= 9:
            yield "score: Trade both kinds of set"
        if beyond and len(set(kinds)) < 3:
            yield "score: Trade three of a kind"
        if beyond == 3:
            yield "score: Trade one of every kind"
        yield "score: barge " + ("past the bridge" if score["barge"] > 0 else "before the bridge")
        if player.hand:
            yield "score: hand card left"
