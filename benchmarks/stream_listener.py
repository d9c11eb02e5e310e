"""Thousands of clients of event streams in one process: `python -m benchmarks.stream_listener`, used by `streams.py`.

Reads one line of JSON, `{"host", "port", "streams": [[path, token], …]}`, opens all, prints `ready` when each has had
its first event, and at the end of its input a line of JSON with `[game, ply, when]` for each event after that.
"""

from __future__ import annotations

import json
import selectors
import socket
import sys
import time
from typing import Any

_AT_ONCE = 200  # connections that wait for their first event together: who waits longer is refused by no one


def main() -> None:
    """Listen until the input ends."""
    job = json.loads(sys.stdin.readline())
    selector = selectors.DefaultSelector()
    waiting = iter(job["streams"])
    missing, opening = len(job["streams"]), 0
    heard: list[tuple[str, int, float]] = []
    selector.register(sys.stdin, selectors.EVENT_READ)
    while True:
        while opening < _AT_ONCE and (stream := next(waiting, None)) is not None:
            path, token = stream
            client = socket.create_connection((job["host"], job["port"]), timeout=60)
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
            client.setblocking(False)
            selector.register(client, selectors.EVENT_READ, [path.split("/")[4], False])
            opening += 1
        for key, _ in selector.select():
            if key.data is None:
                print(json.dumps(heard), flush=True)
                return
            data = key.fileobj.recv(65536)  # type: ignore[union-attr]
            now = time.perf_counter()
            found = [_ply(part) for part in data.split(b"data: ")[1:]]
            if key.data[1]:
                heard += [(key.data[0], ply, now) for ply in found]
            elif found:
                key.data[1] = True
                opening, missing = opening - 1, missing - 1
                if not missing:
                    print("ready", flush=True)
            elif not data or not data.startswith((b"HTTP/1.1 200", b"retry", b"5", b"d", b"\r")):
                raise RuntimeError(f"no stream: {data[:200]!r}")


def _ply(text: bytes) -> int:
    data: dict[str, Any] = json.loads(text[: text.index(b"\n")])
    return int(data["ply"])


if __name__ == "__main__":
    main()
