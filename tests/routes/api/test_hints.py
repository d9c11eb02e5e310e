"""Hints: where they are allowed, what the adviser is told, and what the others see."""

from datetime import UTC, datetime
from typing import Any

import pytest
from flask.testing import FlaskClient

from bots import turn
from tests.routes.caller import Caller, new_game
from tests.routes.pages.conftest import Browser, sign_in
from tests.service.bots_here import Here, play_due


def now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def ben(client: FlaskClient) -> Caller:
    return Caller(client, "Ben")


def against_a_bot(ann: Caller) -> str:
    """A game in which it is Ann's turn."""
    while True:
        page = ann.post("/games", {"seats": 2, "bots": ["apprentice"]}, 201).json
        if page["to_move"] == 0:
            return str(page["id"])


def end_turn(caller: Caller, game: str) -> None:
    seat = caller.page(game)["seat"]
    while caller.page(game)["to_move"] == seat:
        caller.step(game)


def test_a_hint_against_bots(store, ann: Caller, stranger: Caller) -> None:
    game = against_a_bot(ann)
    before = ann.page(game)
    assert (before["hints"], before["hints_taken"]) == (True, [0, 0])
    ann.get(f"/games/{game}/hint", 404)
    asked = ann.post(f"/games/{game}/hint", None, 202).json
    assert asked == {"ply": before["ply"], "ready": False, "bot": "journeyman", "moves": []}
    assert ann.get(f"/games/{game}/hint", 200).json == asked
    assert ann.page(game)["hints_taken"] == [0, 0], "nothing was given yet"
    thinker = Here()
    play_due(store, now(), thinker)
    [question] = thinker.asked
    assert question.bot == "journeyman"
    assert question.view == before["view"], "what the seat may see, and nothing else"
    given = ann.get(f"/games/{game}/hint", 200).json
    assert given["ready"] is True
    first = given["moves"][0]
    assert first["move"] in ann.legal(game)
    assert all(isinstance(text, str) and text for one in given["moves"] for text in one["effects"])
    assert any(one["effects"] for one in given["moves"])
    assert ann.post(f"/games/{game}/hint", None, 202).json == given, "asked again it is the same"
    # Everybody sees that it was taken, and nobody else what it was.
    assert stranger.page(game)["hints_taken"] == [1, 0]
    stranger.get(f"/games/{game}/hint", 401)
    ann.play(game, first["move"], status=201)
    if ann.page(game)["to_move"] == 0:
        ann.get(f"/games/{game}/hint", 404)
    assert stranger.page(game)["hints_taken"] == [1, 0]


def test_among_people_only_where_that_was_agreed(store, ann: Caller, ben: Caller) -> None:
    callers = [ann, ben]
    for options, allowed in (({}, False), ({"hints": True}, True)):
        game = new_game(callers, **options)
        page = ann.page(game)
        assert page["hints"] is allowed
        mover, other = callers[page["to_move"]], callers[1 - page["to_move"]]
        mover.post(f"/games/{game}/hint", None, 202 if allowed else 403)
        other.post(f"/games/{game}/hint", None, 403)
    play_due(store, now())
    assert other.page(game)["hints_taken"][page["to_move"]] == 1
    other.get(f"/games/{game}/hint", 403)
    mover.play(game, "resign", status=201)
    assert ann.page(game)["hints_taken"][page["to_move"]] == 1
    assert mover.post(f"/games/{game}/rematch", None, 201).json["hints"] is True
    mover.post(f"/games/{game}/hint", None, 409)


def test_a_hint_is_about_the_position_not_the_ply(store, ann: Caller) -> None:
    """After moves were taken back and others played the same ply is another position."""
    game = against_a_bot(ann)
    ply = ann.page(game)["ply"]
    pushes = [move for move in ann.legal(game) if move.startswith("push")]
    ann.play(game, pushes[0], status=201)
    ann.post(f"/games/{game}/hint", None, 202)
    play_due(store, now())
    assert ann.get(f"/games/{game}/hint", 200).json["ready"]
    if ann.call("POST", f"/games/{game}/undo", {"ply": ply}).status_code != 200:
        pytest.skip("this push revealed something")
    ann.play(game, pushes[1], status=201)
    ann.get(f"/games/{game}/hint", 404)


