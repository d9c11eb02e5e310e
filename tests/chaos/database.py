"""A database of chaos's own: a file, or a PostgreSQL that keeps what it acknowledged when it dies."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests import postgres


class Database:
    """An empty one, of the kind `sqlite` or `postgresql`; `url` is its address."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.cluster: postgres.Cluster | None = None
        if kind == "sqlite":
            self.url = f"sqlite:///{folder}/ulm.sqlite3"
            return
        self._place = tempfile.TemporaryDirectory(prefix="ulm-pg-", ignore_cleanup_errors=True)
        place = Path(self._place.name)  # short, as a socket needs it
        place.chmod(0o755)
        # Not `fsync`: what dies here are processes. But what is acknowledged has to have left the server's memory.
        self.cluster = postgres.Cluster(
            place, place / "data", synchronous_commit="on", full_page_writes="on", autovacuum="on"
        )
        self.cluster.initialise()
        self.cluster.start()
        postgres.recreate_database(place, "chaos")
        self.url = postgres.url(place, "chaos")

    def stop(self) -> None:
        """End the server, and remove what it stored."""
        if self.cluster is not None:
            self.cluster.stop()
            self._place.cleanup()
