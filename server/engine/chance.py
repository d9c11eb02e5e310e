"""The stream of numbers of a game (record.md §1).

Pure functions of `(seed, counter)`: each returns its result together with the counter after it, so that the position
in the stream can live in the state and a copy of a state draws what the original would have drawn.
"""

from collections.abc import Sequence
from hmac import digest
from typing import TypeVar

from server.engine.errors import MissingSeedError

T = TypeVar("T")
_SPAN = 1 << 64


def u64(seed: bytes, counter: int) -> int:
    """Return number `counter` of the stream of the 32-byte `seed`: 0 ≤ result < 2^64."""
    return int.from_bytes(digest(seed, counter.to_bytes(8, "big"), "sha256")[:8], "big")


def below(seed: bytes | None, counter: int, n: int) -> tuple[int, int]:
    """Return `(result, counter)` with 0 ≤ result < `n`, every value equally likely; `n` = 1 takes nothing.

    Raises `MissingSeedError` without a seed, even for `n` = 1: who may not see chance may not use it at all.
    """
    if seed is None:
        raise MissingSeedError("this move needs chance, and the state was loaded without its seed")
    if n == 1:
        return 0, counter
    limit = _SPAN - _SPAN % n
    while True:
        number = u64(seed, counter)
        counter += 1
        if number < limit:
            return number % n, counter


def shuffle(seed: bytes | None, counter: int, items: Sequence[T]) -> tuple[list[T], int]:
    """Return `(shuffled copy of items, counter)`."""
    result = list(items)
    for i in range(len(result) - 1, 0, -1):
        j, counter = below(seed, counter, i + 1)
        result[i], result[j] = result[j], result[i]
    return result, counter


def draw_color(seed: bytes | None, counter: int, bag: Sequence[int]) -> tuple[int, int]:
    """Return `(colour index, counter)` of a tile drawn from `bag`, a count for each colour; it must not be empty."""
    number, counter = below(seed, counter, sum(bag))
    for color, count in enumerate(bag):
        if number < count:
            return color, counter
        number -= count
    raise AssertionError("unreachable: below() is less than the sum of the bag")
