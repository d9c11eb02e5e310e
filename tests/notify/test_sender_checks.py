"""What an operator is told at the start of mails that would come from nowhere."""

from __future__ import annotations

import pytest

from server.notify.transport import sender_warnings
from server.settings import Settings

GOOD = {"smtp_url": "smtp://mail.example.org", "mail_from": "ulm@example.org", "base_url": "https://ulm.example.org"}


def test_without_a_mail_server_nothing_is_wrong() -> None:
    assert sender_warnings(Settings()) == []


def test_with_all_three_set_nothing_is_wrong() -> None:
    assert sender_warnings(Settings(**GOOD)) == []


@pytest.mark.parametrize("sender", ["ulm@localhost", "ulm@host.local", "ulm@box.lan"])
def test_who_sends_from_nowhere_is_told(sender: str) -> None:
    [line] = sender_warnings(Settings(**GOOD | {"mail_from": sender}))
    assert "set ULM_MAIL_FROM" in line


@pytest.mark.parametrize("url", ["", "http://127.0.0.1:8000", "https://ulm.local/games", "http://[::1]:8000"])
def test_links_that_lead_nowhere_are_told(url: str) -> None:
    [line] = sender_warnings(Settings(**GOOD | {"base_url": url}))
    assert "set ULM_BASE_URL" in line
