"""Playing by answering mails: what a mail of a person does, once, and what is told of it."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from server.service.accounts import links, profiles, sessions
from server.service.accounts.links import BadLinkError, OldLinkError
from server.service.answering import answers
from server.service.answering.answers import AnswerMail
from server.service.answering.results import Result
from server.service.chat import messages
from server.service.common import audit_log
from server.service.erasure import deletion
from server.service.play import turns
from tests.service.answering.post import Post, pushes, reached
from tests.service.conftest import NOW, Start
from tests.tables import Mail, Seat


@pytest.fixture
def post(match: Start) -> Post:
    return reached(match(2))


def test_a_turn_is_played_by_one_answer(post: Post) -> None:
    m, seat = post.m, post.m.active
    told = post.write(seat, f"{pushes(m, seat)[0]}\nend")
    assert told.standing == "live"
    assert [one.moves for one in told.carried] == [[pushes_of(told), "end"]]
    assert m.active != seat
    with m.store.read():
        assert Mail.select().where(Mail.kind == "turn").count() == 1, "the next player is told, as by any other move"


def pushes_of(told: Result) -> str:
    return told.carried[0].moves[0]


def test_numbers_are_those_of_the_letter(post: Post) -> None:
    seat = post.m.active
    numbered = post.numbered(seat)
    token = post.token(seat, at=True)
    push = next(move for move in reversed(numbered) if move.startswith("push"))
    told = post.write(seat, str(numbered.index(push) + 1), token)
    assert told.carried[0].moves == [push]
    # The same letter is answered once more: its numbers mean what they meant, and that is not possible any more.
    told = post.write(seat, str(numbered.index(push) + 1), token)
    assert not told.played
    assert push in told.questions[0].why


def test_numbers_of_a_position_that_was_taken_back_mean_nothing(post: Post) -> None:
    m, seat = post.m, post.m.active
    first, second = pushes(m, seat)[:2]
    before = m.ply(seat)
    m.play(seat, first)
    token = post.token(seat, at=True)
    number = post.numbered(seat).index("end") + 1
    assert post.write(seat, "undo").undone == 1
    m.play(seat, second)
    assert m.ply(seat) == before + 1
    told = post.write(seat, str(number), token)
    assert not told.played
    assert len(told.questions) == 1
    assert post.write(seat, "end", token).played == 1, "words mean what they mean"


def test_all_of_a_batch_or_nothing(post: Post) -> None:
    m, seat = post.m, post.m.active
    before = m.page(seat)
    for text in (
        f"{pushes(m, seat)[0]}\nseal town hall\nseal town hall\nseal town hall",
        f"{pushes(m, seat)[0]}\nmoney\nbrobdingnag N1 N2",
        f"{pushes(m, seat)[0]}, push N9",
        "push",
    ):
        told = post.write(seat, text)
        assert not told.played, text
        assert len(told.questions) == 1, text
        assert m.page(seat) == before, text


@pytest.fixture
def drawing(match: Start) -> Post:
    """Whose players draw by themselves, which reveals the tile."""
    return reached(match(2, auto_draw=False))


def test_what_follows_a_reveal_is_played_only_if_the_mail_says_so(drawing: Post) -> None:
    m, seat = drawing.m, drawing.m.active
    told = drawing.write(seat, "draw\npush N1\nend")
    assert [one.moves for one in told.carried] == [["draw"]]
    assert (told.stop, told.left) == ("revealed", ["push N1", "end"])
    assert m.active == seat


@pytest.mark.parametrize(
    "text", ["draw, then push N1, end", "ziehen, dann schiebe N1, Zug beenden", "pesca, poi spingi N1, fine turno"]
)
def test_then_goes_on_behind_a_reveal(drawing: Post, text: str) -> None:
    m, seat = drawing.m, drawing.m.active
    told = drawing.write(seat, text)
    assert [one.moves for one in told.carried] == [["draw"], ["push N1", "end"]]
    assert m.active != seat


def test_what_is_behind_a_reveal_is_a_batch_of_its_own(drawing: Post) -> None:
    m, seat = drawing.m, drawing.m.active
    told = drawing.write(seat, "draw, then push N1, seal town hall, seal town hall, end")
    assert [one.moves for one in told.carried] == [["draw"]]
    assert (told.stop, told.questions[0].line) == ("question", "seal town hall")
    assert told.left == ["push N1", "seal town hall", "end"] or told.left == ["push N1", "end"]
    assert m.active == seat


def test_what_stands_behind_the_end_of_the_turn_is_not_played(post: Post) -> None:
    m, seat = post.m, post.m.active
    told = post.write(seat, f"{pushes(m, seat)[0]}, end, then push N1")
    assert told.played == 2
    assert (told.stop, told.left) == ("ended", ["push N1"])


def test_undo_takes_back_what_may_be(post: Post) -> None:
    m, seat = post.m, post.m.active
    before = m.page(seat)
    push, other = pushes(m, seat)[:2]
    assert post.write(seat, push).played == 1
    told = post.write(seat, f"undo\n{other}")
    assert (told.undone, told.carried[0].moves) == (1, [other])
    assert post.write(seat, "undo").undone == 1
    assert m.page(seat)["view"] == before["view"]
    assert post.write(seat, "undo").nothing_to_undo


def test_nothing_but_moves_is_a_move(post: Post) -> None:
    m, seat = post.m, post.m.active
    before = m.page(seat)
    push = pushes(m, seat)[0]
    for text in ("show", "help", "hand", f"preview {push}", "What a nice day!", "", f"> {push}"):
        told = post.write(seat, text)
        assert told is not None, text
        assert not told.played
        assert m.page(seat) == before, text
    assert post.write(seat, f"preview {push}").preview == [push]
    assert post.write(seat, "What a nice day!").other_text == "What a nice day!"
    assert post.write(seat, "help").help
    assert post.write(seat, "hand").hand


def test_a_flood_of_lines_plays_nothing(post: Post) -> None:
    m, seat = post.m, post.m.active
    before = m.page(seat)
    push = pushes(m, seat)[0]
    for text in ("\n".join([push, "undo"] * 40), "\n".join([push] * 290), f"{push}\n" * 400):
        assert not post.write(seat, text).played
    assert m.page(seat) == before
    assert post.write(seat, f"preview {push}\n" * 50).preview == [push]


def test_what_is_said_goes_to_the_table(post: Post) -> None:
    m, seat = post.m, post.m.active
    told = post.write(seat, f"say Watch this!\n\n{pushes(m, seat)[0]}")
    assert (told.said, told.played) == (1, 1)
    assert [one["text"] for one in messages.listing(m.store, m.id, m.players[seat])] == ["Watch this!"]
    told = post.write(seat, "say " + "x" * 1500)
    assert (told.said, bool(told.unsaid)) == (0, True)


def test_a_mail_is_worked_on_once(post: Post) -> None:
    m, seat = post.m, post.m.active
    token = post.token(seat, at=True)
    push, other = pushes(m, seat)[:2]
    assert post.write(seat, push, token, "<same@phone.example>").played == 1
    assert post.write(seat, f"undo\n{other}", token, "<same@phone.example>") is None
    assert post.write(seat, f"undo\n{other}", token, "<another@phone.example>").undone == 1


def test_an_answer_to_an_old_notice_plays_nothing(post: Post) -> None:
    m = post.m
    seat = m.active
    old = post.token(seat, at=True)
    number = str(len(post.numbered(seat)))
    m.play_turn()
    for text in ("end", number, "push N1", "undo", "preview push N1"):
        before = m.page(seat)
        told = post.write(seat, text, old)
        assert (told.standing, told.played, told.undone, told.preview) == ("waiting", 0, 0, [])
        assert m.page(seat) == before
    m.play_turn()
    assert m.active == seat
    before = m.page(seat)
    assert post.write(seat, "end\npush N1", old).standing == "late"
    assert m.page(seat) == before


def test_whoever_answers_is_back(post: Post) -> None:
    m = post.m
    seat = m.active
    old = post.token(seat)
    m.play_turn()
    with m.store.write():
        Seat.update(autopilot=True, timeouts=2).where(Seat.game == m.id, Seat.seat == seat).execute()
    assert post.write(seat, "hello, I am back", old).came_back
    assert not m.store.ask(lambda: Seat.get(Seat.game == m.id, Seat.seat == seat).autopilot)


def test_resigning_needs_the_answer_to_a_second_mail(post: Post) -> None:
    m, seat = post.m, post.m.active
    for _ in range(2):
        assert post.write(seat, "resign").resigning
    assert not m.page(seat)["view"]["players"][seat]["resigned"]
    token = links.resign_token(m.store, now=m.clock(), player_id=m.players[seat].id, game_id=m.id, seat=seat)
    for text in json.loads(Path(__file__).with_name("not_resigning.json").read_text("utf-8"))["texts"]:
        told = post.write(seat, text, token)
        assert told.not_resigned, text
        assert m.to_move == seat
    courteous = "Hi Ann,\n\nResign!\n\nBest regards,\nBen\n\nSent from my iPhone"
    assert post.write(seat, courteous, token).standing == "resigned"
    assert m.to_move is None, "the other one has won"
    assert post.write(seat, "resign", token).standing in ("resigned", "over")
    assert post.write(seat, "push N1", post.token(seat)).standing == "over"


def test_a_token_that_ends_while_the_mail_is_read_plays_nothing(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    m, seat = post.m, post.m.active
    before, parse, token = m.page(seat), answers.grammar.parse, post.token(seat)

    def meanwhile(*given: Any) -> Any:
        sessions.sign_out_everywhere(m.store, m.players[seat], NOW)
        return parse(*given)

    monkeypatch.setattr(answers.grammar, "parse", meanwhile)
    with pytest.raises(OldLinkError):
        post.write(seat, "push N1", token)
    assert m.page(seat) == before


def test_what_a_token_is_not_good_for(post: Post) -> None:
    m, seat = post.m, post.m.active
    player = m.players[seat]
    other = m.players[1 - seat]
    stolen = [
        "a" * 26,
        links.talk_token(m.store, now=NOW, player_id=player.id, game_id=m.id),
        links.make(m.store, "unsubscribe", now=NOW, player=player.id, game=m.id),
        links.turn_token(m.store, now=NOW, player_id=other.id, game_id=m.id, ply=0, seat=seat),
        links.turn_token(m.store, now=NOW, player_id=player.id, game_id="nosuchgame12", ply=0, seat=seat),
        links.turn_token(m.store, now=NOW, player_id="nobody", game_id=m.id, ply=0, seat=seat),
    ]
    before = m.page(seat)
    for token in stolen:
        with pytest.raises(BadLinkError):
            post.write(seat, "push N1", token)
    with pytest.raises(OldLinkError):
        post.write(seat, "push N1", links.turn_token(m.store, now=NOW - timedelta(days=200), player_id=player.id,
            game_id=m.id, ply=0, seat=seat))  # fmt: skip
    token = post.token(seat)
    profiles.update_profile(m.store, player, {"email": None}, NOW)
    with pytest.raises(OldLinkError):
        post.write(seat, "push N1", token)
    assert m.page(seat) == before
    token = post.token(1 - seat)
    deletion.delete_account(m.store, other, NOW)
    with pytest.raises(BadLinkError):
        post.write(seat, "push N1", token)


def test_too_many_answers_are_dropped_and_noted(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "ANSWERS_AN_HOUR", 2)
    m, seat = post.m, post.m.active
    found = [post.write(seat, "show") for _ in range(3)]
    assert [one is not None for one in found] == [True, True, False]
    acts = [line["what"] for line in audit_log.listing(m.store, [m.players[seat].id])]
    assert (acts.count("answer_received"), acts.count("answer_beyond_limit")) == (2, 1)
    line = audit_log.listing(m.store, [m.players[seat].id])[-2]
    assert line["details"] == {"authentication": "dkim=pass", "game": m.id, "moves": 0}


def test_a_mail_that_fails_on_the_way_has_done_nothing(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    m, seat = post.m, post.m.active
    before = m.page(seat)
    token, text = post.token(seat, at=True), f"say Hi\n\n{pushes(m, seat)[0]}\nend"

    def fails(*_: object) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as broken:
        broken.setattr(answers, "tell", fails)
        with pytest.raises(RuntimeError):
            post.write(seat, text, token, "<once@phone.example>")
    assert m.page(seat) == before
    assert messages.listing(m.store, m.id, m.players[seat]) == []
    assert post.write(seat, text, token, "<once@phone.example>").played == 2
    assert len(messages.listing(m.store, m.id, m.players[seat])) == 1


def test_an_answer_to_a_message_goes_to_the_table(post: Post) -> None:
    m, seat = post.m, post.m.active
    token = links.talk_token(m.store, now=NOW, player_id=m.players[seat].id, game_id=m.id)
    mail = AnswerMail("<1@x.example>", ["Well played!", "push N1"], "Well played!\npush N1")
    before = m.page(seat)
    for _ in range(2):
        answers.receive_message(m.store, token, mail, m.clock())
    assert [one["text"] for one in messages.listing(m.store, m.id, m.players[seat])] == ["Well played!\npush N1"]
    assert m.page(seat) == before
    assert post.told(m.players[seat].id) is None, "nothing has to be said of it"
    answers.receive_message(m.store, token, AnswerMail("<2@x.example>", [""], ""), m.clock())
    assert post.told(m.players[seat].id).unsaid


def test_a_mail_to_both_addresses_of_a_table_plays_and_speaks(post: Post) -> None:
    """And each once, in whatever order and however often it comes."""
    m, seat = post.m, post.m.active
    turn = post.token(seat, at=True)
    talk = links.talk_token(m.store, now=NOW, player_id=m.players[seat].id, game_id=m.id)
    mail = AnswerMail("<1@x.example>", [pushes(m, seat)[0]], "Here you are")
    for _ in range(2):
        answers.receive(m.store, turn, mail, m.clock())
        answers.receive_message(m.store, talk, mail, m.clock())
    assert post.told(m.players[seat].id).played == 1
    assert [one["text"] for one in messages.listing(m.store, m.id, m.players[seat])] == ["Here you are"]


def test_who_is_not_to_move_is_told_nothing_of_a_hidden_draw(drawing: Post) -> None:
    m = drawing.m
    seat, other = m.active, 1 - m.active
    token = drawing.token(other)
    before = drawing.write(other, "draw\npush N1\nhand\nend", token)
    assert (before.standing, before.played, before.questions) == ("waiting", 0, [])
    assert before.left == ["draw", "push N1", "end"]
    m.play(seat, "draw")
    after = drawing.write(other, "draw\npush N1\nhand\nend", token)
    assert replace(after, mail="") == replace(before, mail="")


def test_a_mail_is_read_before_the_transaction_and_again_only_if_its_meaning_changed(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long ones take tenths of a second, in which nobody else could write."""
    m, seat, parse = post.m, post.m.active, answers.grammar.parse
    locked: list[bool] = []
    between: list[Callable[[], object]] = []

    def reads(*given: Any) -> Any:
        locked.append(m.store.database.in_transaction())
        read = parse(*given)
        if between:
            between.pop()()
        return read

    monkeypatch.setattr(answers.grammar, "parse", reads)
    token, first, began = post.token(seat, at=True), pushes(m, seat)[0], m.ply(seat)
    told = post.write(seat, first, token)
    assert (told is not None and told.carried[0].moves, locked) == ([first], [False])
    locked.clear()
    token = post.token(seat, at=True)
    numbered = post.numbered(seat)
    between.append(lambda: turns.undo(m.store, m.id, m.players[seat], began, m.clock()))
    told = post.write(seat, str(numbered.index("end") + 1), token)
    assert locked == [False, True], "the position that the letter showed was taken back meanwhile"
    assert not told.played