def test_an_adviser_that_fails_can_be_asked_again(store, ann: Caller) -> None:
    def fails(question: turn.Question) -> list[str]:
        from server.bot_workers.process import ThinkingError

        raise ThinkingError("it is ill")

    game = against_a_bot(ann)
    ann.post(f"/games/{game}/hint", None, 202)
    play_due(store, now(), Here(fails))
    ann.get(f"/games/{game}/hint", 404)
    ann.post(f"/games/{game}/hint", None, 202)
    play_due(store, now())
    assert ann.get(f"/games/{game}/hint", 200).json["ready"]


def test_a_bot_takes_none(ann: Caller, ben: Caller) -> None:
    made = ann.post("/players/me/bots", {"handle": "hal"}, 201).json
    while True:
        page = ben.post("/games", {"seats": 2, "bots": ["@hal"], "hints": True}, 201).json
        if page["to_move"] == 1:
            break
        ben.play(page["id"], "resign", status=201)
    ben.token, token = made["token"], ben.token
    ben.post(f"/games/{page['id']}/hint", None, 403)
    ben.token = token


def hints_on(browser: Browser, game: str) -> Any:
    browser.open(f"/games/{game}")
    return [form for form in browser.forms if form.action.endswith("/hint")]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_page_asks_says_and_drafts_it(store, app, client: FlaskClient, ann: Caller, ben: Caller) -> None:
    from server.service.accounts.players import player_by_id

    game = against_a_bot(ann)
    browser = Browser(app.test_client())
    sign_in(browser.client, store, player_by_id(store, ann.id), now())
    [form] = hints_on(browser, game)
    assert "Working out a hint" in browser.press(form).text
    play_due(store, now())
    page = browser.open(f"/games/{game}").text
    plan = [one["move"] for one in ann.get(f"/games/{game}/hint", 200).json["moves"]]
    for number, move in enumerate(plan):
        told = page.partition('id="advice"')[2].partition('id="moves"')[0]
        assert f'value="{move}"' in told
        assert 'form="sending"' in told or "Why? The plan is this: " in told
        if 'form="sending"' in told:
            break
        page = browser.open(f"/games/{game}?ply={ann.page(game)['ply']}&draft={','.join(plan[: number + 1])}").text
    among = new_game([ann, ben])
    assert hints_on(browser, among) == []
    allowed = new_game([ann, ben], hints=True)
    if ann.page(allowed)["to_move"] == 0:
        assert len(hints_on(browser, allowed)) == 1
        assert "but everybody sees it" in browser.response.text


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_who_asks_in_the_midst_of_a_turn_is_told_of_the_position_that_they_see(app, store, ann: Caller) -> None:
    """What is drafted is played first, and can be taken back as before: they were asked to send it themselves."""
    from server.service.accounts.players import player_by_id

    game = against_a_bot(ann)
    browser = Browser(app.test_client())
    sign_in(browser.client, store, player_by_id(store, ann.id), now())
    ply, move = ann.page(game)["ply"], next(move for move in ann.legal(game) if move.startswith("push"))
    browser.open(f"/games/{game}?ply={ply}&draft={move}")
    [form] = [form for form in browser.forms if form.action.endswith("/hint")]
    page = browser.press(form).text
    assert "Working out a hint" in page
    assert ann.page(game)["ply"] == ply + 1
    assert ann.page(game)["view"]["phase"] == "actions"
    play_due(store, now())
    plan = [one["move"] for one in ann.get(f"/games/{game}/hint", 200).json["moves"]]
    assert plan[0] in ann.legal(game)
    browser.open(f"/games/{game}")
    [undoing] = [form for form in browser.forms if form.name == "undoing"]
    browser.press(undoing, ply=str(ply))
    assert ann.page(game)["ply"] == ply
