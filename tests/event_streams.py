"""Events as they come on a stream."""

from __future__ import annotations

import http.client
import json


def next_event(stream: http.client.HTTPResponse) -> dict[str, object]:
    """The data of the next event, for which it waits; but not for ever, while nothing but heartbeats come."""
    beats = 0
    while line := stream.readline():
        if line.startswith(b"data: "):
            found: dict[str, object] = json.loads(line[6:])
            return found
        beats += line.startswith(b":")
        assert beats < 3, "nothing but heartbeats"
    raise AssertionError("the stream has ended")
