"""State and its JSON form (record.md §4): its canonical text, what stands in it and what does not."""

from server.engine.canonical import canonical_json
from server.engine.ulm2 import RULES
from tests.engine.positions import SEED


def test_the_seed_is_no_part_of_the_state() -> None:
    """The seed is neither dumped nor digested, nor shown in the object's text."""
    state = RULES.new_game(SEED, 2, {})
    assert SEED.hex() not in canonical_json(state.to_dict())
    other = state.copy()
    other.seed = bytes(32)
    assert other.digest() == state.digest()
    assert SEED.hex() not in repr(state)
    assert repr(SEED) not in repr(state)
