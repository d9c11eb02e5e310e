"""Whose account an address belongs to, since when, and who may use it: to be told before an address is joined to it."""

from __future__ import annotations

from typing import Any

from server.routes.pages.shared.local_times import local_time
from server.service.accounts.confirming import Claim, Holding


def of_claim(claim: Claim) -> dict[str, Any]:
    """The values for `pages/shared/account_holding.html`: whose account, since when, and who may use it."""
    return {"claim": claim, **values(claim.holding)}


def values(holding: Holding) -> dict[str, Any]:
    """The same for an account that is not confirmed just now."""

    def when(stored: str | None) -> str | None:
        return None if stored is None else local_time(stored)

    return {
        "held": holding,
        "made": when(holding.made_at),
        "given": when(holding.given_at),
        "held_tokens": [
            {"name": one["name"], "made": when(one["created_at"]), "used": when(one["last_used_at"])}
            for one in holding.tokens
        ],
    }
