"""A browser's part of a push: its keys, and what it reads."""

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from server.service.accounts import channels
from server.service.accounts.players import Player
from server.storage import sql
from server.storage.database import Store
from tests.notify.listener import Heard
from tests.service.conftest import NOW


def encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class BrowserKeys:
    """The keys of a subscription."""

    def __init__(self) -> None:
        self._own, self._auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        point = self._own.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.p256dh, self.auth = encoded(point), encoded(self._auth)

    def subscribe(self, store: Store, player: Player, address: str) -> None:
        """Let a player's pushes go to an address of the tests, which has no certificate."""
        channels.add_push(store, player, "https://push.example.org/1", self.p256dh, self.auth, "Firefox, Linux", NOW)
        with store.write():
            sql.execute(store, "UPDATE channel SET address = ? WHERE player_id = ?", address, player.id)

    def read(self, heard: Heard) -> Any:
        """What a push says (RFC 8291)."""
        assert heard.headers["content-encoding"] == "aes128gcm"
        return json.loads(http_ece.decrypt(heard.body, private_key=self._own, auth_secret=self._auth))


def claims(heard: Heard, public: str) -> Any:
    """What the server says of itself to a push service, signed by the key that browsers were told (RFC 8292)."""
    scheme, _, words = heard.headers["authorization"].partition(" ")
    told = dict(part.strip().split("=", 1) for part in words.split(","))
    assert (scheme, told["k"]) == ("vapid", public)
    signed, _, signature = told["t"].rpartition(".")
    raw = decoded(signature)
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(public))
    der = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    point.verify(der, signed.encode(), ec.ECDSA(SHA256()))
    return json.loads(decoded(signed.partition(".")[2]))
