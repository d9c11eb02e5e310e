"""Which engine plays in this process: the sources as they stand, or the same compiled (docs/compiled-engine.md)."""

from typing import Final, Literal

from server.engine.ulm1 import game

ENGINE: Final[Literal["interpreted", "compiled"]] = (
    "interpreted" if game.__file__.endswith((".py", ".pyc")) else "compiled"
)
