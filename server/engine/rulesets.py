"""The rulesets that this engine knows. A game stays with the one that it was created under for ever (record.md §2).

    rules = rulesets.rules_for(table.ruleset)
    state = rules.new_game(seed, players, options)
    state = rules.apply(state, seat, rules.parse_move("push N2")).state

A new one is a module beside `ulm2`, and a line here. Operators add their own while the process starts (`register`).
"""

from server.engine import ulm2
from server.engine.canonical import Json
from server.engine.errors import InvalidStateError, UnknownRulesetError
from server.engine.ulm1 import rules as ulm1
from server.engine.ulm1.ruleset import Ruleset
from server.engine.ulm1.state import State

Rules = Ruleset[State]

# By name, in the order in which they came.
ALL: dict[str, Rules] = {rules.name: rules for rules in (ulm1.RULES, ulm2.RULES)}
NEWEST = next(reversed(ALL.values()))
"""The newest of those that stand here."""
OWN: set[str] = set()
"""The names of those among `ALL` that an operator brought (`own_values`)."""
_chosen: list[Rules] = []  # the last one: what an operator wants new games to be played by


def for_new_games() -> Rules:
    """Return what new games are played by."""
    return _chosen[-1] if _chosen else NEWEST


def built_in() -> list[str]:
    """Return the names of the rulesets that come with the program, in their order."""
    return [name for name in ALL if name not in OWN]


def register(rules: Rules, new_games: bool = False) -> Rules:
    """Add an operator's own ruleset for as long as the process runs; `new_games` are played by it. Returns it, or the
    one that was added before under its name, which holds a digest of its values."""
    OWN.add(rules.name)
    known = ALL.setdefault(rules.name, rules)
    if new_games:
        _chosen.append(known)
    return known


def rules_for(name: object) -> Rules:
    """Return the ruleset of a name. Raises `UnknownRulesetError`."""
    rules = ALL.get(name) if isinstance(name, str) else None
    if rules is None:
        raise UnknownRulesetError(name, ALL)
    return rules


def state_from_dict(data: Json, seed: bytes | None = None) -> State:
    """Return the state of its JSON form, under the ruleset that it names (see `State.from_dict`).

    Raises `InvalidStateError`, also for an unknown ruleset.
    """
    try:
        rules = rules_for(data["ruleset"])
    except (KeyError, TypeError, UnknownRulesetError) as error:
        raise InvalidStateError(f"not a state: {error}") from error
    return rules.state_from_dict(data, seed)
