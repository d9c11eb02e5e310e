"""Access that ends has ended for requests that are on their way as well."""

import threading
from contextlib import suppress
from datetime import timedelta

import pytest

from server.service.accounts import (
    access,
    account_opening,
    bot_accounts,
    confirming,
    links,
    players,
    profiles,
    sessions,
    tokens,
)
from server.service.accounts.players import AccessEndedError
from server.service.admin import banning
from server.service.common.errors import Unprocessable
from server.service.erasure import deletion
from server.service.play import vacation
from server.storage import sql
from tests.service.conftest import NOW, make_player
from tests.together import until

ADDRESS = "ann@example.org"
WAIT = 60.0  # seconds after which a thread that did not come is missed


@pytest.fixture
def ann(store):
    """Mal's account, made with Ann's address, as it is found by its token; it owns a bot."""
    made = account_opening.create_player(store, "Mal", ADDRESS, NOW)
    player = access.authenticate(store, made["token"], NOW)
    bot_accounts.create(store, player, "sly", None, None, NOW)
    return player


def confirm(store, player) -> None:
    """Its true owner confirms the address."""
    token = links.make(store, "confirm", now=NOW, player=player.id, address=links.address_claim(ADDRESS))
    confirming.confirm(store, token, None, NOW)


ENDS = {
    "confirmed": confirm,
    "operator": lambda store, player: confirming.end_all_access(store, player.id, NOW),
    "banned": lambda store, player: banning.ban(store, player.id, NOW),
    "deleted": lambda store, player: deletion.delete_account(store, player, NOW),
}
MAKES = {
    "token": lambda store, player: tokens.create(store, player, "late", NOW),
    "bot": lambda store, player: bot_accounts.create(store, player, "late", None, None, NOW),
    "bot's token": lambda store, player: bot_accounts.renew_token(store, player, "sly", NOW),
    "address": lambda store, player: profiles.update_profile(store, player, {"email": "mal@example.org"}, NOW),
    "name": lambda store, player: profiles.update_profile(store, player, {"name": "Eve"}, NOW),
    "mail": lambda store, player: sessions.ask_once_more(store, player, NOW, ""),
    "bot's end": lambda store, player: deletion.delete_bot(store, player, "sly", NOW),
    "vacation": lambda store, player: vacation.add(store, player, None, NOW + timedelta(days=2), NOW),
    "sessions": lambda store, player: sessions.sign_out_everywhere(store, player, NOW),
}


def rows(store) -> list[list[sql.Row]]:
    with store.read():
        return [
            sql.rows(store, f"SELECT * FROM {table}") for table in ("player", "token", "session", "bot_account", "mail")
        ]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("door", ["token", "session"])
def test_what_was_let_in_before_makes_nothing_afterwards(store, ann, end, door):
    if door == "session":
        ann = sessions.player_of(store, sessions.new_session(store, ann.id, NOW, fresh=True), NOW)
    ENDS[end](store, ann)
    before = rows(store)
    for make in MAKES.values():
        with pytest.raises(AccessEndedError):
            make(store, ann)
    if end != "deleted":
        with pytest.raises(AccessEndedError):
            deletion.delete_account(store, ann, NOW)
    assert rows(store) == before


@pytest.mark.parametrize("make", ["token", "bot", "bot's token"])
@pytest.mark.parametrize("end", ["operator", "banned"])
def test_what_is_made_while_access_ends_ends_with_it(store, ann, monkeypatch, make, end):
    """A request holds the account and has made its token; then the end begins, which has to wait for it."""
    made, halfway, go_on = [], threading.Event(), threading.Event()
    note = bot_accounts.audit_log.note

    def stop(*given, **said):
        note(*given, **said)
        if given[1] == "token_made":
            halfway.set()
            assert go_on.wait(WAIT)

    monkeypatch.setattr(bot_accounts.audit_log, "note", stop)
    maker = threading.Thread(target=lambda: made.append(MAKES[make](store, ann)["token"]))
    maker.start()
    assert halfway.wait(WAIT)
    ender = threading.Thread(target=ENDS[end], args=(store, ann))
    ender.start()
    wait_for_the_lock(store, ender)
    go_on.set()
    maker.join(WAIT)
    ender.join(WAIT)
    [token] = made
    assert access.authenticate(store, token, NOW) is None
    assert end != "banned" or sql.rows(store, "SELECT 1 FROM player WHERE banned_at IS NULL") == []


