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
from json import dumps
from typing import Any, NamedTuple

from server.engine import rulesets
from server.engine.canonical import Json, canonical_json
from server.engine.errors import UlmError, UnknownRulesetError
from server.engine.rulesets import Rules
from server.engine.ulm1.ruleset import Bank, Top
from server.engine.ulm1.tables import (
    BRIDGE_AFTER,
    CHRONICLE,
    COLOR_INDEX,
    COLORS,
    LAST_SPACE,
    QUARTER_INDEX,
    QUARTERS,
    SLOTS,
    TRADE,
    TRADE_KINDS,
)

_NAME = re.compile(r"([a-z][a-z0-9-]*)/[1-9][0-9]{0,2}", re.ASCII)
_EFFECT = re.compile(r"([a-z_]+)(?: ([0-9]{1,3}))?", re.ASCII)
LONGEST_NAME = 23  # with a dash and the digest it has to fit where names of rulesets are stored
_DIGEST = 8  # hex digits
MOST_VP, MOST_COINS, MOST_STEPS, MOST_LOOK = 20, 20, 10, 10
NARROWEST = 3  # spaces that a quarter takes, or its seals have no room on the board

EFFECTS = {
    "coins": (1, MOST_COINS), "vp": (1, MOST_VP), "sparrows": (1, 10), "tiles": (1, len(COLORS)), "cards": (1, 5),
    "look": (2, MOST_LOOK), "steps_exact": (1, MOST_STEPS), "steps_up_to": (1, MOST_STEPS), "side": (1, 1),
    "seal": (0, 9), "orange_seal": (0, 9), "actions": (1, 5), "bag": (1, 1), "sparrow_coins": (1, 10),
}  # fmt: skip
"""What the upper effect of a card can do (B5, B6) → the least and the most of it; of `side` and `bag` there is one."""
_APART = (
    ("side", "sparrow_coins", "the move that plays the card names a side or a number"),
    ("steps_exact", "steps_up_to", "it moves the barge in one of these ways"),
)
"""Effects of which a card has one at most, and why."""
_SEALS = ("seal", "orange_seal")
_CHRONICLE = {
    "construction_freeze": ("coins", "freeze_coins"),
    "fisherman_jousting": ("steps", "jousting_steps"),
    "reformation": ("look", "reformation_look"),
    "siege": ("tiles", "siege_tiles"),
}
"""Card → the number of its one effect, in short, and what it is called in the digest."""
_ARRIVALS = ("coin", "sparrow", "dock", "card")


class OwnValuesError(UlmError):
    """Values that make no ruleset. `problems` has a line for each: where, and what is expected there."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))


class Own(NamedTuple):
    """A ruleset of an operator's own, whether new games are to be played by it, and what it is based on."""

    rules: Rules
    for_new_games: bool
    base: Rules


def ruleset_of(data: Mapping[str, Json]) -> Own:
    """Return the ruleset that `data` describes, in the form of docs/own-values.md. Raises `OwnValuesError`."""
    reading = _Reading()
    reading.keys("", data, ("name", "base", "default", "last_spaces", "credits_at_once", *_PARTS))
    name = _name(reading, data.get("name"))
    base = _base(reading, data.get("base", "ulm/1"))  # files that name none are of a time when there was no other
    chosen = reading.yes_or_no("default", data.get("default", False))
    changed: dict[str, Any] = {
        "last_spaces": _last_spaces(reading, data.get("last_spaces", [*base.last_spaces])),
        "credits_at_once": reading.yes_or_no("credits_at_once", data.get("credits_at_once", base.credits_at_once)),
    }
    tops = dict(base.tops)
    for part, read in _PARTS.items():
        given = data.get(part)
        if isinstance(given, dict):
            (tops if part in _OF_TOPS else changed).update(read(reading, base, given))
        elif given is not None:
            reading.wrong(part, "is a table")
    told = _told(base, tops)
    _one_price(reading, base, tops, changed)
    if reading.problems:
        raise OwnValuesError(reading.problems)
    before = {**{key: getattr(base, key) for key in changed}, **_told(base, base.tops)}
    values = {
        key: value
        for key, value in {**changed, **told}.items()
        if canonical_json(value) != canonical_json(before[key])  # where a tuple is a list
    }
    if not values:
        raise OwnValuesError([f"every value is as in {base.name}: play by that"])
    digest = sha256(canonical_json({"base": base.name, "values": values}).encode()).hexdigest()[:_DIGEST]
    said = f"The values of a box, as their operator gave them, in place of those of {base.name}: {', '.join(values)}."
    return Own(replace(base, name=f"{name}-{digest}", changes=said, tops=tops, **changed), chosen, base)


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

    def yes_or_no(self, where: str, value: Json) -> bool:
        if type(value) is not bool:
            self.wrong(where, "is true or false")
        return bool(value)

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


