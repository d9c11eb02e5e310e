"""Links: bound to purpose and claims, old after a while; of which each that is used once works once."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta

import pytest

from server.cli import main
from server.service.accounts import (
    access,
    account_opening,
    confirming,
    links,
    players,
    profiles,
    sessions,
)
from server.service.accounts.links import LIFETIMES, BadLinkError, OldLinkError
from server.service.common import audit_log
from tests.service.conftest import NOW
from tests.tables import Game, Player, ShortLink

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
CLAIMS = {"player": "p1", "game": "g1", "ply": 17, "seat": 2}


def rows(store):
    return store.ask(lambda: ShortLink.select().count())


def test_a_token_of_a_mail_is_short_and_leads_to_what_it_is_for(store):
    """Programs and servers write the part before the @ as they like, and people type."""
    token = links.turn_token(store, now=NOW, player_id="p1", game_id="g1", ply=17, seat=2)
    assert re.fullmatch("[a-z2-7]{26}", token)
    for spelled in (token, token.upper(), token.title()):
        assert links.read(store, spelled, "turn", now=NOW) == CLAIMS


@SQLITE
@pytest.mark.parametrize("purpose", LIFETIMES)
def test_the_same_claims_and_time_give_the_same_token(store, purpose):
    token = links.make(store, purpose, now=NOW, **CLAIMS)
    assert links.make(store, purpose, now=NOW, **CLAIMS) == token, "a mail that is composed once more reads the same"
    assert links.make(store, purpose, now=NOW, **{**CLAIMS, "seat": 1}) != token
    later = links.make(store, purpose, now=NOW + timedelta(seconds=1), **CLAIMS)
    assert (later == token) == (purpose in links.RENEWED)
    assert rows(store) == (2 if purpose in links.RENEWED else 3)


@pytest.mark.parametrize("purpose", links.RENEWED)
def test_each_mail_that_a_link_stands_in_renews_it(store, purpose):
    """A mail must not hold a link that ends tomorrow because the first with it was sent long ago."""
    token = links.make(store, purpose, now=NOW, **CLAIMS)
    later = NOW + LIFETIMES[purpose] * 2
    with pytest.raises(OldLinkError):
        links.read(store, token, purpose, now=later)
    assert links.make(store, purpose, now=later, **CLAIMS) == token
    assert links.make(store, purpose, now=NOW, **CLAIMS) == token, "a mail from before is sent again"
    last = later + LIFETIMES[purpose]
    assert links.read(store, token, purpose, now=last) == CLAIMS
    with pytest.raises(OldLinkError):
        links.read(store, token, purpose, now=last + timedelta(seconds=1))


def test_several_threads_make_one_token(store):
    with ThreadPoolExecutor(8) as pool:
        made = set(pool.map(lambda _: links.make(store, "turn", now=NOW, **CLAIMS), range(32)))
    assert len(made) == 1 == rows(store)


def test_a_turn_says_at_which_ply_its_mail_lists_the_options(store):
    turn = {"player_id": "p1", "game_id": "g1", "ply": 17, "seat": 2}
    first, later = (links.turn_token(store, now=NOW, **turn, at=at) for at in (17, 19))
    assert first == links.turn_token(store, now=NOW, **turn) != later
    assert links.read(store, later, "turn", now=NOW) == {**CLAIMS, "at": 19}


def test_the_turn_that_a_move_prepares_is_that_of_its_mail(store, ann):
    turn = {"now": NOW, "player_id": ann.id, "game_id": "", "ply": 17, "seat": 0}
    ben = account_opening.create_player(store, "Ben", "ben@example.org", NOW)["id"]
    with store.write():
        turn["game_id"] = Game.create(name="", status="running", ruleset="ulm/1", options="{}", seats=2, id="g1",
            server_seed="", commitment="", created_at=NOW).id  # fmt: skip
        links.prepare_turn(store, **turn)
        links.prepare_turn(store, **turn)
        links.prepare_turn(store, **{**turn, "player_id": ben})
    assert rows(store) == 1, "whom mail does not reach needs none"
    links.turn_token(store, **turn)
    assert rows(store) == 1
    sessions.sign_out_everywhere(store, ann, NOW)
    token = links.turn_token(store, **turn)
    assert rows(store) == 2
    assert links.read(store, token, "turn", now=NOW)["ply"] == 17


@pytest.mark.parametrize("gone", ["player", "game"])
def test_links_go_with_whom_and_what_they_are_for(store, ann, gone):
    with store.write():
        Game.create(name="", status="open", ruleset="ulm/1", options="{}", seats=2, id="g1",
            server_seed="", commitment="", created_at=NOW)  # fmt: skip
    token = links.talk_token(store, now=NOW, player_id=ann.id, game_id="g1")
    with store.write():
        (Player if gone == "player" else Game).delete().execute()
    assert rows(store) == 0
    with pytest.raises(BadLinkError, match="what it led to is gone"):
        links.read(store, token, "talk", now=NOW)


def test_a_mail_that_is_written_while_its_player_is_erased_does_no_harm(store):
    token = links.make(store, "turn", now=NOW, player="gone", game="gone", ply=1, seat=0)
    assert links.read(store, token, "turn", now=NOW)["player"] == "gone"


@SQLITE
@pytest.mark.parametrize("other", [purpose for purpose in LIFETIMES if purpose != "turn"])
def test_a_token_is_for_one_purpose(store, other):
    token = links.make(store, "turn", now=NOW, **CLAIMS)
    with pytest.raises(BadLinkError):
        links.read(store, token, other, now=NOW)


def test_a_changed_token_is_refused(store):
    token = links.make(store, "turn", now=NOW, **CLAIMS)
    longer = (token + "a", "x" * 2000, token[:-1] + "\u0131")
    for text in (token[:-1], token[::-1], token[:-1] + "1", "a" * 26, "\0", *longer, "", None):
        with pytest.raises(BadLinkError) as caught:
            links.read(store, text, "turn", now=NOW)
        assert not text or text not in caught.value.message


@SQLITE
@pytest.mark.parametrize("purpose", LIFETIMES)
def test_a_token_ends_with_its_lifetime(store, purpose):
    token = links.make(store, purpose, now=NOW, player="p1")
    last = NOW + LIFETIMES[purpose]
    assert links.read(store, token, purpose, now=last) == {"player": "p1"}
    for moment in (last + timedelta(seconds=1), NOW - timedelta(hours=1)):
        with pytest.raises(OldLinkError):
            links.read(store, token, purpose, now=moment)
    assert links.read(store, token, purpose, now=NOW - timedelta(minutes=1)), "clocks of two machines differ a little"


def test_links_that_lead_nowhere_any_more_are_forgotten(store):
    for purpose in LIFETIMES:
        links.make(store, purpose, now=NOW, player="p1")
    assert links.clean_up(store, NOW + timedelta(hours=1)) == 0, "the last one is good to the second"
    assert links.clean_up(store, NOW + timedelta(hours=2)) == 1
    assert links.clean_up(store, NOW + LIFETIMES["talk"] + timedelta(hours=1)) == 6
    assert store.ask(lambda: [link.purpose for link in ShortLink.select()]) == ["unsubscribe"]


def test_a_link_for_one_use_works_once_however_it_is_written(store):
    token = links.make(store, "sign_in", now=NOW, player="p1")
    with store.write():
        links.use_once(store, token, "sign_in", NOW)
        links.use_once(store, "b" * 26, "sign_in", NOW)  # of another nothing is used up
    with store.write(), pytest.raises(OldLinkError):
        links.use_once(store, token.upper(), "sign_in", NOW)


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
    "signed out everywhere": lambda store, ann: sessions.sign_out_everywhere(store, ann, NOW),
    "another address": lambda store, ann: profiles.update_profile(store, ann, {"email": "anna@example.org"}, NOW),
    "no address any more": lambda store, ann: profiles.update_profile(store, ann, {"email": None}, NOW),
}


NOBODYS = {"invitation", "unsubscribe"}
"""What lets no player in."""


@pytest.mark.parametrize("end", ENDS)
def test_what_lets_a_player_in_ends_with_their_link_epoch(store, ann, end):
    ben = account_opening.create_player(store, "Ben", None, NOW)["id"]
    tokens, bens = (
        {purpose: links.make(store, purpose, now=NOW, player=player) for purpose in LIFETIMES}
        for player in (ann.id, ben)
    )
    assert good(store, tokens) == set(LIFETIMES)
    ENDS[end](store, ann)
    # A mail has to be stoppable by what stands in it, whatever became of the account meanwhile.
    assert good(store, tokens) == NOBODYS == set(LIFETIMES) - set(links.PERSONAL)
    assert good(store, bens) == set(LIFETIMES), "of others nothing ends"
    for purpose in links.PERSONAL:
        fresh = links.make(store, purpose, now=NOW, player=ann.id)
        assert fresh != tokens[purpose]
        assert links.read(store, fresh, purpose, now=NOW) == {"player": ann.id}
    assert links.read(store, tokens["confirm"], "confirm", now=NOW, of_any_epoch=True) == {"player": ann.id}


def test_an_operator_ends_what_lets_anybody_into_an_account(database_url, store, capsys):
    """Of one account, and of all: with the latter the links to strangers, too."""
    made = [account_opening.create_player(store, name, None, NOW) for name in ("Ann", "Ben")]
    ann, ben = (made[0]["id"], made[1]["id"])
    held = [sessions.new_session(store, player, NOW) for player in (ann, ben)]
    sent = {purpose: links.make(store, purpose, now=NOW, player=ben) for purpose in LIFETIMES}
    assert main(["links", "end", ann, "nobody"], {"ULM_DATABASE_URL": database_url}) == 1
    said = capsys.readouterr().out
    assert f"{ann}: all tokens" in said
    assert "nobody: there is no such account" in said
    assert access.authenticate(store, made[0]["token"], NOW) is None
    assert access.authenticate(store, made[1]["token"], NOW) is not None
    assert [sessions.find(store, one, NOW) is not None for one in held] == [False, True]
    assert audit_log.listing(store, [ann])[-1]["what"] == "operator_ended_access"
    assert good(store, sent) == set(LIFETIMES)
    assert main(["links", "revoke"], {"ULM_DATABASE_URL": database_url}) == 0
    for purpose, token in sent.items():
        with pytest.raises(BadLinkError):
            links.read(store, token, purpose, now=NOW)
        assert links.make(store, purpose, now=NOW, player=ben) != token
    assert sessions.find(store, held[1], NOW) is None
