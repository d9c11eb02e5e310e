"""Signed links: bound to purpose and claims, old after a while, signed by keys that can be changed."""

from __future__ import annotations

import importlib.util
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest
from playhouse.migrate import SchemaMigrator

from server.service.accounts import access, account_opening, confirming, link_urls, links, players, profiles, sessions
from server.service.accounts.links import LIFETIMES, BadLinkError, OldLinkError
from server.service.common import audit_log
from server.settings import Settings
from server.storage.migrate import DIRECTORY
from server.storage.models import SigningKey, UsedLink
from tests.service.conftest import NOW

CLAIMS = {"player": "p1", "game": "g1", "ply": 17, "seat": 2}


def keys(store):
    with store.read():
        return [key.secret for key in SigningKey.select().order_by(SigningKey.id)]


def test_a_token_gives_back_what_was_signed(store):
    token = links.turn_token(store, now=NOW, player_id="p1", game_id="g1", ply=17, seat=2)
    assert links.read(store, token, "turn", now=NOW) == CLAIMS
    assert links.read_signed(store, token, "turn", now=NOW) == (CLAIMS, NOW)
    assert len(keys(store)) == 1, "one key, made at first need"
    assert set(token) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
    assert len(token) < 200


def test_the_same_claims_and_time_give_the_same_token_also_after_a_rotation(store):
    token = links.sign(store, "turn", now=NOW, **CLAIMS)
    assert links.sign(store, "turn", now=NOW, **CLAIMS) == token
    links.rotate(store, NOW + timedelta(days=1))
    assert links.sign(store, "turn", now=NOW, **CLAIMS) == token, "a mail that is sent once more reads the same"
    assert links.sign(store, "turn", now=NOW + timedelta(days=2), **CLAIMS) != token


@pytest.mark.parametrize("other", [purpose for purpose in LIFETIMES if purpose != "turn"])
def test_a_token_is_for_one_purpose(store, other):
    token = links.sign(store, "turn", now=NOW, **CLAIMS)
    with pytest.raises(BadLinkError):
        links.read(store, token, other, now=NOW)


def test_a_changed_token_is_refused(store):
    token = links.sign(store, "turn", now=NOW, **CLAIMS)
    payload, _, signed = token.partition(".")
    other = links.sign(store, "turn", now=NOW, **{**CLAIMS, "seat": 1}).partition(".")[0]
    wrong = [
        "",
        ".",
        "..",
        "a.b.c",
        token[:-4],
        token + "x" * 1000,
        f"{other}.{signed}",
        "é" + token,
        "\0",
        token[::-1],
        f".{payload}.{signed}",
    ]
    for position in range(len(payload)):
        letter = "A" if payload[position] != "A" else "B"
        wrong.append(payload[:position] + letter + payload[position + 1 :] + "." + signed)
    for text in wrong:
        with pytest.raises(BadLinkError) as caught:
            links.read(store, text, "turn", now=NOW)
        assert text not in caught.value.message or len(text) < 3
    with pytest.raises(BadLinkError):
        links.read(store, None, "turn", now=NOW)


def test_without_any_key_nothing_is_right(store):
    with pytest.raises(BadLinkError):
        links.read(store, "a.b.c", "turn", now=NOW)
    assert keys(store) == [], "reading writes nothing"


@pytest.mark.parametrize("purpose", LIFETIMES)
def test_a_token_ends_with_its_lifetime(store, purpose):
    token = links.sign(store, purpose, now=NOW, player="p1")
    last = NOW + LIFETIMES[purpose]
    assert links.read(store, token, purpose, now=last) == {"player": "p1"}
    with pytest.raises(OldLinkError):
        links.read(store, token, purpose, now=last + timedelta(seconds=1))
    with pytest.raises(OldLinkError):
        links.read(store, token, purpose, now=NOW - timedelta(hours=1))
    assert links.read(store, token, purpose, now=NOW - timedelta(minutes=1)), "clocks of two machines differ a little"


def test_rotation_keeps_what_was_signed_and_revoking_does_not(store):
    first = links.sign(store, "unsubscribe", now=NOW, player="p1")
    assert links.rotate(store, NOW) == 2
    later = NOW + timedelta(days=1)
    second = links.sign(store, "unsubscribe", now=later, player="p1")
    assert links.read(store, first, "unsubscribe", now=later) == {"player": "p1"}
    old, new = keys(store)
    with store.write():
        SigningKey.delete().where(SigningKey.secret == old).execute()
    assert links.read(store, second, "unsubscribe", now=later), "the newest key signs"
    with pytest.raises(BadLinkError):
        links.read(store, first, "unsubscribe", now=later)
    assert links.rotate(store, later, revoke=True) == 1
    assert new not in keys(store)
    with pytest.raises(BadLinkError):
        links.read(store, second, "unsubscribe", now=later)


