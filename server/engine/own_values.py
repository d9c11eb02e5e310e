"""Rulesets of operators who own the box (docs/own-values.md): what docs/rules.md marks [H], as the box has it.

    rules, for_new_games = ruleset_of({"name": "ulm-box/1", "trade": {"fustian": {"coins": 4, "vp": 1}}})

Everything else is as in the ruleset that it is based on. The name ends with a digest of all the values, so that no two
rulesets with different values ever share one, and whoever has the values can play a record of it (docs/record.md §2).
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from hashlib import sha256
from typing import Any, NamedTuple

from server.engine import rulesets
from server.engine.canonical import Json, canonical_json
from server.engine.errors import UlmError, UnknownRulesetError
from server.engine.rulesets import Rules
from server.engine.ulm1.ruleset import Bank
from server.engine.ulm1.tables import BRIDGE_AFTER, COLOR_INDEX, COLORS, LAST_SPACE, QUARTER_INDEX, QUARTERS, SLOTS

_NAME = re.compile(r"([a-z][a-z0-9-]*)/[1-9][0-9]{0,2}", re.ASCII)
LONGEST_NAME = 23  # with a dash and the digest it has to fit where names of rulesets are stored
_DIGEST = 8  # hex digits
MOST_VP, MOST_COINS, MOST_STEPS, MOST_LOOK = 20, 20, 10, 10
NARROWEST = 3  # spaces that a quarter takes, or its seals have no room on the board

_CHRONICLE = {
    "construction_freeze": ("coins", "freeze_coins", 1, MOST_COINS),
    "fisherman_jousting": ("steps", "jousting_steps", 1, MOST_STEPS),
    "reformation": ("look", "reformation_look", 2, MOST_LOOK),
    "siege": ("tiles", "siege_tiles", 1, len(COLORS)),
}
"""Card → the value that it may have, the field of the ruleset, the least and the most."""


class OwnValuesError(UlmError):
    """Values that make no ruleset. `problems` has a line for each: where, and what is expected there."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))


class Own(NamedTuple):
    """A ruleset of an operator's own, and whether new games are to be played by it."""

    rules: Rules
    for_new_games: bool


def ruleset_of(data: Mapping[str, Json]) -> Own:
    """Return the ruleset that `data` describes, in the form of docs/own-values.md. Raises `OwnValuesError`."""
    reading = _Reading()
    reading.keys("", data, ("name", "base", "default", *_PARTS))
    name = _name(reading, data.get("name"))
    base = _base(reading, data.get("base", "ulm/1"))  # files that name none are of a time when there was no other
    chosen = data.get("default", False)
    if type(chosen) is not bool:
        reading.wrong("default", "is true or false")
    changed: dict[str, Any] = {}
    for part, read in _PARTS.items():
        given = data.get(part)
        if isinstance(given, dict):
            changed |= read(reading, base, given)
        elif given is not None:
            reading.wrong(part, "is a table")
    if reading.problems:
        raise OwnValuesError(reading.problems)
    plain = {key: canonical_json(value) for key, value in changed.items()}  # where a tuple is a list
    values = {key: changed[key] for key, text in plain.items() if text != canonical_json(getattr(base, key))}
    if not values:
        raise OwnValuesError([f"every value is as in {base.name}: play by that"])
    digest = sha256(canonical_json({"base": base.name, "values": values}).encode()).hexdigest()[:_DIGEST]
    said = f"The values of a box, as their operator gave them, in place of those of {base.name}: {', '.join(values)}."
    return Own(replace(base, name=f"{name}-{digest}", changes=said, **values), chosen)


