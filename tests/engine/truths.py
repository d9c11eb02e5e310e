"""What each reason of `server.engine.ulm1.illegal_moves` claims, held against the position (record.md §4).

A reason is known by a pattern; its check says whether the claim is true of `data` for the seat that tried `move`.
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from tests.engine.positions import BESIDE

OPPOSITE = {"N": "S", "S": "N", "W": "E", "E": "W"}
SEAL_SPACES = {"reichenauer_hof": 3, "goose_tower": 3, "shipyard": 7}


class Claim(NamedTuple):
    """A reason as it was given: who tried what, in which position, and the words that the pattern caught."""

    data: dict[str, Any]
    seat: int
    move: tuple[str, ...]
    found: tuple[str, ...]

    @property
    def me(self) -> dict[str, Any]:
        """The player who tried."""
        return self.data["players"][self.seat]

    @property
    def turn(self) -> dict[str, Any]:
        """The turn under way."""
        return self.data["turn"]

    @property
    def tile(self) -> str | None:
        """The Tower tile in force."""
        return self.data["tower"][self.data["round"] - 1] if self.data["options"]["tower"] else None

    @property
    def actions(self) -> bool:
        """Whether the push lies behind."""
        return self.data["phase"] == "actions"

    def pending(self, *kinds: str) -> bool:
        """Whether a choice of one of these kinds is to be settled first."""
        return bool(self.data["pending"]) and self.data["pending"][-1]["kind"] in kinds

    def free_ahead(self) -> int:
        """Free spaces ahead of the barge (D2)."""
        return len(set(range(self.me["barge"] + 1, 23)) - {player["barge"] for player in self.data["players"]})

    def card_action(self) -> bool:
        """Whether a card action is left."""
        return self.turn["activated"]["brown"] > 0 or self.turn["credits"]["card"] > 0

    def seal_action(self) -> bool:
        """Whether a seal action is left."""
        credits_ = self.turn["credits"]
        return self.turn["activated"]["orange"] + credits_["seal"] + credits_["seal_at_1"] > 0

    def price(self) -> int:
        """What the next seal costs."""
        if self.turn["credits"]["seal_at_1"]:
            return 1
        return {"cheap_seal": 1, "dear_seal": 3}.get(self.tile or "", 2)

    def reaches(self, quarter: str) -> bool:
        """D5, V12."""
        low, high = (BESIDE)[quarter]
        wide = 3 if self.tile == "long_reach" else 0
        return low <= min(22, self.me["barge"] + wide) and high >= max(1, self.me["barge"] - wide)

    def lacks(self, color: str, number: int = 1) -> bool:
        """Whether the supply holds fewer tiles of `color`."""
        return self.me["tiles"][color] < number

    def nothing_on(self, side: str) -> bool:
        """Whether no outer tile lies on `side`."""
        return not any(slot[0] == side for slot in self.data["outer"])


def _line(claim: Claim) -> bool:
    kind, number, lies = claim.found
    slot = claim.move[1]
    right_line = (kind == "Column") == (slot[0] in "NS") and number == slot[1]
    return right_line and lies in (slot, OPPOSITE[slot[0]] + slot[1]) and lies in claim.data["outer"]


def _missing_two(claim: Claim) -> bool:
    return claim.lacks(claim.found[0], 2) and claim.move[1:].count(claim.found[0]) == 2


COLOR, SLOT = r"(gray|white|brown|turquoise|orange)", r"([NESW][1-3])"
CARD, QUARTER = r"([a-z_]+(?:-[a-z0-9]+)?)", r"([a-z_]+)"
LIST = r"(?:: (.+))?"
Check = Callable[[Claim], bool]
TRUTHS: list[tuple[str, str, Check]] = [
    # pattern, rules that may stand for it, whether it is true
    (r"The game is over", "E1", lambda c: c.data["phase"] == "over"),
    (
        r"There is no seat (-?\d+): the seats are 0 to (\d)",
        "C1",
        lambda c: not 0 <= c.seat <= int(c.found[1]) == len(c.data["players"]) - 1,
    ),
    (r"You have resigned", "O3", lambda c: c.me["resigned"]),
    (r"It is not your turn", "T1", lambda c: c.seat != c.data["active"]),
    (
        rf"Coat {SLOT} has a golden rim, and you have no family crest left{LIST}",
        "W2",
        lambda c: c.me["crests"] == 0 and c.found[0] in c.data["pending"][-1]["offer"] and c.found[0][1] != "2",
    ),
    (rf"First choose one of the coats of arms on offer{LIST}", "Q1", lambda c: c.pending("coat")),
    (rf"First choose one of the cards on offer{LIST}", "T6", lambda c: c.pending("choose")),
    (rf"First say how many steps the barge moves{LIST}", "D3", lambda c: c.pending("barge")),
    (rf"First choose a Descendant{LIST}", "Q2", lambda c: c.pending("descendant")),
    (rf"First choose a coin or a tile of the docks{LIST}", "Q3", lambda c: c.pending("town_hall")),
    (rf"First search the draw pile or take a card of the discard pile{LIST}", "Q5", lambda c: c.pending("goose_tower")),
    (rf"First choose a tile of the docks for the abbot, or pass{LIST}", "N1", lambda c: c.pending("abbot")),
    (rf"First choose a tile of the docks{LIST}", "Q6 Q7 L3", lambda c: c.pending("tillage", "shipyard", "dock")),
    (
        r"There is no choice to settle with '([a-z]+)' now",
        "T6",
        lambda c: not c.data["pending"] and c.found[0] == c.move[0],
    ),
    (r"You have drawn already this turn", "T3", lambda c: c.data["phase"] != "draw"),
    (
        r"After patrician you pick your tile from the bag: pick COLOR",
        "B11",
        lambda c: c.data["phase"] == "draw" and c.turn["patrician"],
    ),
    (r"You have your tile already; a pick takes the place of the draw", "V11", lambda c: c.data["phase"] != "draw"),
    (
        r"You may pick a tile only in a round of pick_tile, or after playing patrician",
        "V11",
        lambda c: c.tile != "pick_tile" and not c.turn["patrician"],
    ),
    (rf"The bag holds no {COLOR} tile", "L1", lambda c: c.data["bag"][c.found[0]] == 0),
    (r"There are no two drawn tiles to keep one of", "N5", lambda c: len(c.turn["tiles"]) != 2),
    (
        rf"You drew {COLOR} and {COLOR}, not {COLOR}",
        "N5",
        lambda c: c.turn["tiles"] == list(c.found[:2]) and c.found[2] not in c.found[:2],
    ),
    (
        r"A tile is exchanged after the draw and before the push, not (after|before) it",
        "L2",
        lambda c: c.data["phase"] != "push" and (c.found[0] == "after") == c.actions,
    ),
    (r"You have no drawn tile in hand to exchange", "L2", lambda c: c.turn["tiles"] == []),
    (r"You have exchanged your tile already this turn", "L2", lambda c: c.turn["swapped"]),
    (r"It costs 1 sparrow, and you have none", "L2", lambda c: c.me["sparrows"] == 0),
    (rf"Your tile is {COLOR} already: exchange it for another colour", "L2", lambda c: c.turn["tiles"] == [c.found[0]]),
    (
        rf"No {COLOR} tile lies in the docks",
        "L2 N6",
        lambda c: c.data["docks"][c.found[0]] == 0 and c.found[0] == c.move[-1],
    ),
    (r"Draw a tile first", "T3", lambda c: c.data["phase"] == "draw"),
    (r"Say first which of the two tiles you keep", "N5", lambda c: c.data["phase"] == "keep"),
    (r"You have pushed already this turn", "T3", lambda c: c.actions),
    (rf"(Column|Row) ([1-3]) is blocked: a tile lies in {SLOT}", "K4", _line),
    (r"You have no tile in hand: push one of your supply, push SLOT COLOR", "L4", lambda c: c.turn["tiles"] == []),
    (
        rf"Only the scholar may push a tile of the supply: push {SLOT}",
        "N2",
        lambda c: "scholar" not in c.me["descendants"] and c.turn["tiles"] != [] and c.found[0] == c.move[1],
    ),
    (rf"You have no {COLOR} tile", "N2 N6 A3 V8", lambda c: c.lacks(c.found[0]) and c.found[0] in c.move[1:]),
    (r"Actions come after the push", "T3", lambda c: not c.actions),
    (
        rf"You have no activated {COLOR} tile left",
        "K3",
        lambda c: c.actions and c.turn["activated"][c.found[0]] == 0,
    ),
    (r"No tile lies outside on side ([NESW])", "A2 B7", lambda c: c.nothing_on(c.found[0])),
    (r"There is no free space ahead of your barge", "D2 B7", lambda c: c.free_ahead() == 0),
    (r"You have no bonus step to use", "A7", lambda c: c.turn["credits"]["step"] == 0),
    (
        r"You have no activated brown tile and no bonus card action left",
        "A3",
        lambda c: c.actions and not c.card_action(),
    ),
    (
        r"A card action comes after the push, unless a bonus gives you one",
        "A3",
        lambda c: not c.actions and not c.card_action(),
    ),
    (r"No card is left to buy", "B3", lambda c: not c.data["pile"] and not c.data["discard"]),
    (
        r"A card costs a coin only in a round of card_for_coin; pay with two tiles",
        "V3",
        lambda c: c.tile != "card_for_coin",
    ),
    (r"You have no coin", "V3", lambda c: c.me["coins"] == 0),
    (
        r"A card costs one tile only in a round of card_for_tile; pay with two tiles",
        "V4",
        lambda c: c.tile != "card_for_tile",
    ),
    (rf"You do not have two {COLOR} tiles", "A3 V8", _missing_two),
    (rf"You do not have {CARD} in your hand", "B1", lambda c: c.move[1] == c.found[0] not in c.me["hand"]),
    (
        r"You have played your card of this turn, and no card action is left for another",
        "B8",
        lambda c: not c.turn["free_play"] and not c.card_action(),
    ),
    (rf"The top of {CARD} asks for {COLOR}, and you have none", "B7", lambda c: c.lacks(c.found[1])),
    (r"You have no sparrow", "B7", lambda c: c.me["sparrows"] == 0),
    (
        r"You have (\d+) sparrows?, not (\d)",
        "B7",
        lambda c: c.me["sparrows"] == int(c.found[0]) < int(c.found[1]) == int(c.move[-1]),
    ),
    (r"The top of patrician is played before the draw", "B7", lambda c: c.data["phase"] != "draw"),
    (r"The bag is empty: there is nothing to pick", "B7", lambda c: not any(c.data["bag"].values())),
    (r"The docks are empty", "B7", lambda c: not any(c.data["docks"].values())),
    (
        rf"The top of {CARD} would change nothing now",
        "B7",
        lambda c: c.found[0] == "reformation" and not c.data["pile"] and not c.data["discard"],
    ),
    (
        r"You have no activated orange tile and no bonus seal action left",
        "A5",
        lambda c: c.actions and not c.seal_action(),
    ),
    (
        r"A seal action comes after the push, unless a bonus gives you one",
        "A5",
        lambda c: not c.actions and not c.seal_action(),
    ),
    (r"You have no seal left", "A5", lambda c: c.me["seals"] == 0),
    (
        rf"Your barge on space (\d+) does not reach {QUARTER}",
        "D5",
        lambda c: c.me["barge"] == int(c.found[0]) and not c.reaches(c.found[1]) and c.found[1] == c.move[1],
    ),
    (
        rf"All (\d) spaces of {QUARTER} are taken",
        "A5",
        lambda c: len(c.data["quarters"][c.found[1]]) == int(c.found[0]) == SEAL_SPACES.get(c.found[1], 4),
    ),
    (
        r"The seal costs (\d) coins?, and you have (\d+)",
        "A5",
        lambda c: c.price() == int(c.found[0]) > int(c.found[1]) == c.me["coins"],
    ),
    (r"Only the merchant may exchange a tile with the docks", "N6", lambda c: "merchant" not in c.me["descendants"]),
    (r"The merchant has exchanged a tile already this turn", "N6", lambda c: c.turn["exchanged"]),
    (r"The pushed-out tile may be taken only in a round of keep_pushed", "V10", lambda c: c.tile != "keep_pushed"),
    (r"You have pushed no tile out yet", "V10", lambda c: c.turn["slot"] is None),
    (
        r"The tile that you pushed out no longer lies there",
        "V10",
        lambda c: OPPOSITE[c.turn["slot"][0]] + c.turn["slot"][1] not in c.data["outer"],
    ),
    (r"There is no levy this round", "V8 V9", lambda c: c.tile not in ("tile_levy", "coin_levy")),
    (r"You have paid the levy of this turn", "V8 V9", lambda c: c.turn["levy_paid"]),
    (r"This round's levy is 2 coins: levy", "V9", lambda c: c.tile == "coin_levy" and len(c.move) == 3),
    (
        r"The levy is 2 coins, and you have (\d+)",
        "V9",
        lambda c: c.tile == "coin_levy" and c.me["coins"] == int(c.found[0]) < 2,
    ),
    (r"This round's levy is two tiles: levy COLOR COLOR", "V8", lambda c: c.tile == "tile_levy" and len(c.move) == 1),
    (r"A turn ends after the push: draw and push first", "T3", lambda c: not c.actions),
]
COMPILED = [(re.compile(pattern), rules.split(), check) for pattern, rules, check in TRUTHS]


def claimed(data: dict[str, Any], seat: int, move: tuple[str, ...], rule: str, message: str) -> str:
    """Return the pattern of the reason; asserts that it is known, under a fitting rule, and true of the position."""
    for pattern, rules, check in COMPILED:
        found = pattern.fullmatch(message)
        if found:
            groups = tuple(group or "" for group in found.groups())
            assert rule in rules, f"{message!r} under {rule}"
            assert check(Claim(data, seat, move, groups)), f"not true: {message!r} for {' '.join(move)}"
            return pattern.pattern
    raise AssertionError(f"unknown reason {message!r} ({rule}) for {' '.join(move)}")
