"""Unguessable names."""

from __future__ import annotations

import secrets
from base64 import b32encode
from collections.abc import Callable

Entropy = Callable[[int], bytes]
"""Where secrets come from: a number of bytes in, that many unguessable bytes out."""
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789x"  # 32 letters; none that people take for another


def random_id(entropy: Entropy, length: int) -> str:
    """An unguessable name of `length` letters, five bits each."""
    return "".join(ALPHABET[byte & 31] for byte in entropy(length))


def address_token() -> str:
    """128 random bits in 26 letters and digits, all small: some mail servers change the case of addresses."""
    return b32encode(secrets.token_bytes(16)).decode("ascii").rstrip("=").lower()
