"""The rulesets that this engine knows. A game stays with the one that it was created under for ever (record.md §2).

    rules = rulesets.of(table.ruleset)
    state = rules.new_game(seed, players, options)
    state = rules.apply(state, seat, rules.parse_move("push N2")).state

A new one is a folder beside `ulm1`, and a line here.
"""

from server.engine.canonical import Json
from server.engine.errors import InvalidStateError, UnknownRulesetError
from server.engine.ulm1 import rules as ulm1
from server.engine.ulm1.ruleset import Ruleset
from server.engine.ulm1.state import State

Rules = Ruleset[State]

# By name, in the order in which they came.
ALL: dict[str, Rules] = {
    rules.name: rules
    for rules in (
        ulm1.RULES,
    )
}  # fmt: skip
NEWEST = next(reversed(ALL.values()))
"""The newest of those that stand here."""
_chosen: list[Rules] = []  # the last one: what an operator wants new games to be played by


def for_new_games() -> Rules:
    """Return what new games are played by."""
    return _chosen[-1] if _chosen else NEWEST


def of(name: object) -> Rules:
    """Return the ruleset of a name. Raises `UnknownRulesetError`."""
    rules = ALL.get(name) if isinstance(name, str) else None
    if rules is None:
        raise UnknownRulesetError(name, ALL)
    return rules


def since(name: str) -> list[Rules]:
    """Return the rulesets that came after one. Raises `UnknownRulesetError`."""
    every = list(ALL.values())
    return every[every.index(of(name)) + 1 :]


def state_from_dict(data: Json, seed: bytes | None = None) -> State:
    """Return the state of its JSON form, under the ruleset that it names (see `State.from_dict`).

    Raises `InvalidStateError`, also for an unknown ruleset.
    """
    try:
        rules = of(data["ruleset"])
    except (KeyError, TypeError, UnknownRulesetError) as error:
        raise InvalidStateError(f"not a state: {error}") from error
    return rules.state_from_dict(data, seed)
