"""`ulm mail`: what operators see and do."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from server.cli import main
from server.notify import runner
from server.service.accounts import account_opening
from server.service.common import audit_log
from server.service.outbox import deliveries
from server.settings import Settings
from server.storage.database import Store
from tests.notify.composers import plain
from tests.notify.conftest import NOW, Letterbox, mark, put, states
from tests.notify.sink import Sink
from tests.tables import Mail, Player

pytestmark = [
    pytest.mark.parametrize("database_url", ["sqlite"], indirect=True),
]


@pytest.fixture
def environ(settings: Settings) -> dict[str, str]:
    return {"ULM_DATABASE_URL": settings.database_url, "ULM_DATA_DIR": str(settings.data_dir)}


def bury(store: Store, error: str = "550 nobody\x1b[31m here") -> list[int]:
    """Two dead letters and one that is sent; the numbers of the dead."""
    put(store, NOW, 3)
    claimed = deliveries.claim(store, "one", NOW, NOW + timedelta(minutes=1), 10)
    mark(
        store,
        "one",
        [
            deliveries.Mark(claimed[0].id, "dead", error=error),
            deliveries.Mark(claimed[1].id, "dead"),
            deliveries.Mark(claimed[2].id, "sent"),
        ],
        NOW,
    )
    return [notice.id for notice in claimed[:2]]


def test_list_shows_what_is_dead_and_why(store, environ, capsys) -> None:
    first, _ = bury(store)
    assert main(["mail", "list", "--state", "dead"], environ) == 0
    out = capsys.readouterr().out
    assert f"{first}  dead " in out
    assert "tries 1" in out
    assert "to player0@example.org" in out
    assert "(550 nobody?[31m here)" in out  # what a mail server says does not colour the terminal
    assert out.endswith("0 pending, 0 sending, 1 sent, 0 skipped, 2 dead\n")
    assert main(["mail", "list", "--limit", "1"], environ) == 0
    assert capsys.readouterr().out.count("\n") == 2


def test_show_tells_all_but_secrets(store, environ, capsys) -> None:
    first, _ = bury(store)
    with store.write():
        secret = {"data": '{"token": "sesame"}', "bounce_token": "open" * 6}
        Mail.update(fault="theirs", **secret).where(Mail.id == first).execute()
    assert main(["mail", "show", str(first)], environ) == 0
    out = capsys.readouterr().out
    for line in (
        "state:           dead",
        "about:           turn:0",
        "tries:           1 of 12",
        "fault:           theirs",
    ):
        assert line in out
    assert "to:              player0@example.org" in out
    assert "Message-ID:      <" in out
    assert "sesame" not in out
    assert "open" not in out
    assert "\x1b" not in out
    assert main(["mail", "show", "999"], environ) == 2
    assert "there is no mail 999" in capsys.readouterr().err


def test_retry_gives_a_new_start(store, environ, capsys) -> None:
    first, second = bury(store)
    assert main(["mail", "retry", str(first)], environ) == 0
    assert "1 mail is due again" in capsys.readouterr().out
    assert states(store) == {"pending": 1, "sent": 1, "dead": 1}
    assert main(["mail", "retry", str(first)], environ) == 2
    assert f"mail {first} is not dead" in capsys.readouterr().err
    assert main(["mail", "retry", str(second), "999"], environ) == 2
    assert main(["mail", "retry"], environ) == 2
    assert main(["mail", "retry", "1", "--all"], environ) == 2
    assert "by their numbers, or all of them by --all" in capsys.readouterr().err
    assert states(store) == {"pending": 1, "sent": 1, "dead": 1}
    assert main(["mail", "retry", "--all"], environ) == 0
    assert states(store) == {"pending": 2, "sent": 1}
    assert store.ask(lambda: Mail.get_by_id(second).attempts) == 0


def test_dropped_ones_are_never_sent(store, environ, capsys) -> None:
    first, second = bury(store)
    put(store, NOW, 1, prefix="waits")
    waiting = store.ask(lambda: Mail.get(Mail.key == "waits:0").id)
    assert main(["mail", "drop", str(first), "999"], environ) == 2
    assert "mail 999 neither waits nor is dead" in capsys.readouterr().err
    assert main(["mail", "drop", str(first), str(waiting)], environ) == 0
    assert capsys.readouterr().out == "2 mails are not sent.\n"
    assert states(store) == {"sent": 1, "skipped": 2, "dead": 1}
    assert main(["mail", "drop", str(second + 1)], environ) == 2  # it is sent
    assert states(store)["sent"] == 1


def test_paused_nothing_is_sent_until_it_is_resumed(store, settings, environ, capsys) -> None:
    put(store, NOW, 2)
    delivery = runner.delivery(store, replace(settings, mail_workers=0), plain, "one", transport=Letterbox())
    assert main(["mail", "pause", "--why", "the\x1b[31m provider moves"], environ) == 0
    assert main(["mail", "pause"], environ) == 1
    assert delivery.run() == {}
    capsys.readouterr()
    assert main(["mail", "list"], environ) == 0
    head = capsys.readouterr().out.split("\n")[0]
    assert head.startswith("PAUSED by `ulm mail pause` since 20")
    assert "(the?[31m provider moves)" in head
    assert main(["mail", "resume"], environ) == 0
    assert main(["mail", "resume"], environ) == 1
    assert delivery.run() == {"sent": 2}
    main(["mail", "list"], environ)
    assert "PAUSED" not in capsys.readouterr().out
    acts = [line["what"] for line in audit_log.listing(store)]
    assert acts == ["operator_paused_mail", "operator_resumed_mail"]


def test_test_says_what_the_server_said(environ, sink: Sink, capsys) -> None:
    environ = {**environ, "ULM_SMTP_URL": sink.url, "ULM_BASE_URL": "https://ulm.example.org"}
    assert main(["mail", "test", "ann@example.org"], environ) == 0
    [mail] = sink.wait_for(1)
    assert mail.to == ["ann@example.org"]
    assert "https://ulm.example.org" in mail.message.get_content()
    assert main(["mail", "test", "gone@example.org"], environ) == 1
    assert "550 5.1.1" in capsys.readouterr().err
    assert main(["mail", "test", "not an address"], environ) == 2
    assert main(["mail", "test", ""], environ) == 2
    sink.stop()
    assert main(["mail", "test", "ann@example.org"], environ) == 1
    assert "connection refused" in capsys.readouterr().err


def test_test_without_a_server_makes_a_file(environ, settings, capsys) -> None:
    assert main(["mail", "test", "ann@example.org"], environ) == 0
    [path] = (Path(settings.data_dir) / "mail").iterdir()
    assert path.suffix == ".eml"
    assert str(path.parent) in capsys.readouterr().out


def test_a_bounced_address_gets_no_more(store, environ, capsys) -> None:
    account_opening.create_player(store, "Ann", "Ann@example.org", NOW)
    put(store, NOW, 1, address="ann@EXAMPLE.org")
    assert main(["mail", "bounced", "ann@example.org", "--why", "Mailbox unknown."], environ) == 0
    assert "1 account gets no more mail" in capsys.readouterr().out
    with store.read():
        player = Player.get()
        assert Mail.get(Mail.key == "turn:0").state == "skipped"
    assert player.mail_stopped_why == "Mailbox unknown."
    assert player.mail_stopped_at is not None
    assert main(["mail", "bounced", "ann@example.org"], environ) == 1  # nothing more to stop
    assert main(["mail", "bounced", "nobody@example.org"], environ) == 1
    assert main(["mail", "bounced", "x"], environ) == 2


def test_an_old_schema_is_named(database_url, tmp_path, capsys) -> None:
    assert main(["mail", "list"], {"ULM_DATA_DIR": str(tmp_path / "new")}) == 2
    assert "ulm db migrate" in capsys.readouterr().err