def wait_for_the_lock(store, thread) -> None:
    """On SQLite whoever writes has the database to themselves, however early the other one comes."""
    waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    if not store.is_sqlite:
        until(lambda: store.ask(lambda: sql.row(store, waiting)), "it does not wait for who holds the account")
    assert thread.is_alive()


def test_the_last_way_in_is_looked_at_where_it_is_taken_away(store):
    """The page looked for a token before, which might be revoked by then."""
    ann = make_player(store, "Ann")
    profiles.update_profile(store, ann, {"email": ADDRESS}, NOW)
    with store.write():
        sql.execute(store, "UPDATE token SET scopes = 'play'")
    with pytest.raises(Unprocessable, match="nobody could come back"):
        profiles.update_profile(store, ann, {"email": None}, NOW)
    assert players.player_by_id(store, ann.id).email == ADDRESS


def test_the_bots_of_an_account_end_with_it_and_are_named_before(store, ann):
    token = bot_accounts.renew_token(store, ann, "sly", NOW)["token"]
    with store.read():
        assert confirming.holding(store, ann.id).bots == ["sly (bot)"]
    confirm(store, ann)
    assert access.authenticate(store, token, NOW) is None
    with store.read():
        assert confirming.holding(store, ann.id).bots == []


def test_who_was_inside_when_access_ended_confirms_nothing(store, ann):
    token = links.make(store, "confirm", now=NOW, player=ann.id, address=links.address_claim(ADDRESS))
    session = sessions.player_of(store, sessions.new_session(store, ann.id, NOW), NOW)
    with store.write():
        sql.execute(store, "DELETE FROM session WHERE player_id = ?", ann.id)
    with pytest.raises(AccessEndedError):
        confirming.confirm(store, token, session, NOW)
    assert players.player_by_id(store, ann.id).email_confirmed_at is None


def test_a_session_gets_another_token_only_while_it_is_there(store, ann):
    session = sessions.new_session(store, ann.id, NOW, fresh=True)
    renewed = sessions.renew(store, session)
    found = sessions.find(store, renewed, NOW)
    assert (found.began, found.fresh_at) == (NOW, None)
    assert sessions.find(store, session, NOW) is None
    with suppress(AccessEndedError):
        sessions.sign_out_everywhere(store, found.player, NOW)
    assert sessions.renew(store, renewed) is None


def test_an_address_that_comes_while_another_is_confirmed_is_not_confirmed(store, ann):
    """The link proves the old one; the new one was read by nobody."""
    halfway, go_on, refused = threading.Event(), threading.Event(), []

    def change() -> None:
        with store.write():
            players.lock(store, ann.id)
            sql.execute(store, "UPDATE player SET email = ? WHERE id = ?", "somebody@example.net", ann.id)
            halfway.set()
            assert go_on.wait(WAIT)

    def prove() -> None:
        try:
            confirm(store, ann)
        except links.OldLinkError as error:
            refused.append(error)

    changer, prover = threading.Thread(target=change), threading.Thread(target=prove)
    changer.start()
    assert halfway.wait(WAIT)
    prover.start()
    if not store.is_sqlite:
        wait_for_the_lock(store, prover)
    go_on.set()
    changer.join(WAIT)
    prover.join(WAIT)
    assert len(refused) == 1
    with store.read():
        assert sql.row(store, "SELECT email, email_confirmed_at FROM player WHERE id = ?", ann.id) == (
            "somebody@example.net",
            None,
        )
