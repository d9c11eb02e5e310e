"""Fixtures of the API's tests."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.api.caller import Caller

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def stranger(client: FlaskClient) -> Caller:
    """Somebody without a token."""
    return Caller(client)


@pytest.fixture
def ann(client: FlaskClient) -> Caller:
    """A player."""
    return Caller(client, "Ann")
