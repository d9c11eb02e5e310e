"""Whose account an address is joined to: made for somebody else, claimed by many, taken away."""

from datetime import timedelta

import pytest

from server.notify.compose import compose
from server.notify.mail_content import Skip
from server.service.accounts import access, account_opening, confirming, links, players, profiles, sessions, tokens
from server.service.accounts.links import OldLinkError
from server.service.common import audit_log, quotas
from server.service.common.errors import Forbidden, TooManyRequests
from server.service.outbox.deliveries import QueuedMail
from server.service.seating import creating, invitations
from server.settings import Settings
from tests.service.conftest import NOW, make_player
from tests.tables import Invitation, Mail, Seat

VICTIM = "victim@example.org"
LATER = NOW + timedelta(hours=3)


def made(store, name: str, address: str | None = VICTIM):
    """An account and its token, as `POST /players` makes it."""
    created = account_opening.create_player(store, name, address, NOW)
    return players.player_by_id(store, created["id"]), created["token"]


def mailed(store, player, address: str = VICTIM) -> str:
    """The token in the mail that asks to confirm."""
    return links.make(store, "confirm", now=NOW, player=player.id, address=links.address_claim(address))


def letters(store, kind: str) -> list[QueuedMail]:
    with store.read():
        return [
            QueuedMail(row.id, row.key, row.kind, row.due_at, row.created_at, row.game_id, row.ply, row.player_id,
                   row.address, {"removed": "true" in row.data})
            for row in Mail.select().where(Mail.kind == kind).order_by(Mail.id)
        ]  # fmt: skip


def invited(store, address: str = VICTIM) -> tuple[str, str]:
    """A game and the link of an invitation to it."""
    host = make_player(store, "Host")
    game = creating.create(store, host, 3, "Friday", None, "", [], True, NOW)["id"]
    invitations.invite(store, host, game, address, NOW)
    number = store.ask(lambda: Invitation.get(Invitation.game == game).id)
    return game, links.invitation_token(store, now=NOW, invitation_id=number, address=address)


def test_who_confirms_from_outside_has_the_account_alone(store):
    """Mal makes an account with the victim's address and keeps its token; the victim confirms, and accepts a seat."""
    mal, token = made(store, "Mal")
    second = tokens.create(store, mal, "phone", NOW)["token"]
    session = sessions.new_session(store, mal.id, NOW)
    mail = mailed(store, mal)
    asked = confirming.claim_of_link(store, mail, None, LATER)
    assert not asked.inside
    assert not asked.done
    assert asked.sent_for is None
    held = asked.holding
    assert (held.name, held.made_at, held.given_at) == ("Mal", "2026-11-21T09:30:00Z", "2026-11-21T09:30:00Z")
    assert [one["name"] for one in held.tokens] == ["", "phone"]
    confirming.confirm(store, mail, None, LATER)
    for old in (token, second):
        assert access.authenticate(store, old, LATER) is None
    assert sessions.player_of(store, session, LATER) is None
    assert players.player_by_id(store, mal.id).email_confirmed_at is not None
    assert [line["what"] for line in audit_log.listing(store, [mal.id])][-2:] == ["access_ended", "address_confirmed"]
    # The same link once more confirms nothing, and what was made since stays.
    fresh = tokens.create(store, mal, "mine", LATER)["token"]
    again = confirming.confirm(store, mail, None, LATER)
    assert again.done
    assert access.authenticate(store, fresh, LATER) is not None


def test_who_confirms_as_the_account_keeps_what_it_has(store):
    ann, token = made(store, "Ann", "ann@example.org")
    session = sessions.new_session(store, ann.id, NOW)
    assert confirming.confirm(store, mailed(store, ann, "ann@example.org"), ann, LATER).inside
    assert access.authenticate(store, token, LATER) is not None
    assert sessions.player_of(store, session, LATER) is not None


def test_another_account_is_no_inside(store):
    """Who is signed in as somebody else, with another address, confirms from outside like anybody."""
    mal, token = made(store, "Mal")
    eve, _token = made(store, "Eve", "eve@example.org")
    assert not confirming.confirm(store, mailed(store, mal), eve, LATER).inside
    assert access.authenticate(store, token, LATER) is None
    with pytest.raises(OldLinkError, match="a different address"):
        confirming.confirm_own(store, mailed(store, mal), eve, LATER)


def test_a_mail_from_before_the_links_ended_confirms_no_more(store):
    mal, _token = made(store, "Mal")
    mail = mailed(store, mal)
    sessions.sign_out_everywhere(store, mal, NOW)
    with pytest.raises(OldLinkError, match="ended"):
        confirming.confirm(store, mail, None, LATER)
    assert players.player_by_id(store, mal.id).email_confirmed_at is None


