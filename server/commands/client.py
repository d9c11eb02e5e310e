"""A small client of the HTTP API over one kept connection."""

from __future__ import annotations

import http.client
import json
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from server.commands import CommandError

TIMEOUT = 30.0
"""Seconds that an answer may take."""


class NoAnswerError(Exception):
    """Nothing came back from the address, or nothing that Ulm by mail would say."""


class RefusedError(Exception):
    """The server answered with an error; `status` is its HTTP status, None when the answer made no sense."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class Client:
    """Requests to one server, whose address is `http://host:port` or `https://…/prefix`; not for several threads.

    Proxies of the environment are not used. Raises `CommandError` for an address that is none.
    """

    def __init__(self, url: str) -> None:
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            parts, port = urlsplit(""), None
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise CommandError("the address of a server looks like http://127.0.0.1:8000 or https://ulm.example.org")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname, port, timeout=TIMEOUT)
        self._prefix = parts.path.rstrip("/")
        self.requests = 0
        """Number of requests that were answered."""

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def get(self, path: str, token: str | None = None) -> Any:
        """The JSON at `path`. Raises `NoAnswerError`, `RefusedError`."""
        return _json(self._request("GET", path, token))

    def text(self, path: str, token: str | None = None) -> str:
        """The answer at `path` as it came. Raises `NoAnswerError`, `RefusedError`."""
        return self._request("GET", path, token).decode()

    def post(self, path: str, data: Any, token: str | None = None, key: str | None = None) -> Any:
        """The JSON that the answer to `data` holds; `key` is an Idempotency-Key. Raises as `get` does."""
        return _json(self._request("POST", path, token, json.dumps(data).encode(), key))

    def _request(
        self, method: str, path: str, token: str | None, body: bytes | None = None, key: str | None = None
    ) -> bytes:
        headers = {"Accept": "application/json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        if key is not None:
            headers["Idempotency-Key"] = key
        status, answer = self._exchange(method, self._prefix + path, body, headers, again=method == "GET" or bool(key))
        self.requests += 1
        if status >= 400:
            raise RefusedError(_message(answer, status), status)
        return answer

    def _exchange(
        self, method: str, target: str, body: bytes | None, headers: dict[str, str], again: bool
    ) -> tuple[int, bytes]:
        """Send and read. A kept connection may have been closed meanwhile; then once more, when that is safe."""
        try:
            self._connection.request(method, target, body, headers)
            response = self._connection.getresponse()
            return response.status, response.read()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            if again and isinstance(error, (http.client.RemoteDisconnected, ConnectionError)):
                return self._exchange(method, target, body, headers, again=False)
            raise NoAnswerError(_reason(error)) from error


def _json(answer: bytes) -> Any:
    try:
        return json.loads(answer)
    except ValueError:
        raise NoAnswerError("what answers there is not Ulm by mail") from None


def _message(answer: bytes, status: int) -> str:
    try:
        return str(json.loads(answer)["message"])
    except (ValueError, KeyError, TypeError):
        raise NoAnswerError(f"what answers there (status {status}) is not Ulm by mail") from None


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return f"it took longer than {TIMEOUT:.0f} s"
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()
