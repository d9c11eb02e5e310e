"""Lines that a mail program has broken, put together again (RFC 3676, format=flowed)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def unflowed(lines: Iterable[str], delsp: bool) -> Iterator[str]:
    """Whole lines, quoted ones with their signs before them.

    A line that ends with a blank goes on in the next, if that is quoted as deep; the signature's mark never does.
    """
    begun: list[str] = []
    depth = -1
    for line in lines:
        deep = len(line) - len(line.lstrip(">"))
        text = line[deep:]
        text = text.removeprefix(" ")  # put there so that nothing is mistaken for a sign
        mark = text == "-- "
        if begun and (deep != depth or mark):
            yield _quoted("".join(begun), depth)
            begun.clear()
        if text.endswith(" ") and not mark:
            begun.append(text[:-1] if delsp else text)
            depth = deep
        else:
            yield _quoted("".join([*begun, text]), deep)
            begun.clear()
    if begun:
        yield _quoted("".join(begun), depth)


def _quoted(text: str, depth: int) -> str:
    return f"{'>' * depth} {text}" if depth else text
