"""The seed of a game and what the server has committed to (record.md §1): the same under every ruleset."""

from collections.abc import Sequence
from hashlib import sha256

CLIENT_SEED_LENGTH = 64


def commitment(server_seed: bytes) -> str:
    """Return what the server publishes when a game is created: the SHA-256 of its secret, in hex."""
    return sha256(server_seed).hexdigest()


def game_seed(server_seed: bytes, client_seeds: Sequence[str]) -> bytes:
    """The 32-byte seed of a game from the server's and the seats' shares. Raises `ValueError` for a bad one."""
    for text in client_seeds:
        check_client_seed(text)
    return sha256(b"\0".join([server_seed, *(text.encode() for text in client_seeds)])).digest()


def check_client_seed(text: str) -> None:
    """Raise `ValueError` unless `text` can be a client seed: at most 64 characters, no U+0000, no lone surrogate."""
    if not isinstance(text, str):
        raise ValueError("a client seed is a text")
    if len(text) > CLIENT_SEED_LENGTH:
        raise ValueError(f"a client seed has at most {CLIENT_SEED_LENGTH} characters")
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("a client seed holds neither U+0000 nor a lone surrogate")
