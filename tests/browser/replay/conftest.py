"""The example game, which the tests of this folder watch."""

from __future__ import annotations

import pytest

from server.service.seating.example_game import ensure_example
from tests.browser.site import Site
from tests.service.conftest import NOW


@pytest.fixture(autouse=True)
def example(site: Site) -> None:
    ensure_example(site.store, NOW)
