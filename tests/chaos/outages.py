"""How long each process of a site was not ready, after which faults, and what took that long."""

from __future__ import annotations

import http.client
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

PATIENCE = 1.0
"""Seconds after which a question whether somebody is ready counts as unanswered; the next has a new connection."""
_BEFORE = 1.0  # an outage may be seen so much later than the fault that it comes from


class Strike(NamedTuple):
    """A fault, from when to when (monotonic), and which process it befell (empty: all of them)."""

    fault: str
    began: float
    ended: float
    member: str = ""


@dataclass
class Outage:
    """A process that was not ready: since when (monotonic), and when its last start came how far."""

    member: str
    began: float
    steps: dict[str, float] = field(default_factory=dict)
    """`started`, `listening`, `answering`, `ready`, as far as it came to that."""
    load: float = 0.0
    """How many wanted the processors of the machine when it was ready (of the last minute)."""
    said: str = ""
    """Why it was not ready, as it said last."""

    def causes(self, strikes: Sequence[Strike]) -> list[Strike]:
        """The faults of which it comes."""
        return [
            strike
            for strike in strikes
            if strike.member in ("", self.member)
            and strike.ended > self.began - _BEFORE
            and strike.began < self.steps["ready"]
        ]


def asked(port: int) -> tuple[int, str]:
    """The status of `/readyz` on that port of this machine, and what came with it; 0 where nothing was answered."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", "/readyz")
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as error:
        return 0, repr(error)
    finally:
        connection.close()


def figures(outages: Sequence[Outage], strikes: Sequence[Strike]) -> dict[str, object]:
    """For each fault that stopped somebody, or several at once: how long it took from the end of the last of them until
    that process was ready, how often; and what the longest of all were made of."""
    by_kind: dict[str, list[float]] = {}
    told: list[tuple[float, str]] = []
    for outage in outages:
        causes = outage.causes(strikes)
        kind = " and ".join(sorted({cause.fault for cause in causes})) or "no fault"
        since = max([outage.began, *(min(cause.ended, outage.steps["ready"]) for cause in causes)])
        seconds = outage.steps["ready"] - since
        by_kind.setdefault(kind, []).append(seconds)
        steps = ", ".join(f"{name} {at - since:.2f}" for name, at in outage.steps.items())
        said = outage.said[:200] or "nothing"
        told.append((seconds, f"{outage.member} after {kind}: {steps}; load {outage.load:.0f}; it said {said}"))
    found: dict[str, object] = {
        f"ready after {kind}": f"median {statistics.median(took):.2f}, most {max(took):.2f} s of {len(took)}"
        for kind, took in sorted(by_kind.items())
    }
    return found | {f"slowest {number}": line for number, (_, line) in enumerate(sorted(told, reverse=True)[:5], 1)}
