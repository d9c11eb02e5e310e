"""Settings: defaults, messages that name the variable, no password shown, documentation complete."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from server.settings import Settings, SettingsError, local_url

DOCUMENTATION = Path(__file__).parent.parent / "docs" / "settings.md"

WRONG = {
    "ULM_PORT": ("http", "65536", "-1", " 80", "8_0", "9" * 5000, "٨٠"),
    "ULM_HOST": ("http://localhost", "a b"),
    "ULM_THREADS": ("0",),
    "ULM_EXAMPLE": ("maybe",),
    "ULM_LOG_LEVEL": ("loud",),
    "ULM_REPLY_DOMAIN": ("play@ulm.example.org", "ulm.example.org\nBcc: c@d", "ulm example.org"),
    "ULM_MAIL_FROM": ("nobody", "a@b\nBcc: c@d"),
    "ULM_LMTP_LISTEN": ("8024", "::1:8024", "127.0.0.1:99999", "unix:lmtp.sock", "a b:1"),
    "ULM_IMAP_URL": (
        "imap.example.org",
        "imaps://imap.example.org",
        "imaps://user@imap.example.org",
        "imaps://user:secret@imap.example.org/INBOX?delete=no",
        "pop3://user:secret@pop.example.org",
    ),
    "ULM_AUTHSERV_ID": ("mx.example.org; dkim=pass",),
    "ULM_SMTP_URL": (
        "mail.example.org",
        "smtp://",
        "smtp://host?starttls=maybe",
        "smtps://host?starttls=never",
        "smtp://user@host",
        "smtp://host/path",
    ),
    "ULM_LIMITS_PERCENT": ("0",),
    "ULM_BASE_URL": ("ulm.example.org", "https://a/?b"),
    "ULM_DATABASE_URL": (
        "mysql://h/d",
        "sqlite:///:memory:",
        "sqlite://data/x",
        "postgresql://host",
        "postgresql://host:port/d",
    ),
    "ULM_LIMITS_STORE": ("memory", "redis://", "memcached://h:1"),
    "ULM_OWN_NETWORKS": ("10.1.2.3/16", "not a network", "10.0.0.0/8,"),
    "ULM_CORS_ORIGINS": (
        "example.org",
        "https://example.org/",
        "https://a.org,*",
        "ftp://a.org",
        "https://user@a.org",
        "https://*.a.org",
        "https://a.org https://b.org",
        ",",
    ),
}


def variables() -> dict[str, Any]:
    """Each variable with its default, in the order of `Settings`."""
    return {f"ULM_{item.name.upper()}": item.default for item in fields(Settings)}


def test_nothing_has_to_be_set():
    settings = Settings.from_env({"PATH": "/bin", "ULM_SMTP_URL": ""})
    assert settings == Settings()
    assert settings.database == "sqlite:///data/ulm.sqlite3"
    assert settings.public_url == "http://127.0.0.1:8000"


def test_every_variable_is_read():
    given = {
        "ULM_RULESETS": "/etc/ulm/box.toml",
        "ULM_ARCHIVE_AFTER_DAYS": "400",
        "ULM_HOST": "::1",
        "ULM_PORT": "0",
        "ULM_DATA_DIR": "/var/lib/ulm",
        "ULM_THREADS": "4",
        "ULM_STREAMS": "700",
        "ULM_DATABASE_URL": "postgresql://u:p@db/ulm",
        "ULM_SMTP_URL": "smtps://u:p@mail.example.org:465",
        "ULM_BASE_URL": "https://ulm.example.org/",
        "ULM_MAIL_FROM": "ulm@example.org",
        "ULM_REPLY_DOMAIN": "Ulm.example.org",
        "ULM_PROXY_HOPS": "1",
        "ULM_SHUTDOWN_SECONDS": "3",
        "ULM_EXAMPLE": "off",
        "ULM_DEALS": "off",
        "ULM_LOG_LEVEL": "debug",
        "ULM_MAIL_WORKERS": "0",
        "ULM_MAIL_PICTURES": "off",
        "ULM_LMTP_LISTEN": "127.0.0.1:8024",
        "ULM_IMAP_URL": "imaps://u:p@imap.example.org/INBOX",
        "ULM_AUTHSERV_ID": "mx.example.org",
        "ULM_JOBS": "off",
        "ULM_BOT_WORKERS": "0",
        "ULM_ANALYSES": "off",
        "ULM_STREAM_SECONDS": "20",
        "ULM_ACCOUNTS_PER_HOUR": "9",
        "ULM_AUDIT_DAYS": "30",
        "ULM_BACKUP_FOLDER": "/srv/copies",
        "ULM_BACKUPS_KEPT": "30",
        "ULM_STRANGER_MAILS_PER_HOUR": "50",
        "ULM_OWN_NETWORKS": "10.1.0.0/16,fd00::/8",
        "ULM_CORS_ORIGINS": "https://play.example.org",
        "ULM_SESSION_DAYS": "60",
        "ULM_LIMITS_PERCENT": "50",
        "ULM_METRICS_LISTEN": "10.0.0.7:9101",
        "ULM_LOG_FORMAT": "json",
        "ULM_LIMITS_STORE": "redis://u:p@redis:6379/0",
    }
    settings = Settings.from_env(given)
    assert given.keys() == variables().keys()
    unread = [
        name for name, default in variables().items() if getattr(settings, name.removeprefix("ULM_").lower()) == default
    ]
    assert unread == []
    assert settings.base_url == "https://ulm.example.org"
    assert settings.data_dir == Path("/var/lib/ulm")
    assert settings.example is False
    assert settings.log_level == "DEBUG"


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_a_wrong_value_is_named(name, value):
    with pytest.raises(SettingsError) as caught:
        Settings.from_env({name: value})
    [problem] = caught.value.problems
    assert problem.startswith(f"{name}: ")
    assert "\n" not in problem
    assert len(problem) < 200


def test_all_wrong_values_are_told_at_once():
    with pytest.raises(SettingsError) as caught:
        Settings.from_env({"ULM_PORT": "x", "ULM_THREADS": "x", "ULM_HOST": "fine"})
    assert [problem.split(":")[0] for problem in caught.value.problems] == ["ULM_PORT", "ULM_THREADS"]


def test_a_misspelt_name_is_an_error_with_a_suggestion():
    with pytest.raises(SettingsError, match=r"ULM_DATADIR: .*did you mean ULM_DATA_DIR"):
        Settings.from_env({"ULM_DATADIR": "/srv"})
    with pytest.raises(SettingsError, match=r"ULM_QQQQQQ: .*docs/settings\.md"):
        Settings.from_env({"ULM_QQQQQQ": "1"})


@pytest.mark.parametrize(
    "name", ["ULM_DATABASE_URL", "ULM_SMTP_URL", "ULM_IMAP_URL", "ULM_BASE_URL", "ULM_LIMITS_STORE"]
)
@pytest.mark.parametrize("form", ["x://u:hunter2@h:99999/d", "hunter2", "x://u:hunter2@[h/d", "https://u:hunter2@h"])
def test_no_message_and_no_repr_shows_a_password(name, form):
    with pytest.raises(SettingsError) as caught:
        Settings.from_env({name: form})
    assert "hunter2" not in str(caught.value)
    settings = Settings(
        database_url="postgresql://u:hunter2@h/d", smtp_url="smtp://u:hunter2@h", imap_url="imaps://u:hunter2@h"
    )
    assert "hunter2" not in repr(settings)


def test_local_addresses_can_be_opened():
    assert local_url("0.0.0.0", 80) == "http://127.0.0.1:80"
    assert local_url("::", 80) == "http://[::1]:80"
    assert local_url("ulm.example.org", 80) == "http://ulm.example.org:80"


def test_the_documentation_lists_every_setting_with_its_default():
    rows = dict(re.findall(r"^\| `(ULM_\w+)` \| (?:`(.*?)`)? *\|", DOCUMENTATION.read_text("utf-8"), re.M))
    shown = {
        name: {True: "on", False: "off"}.get(default, str(default)) if isinstance(default, bool) else str(default)
        for name, default in variables().items()
    }
    assert rows == shown
