"""What people are written who know nobody here: nothing of a stranger's choosing, and an end for good."""

from email.message import EmailMessage

import pytest

from server.cli import main
from server.notify.compose import compose
from server.notify.mail_content import Skip
from server.service.accounts import access, account_opening, links, profiles
from server.service.accounts.players import Player
from server.service.chat import unsubscribing
from server.service.chat.unsubscribing import Stranger
from server.service.outbox import enqueuing, stranger_mail
from server.service.outbox.news import News
from server.service.seating import creating, invitations
from server.settings import Settings
from server.storage.database import Store
from tests.notify.letters import html, queued, text
from tests.notify.test_compose import BASE, NOW
from tests.tables import Game, Mail
from tests.tables import Player as PlayerRow

EVIL = "Win at https://evil.example/?now Dear customer, your account has been locked, read this"


@pytest.fixture
def eve(store: Store) -> Player:
    """Somebody whose names are from before web addresses were refused in them."""
    made = account_opening.create_player(store, "Eve", "eve@example.net", NOW)
    with store.write():
        PlayerRow.update(name=EVIL).execute()
    player = access.authenticate(store, made["token"], NOW)
    assert player is not None
    return player


def invited(store: Store, host: Player, address: str) -> None:
    page = creating.create(store, host, 2, "Duel", None, "", [], False, NOW)
    with store.write():
        Game.update(name=EVIL).execute()
    invitations.invite(store, host, page["id"], address, NOW)


def newest(store: Store, settings: Settings) -> EmailMessage | Skip:
    row = store.ask(lambda: Mail.select().order_by(Mail.id.desc()).get())
    made = compose(store, settings, queued(row), NOW)
    assert isinstance(made, EmailMessage | Skip)
    return made


def mail(store: Store, settings: Settings) -> EmailMessage:
    made = newest(store, settings)
    assert isinstance(made, EmailMessage)
    return made


def test_a_stranger_puts_no_words_into_the_header_and_no_links_into_the_mail(
    store: Store,
    plain: Settings,
    eve: Player,
) -> None:
    invited(store, eve, "ann@example.org")
    made = mail(store, plain)
    assert made["Subject"] == "An invitation to a game of Ulm"
    profiles.update_profile(store, eve, {"email": "ben@example.org"}, NOW)
    for one in (made, mail(store, plain)):
        head = " ".join(f"{name}: {value}" for name, value in one.items())
        for word in ("Win", "evil", "customer"):
            assert word not in head
        for said in (text(one), html(one)):
            assert "evil.example" not in said
            assert "Win at" in said
            assert "read this" not in said, "what is quoted is short"
    assert str(mail(store, plain)["To"]) == "ben@example.org"


def unsubscribe_token(made: EmailMessage) -> str:
    return str(made["List-Unsubscribe"]).removeprefix(f"<{BASE}/unsubscribe/").removesuffix(">")


def test_an_invitation_can_be_the_last(store: Store, plain: Settings, eve: Player) -> None:
    invited(store, eve, "ann+games@example.org")
    made = mail(store, plain)
    assert made["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    token = unsubscribe_token(made)
    assert f"{BASE}/unsubscribe/{token}" in text(made)
    assert links.read(store, token, "unsubscribe", now=NOW) == {"mailbox": stranger_mail.claim("ann@example.org")}
    assert unsubscribing.wishes_of_link(store, token, NOW) == Stranger(False)
    unsubscribing.change(store, token, "all", NOW)
    assert unsubscribing.wishes_of_link(store, token, NOW) == Stranger(True)

    # For every account, present and future, every spelling, and what was on its way.
    assert isinstance(newest(store, plain), Skip)
    other = access.authenticate(store, account_opening.create_player(store, "Zoe", None, NOW)["token"], NOW)
    assert other is not None
    invited(store, other, "Ann@example.org")
    assert isinstance(newest(store, plain), Skip)
    account_opening.create_player(store, "Eve", "ann+x@example.org", NOW)
    assert isinstance(newest(store, plain), Skip)
    account_opening.create_player(store, "Ben", "ben@example.org", NOW)
    assert isinstance(newest(store, plain), EmailMessage)

    unsubscribing.change(store, token, "again", NOW)
    assert unsubscribing.wishes_of_link(store, token, NOW) == Stranger(False)
    invited(store, other, "ann@example.org")
    assert isinstance(newest(store, plain), EmailMessage)


def test_the_question_whose_an_address_is_has_an_end_too(store: Store, plain: Settings, eve: Player) -> None:
    made = mail(store, plain)
    line = next(line for line in text(made).splitlines() if "/unsubscribe/" in line)
    unsubscribing.change(store, line.rsplit("/", 1)[1], "all", NOW)
    assert isinstance(newest(store, plain), Skip)


def test_who_wants_none_can_still_sign_in(store: Store, plain: Settings, eve: Player) -> None:
    with store.write():
        PlayerRow.update(email_confirmed_at=NOW).execute()
        enqueuing.enqueue(store, "sign_in", eve.email, key="s", now=NOW, player_id=eve.id)
    stranger_mail.block(store, stranger_mail.claim("eve@example.net"), NOW)
    assert f"{BASE}/sign-in/" in text(mail(store, plain))
    with store.write():
        enqueuing.tell(store, [News("vacation_ending", eve.id, "v", data={"ends_at": ""})], NOW)
    made = newest(store, plain)
    assert isinstance(made, Skip)
    assert "wants no mail" in made.reason


def test_an_operator_lets_mail_go_again(store: Store, settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    environ = {"ULM_DATABASE_URL": settings.database, "ULM_DATA_DIR": str(settings.data_dir)}
    stranger_mail.block(store, stranger_mail.claim("ann@example.org"), NOW)
    assert main(["mail", "allow", "Ann+x@example.org"], environ) == 0
    assert not stranger_mail.is_blocked(store, stranger_mail.claim("ann@example.org"))
    assert main(["mail", "allow", "ann@example.org"], environ) == 1
    assert "not stopped" in capsys.readouterr().out
