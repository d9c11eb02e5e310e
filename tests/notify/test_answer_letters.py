"""The letters that answer answers: in the thread, to be answered again, and with all that is needed for that."""

from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest

from server.board.measure import columns
from server.language import LANGUAGES, speaking
from server.move_language import grammar
from server.move_language.program import Command, Program
from server.notify import answer_mails
from server.notify.compose import compose
from server.notify.mail_content import Skip
from server.notify.mime_message import finish, message_id
from server.service.accounts import links, profiles
from server.service.chat import messages
from server.service.outbox import deliveries
from server.service.outbox.news import game_key
from server.settings import Settings
from tests.notify.letters import text
from tests.service.answering.post import Post, pushes, reached
from tests.service.conftest import NOW, Match, Start, match  # noqa: F401 - a fixture

SETTINGS = Settings(
    base_url="https://ulm.example.org", mail_from="ulm@example.org", reply_domain="ulm.example.org", mail_pictures=False
)


@pytest.fixture
def post(match: Start) -> Post:  # noqa: F811 - the fixture
    return reached(match(2))


def letters(post: Post, settings: Settings = SETTINGS, *kinds: str) -> list[EmailMessage]:
    """The mails that are due, of these kinds or of all."""
    now = post.m.clock()
    notices = deliveries.claim(post.m.store, "test", now, now + timedelta(days=1), 50)
    notices = [one for one in notices if not kinds or one.kind in kinds]
    made = [[_bytes(post, settings, queued, now) for queued in notices] for _ in range(2)]
    assert made[0] == made[1], "whoever composes it"
    parsed = [message_from_bytes(data, policy=default) for data in made[0] if data is not None]
    return [one for one in parsed if isinstance(one, EmailMessage)]


def _bytes(post: Post, settings: Settings, queued: deliveries.QueuedMail, now: datetime) -> bytes | None:
    mail = compose(post.m.store, settings, queued, now)
    return finish(settings, queued, mail).data if isinstance(mail, EmailMessage) else None


def answer_to(post: Post, seat: int, text: str, **given: str) -> EmailMessage:
    assert post.write(seat, text, **given) is not None
    [mail] = letters(post, SETTINGS, "answer", "resign_question")
    return mail


def test_an_answer_stands_in_the_thread_and_can_be_answered(post: Post) -> None:
    m, seat = post.m, post.m.active
    push = pushes(m, seat)[0]
    mail = answer_to(post, seat, push, message_id="<CAF+x=1@mail.gmail.com>")
    first = message_id(SETTINGS, game_key("started", m.id, 0, m.players[seat].id))
    assert mail["In-Reply-To"] == "<CAF+x=1@mail.gmail.com>"
    assert mail["References"] == f"{first} <CAF+x=1@mail.gmail.com>"
    token = mail["Reply-To"].removeprefix("play+").removesuffix("@ulm.example.org")
    said = text(mail)
    assert said.startswith("Answer above this line")
    assert f"Played: {push}." in said
    assert "WHAT YOU PLAYED" in said
    numbered = post.numbered(seat)
    assert f"{numbered.index('end') + 1}. End the turn" in said
    assert post.write(seat, str(numbered.index("end") + 1), token).carried[0].moves == ["end"]
    assert all(columns(line) <= 80 for line in said.splitlines() if "http" not in line)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("given", ["<x@message-id.invalid>", "<a b@c>", "<a@b>\r\nBcc: eve@example.org", "", "x" * 300])
def test_what_is_no_message_id_comes_into_no_header(post: Post, given: str) -> None:
    mail = answer_to(post, post.m.active, "show", message_id=given or " ")
    assert given not in str(mail["References"]) or not given
    assert "eve" not in str(mail)
    assert mail["In-Reply-To"] == mail["References"]