def test_who_claims_an_address_keeps_its_owner_out_of_nothing(store):
    """However many accounts claim it: any of the mails that they caused lets the owner confirm the own account."""
    strangers = [made(store, f"Mal {number}")[0] for number in range(5)]
    owner, token = made(store, "Ann")
    assert owner.id in {one.player_id for one in letters(store, "confirm")}, "five of them are not enough"
    more = [account_opening.create_player(store, "Mal", VICTIM, NOW) for _ in range(quotas.ASKED_ADDRESS_A_DAY)]
    assert {one["confirmation"] for one in more} == {confirming.SENT, confirming.HELD_BACK}
    late, late_token = made(store, "Ann, later")
    assert late.id not in {one.player_id for one in letters(store, "confirm")}
    with pytest.raises(TooManyRequests, match="names another account"):
        profiles.ask_to_confirm(store, late, NOW)
    mail = mailed(store, strangers[0])
    # Nothing that the stranger does makes it worthless for who has the address.
    sessions.sign_out_everywhere(store, strangers[0], NOW)
    asked = confirming.claim_of_link(store, mail, late, LATER)
    assert (asked.holding.name, asked.sent_for, asked.inside) == ("Ann, later", "Mal 0", True)
    confirming.confirm_own(store, mail, late, LATER)
    assert players.player_by_id(store, late.id).email_confirmed_at is not None
    assert access.authenticate(store, late_token, LATER) is not None
    assert players.player_by_id(store, strangers[0].id).email_confirmed_at is None
    assert access.authenticate(store, token, LATER) is not None


def test_mails_that_never_left_are_not_counted(store):
    """Who claims an address and takes another at once sends nothing there, and uses nothing up."""
    for number in range(2 * quotas.ASKED_ADDRESS_A_DAY):
        mal, _token = made(store, "Mal")
        profiles.update_profile(store, mal, {"email": f"mal{number}@example.net"}, NOW)
        with store.write():
            Mail.update(state="skipped").where(Mail.address == VICTIM).execute()
    assert account_opening.create_player(store, "Ann", VICTIM, NOW)["confirmation"] == confirming.SENT


def test_an_invitation_is_no_key_to_an_account_that_is_there(store):
    """Its link lies in a mailbox for a month: who reads there takes the seat of nobody who has an account."""
    ann, _token = made(store, "Ann")
    confirming.confirm(store, mailed(store, ann), None, NOW)
    ann = players.player_by_id(store, ann.id)
    game, seat = invited(store)
    thief = make_player(store, "Mal")
    for visitor in (None, thief):
        shown = invitations.read(store, seat, LATER, visitor)
        assert (shown.sign_in, shown.account) == (True, None)
        with pytest.raises(Forbidden, match="sign in"):
            invitations.accept(store, seat, "Mal", "", LATER, visitor=visitor)
    session = sessions.new_session(store, ann.id, NOW)
    visitor = sessions.player_of(store, session, NOW)
    sessions.sign_out_everywhere(store, visitor, NOW)
    with pytest.raises(Forbidden, match="sign in"):
        invitations.accept(store, seat, None, "", LATER, visitor=visitor)
    assert store.ask(lambda: Seat.select().where(Seat.player.is_null(False)).count()) == 1
    assert invitations.read(store, seat, LATER, ann).account == "Ann"
    assert invitations.accept(store, seat, None, "", LATER, visitor=ann) == (game, ann.id)


@pytest.mark.parametrize("new", ["elsewhere@example.net", None])
def test_the_old_address_hears_of_a_change(store, new):
    ann, _token = made(store, "Ann")
    profiles.update_profile(store, ann, {"email": "typo@example.org"}, NOW)
    assert letters(store, "address_changed") == [], "it was never confirmed: it may be anybody's"
    profiles.update_profile(store, ann, {"email": VICTIM}, NOW)
    with store.write():
        confirming.confirm_address(store, ann.id, NOW)
    profiles.update_profile(store, ann, {"name": "Anna"}, LATER)
    profiles.update_profile(store, ann, {"email": VICTIM}, LATER)
    assert letters(store, "address_changed") == []
    profiles.update_profile(store, ann, {"email": new}, LATER)
    [one] = letters(store, "address_changed")
    mail = compose(store, Settings(base_url="https://ulm.example.org"), one, LATER)
    assert not isinstance(mail, Skip)
    assert [address.addr_spec for address in mail["To"].addresses] == [VICTIM]
    text = mail.get_body(("plain",)).get_content()
    assert "12:30" in text
    assert "Anna" in text
    assert ("no mail address" in text) == (new is None)
    assert "elsewhere" not in text
    assert "https://ulm.example.org/" not in text, "it lets nobody in"
    profiles.update_profile(store, ann, {"email": "third@example.org"}, LATER)
    assert len(letters(store, "address_changed")) == 1
