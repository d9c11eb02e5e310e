"""The key pair by which push services know this server (RFC 8292): made once, kept in the database."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from importlib.util import find_spec

from server.storage import sql
from server.storage.database import Store


def available() -> bool:
    """Whether this server can push: the extra `push` is installed."""
    return find_spec("pywebpush") is not None


def _read(store: Store) -> sql.Row | None:
    return sql.row(store, "SELECT private, public FROM push_key WHERE id = 1")


def pair(store: Store) -> tuple[str, str]:
    """The private and the public key, in base64url; made where there are none. Only where `available`, and outside
    every transaction: it may have to write."""
    found = _read(store)
    if found is None:
        from cryptography.hazmat.primitives.asymmetric import ec  # of the extra
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        made = ec.generate_private_key(ec.SECP256R1())
        private = made.private_numbers().private_value.to_bytes(32)
        public = made.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        texts = [urlsafe_b64encode(one).decode().rstrip("=") for one in (private, public)]
        with store.write():  # another process may have been faster
            sql.execute(store, "INSERT INTO push_key VALUES (1, ?, ?) ON CONFLICT (id) DO NOTHING", *texts)
            found = _read(store)
    if found is None:
        raise RuntimeError("the key of pushes was taken away")
    return found[0], found[1]