def _last_spaces(reading: _Reading, given: Json) -> tuple[str, ...]:
    """D4: `["coin", "sparrow", "dock", "card"]` in another order."""
    if isinstance(given, list) and len(given) == len(_ARRIVALS) and all(one in given for one in _ARRIVALS):
        return tuple(given)
    reading.wrong("last_spaces", f"is {', '.join(_ARRIVALS)} in the order of the spaces, each once, not {given!r}")
    return _ARRIVALS


def _trade(reading: _Reading, base: Rules, given: Mapping[str, Json]) -> dict[str, Top]:
    """B5: a kind, of which each card pays its own colour, or one card: `fustian = { coins = 3, vp = 2, steps = 0 }`,
    where what is not named is none; `fustian-gray = { pays = "white", effects = ["coins 3", "vp 2"] }`."""
    tops: dict[str, Top] = {}
    short = {"coins": "coins", "vp": "vp", "steps": _sail(base)}
    for name, where, value in reading.each("trade", given, (*TRADE_KINDS, *TRADE)):
        changes = _top(reading, where, value, short)
        for card in [name] if name in TRADE else _of_kind(name):
            tops[card] = tops.get(card, base.tops[card])._replace(**changes)
    return tops


def _chronicle(reading: _Reading, base: Rules, given: Mapping[str, Json]) -> dict[str, Top]:
    """B6: `siege = { tiles = 2 }`, or `siege = { pays = "gray", effects = ["tiles 2", "vp 1"] }`."""
    tops = {}
    for card, where, value in reading.each("chronicle", given, CHRONICLE):
        short = [_CHRONICLE[card][0]] if card in _CHRONICLE else []
        changes = _top(reading, where, value, {key: _sail(base) if key == "steps" else key for key in short})
        tops[card] = base.tops[card]._replace(**changes)
    return tops


def _sail(base: Rules) -> str:
    """The effect by which a card sails where the file says no more than how many steps."""
    return "steps_exact" if base.having("steps_exact") else "steps_up_to"


def _of_kind(kind: str) -> list[str]:
    return [card for card, (its, _color) in TRADE.items() if its == kind]


def _top(reading: _Reading, where: str, value: Json, short: Mapping[str, str]) -> dict[str, Any]:
    """Return what is said of the top of a card, fields of `Top`; `short` are numbers that may stand for its effects."""
    one = reading.table(where, value, (*short, "pays", "effects"))
    changes: dict[str, Any] = {}
    if "pays" in one:
        if one["pays"] not in ("none", *COLORS):
            reading.wrong(f"{where}.pays", f"is one of none, {', '.join(COLORS)}, not {one['pays']!r}")
        changes["pays"] = COLOR_INDEX.get(str(one["pays"]))
    given = {key: kind for key, kind in short.items() if key in one}
    if "effects" in one:
        changes["effects"] = _effects(reading, f"{where}.effects", one["effects"])
        for key, kind in given.items():
            reading.wrong(f"{where}.{key}", f'stands among the effects, if there are any: "{kind} {one[key]}"')
    elif given or not changes:
        numbers = {}
        for key, kind in given.items():
            low, high = EFFECTS[kind]
            numbers[kind] = reading.number(f"{where}.{key}", one[key], 0 if short.keys() > {key} else low, high)
        changes["effects"] = tuple((kind, number) for kind, number in numbers.items() if number)
        if not changes["effects"]:
            reading.wrong(where, f"brings something: {', '.join(short)}{' or ' if short else ''}effects")
    return changes


def _effects(reading: _Reading, where: str, given: Json) -> tuple[tuple[str, int], ...]:
    """Return what a list such as `["coins 3", "side"]` says, in its order."""
    if not isinstance(given, list) or not given:
        reading.wrong(where, 'is what the card does, in its order, such as ["coins 3", "side"]')
        return ()
    found: list[tuple[str, int]] = []
    for one in given:
        said = _EFFECT.fullmatch(one) if isinstance(one, str) else None
        kind = said[1] if said else str(one)
        if said is None or kind not in EFFECTS:
            near = get_close_matches(kind, EFFECTS, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(EFFECTS)}"
            reading.wrong(where, f"has {one!r}, which is not known: {hint}")
            continue
        low, high = EFFECTS[kind]
        number = int(said[2] or (low if low == high else -1))
        if not low <= number <= high:
            form = "without a number" if low == high else f'with a whole number from {low} to {high}, as "{kind} {low}"'
            reading.wrong(where, f"has {kind} {form}, not {one!r}")
        elif kind in dict(found):
            reading.wrong(where, f"has {kind} once, with the number of both")
        else:
            found.append((kind, number))
    for first, second, why in _APART:
        if {first, second} <= dict(found).keys():
            reading.wrong(where, f"has {first} or {second}, not both: {why}")
    return tuple(found)


