"""A small client of the HTTP API: `urllib`, with the server's errors as exceptions and one careful repeat."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
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
    """Requests to one server, past the environment's proxies. Raises `CommandError` for an address that is none."""

    def __init__(self, url: str) -> None:
        try:
            parts = urlsplit(url)
            right = parts.scheme in ("http", "https") and parts.hostname and not (parts.query or parts.fragment)
            parts.port  # noqa: B018 - raises for one that is none
        except ValueError:
            right = False
        if not right:
            raise CommandError("the address of a server looks like http://127.0.0.1:8000 or https://ulm.example.org")
        self._url = url.rstrip("/")
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self.requests = 0
        """Number of requests that were answered."""

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
        given = {
            "Accept": "application/json",
            "Authorization": token and f"Bearer {token}",
            "Content-Type": "application/json" if body is not None else None,
            "Idempotency-Key": key,
        }
        headers = {name: value for name, value in given.items() if value is not None}
        request = urllib.request.Request(self._url + path, body, headers, method=method)  # noqa: S310 - looked at above
        answer = self._exchange(request, again=method == "GET" or bool(key))
        self.requests += 1
        return answer

    def _exchange(self, request: urllib.request.Request, again: bool) -> bytes:
        """Send and read; once more when the connection broke and that is safe."""
        try:
            with self._opener.open(request, timeout=TIMEOUT) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                raise RefusedError(_message(error), error.code) from error
        except (OSError, http.client.HTTPException) as error:
            cause = error.reason if isinstance(error, urllib.error.URLError) else error
            if again and isinstance(cause, ConnectionError) and not isinstance(cause, ConnectionRefusedError):
                return self._exchange(request, again=False)
            raise NoAnswerError(_reason(cause)) from error


def _json(answer: bytes) -> Any:
    try:
        return json.loads(answer)
    except ValueError:
        raise NoAnswerError("what answers there is not Ulm by mail") from None


def _message(answer: urllib.error.HTTPError) -> str:
    try:
        return str(json.loads(answer.read())["message"])
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        raise NoAnswerError(f"what answers there (status {answer.code}) is not Ulm by mail") from None


def _reason(error: object) -> str:
    if isinstance(error, TimeoutError):
        return f"it took longer than {TIMEOUT:.0f} s"
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()
