"""The API speaks English, whatever language the account or the browser prefers."""

from __future__ import annotations

import pytest

from tests.routes.conftest import SQLITE

pytestmark = SQLITE

ASKED = (
    ("GET", "/games/nowhere", None),
    ("POST", "/games", {"seats": 9}),
    ("GET", "/replays/nowhere", None),
    ("PATCH", "/players/me", {"email": "no address"}),
    ("GET", "/nowhere", None),
)


@pytest.mark.parametrize("language", ["de", "it"])
def test_answers_do_not_depend_on_the_language(ann, client, language):
    """Programs compare messages, and caches know nothing of languages."""
    before = [ann.call(method, path, json) for method, path, json in ASKED]
    ann.call("PATCH", "/players/me", {"preferences": {"language": language}}, status=200)
    client.set_cookie("ulm_language", language)
    for (method, path, json), old in zip(ASKED, before, strict=True):
        new = ann.call(method, path, json, headers={"Accept-Language": language})
        assert new.status_code == old.status_code >= 400
        assert new.json == old.json
        assert "Content-Language" not in new.headers