def _one_price(reading: _Reading, base: Rules, tops: Mapping[str, Top], changed: dict[str, Any]) -> None:
    """B9: note more than one price of seals by cards; put the one there is into `changed`."""
    prices = {card: number for card, top in tops.items() for kind, number in top.effects if kind in _SEALS}
    if len({*prices.values()}) > 1:
        told = ", ".join(f"{card} {price}" for card, price in prices.items())
        reading.wrong("", f"seals by cards have one price: here {told}")
    changed["chronicle_seal_price"] = max(prices.values(), default=base.chronicle_seal_price)


def _told(base: Rules, tops: Mapping[str, Top]) -> dict[str, Any]:
    """Return the tops as the digest has them (docs/record.md §2). What a file may say in two ways has one form, the
    shorter and older one."""
    told: dict[str, Any] = {"trade_kinds": {}}
    short: dict[str, Top] = dict(base.tops)
    for kind in TRADE_KINDS:
        cards = {card: tops[card] for card in _of_kind(kind)}
        if numbers := _numbers(base, cards):
            short |= cards
        told["trade_kinds"][kind] = numbers or _numbers(base, {card: base.tops[card] for card in cards})
    for card, (key, name) in _CHRONICLE.items():
        top, effect = tops[card], _sail(base) if key == "steps" else key
        if top.pays is None and [kind for kind, _ in top.effects] == [effect]:
            short[card] = top
        told[name] = short[card].effects[0][1]
    seal = tops["first_chronicle"]
    if seal.pays is None and [kind for kind, _ in seal.effects] == ["seal"]:  # the price is told elsewhere
        short["first_chronicle"] = seal
    return {**told, "own_tops": {card: top for card, top in tops.items() if top != short[card]}}


def _numbers(base: Rules, cards: Mapping[str, Top]) -> tuple[int, ...] | None:
    """Return the coins, VP and steps of the cards of a kind, if that is all that they do, each for its colour."""
    had = dict(next(iter(cards.values())).effects)
    keys = ("coins", "vp", _sail(base))
    effects = tuple((key, had[key]) for key in keys if key in had)
    if all(top == Top(TRADE[card][1], effects) for card, top in cards.items()):
        return tuple(had.get(key, 0) for key in keys)
    return None


_PARTS: dict[str, Callable[[_Reading, Rules, Mapping[str, Json]], dict[str, Any]]] = {
    "coats": _coats, "quarters": _quarters, "cathedral": _cathedral, "trade": _trade, "chronicle": _chronicle,
}  # fmt: skip
_OF_TOPS = ("trade", "chronicle")


def template(rules: Rules) -> str:
    """Return the text of a file to fill in, with the values of `rules`; read as it is, it changes nothing."""
    banks = sorted((quarter, first, last) for first, last, quarter in (*rules.north_bank, *rules.south_bank))
    lines = [
        "# The values of a box of Ulm: what is left out is as in the base (docs/own-values.md).",
        'name = "ulm-box/1"  # of your own choice; a digest of the values is added to it',
        f'base = "{rules.name}"',
        "default = true  # new games are played by these values",
        "credits_at_once = false  # A7: whether bonus steps and actions are used before anything else, or lapse",
        f"last_spaces = {dumps(rules.last_spaces)}  # D4: what spaces 19 to 22 bring",
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
        "[trade]  # B5: what the upper effect does, in its order; the tile that it costs is of the card's own colour",
        *(f"{kind} = {{ {_effects_text(rules.tops[_of_kind(kind)[0]])} }}" for kind in TRADE_KINDS),
        "",
        "[chronicle]  # B6",
        *(f"{card} = {{ {_effects_text(rules.tops[card])} }}" for card in CHRONICLE),
    ]
    return "\n".join(lines) + "\n"


def _effects_text(top: Top) -> str:
    told = [kind if EFFECTS[kind] == (1, 1) else f"{kind} {number}" for kind, number in top.effects]
    return f"effects = {dumps(told)}"


def _coat_text(coat: tuple[int, int | None, int]) -> str:
    vp, quarter, later = coat
    gold = "" if quarter is None else f', quarter = "{QUARTERS[quarter]}", later = {later}'
    return f"{{ vp = {vp}{gold} }}"
