"""The load generator, a process of its own: `python -m benchmarks.load < plan > figures`, both JSON.

plan: {"host", "port", "seconds", "clients": [[{"path", "token", "body"}, …], …]}. Each client is a thread with one
connection that is kept alive; it sends its POSTs in order, each after the answer to the one before, and stops after
`seconds`. figures: {"seconds", "latencies": [seconds], "refused": [[status, body], …]}; a client stops when refused.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from http.client import HTTPConnection, HTTPException
from typing import Any

TIMEOUT = 30.0  # seconds for one answer


class Client(threading.Thread):
    """One connection and its list of POSTs."""

    def __init__(self, plan: dict[str, Any], posts: list[dict[str, Any]], start: threading.Barrier) -> None:
        super().__init__()
        self._connection = HTTPConnection(plan["host"], plan["port"], timeout=TIMEOUT)
        # Everything is encoded before the clock starts.
        self._posts = [(post["path"], json.dumps(post["body"]).encode(), self._headers(post)) for post in posts]
        self._start = start
        self._seconds = plan["seconds"]
        self.latencies: list[float] = []
        self.refused: list[tuple[int, str]] = []

    @staticmethod
    def _headers(post: dict[str, Any]) -> dict[str, str]:
        headers = {"Content-Type": "application/json"}
        if post["token"]:
            headers["Authorization"] = f"Bearer {post['token']}"
        return headers

    def run(self) -> None:
        """Send the POSTs."""
        self._connection.connect()
        self._start.wait()
        end = time.perf_counter() + self._seconds
        try:
            for path, body, headers in self._posts:
                begun = time.perf_counter()
                if begun > end:
                    break
                self._connection.request("POST", path, body, headers)
                response = self._connection.getresponse()
                answer = response.read()
                self.latencies.append(time.perf_counter() - begun)
                if response.status != 201:
                    self.refused.append((response.status, answer[:500].decode("utf-8", "replace")))
                    break
        except (OSError, HTTPException) as error:
            self.refused.append((0, repr(error)))
        finally:
            self._connection.close()


def main() -> None:
    """Run the plan on stdin."""
    plan = json.load(sys.stdin)
    start = threading.Barrier(len(plan["clients"]) + 1)
    clients = [Client(plan, posts, start) for posts in plan["clients"]]
    for client in clients:
        client.start()
    start.wait()
    begun = time.perf_counter()
    for client in clients:
        client.join()
    seconds = time.perf_counter() - begun
    latencies = [latency for client in clients for latency in client.latencies]
    refused = [entry for client in clients for entry in client.refused]
    json.dump({"seconds": seconds, "latencies": latencies, "refused": refused}, sys.stdout)


if __name__ == "__main__":
    main()
