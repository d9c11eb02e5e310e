"""What differs between two views, by the names that `board_svg` can highlight."""

from collections.abc import Mapping
from typing import Any

from server.engine.ulm1.tables import COLORS, QUARTERS, SLOTS


def changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> frozenset[str]:
    """The parts of the board that differ between two views of one seat: `cell-1-2`, `slot-N2`, `space-7`…"""
    names = {
        f"cell-{row + 1}-{column + 1}"
        for row in range(3)
        for column in range(3)
        if before["grid"][row][column] != after["grid"][row][column]
    }
    for slot in SLOTS:
        if any(before[part].get(slot) != after[part].get(slot) for part in ("outer", "coat_seals")):
            names.add(f"slot-{slot}")
    for part in ("docks", "bag"):
        names |= {f"{part}-{color}" for color in COLORS if before[part][color] != after[part][color]}
    for quarter in QUARTERS:
        seals = before["quarters"][quarter] != after["quarters"][quarter]
        if seals or before["crests"].get(quarter) != after["crests"].get(quarter):
            names.add(f"quarter-{quarter}")
    if before["descendants"] != after["descendants"]:
        names.add("quarter-oath_house")
    for part, key in (("pile", "pile_size"), ("coats", "coats_size"), ("discard", "discard")):
        if before[key] != after[key]:
            names.add(part)
    for seat, (old, new) in enumerate(zip(before["players"], after["players"], strict=True)):
        if old["barge"] != new["barge"]:
            names |= {f"space-{old['barge']}", f"space-{new['barge']}"}
        if old != new:
            names.add(f"player-{seat}")
    return frozenset(names)
