"""Mail to strangers: counted by mailbox, by network and in total; names that lead nowhere; who wants nothing at all."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from server.service.accounts import account_opening, confirming, players
from server.service.accounts.players import Player
from server.service.common import audit_log, checks, networks, quotas
from server.service.common.errors import TooManyRequests, Unprocessable
from server.service.outbox import stranger_mail
from server.service.seating import creating, guests, invitations, rematches
from server.storage.database import Store
from tests.service.conftest import NOW, Start, make_player
from tests.tables import Game, Mail, UsedLink
from tests.tables import Player as PlayerRow

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
NAMES = json.loads(Path(__file__).with_name("names.json").read_text("utf-8"))


@pytest.fixture
def called_from() -> Iterator[Callable[[str | None], None]]:
    yield audit_log.called_from
    audit_log.called_from(None)


def mails(store: Store, kind: str) -> list[str]:
    return store.ask(lambda: [row.address for row in Mail.select().where(Mail.kind == kind).order_by(Mail.id)])


def new_game(store: Store, player: Player) -> str:
    return creating.create(store, player, 4, "A game", None, "", [], False, NOW)["id"]


@pytest.mark.parametrize(("address", "mailbox"), NAMES["mailboxes"])
def test_the_mailbox_of_an_address(address: str, mailbox: str) -> None:
    assert stranger_mail.normal(address) == mailbox


def test_tags_do_not_multiply_the_questions_to_one_mailbox(store: Store) -> None:
    """`victim+N@` brought 18 mails to one mailbox in a minute."""
    for number in range(18):
        account_opening.create_player(store, "Eve", f"victim+{number}@example.org", NOW)
    assert len(mails(store, "confirm")) == quotas.CONFIRMATIONS_A_DAY
    account_opening.create_player(store, "Ann", "ann@example.org", NOW)
    assert mails(store, "confirm")[-1] == "ann@example.org"
    account_opening.create_player(store, "Vic", "victim@example.org", NOW)
    assert mails(store, "confirm")[-1] == "victim@example.org", "nor keep they its owner out"
    account_opening.create_player(store, "Eve", "Victim+99@Example.org", NOW + timedelta(days=1))
    assert mails(store, "confirm")[-1] == "Victim+99@Example.org"


def test_dots_do_not_multiply_them_where_they_mean_nothing(store: Store) -> None:
    for number in range(1, 2 * quotas.ASKED_ADDRESS_A_DAY):
        dotted = "".join(letter + "." * (number >> place & 1) for place, letter in enumerate("victimofall"))
        account_opening.create_player(store, "Eve", f"{dotted}@gmail.com", NOW)
    assert len(mails(store, "confirm")) == quotas.ASKED_ADDRESS_A_DAY
    account_opening.create_player(store, "Vic", "victimofall@gmail.com", NOW)
    assert mails(store, "confirm")[-1] == "victimofall@gmail.com"


def test_tags_do_not_multiply_invitations_to_one_mailbox(store: Store) -> None:
    sent = 0
    for number in range(8):
        host = make_player(store, f"Host {number}")
        try:
            invitations.invite(store, host, new_game(store, host), f"v.ictim+{number}@gmail.com", NOW)
            sent += 1
        except TooManyRequests:
            pass
    assert sent == len(mails(store, "invitation")) == quotas.INVITATIONS_TO_ADDRESS_A_DAY


def test_a_network_causes_so_many_and_no_more(
    store: Store, called_from: Callable[[str | None], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stranger_mail, "STRANGER_MAILS_A_DAY", 3)

    def sent(machines: list[str]) -> int:
        before = len(mails(store, "confirm"))
        for number, machine in enumerate(machines):
            called_from(machine)
            account_opening.create_player(store, "Eve", f"{machine.replace(':', '-')}{number}@example.org", NOW)
        return len(mails(store, "confirm")) - before

    assert sent(["192.0.2.7"] * 5) == 3
    assert sent(["192.0.2.8"]) == 1
    assert sent([f"2001:db8:1:1::{number}" for number in range(5)]) == 3
    assert sent([f"2001:db8:1:{number}::1" for number in range(2, 20)]) == 3 * networks.WIDER - 5
    assert sent(["2001:db8:2::1"]) == 1


def test_so_many_leave_in_an_hour_all_together(store: Store) -> None:
    stranger_mail.allow(store, 4)
    for number in range(7):
        account_opening.create_player(store, "Eve", f"p{number}@example.org", NOW)
    assert len(mails(store, "confirm")) == 4
    host = make_player(store, "Host")
    game = new_game(store, host)
    with pytest.raises(TooManyRequests):
        invitations.invite(store, host, game, "ann@example.org", NOW)
    invitations.invite(store, host, game, "ann@example.org", NOW + timedelta(hours=1))


def test_a_few_networks_do_not_use_up_the_hour_of_all(store: Store, called_from: Callable[[str | None], None]) -> None:
    """Four did, each with the 60 mails of its day; of IPv6 one /48."""
    for network in ("192.0.2.9", "198.51.100.9", "203.0.113.9", "192.0.2.19", "2001:db8:7:{}::1"):
        for number in range(80):
            called_from(network.format(number))
            address = f"p{number}-{network.strip('{}:').replace(':', '-')}@example.org"
            account_opening.create_player(store, "Eve", address.replace("{}", ""), NOW)
    assert len(mails(store, "confirm")) <= quotas.STRANGER_MAILS_AN_HOUR / 2
    called_from("192.0.2.77")
    assert account_opening.create_player(store, "Ann", "ann@example.org", NOW)["confirmation"] == confirming.SENT


def test_who_is_held_back_hears_the_true_reason(store: Store, called_from: Callable[[str | None], None]) -> None:
    stranger_mail.allow(store, 3)
    called_from("192.0.2.7")
    for number in range(4):
        account_opening.create_player(store, "Eve", f"p{number}@example.org", NOW)
    host = make_player(store, "Host")
    game = new_game(store, host)
    with pytest.raises(TooManyRequests, match="from your network") as of_network:
        invitations.invite(store, host, game, "ann@example.org", NOW)
    called_from("192.0.2.8")
    with pytest.raises(TooManyRequests, match="this server has written"):
        invitations.invite(store, host, game, "ann@example.org", NOW)
    assert of_network.value.seconds <= 3600


def test_who_is_stopped_uses_nothing_up_for_others(
    store: Store, called_from: Callable[[str | None], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stranger_mail, "STRANGER_MAILS_A_DAY", 1)
    called_from("192.0.2.7")
    for _ in range(20):
        account_opening.create_player(store, "Eve", "victim@example.org", NOW)
    called_from("192.0.2.8")
    account_opening.create_player(store, "Ann", "victim@example.org", NOW)
    assert len(mails(store, "confirm")) == 2
    with store.read():
        # Of each account its own count, and of each mail: the network twice, the mailbox, the total.
        assert UsedLink.select().count() == 21 + 8


@SQLITE
@pytest.mark.parametrize("name", NAMES["web_addresses"])
def test_names_are_no_addresses_of_web_pages(store: Store, name: str) -> None:
    with pytest.raises(Unprocessable, match="web addresses"):
        account_opening.create_player(store, name, None, NOW)
    ann = make_player(store, "Ann")
    with pytest.raises(Unprocessable, match="web addresses"):
        creating.create(store, ann, 2, name, None, "", [], False, NOW)
    assert not checks.has_web_address(checks.without_web_addresses(name))


@SQLITE
@pytest.mark.parametrize("name", NAMES["names"])
def test_other_names_are_taken(store: Store, name: str) -> None:
    assert account_opening.create_player(store, name, None, NOW)["name"] == name


def test_names_from_before_do_not_stand_in_the_way(store: Store, match: Start) -> None:
    game = match()
    with store.write():
        PlayerRow.update(name="Eve of evil.example").where(PlayerRow.id == game.players[0].id).execute()
        Game.update(name="Play at evil.example").execute()
    eve = players.player_by_id(store, game.players[0].id)
    assert eve is not None
    creating.create(store, eve, 2, None, None, "", [], False, NOW)
    guests.play(store, eve, 2, NOW)
    game.play(game.active, "resign")
    rematches.offer(store, eve, game.id, NOW)