def test_rotation_forgets_keys_of_which_nothing_is_left(store):
    links.sign(store, "turn", now=NOW, **CLAIMS)
    first = keys(store)[0]
    links.rotate(store, NOW + timedelta(days=1))
    assert first in keys(store)
    assert links.rotate(store, NOW + timedelta(days=1, hours=1) + LIFETIMES["unsubscribe"]) == 2
    assert first not in keys(store)


def test_a_single_use_link_works_once_however_its_signature_is_written(store):
    token = links.sign(store, "sign_in", now=NOW, player="p1")
    with store.write():
        links.use_once(store, token, "sign_in", NOW)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    spellings = [text for text in (token[:-1] + letter for letter in letters) if verifies(store, text)]
    assert token in spellings
    for text in spellings:
        with store.write(), pytest.raises(OldLinkError):
            links.use_once(store, text, "sign_in", NOW)
    with store.write():
        links.use_once(store, token, "confirm", NOW)  # another purpose, another link


def verifies(store, token):
    try:
        return bool(links.read(store, token, "sign_in", now=NOW))
    except BadLinkError:
        return False


def test_used_links_are_forgotten_when_they_are_too_old_anyhow(store):
    with store.write():
        links.use_once(store, "a.b", "sign_in", NOW)
    with store.write():
        links.use_once(store, "c.d", "sign_in", NOW + timedelta(days=1))
        assert UsedLink.select().count() == 1


@pytest.fixture
def ann(store):
    made = account_opening.create_player(store, "Ann", "ann@example.org", NOW)
    with store.write():
        confirming.confirm_address(store, made["id"], NOW)
    return players.player_by_id(store, made["id"])


def good(store, tokens):
    """The purposes of those tokens that can be read."""
    found = set()
    for purpose, token in tokens.items():
        with suppress(OldLinkError):
            links.read(store, token, purpose, now=NOW)
            found.add(purpose)
    return found


ENDS = {
    "signing out everywhere": lambda store, ann: sessions.sign_out_everywhere(store, ann, NOW),
    "another address": lambda store, ann: profiles.update_profile(store, ann, {"email": "anna@example.org"}, NOW),
    "no address any more": lambda store, ann: profiles.update_profile(store, ann, {"email": None}, NOW),
}


@pytest.mark.parametrize("end", ENDS)
def test_what_lets_a_player_in_ends_with_their_link_epoch(store, ann, end):
    ben = account_opening.create_player(store, "Ben", None, NOW)["id"]
    tokens, bens = (
        {purpose: links.sign(store, purpose, now=NOW, player=player) for purpose in LIFETIMES}
        for player in (ann.id, ben)
    )
    assert good(store, tokens) == set(LIFETIMES)
    ENDS[end](store, ann)
    # A mail has to be stoppable by what stands in it, whatever became of the account meanwhile.
    assert good(store, tokens) == {"invitation", "unsubscribe", "form"} == set(LIFETIMES) - set(links.PERSONAL)
    assert good(store, bens) == set(LIFETIMES), "of others nothing ends"
    for purpose in links.PERSONAL:
        fresh = links.sign(store, purpose, now=NOW, player=ann.id)
        assert fresh != tokens[purpose]
        assert links.read(store, fresh, purpose, now=NOW) == {"player": ann.id}
    assert links.read(store, tokens["confirm"], "confirm", now=NOW, of_any_epoch=True) == {"player": ann.id}


def test_a_first_address_ends_nothing(store):
    """No mail went anywhere before: a guest stays signed in where the address is given."""
    guest = players.player_by_id(store, account_opening.create_player(store, "Guest", None, NOW)["id"])
    session = sessions.new_session(store, guest.id, NOW)
    profiles.update_profile(store, guest, {"email": "guest@example.org"}, NOW)
    assert sessions.player_of(store, session, NOW) is not None


def test_links_from_before_there_were_epochs_stay_good(store, ann, monkeypatch):
    with monkeypatch.context() as before:
        before.setattr(links, "PERSONAL", ())
        tokens = {purpose: links.sign(store, purpose, now=NOW, player=ann.id) for purpose in LIFETIMES}
    assert good(store, tokens) == set(LIFETIMES)
    sessions.sign_out_everywhere(store, ann, NOW)
    assert good(store, tokens) == {"invitation", "unsubscribe", "form"}


