"""Replays records under the engine of the checkout that the command line names; run by `difference.engines`.

Runs as a file, not as a module, so that nothing but that checkout's engine is imported. For each line of JSON
`{"record": text, "ply": null}` on standard input it writes a line `{digests, result, error, seconds}` (CPU seconds of
the replay, digests included), and for one with a ply `{state}`.
"""

from __future__ import annotations

import json
import sys
import time


def main(directory: str) -> None:
    """Answer until standard input ends."""
    sys.path.insert(0, directory)
    for line in sys.stdin.buffer:
        question = json.loads(line)
        answer = play(question["record"], question["ply"])
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def play(text: str, wanted: int | None) -> dict[str, object]:
    """Replay one record; an engine may raise what it likes, which is an answer too."""
    from server.engine import record

    digests: list[str] = []
    result, error = None, None
    began = time.process_time()
    try:
        for step in record.replay(record.loads(text)):
            if step.state.ply == wanted:
                return {"state": step.state.to_dict()}
            digests.append(step.state.digest())
            result = step.state.scores
    except Exception as raised:
        error = str(raised)
    return {"digests": digests, "result": result, "error": error, "seconds": time.process_time() - began}


if __name__ == "__main__":
    main(sys.argv[1])