def test_whoever_resigns_is_asked_by_a_letter_with_an_address_of_its_own(post: Post) -> None:
    m, seat = post.m, post.m.active
    mail = answer_to(post, seat, "resign")
    assert "do you want to resign?" in mail["Subject"]
    token = mail["Reply-To"].removeprefix("play+").removesuffix("@ulm.example.org")
    assert links.find(m.store, token)[0] == "resign"
    assert post.write(seat, "resign", token).standing == "resigned"
    assert m.to_move is None


def test_a_question_whether_to_resign_is_not_sent_when_all_is_over(post: Post) -> None:
    m, seat = post.m, post.m.active
    post.write(seat, "resign")
    m.play(seat, "resign")
    now = m.clock()
    notices = deliveries.claim(m.store, "test", now, now + timedelta(days=1), 50)
    [asked] = [one for one in notices if one.kind == "resign_question"]
    assert isinstance(compose(m.store, SETTINGS, asked, now), Skip)


def test_messages_are_answered_to_the_table(post: Post) -> None:
    m, seat = post.m, post.m.active
    messages.post(m.store, m.id, m.players[seat], "Hello!", NOW)
    [mail] = letters(post)
    assert mail["Reply-To"].startswith("talk+")
    assert mail["Reply-To"].endswith("@ulm.example.org")
    assert "Answer above this line" in text(mail)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_help_says_can_be_written_can_be_read(post: Post, language: str) -> None:
    m, seat = post.m, post.m.active
    profiles.update_profile(m.store, m.players[seat], {"preferences": {"language": language}}, NOW)
    said = " ".join(text(answer_to(post, seat, "help")).split())
    numbered = [tuple(move.split()) for move in post.numbered(seat)]
    with speaking(language):
        section = answer_mails.help_section()
    kinds: list[str] = []
    for item in section.items:
        assert item.label in said
        found = grammar.parse([item.label], numbered=numbered)
        assert isinstance(found, Program), item.label
        assert len(found.steps) + len(found.says) == 1, item.label
        kinds.append(kind_of(found))
    assert kinds == ["play", "play", "play", "then", "undo", "preview", "show", "hand", "say", "resign"]


def kind_of(program: Program) -> str:
    if program.says:
        return "say"
    [step] = program.steps
    if isinstance(step, Command):
        return step.name
    return "then" if step.goes_on else "play"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_outcome_can_be_told_in_every_language(post: Post, language: str) -> None:
    m, seat = post.m, post.m.active
    for player in m.players:
        profiles.update_profile(m.store, player, {"preferences": {"language": language}}, NOW)
    old = post.token(seat)
    push = pushes(m, seat)[0]
    asked = ["show", "help", f"preview {push}", "push", "nonsense that is no move", f"say hi\n\n{push}", "undo", "undo",
             "say " + "x" * 1100, "resign", f"{push}\nend\nmoney"]  # fmt: skip
    subjects = [answer_to(post, seat, text)["Subject"] for text in asked]
    subjects.append(answer_to(post, seat, "push N1", token=old)["Subject"])
    m.play_turn()
    subjects.append(answer_to(post, seat, "push N1", token=old)["Subject"])
    m.play(seat, "resign")
    subjects.append(answer_to(post, seat, "push N1", token=old)["Subject"])
    assert len(subjects) == 14
    assert all("%(" not in subject for subject in subjects)


def test_a_turn_that_has_begun_since_is_told_by_its_own_mail_alone(post: Post) -> None:
    """The others, bots it may be, have played before the answer is answered."""
    m, seat = post.m, post.m.active
    post.write(seat, "1\nend")
    while m.active != seat:
        m.play_turn()
    made = [(mail["Subject"], text(mail)) for mail in letters(post, SETTINGS, "answer", "turn")]
    [answer] = [said for subject, said in made if "your answer" in subject]
    assert "Played, and it is your turn again" in answer
    assert " 1. Push" not in answer
    [turn] = [said for subject, said in made if "your turn, round 2" in subject]
    assert " 1. Push" in turn