def test_revoking_ends_what_a_kept_key_would_sign(store, ann):
    """Whoever has stolen the key, and whoever puts it back from a copy, lets nobody in by what it signed."""
    tokens = {purpose: links.sign(store, purpose, now=NOW, player=ann.id) for purpose in links.PERSONAL}
    [stolen] = keys(store)
    links.rotate(store, NOW, revoke=True)
    with store.write():
        SigningKey.create(secret=stolen, created_at=NOW)
    assert good(store, tokens) == set()


def test_who_had_signed_out_everywhere_stays_signed_out_after_the_migration(store, ann):
    """That was a row of its own before, which no link in a mail heeded."""
    ben = account_opening.create_player(store, "Ben", None, NOW)["id"]
    tokens = {player: sessions.new_session(store, player, NOW) for player in (ann.id, ben)}
    noted = sha256(f"signed out everywhere {ann.id}".encode()).hexdigest()
    path = next(DIRECTORY.glob("0007_*.py"))
    spec = importlib.util.spec_from_file_location("link_epoch", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    with store.write():
        migrator = SchemaMigrator.from_database(store.database)
        script.down(migrator, store.database)
        UsedLink.create(hash=noted, expires_at=NOW + timedelta(days=90))
        script.up(migrator, store.database)
        assert UsedLink.select().where(UsedLink.hash == noted).count() == 0
    assert sessions.player_of(store, tokens[ann.id], NOW) is None
    assert sessions.player_of(store, tokens[ben], NOW) is not None


def test_the_addresses(store):
    settings = Settings(base_url="https://ulm.example.org/ulm")
    token = links.sign(store, "turn", now=NOW, **CLAIMS)
    base = "https://ulm.example.org/ulm"
    assert link_urls.turn_url(settings, token) == f"{base}/t/{token}"
    assert link_urls.move_url(settings, token, "push N2") == f"{base}/t/{token}/move/push/N2"
    assert link_urls.unsubscribe_url(settings, token) == f"{base}/unsubscribe/{token}"
    assert link_urls.confirm_url(settings, token) == f"{base}/confirm/{token}"
    assert link_urls.sign_in_url(settings, token) == f"{base}/sign-in/{token}"
    assert link_urls.invitation_url(settings, token) == f"{base}/invitation/{token}"
    assert links.address_claim("Ann@Example.org ") == links.address_claim("ann@example.org")
    assert links.address_claim("ann@example.org") != links.address_claim("ben@example.org")


def test_a_purpose_that_there_is_not(store):
    with pytest.raises(ValueError, match="links are for turn"):
        links.sign(store, "nonsense", now=NOW)


def test_the_command(database_url, store, capsys):
    from server.cli import main

    token = links.sign(store, "session", now=datetime.now(UTC), player="p1")
    assert main(["links", "rotate"], {"ULM_DATABASE_URL": database_url}) == 0
    assert "Keys that still verify: 2." in capsys.readouterr().out
    assert links.read(store, token, "session", now=datetime.now(UTC))
    assert main(["links", "rotate", "--revoke"], {"ULM_DATABASE_URL": database_url}) == 0
    assert "worthless" in capsys.readouterr().out
    with pytest.raises(BadLinkError):
        links.read(store, token, "session", now=datetime.now(UTC))


def test_an_operator_ends_what_lets_anybody_into_an_account(database_url, store, capsys):
    from server.cli import main

    made = [account_opening.create_player(store, name, None, NOW) for name in ("Ann", "Ben")]
    ann, ben = (made[0]["id"], made[1]["id"])
    sessions_of = [links.sign(store, "session", now=datetime.now(UTC), player=player) for player in (ann, ben)]
    assert main(["links", "end", ann, "nobody"], {"ULM_DATABASE_URL": database_url}) == 1
    said = capsys.readouterr().out
    assert f"{ann}: all tokens" in said
    assert "nobody: there is no such account" in said
    assert access.authenticate(store, made[0]["token"], NOW) is None
    with pytest.raises(OldLinkError):
        links.read(store, sessions_of[0], "session", now=datetime.now(UTC))
    assert access.authenticate(store, made[1]["token"], NOW) is not None
    assert links.read(store, sessions_of[1], "session", now=datetime.now(UTC))
    assert audit_log.listing(store, [ann])[-1]["what"] == "operator_ended_access"
    assert main(["links", "end", ben], {"ULM_DATABASE_URL": database_url}) == 0


def test_the_command_without_a_schema(tmp_path, capsys):
    from server.cli import main

    assert main(["links", "rotate"], {"ULM_DATA_DIR": str(tmp_path / "new")}) == 2
    assert "ulm db migrate" in capsys.readouterr().err