class _Reading:
    """What was found wrong so far."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def wrong(self, where: str, what: str) -> None:
        self.problems.append(f"{where} {what}" if where else what)

    def keys(self, where: str, given: Mapping[str, Json], known: Iterable[str]) -> None:
        """Note each key that is none of those known."""
        known = list(known)
        for key in given:
            if key not in known:
                near = get_close_matches(str(key), known, 1)
                hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
                self.wrong(f"{where}.{key}" if where else str(key), f"is not known: {hint}")

    def each(self, part: str, given: Mapping[str, Json], known: Iterable[str]) -> list[tuple[str, str, Json]]:
        """Return what a part gives, in the order of the names known: name, where it stands, value."""
        self.keys(part, given, known)
        return [(name, f"{part}.{name}", given[name]) for name in known if name in given]

    def number(self, where: str, value: Json, low: int, high: int) -> int:
        """Return a whole number; one that does not fit is noted, and `low` goes on in its place."""
        if type(value) is int and low <= value <= high:
            return value
        self.wrong(where, f"is a whole number from {low} to {high}, not {value!r}")
        return low

    def table(self, where: str, value: Json, known: Iterable[str]) -> Mapping[str, Json]:
        if not isinstance(value, dict):
            self.wrong(where, f"is a table such as {{ {' = …, '.join(known)} = … }}")
            return {}
        self.keys(where, value, known)
        return value


def _name(reading: _Reading, name: Json) -> str:
    found = _NAME.fullmatch(name) if isinstance(name, str) else None
    if found is None or len(name) > LONGEST_NAME:
        form = "small letters, digits and dashes, a slash and a number, such as ulm-box/1"
        reading.wrong("name", f"is of your own choice, {form}, at most {LONGEST_NAME} characters")
    elif found[1] in {known.split("/")[0] for known in rulesets.built_in()}:
        reading.wrong("name", f"does not begin with {found[1]}/: these are rulesets of the project")
    return str(name)


def _base(reading: _Reading, name: Json) -> Rules:
    if name in rulesets.built_in():
        return rulesets.rules_for(name)
    reading.wrong("base", f"is an {UnknownRulesetError(name, rulesets.built_in())}")
    return rulesets.NEWEST


def _coats(reading: _Reading, base: Rules, given: Mapping[str, Json]) -> dict[str, Any]:
    """§8: `N1 = { vp = 3, quarter = "leaning_house", later = 1 }`, of a silver rim `N2 = { vp = 4 }`."""
    coats = dict(base.coats)
    for slot, where, value in reading.each("coats", given, SLOTS):
        one = reading.table(where, value, ("vp", "quarter", "later"))
        vp = reading.number(f"{where}.vp", one.get("vp"), 0, MOST_VP)
        quarter = one.get("quarter")
        if quarter is None:
            if "later" in one:
                reading.wrong(f"{where}.later", "is of coats with a golden rim, which name a quarter")
            coats[slot] = (vp, None, 0)
        elif quarter not in QUARTERS:
            reading.wrong(f"{where}.quarter", f"is one of {', '.join(QUARTERS)}, not {quarter!r}")
        else:
            later = reading.number(f"{where}.later", one.get("later"), 1, 9)
            coats[slot] = (vp, QUARTER_INDEX[quarter], later)
    for index, quarter in enumerate(QUARTERS):
        naming = [slot for slot, coat in coats.items() if coat[1] == index]
        if len(naming) != 1:
            found = " and ".join(naming) or "none"
            reading.wrong("coats", f"have one with a golden rim for each quarter; for {quarter} there is {found}")
    return {"coats": coats}


def _quarters(reading: _Reading, base: Rules, given: Mapping[str, Json]) -> dict[str, Any]:
    """D5: `tillage = [1, 6]`, the first and the last space; each stays on its bank."""
    spans = {}
    for name, where, span in reading.each("quarters", given, QUARTERS):
        numbers = span if isinstance(span, list) else []
        if len(numbers) != 2 or any(type(space) is not int or not 1 <= space <= LAST_SPACE for space in numbers):
            reading.wrong(where, f"is its first and its last space from 1 to {LAST_SPACE}, such as [1, 6]")
            continue
        first, last = spans[name] = numbers[0], numbers[1]
        if first <= BRIDGE_AFTER < last:
            other = BRIDGE_AFTER + 1
            reading.wrong(where, f"lies on one side of the bridge: up to {BRIDGE_AFTER}, or from {other}")
        elif last - first + 1 < NARROWEST:
            reading.wrong(where, f"has at least {NARROWEST} spaces")
    banks = {}
    for side in ("north", "south"):
        before: Bank = getattr(base, f"{side}_bank")
        bank = sorted((*spans.get(QUARTERS[quarter], (first, last)), quarter) for first, last, quarter in before)
        if [space for first, last, _ in bank for space in range(first, last + 1)] != list(range(1, LAST_SPACE + 1)):
            told = ", ".join(f"{QUARTERS[quarter]} {first} to {last}" for first, last, quarter in bank)
            reading.wrong("quarters", f"of the {side} bank take spaces 1 to {LAST_SPACE}, each once: here {told}")
        banks[f"{side}_bank"] = tuple(bank)
    return banks


def _cathedral(reading: _Reading, base: Rules, given: Mapping[str, Json]) -> dict[str, Any]:
    """B4: `nave-1 = ["gray", "white"]`."""
    cards = dict(base.cathedral)
    for card, where, pair in reading.each("cathedral", given, base.cathedral):
        two = isinstance(pair, list) and len(pair) == 2 and all(isinstance(one, str) for one in pair)
        if not two or len({*pair} & {*COLORS}) != 2:
            reading.wrong(where, f'is two of {", ".join(COLORS)}, such as ["gray", "white"]')
            continue
        first, second = sorted(COLOR_INDEX[one] for one in pair)
        cards[card] = (first, second)
    return {"cathedral": cards}


def _trade(reading: _Reading, base: Rules, given: Mapping[str, Json]) -> dict[str, Any]:
    """B5: `fustian = { coins = 3, vp = 2, steps = 0 }`; what is not named is none."""
    kinds: dict[str, Any] = dict(base.trade_kinds)
    most = {"coins": MOST_COINS, "vp": MOST_VP, "steps": MOST_STEPS}
    for kind, where, value in reading.each("trade", given, base.trade_kinds):
        one = reading.table(where, value, most)
        kinds[kind] = tuple(reading.number(f"{where}.{key}", one.get(key, 0), 0, high) for key, high in most.items())
        if not any(kinds[kind]):
            reading.wrong(where, "brings something: coins, vp or steps")
    return {"trade_kinds": kinds}


def _chronicle(reading: _Reading, base: Rules, given: Mapping[str, Json]) -> dict[str, Any]:
    """B6: `siege = { tiles = 2 }`."""
    changed = {}
    for card, where, value in reading.each("chronicle", given, _CHRONICLE):
        key, field, low, high = _CHRONICLE[card]
        changed[field] = reading.number(f"{where}.{key}", reading.table(where, value, (key,)).get(key), low, high)
    return changed


_PARTS: dict[str, Callable[[_Reading, Rules, Mapping[str, Json]], dict[str, Any]]] = {
    "coats": _coats, "quarters": _quarters, "cathedral": _cathedral, "trade": _trade, "chronicle": _chronicle,
}  # fmt: skip


def template(rules: Rules) -> str:
    """Return the text of a file to fill in, with the values of `rules`; read as it is, it changes nothing."""
    banks = sorted((quarter, first, last) for first, last, quarter in (*rules.north_bank, *rules.south_bank))
    lines = [
        "# The values of a box of Ulm: what is left out is as in the base (docs/own-values.md).",
        'name = "ulm-box/1"  # of your own choice; a digest of the values is added to it',
        f'base = "{rules.name}"',
        "default = true  # new games are played by these values",
        "",
        "[coats]  # section 8: points at once; of a golden rim the quarter, and the points for each later seal there",
        *(f"{slot} = {_coat_text(coat)}" for slot, coat in rules.coats.items()),
        "",
        "[quarters]  # D5: first and last space of the Danube",
        *(f"{QUARTERS[quarter]} = [{first}, {last}]" for quarter, first, last in banks),
        "",
        "[cathedral]  # B4: the two colours of each card",
        *(f'{card} = ["{COLORS[one]}", "{COLORS[other]}"]' for card, (one, other) in rules.cathedral.items()),
        "",
        "[trade]  # B5: what the upper effect brings",
        *(f"{kind} = {{ coins = {a}, vp = {b}, steps = {c} }}" for kind, (a, b, c) in rules.trade_kinds.items()),
        "",
        "[chronicle]  # B6: how much of it the upper effect brings",
        *(f"{card} = {{ {key} = {getattr(rules, field)} }}" for card, (key, field, _, _) in _CHRONICLE.items()),
    ]
    return "\n".join(lines) + "\n"


def _coat_text(coat: tuple[int, int | None, int]) -> str:
    vp, quarter, later = coat
    gold = "" if quarter is None else f', quarter = "{QUARTERS[quarter]}", later = {later}'
    return f"{{ vp = {vp}{gold} }}"
