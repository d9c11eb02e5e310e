"""What is odd about the box of an operator (`own_values`): it can be played, but is rather a slip than what lies there.

A sentence for each: where the box says otherwise than the sources of docs/rules.md, and what would be strange in any.
"""

from collections.abc import Iterator
from typing import Final

from server.engine.rulesets import Rules
from server.engine.ulm1.tables import COLORS, LAST_SPACE, QUARTERS, TRADE, TRADE_KINDS

MUCH: Final[dict[str, int]] = {
    "coins": 6, "vp": 10, "sparrows": 4, "tiles": 3, "cards": 2, "look": 4, "steps_exact": 6, "steps_up_to": 6,
    "seal": 3, "orange_seal": 3, "actions": 2, "sparrow_coins": 8,
}  # fmt: skip
"""Twice of what the sources' cards have is much; of a seal it is the price."""
SOUND: Final = frozenset({"coins", "vp", "sparrows", "seal", "actions", "side", "sparrow_coins"})
"""Effects that something comes of, wherever a top that asks for a tile can be played."""
GOLD: Final = [1, 2, 2, 3, 3, 3, 3, 3]  # section 8 [S1]
SILVER: Final = [4, 4, 4, 4]
TOLD: Final[dict[str, str]] = {"first_chronicle": "one source says", "ulm_sparrow": "one source says",
                               "patrician": "the sources say"}  # fmt: skip
"""The Chronicle cards whose tops the sources tell (B6)."""


def oddities(rules: Rules, base: Rules) -> list[str]:
    """Return what is odd about the box `rules`, which is based on `base`."""
    return [*_board(rules, base), *_tops(rules, base), *_trade(rules)]


def _board(rules: Rules, base: Rules) -> Iterator[str]:
    golden = sorted(vp for vp, quarter, _ in rules.coats.values() if quarter is not None)
    silver = [vp for vp, quarter, _ in rules.coats.values() if quarter is None]
    if golden != GOLD or silver != SILVER:
        here = f"here {_list(golden)} and {_list(silver)}"
        yield f"coats: one source has gold with {_list(GOLD)} VP and silver with {_list(SILVER)}; {here}"
    for slot, (_, _quarter, later) in rules.coats.items():
        if later > 2:
            yield f"coats.{slot}.later: one source has 1 or 2 VP for each later seal, here it is {later}"
    if list(rules.last_spaces) != list(base.last_spaces):
        theirs, ours = ", ".join(base.last_spaces), ", ".join(rules.last_spaces)
        yield f"last_spaces: the sources have {theirs} (D4), here it is {ours}"
    for first, last, quarter in (*rules.north_bank, *rules.south_bank):
        if (spaces := last - first + 1) > LAST_SPACE // 2:
            yield f"quarters.{QUARTERS[quarter]}: it takes {spaces} of the {LAST_SPACE} spaces of its bank"
    for index, color in enumerate(COLORS):
        if not any(index in pair for pair in rules.cathedral.values()):
            yield f"cathedral: no card asks for {color}"


def _tops(rules: Rules, base: Rules) -> Iterator[str]:
    for card, who in TOLD.items():
        if rules.tops[card] != base.tops[card]:
            yield f"chronicle.{card}: {who} what its top does (B6), and here it does something else"
    kinds = {kind for top in rules.tops.values() for kind, _ in top.effects}
    for card, top in base.tops.items():
        for kind, _ in top.effects:
            if kind not in kinds:
                kinds.add(kind)
                yield f"{kind}: no card has it, {card} has it in {base.name}"
    for card, top in rules.tops.items():
        if top.pays is not None and not SOUND & {kind for kind, _ in top.effects}:
            told = " and ".join(kind for kind, _ in top.effects)
            yield f"{card}: it costs a tile, and brings nothing while {told} can do nothing"
        for kind, number in top.effects:
            if number > MUCH.get(kind, number) and top != base.tops[card]:
                yield f"{card}: {kind} {number} is much, the cards of the sources have {_most(base, kind)}"


def _most(base: Rules, kind: str) -> str:
    known = base.having(kind)
    return f"{max(known.values())} at most" if known else "none of it"


def _trade(rules: Rules) -> Iterator[str]:
    for kind in TRADE_KINDS:
        asked = [rules.tops[card].pays for card, (its, _color) in TRADE.items() if its == kind]
        if sorted(-1 if color is None else color for color in asked) != list(range(len(COLORS))):
            told = ", ".join("none" if color is None else COLORS[color] for color in asked)
            yield f"trade.{kind}: its five cards ask for {told}, not for each colour once"


def _list(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))
