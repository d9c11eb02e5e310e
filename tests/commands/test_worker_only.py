"""`ulm worker --only`: which work a process does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from server.commands import CommandError
from server.commands.worker import WORK, Background
from server.notify.jobs import JOBS
from server.settings import Settings
from server.storage.database import Store

ONLY_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def jobs_of(store: Store, settings: Settings, only: tuple[str, ...]) -> set[str]:
    background = Background(store, settings, only)
    try:
        return {job.name for job in background.jobs}
    finally:
        background.stop()


@ONLY_SQLITE
def test_every_job_belongs_to_one_kind_of_work_and_together_they_are_all(store: Store, settings: Settings) -> None:
    full = replace(settings, reply_domain="ulm.example.org", lmtp_listen="127.0.0.1:0", imap_url="imaps://u:p@host/IN")
    of_each = {kind: jobs_of(store, full, (kind,)) for kind in WORK}
    assert of_each["mail"] == {"delivery", "news", "doubtful news"}
    assert of_each["clocks"] == {"clocks", "reminders", "digests", "tournaments"}
    assert of_each["incoming"] == {"lmtp", "mailbox"}
    assert of_each["bots"] == {"bots-0"}
    assert of_each["analyses"] == {"analyses"}
    everything = jobs_of(store, full, WORK)
    assert everything == set().union(*of_each.values())
    assert len(everything) == sum(map(len, of_each.values()))  # none twice
    assert everything >= {job.name for job in JOBS}


@ONLY_SQLITE
@pytest.mark.parametrize(
    ("only", "changes", "why"),
    [
        ("bots", {"bot_workers": 0}, "ULM_BOT_WORKERS is 0"),
        ("analyses", {"analyses": False}, "ULM_ANALYSES is off"),
        ("incoming", {}, "ULM_REPLY_DOMAIN, and ULM_LMTP_LISTEN"),
    ],
)
def test_a_machine_for_what_is_turned_off_is_refused(
    store: Store, settings: Settings, only: str, changes: dict[str, object], why: str
) -> None:
    with pytest.raises(CommandError, match=why):
        Background(store, replace(settings, **changes), (only,))  # type: ignore[arg-type]
    jobs_of(store, replace(settings, **changes), WORK)  # without `--only` it is left out, as ever
