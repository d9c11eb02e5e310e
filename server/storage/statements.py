"""How long statements take: those of `metering.SLOW_FROM` or more are counted, those of `Settings.slow_statement_ms` or
more are logged without their values."""

from __future__ import annotations

import logging
import time
from typing import Any

from server import metering

log = logging.getLogger("ulm.slow")

TEXT_MAX = 600
_logged_from = 0.2


def log_from(milliseconds: int) -> None:
    """Log statements of this process that take so long; 0: none."""
    global _logged_from
    _logged_from = milliseconds / 1000 if milliseconds else float("inf")


def took(statement: str, seconds: float) -> None:
    """Note that a statement took `metering.SLOW_FROM` or more."""
    metering.meters().statements.observe(seconds)
    if seconds >= _logged_from:
        text = " ".join(statement.split())
        fields = {"ms": round(seconds * 1000), "statement": text if len(text) <= TEXT_MAX else text[:TEXT_MAX] + "…"}
        log.warning("slow statement", extra={"fields": fields})


class Timed:
    """A database of peewee's whose statements are timed. Put before it among the bases."""

    def execute_sql(self, sql: str, params: Any = None) -> Any:
        """As the database does it."""
        began = time.perf_counter()
        try:
            return super().execute_sql(sql, params)  # type: ignore[misc]
        finally:
            spent = time.perf_counter() - began
            if spent >= metering.SLOW_FROM:
                took(sql, spent)
