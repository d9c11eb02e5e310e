"""The token of each mail by which it is known again when it comes back: part of the envelope's sender (VERP).

Not part of the mail itself, and unlike a link it opens nothing: who has it can say that this mail did not arrive.
"""

from __future__ import annotations

import base64
import secrets


def new() -> str:
    """128 random bits in 26 letters and digits, all small: some mail servers change the case of addresses."""
    return base64.b32encode(secrets.token_bytes(16)).decode("ascii").rstrip("=").lower()
