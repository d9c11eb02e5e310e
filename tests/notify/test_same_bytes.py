"""A mail that is sent once more, by another process and later, has the same bytes."""

import json
import os
import subprocess
import sys
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from server.notify.compose import compose
from server.notify.composing import compose_one
from server.notify.mime_message import OutgoingMail
from server.service.chat import messages
from server.service.seating import creating, invitations
from server.settings import Settings
from server.storage.database import Store, open_database
from tests.notify.letters import queued
from tests.notify.test_compose import Mails
from tests.service.conftest import NOW
from tests.tables import Mail
from tests.tables import Player as PlayerRow

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
ROOT = Path(__file__).parent.parent.parent


def compose_all(settings: Settings, minutes: int, **environment: str) -> dict[str, str]:
    """What a process of its own makes of all mails."""
    others = {name: value for name, value in os.environ.items() if not name.startswith(("ULM_", "PYTHON", "LC_"))}
    ours = {
        "ULM_DATABASE_URL": settings.database_url,
        "ULM_DATA_DIR": str(settings.data_dir),
        "ULM_BASE_URL": settings.base_url,
        "ULM_MAIL_FROM": settings.mail_from,
        "ULM_REPLY_DOMAIN": "in.ulm.example.org",
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.notify.test_same_bytes", str(minutes)],
        cwd=ROOT,
        env={**others, **ours, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_whichever_process_composes_it_and_when(store: Store, plain: Settings) -> None:
    """Another hash seed, time zone, locale and port, half an hour later."""
    tables = [Mails(store, plain, 3, seed, name=f"Spiel {seed}") for seed in (1, 2)]
    for table, language in zip(tables, ("de", "it"), strict=True):
        with store.write():
            ids = [player.id for player in table.players[1:]]
            PlayerRow.update(preferences=json.dumps({"language": language})).where(PlayerRow.id.in_(ids)).execute()
        for _ in range(4):
            table.turn()
        messages.post(store, table.id, table.players[0], "Grüße ─┼─", NOW)
    host = tables[0].players[0]
    free = creating.create(store, host, 2, "Frei", {"tower": True}, "", [], False, NOW)
    invitations.invite(store, host, free["id"], "eve@example.org", NOW)
    first = compose_all(plain, 0, PYTHONHASHSEED="1", TZ="UTC", ULM_PORT="0")
    again = compose_all(plain, 30, PYTHONHASHSEED="2", TZ="Asia/Tokyo", LC_ALL="C", ULM_PORT="8001")
    made = {key for key, what in first.items() if what.startswith("bounce+")}
    assert {key.split(":")[0] for key in made} >= {"turn", "message"}
    assert {key: first[key] for key in made} == {key: again[key] for key in made}


def test_a_picture_is_drawn_alike_by_each(store: Store, plain: Settings) -> None:
    pytest.importorskip("resvg_py")
    table = Mails(store, plain, 2, 1)
    table.turn()
    assert compose_all(plain, 0, ULM_MAIL_PICTURES="on") == compose_all(plain, 1, ULM_MAIL_PICTURES="on")


def main() -> None:
    """Compose all mails of the database of ULM_DATABASE_URL, so many minutes after they are due; print their hashes."""
    settings = Settings.from_env(os.environ)
    store = open_database(settings.database, threads=1)
    mails = store.ask(lambda: [queued(row) for row in Mail.select().order_by(Mail.id)])
    made = {}
    for one in mails:
        outcome = compose_one(compose, store, settings, one, one.due + timedelta(minutes=int(sys.argv[1])))
        made[one.key] = str(outcome)
        if isinstance(outcome, OutgoingMail):
            made[one.key] = f"{outcome.sender} {outcome.to} {sha256(outcome.data).hexdigest()}"
    store.close()
    print(json.dumps(made))


if __name__ == "__main__":
    main()
