"""As a cheater: nothing that others are answered may tell what is hidden."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from server.engine.rulesets import Rules
from server.engine.ulm1.state import State
from server.engine.ulm2 import RULES
from server.routes.http.problem_details import status_of
from server.service.archive import replays, verification
from server.service.common.errors import ServiceError
from server.service.erasure import personal_export
from server.service.explain.history import tell
from server.service.games import loading
from server.service.lists import board_view, game_page
from server.service.play import turns
from tests.service.conftest import NOW, Match, Situation, Start
from tests.tables import Snapshot


def told(call: Callable[[], Any]) -> Any:
    """An answer, or the whole of a refusal."""
    try:
        return call()
    except ServiceError as refused:
        return (status_of(refused), refused.message, refused.errors)


def looked_up(game: Match, seat: int | None) -> dict[str, Any]:
    """What a seat is answered at the ply that it sees, ids aside: page, log, board at every ply, refusals."""
    store, player = game.store, None if seat is None else game.players[seat]
    page = game_page.page(store, game.id, player)
    plies = range(page["ply"] + 1)
    with store.read():
        story = tell(store, loading.for_reader(store, game.id, player), seat)
    answers: dict[str, Any] = {
        "page": {key: value for key, value in page.items() if key not in ("id", "creator", "players", "created_at")},
        "log since": [game_page.log(store, game.id, player, ply) for ply in plies],
        "boards": [
            (seen.view, seen.fixed) for seen in (board_view.of_game(store, game.id, player, at) for at in plies)
        ],
        "beyond": told(lambda: board_view.of_game(store, game.id, player, page["ply"] + 1)),
        "story": [(one.ply, one.seat, one.move, one.sentences) for one in story.moves],
        "replay": told(lambda: replays.state(store, game.id, 0, None, player)),
    }
    if player is not None:
        answers["legal"] = game_page.legal_moves(store, game.id, player)
        games = personal_export.export(store, player, NOW)["games"]
        answers["own"] = [(move["ply"], move["move"]) for one in games if one["id"] == game.id for move in one["moves"]]
        for at in (0, page["ply"], page["ply"] + 1):
            answers[f"undo {at}"] = told(lambda at=at: turns.undo(store, game.id, player, at, NOW))
            for moves in (["push N1"], ["nonsense"], ["resign", "draw"]):
                play = partial(turns.play, store, game.id, player, at, moves, None, NOW)
                answers[f"play {moves} at {at}"] = told(play)
    return answers


def test_hidden_draw_costs_the_others_no_time(match: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a game is the same work while a draw is hidden: answers that take longer would tell it."""
    decoded: list[int] = []
    read = RULES.read_state

    def counted(rules: Rules, data: dict[str, Any], seed: bytes | None) -> State:
        decoded.append(data["ply"])
        return read(rules, data, seed)

    def work(game: Match, seat: int | None) -> tuple[list[int], list[str]]:
        decoded.clear()
        statements.clear()
        looked_up(game, seat)
        return list(decoded), list(statements)

    game = match(3, auto_draw=False)
    game.play_turn()
    statements: list[str] = []
    execute = game.store.database.execute_sql
    monkeypatch.setitem(vars(RULES), "read_state", counted)
    monkeypatch.setattr(
        game.store.database,
        "execute_sql",
        lambda sql, *rest, **named: statements.append(sql) or execute(sql, *rest, **named),
    )
    seat, others = game.active, game.others()
    before = {other: work(game, other) for other in others}
    assert all(len(decoded) > 3 for decoded, _ in before.values())
    game.play(seat, "draw")
    for other in others:
        after = work(game, other)
        assert (len(after[0]), after[1]) == (len(before[other][0]), before[other][1])


def test_it_does_not_show_whether_the_server_draws_for_a_player(match: Start) -> None:
    """The same game with and without automatic draws, as the others see it after each turn."""

    def seen(game: Match) -> list[Any]:
        shown = []
        for _ in range(6):
            for other in game.others():
                page = game.page(other)
                log = game_page.log(game.store, game.id, None if other is None else game.players[other], 0)
                shown.append([page[key] for key in ("ply", "to_move", "phase", "round", "view")])
                own = [entry for entry in log["moves"] if entry["seat"] == other]
                shown.append([(entry["ply"], entry["seat"], entry["move"]) for entry in log["moves"]])
                assert not any(entry["automatic"] for entry in log["moves"] if entry not in own)
            game.play_turn()
        return shown

    assert seen(match(3, auto_draw=True, seed=3)) == seen(match(3, auto_draw=False, seed=3))


def test_time_of_a_draw_is_that_of_the_move_after_it(match: Start) -> None:
    game = match(2, auto_draw=True)
    first = game.active
    second = 1 - first
    game.play(first, "push N1")
    game.play(first, "end")
    game.play(second, game.legal(second)[0])
    store, players = game.store, game.players
    own = game_page.log(store, game.id, players[second], 0)["moves"]
    others = game_page.log(store, game.id, players[first], 0)["moves"]
    spectators = game_page.log(store, game.id, None, 0)["moves"]
    assert [entry["move"] for entry in own] == [entry["move"] for entry in others]
    draw = next(index for index, entry in enumerate(own) if entry["move"] == "draw" and entry["seat"] == second)
    assert own[draw]["at"] == own[draw - 1]["at"] != own[draw + 1]["at"]
    assert own[draw]["automatic"] is True
    for log in (others, spectators):
        assert log[draw]["at"] == log[draw + 1]["at"]
        assert log[draw]["automatic"] is False


def test_trying_to_resign_does_not_show_what_is_on_offer_to_another(match: Start, offer: Situation) -> None:
    """The resignation of the last opponent puts open offers onto the discard pile: a preview may not show that."""
    game = match(offer.seats, seed=offer.seed)
    game.follow(offer.moves)
    one, *rest = [seat for seat in game.others() if seat is not None]
    for seat in rest:
        game.play(seat, "resign")
    offered = {text.split()[1] for text in game.legal(game.active)}
    page = game.page(one)
    tried = turns.preview(game.store, game.id, game.players[one], page["ply"], ["resign"])
    assert not offered & set(tried["view"]["discard"])
    assert (tried["applied"], tried["ply"], tried["view"]) == (0, page["ply"], page["view"])
    # Who means it, may: the game is over then.
    assert game.play(one, "resign")["view"]["phase"] == "over"


@pytest.mark.parametrize("seats", [3, 4])
def test_resignations_of_others_do_not_unmask_a_draw(match: Start, seats: int) -> None:
    """record.md §4: two games, the same but that the player to move has drawn in one before others resign."""
    games = match(seats, auto_draw=True), match(seats, auto_draw=False)
    seat = games[0].active
    leaving = [other for other in range(seats) if other != seat][: seats - 2]

    def at(hour: int, act: Callable[[Match], Any]) -> list[Any]:
        """Something is done in both, at the same time; nobody else can tell them apart then."""
        for game in games:
            game.clock.now = NOW + timedelta(hours=hour)
        done = [act(game) for game in games]
        for other in (*(other for other in range(seats) if other != seat), None):
            one, two = (looked_up(game, other) for game in games)
            for key in one:
                assert one[key] == two[key], (other, key)
        return done

    for number, other in enumerate(leaving):
        one, two = at(number, lambda game, other=other, n=number: game.play(other, "resign", ply=n))
        assert one == two
        assert (one["ply"], one["view"]["phase"]) == (number + 1, "draw")
    drawn = games[0]
    own = game_page.log(drawn.store, drawn.id, drawn.players[seat], 0)["moves"]  # who drew sees all of it
    assert [entry["move"] for entry in own] == ["draw", *["resign"] * len(leaving)]
    at(5, lambda game: None if game is drawn else game.play(seat, "draw"))
    push = drawn.legal(seat)[0]
    at(6, lambda game: game.play(seat, push))
    others = game_page.log(drawn.store, drawn.id, None, 0)["moves"]
    assert [entry["move"] for entry in others] == [*["resign"] * len(leaving), "draw", push]
    assert [entry["ply"] for entry in others] == list(range(1, len(others) + 1))
    assert others[-2]["at"] == others[-1]["at"] > others[0]["at"]
    assert list(verification.verify_all(drawn.store)) == []


def test_the_mask_outlives_undo_and_a_lost_snapshot(match: Start) -> None:
    """A draw is hidden again when the moves behind it are taken back, also where another has resigned."""
    game = match(3)
    seat = game.active
    other, spectator = (seat + 1) % 3, None
    game.play(other, "resign")
    before = looked_up(game, spectator)
    with game.store.write():
        Snapshot.delete().execute()
    assert looked_up(game, spectator) == before
    game.play(seat, game.legal(seat)[0])
    assert game.ply(spectator) == 3
    turns.undo(game.store, game.id, game.players[seat], 2, NOW)
    assert looked_up(game, spectator) == before
    assert [finding.message for finding in verification.verify_all(game.store) if finding.message] == []


def test_a_replay_shows_a_seat_what_it_saw(match: Start) -> None:
    """record.md §4: as that seat saw it, resignations behind a hidden draw included; without a seat all, in order."""
    game = match(3)
    seat = game.active
    other, third = (seat + 1) % 3, (seat + 2) % 3
    first = {reader: game.page(reader)["view"] for reader in (seat, other, third)}
    game.play(other, "resign")
    second = {reader: game.page(reader)["view"] for reader in (seat, other, third)}
    game.play(seat, game.legal(seat)[0])
    game.play(third, "resign")
    for reader in (seat, other, third):
        assert replays.state(game.store, game.id, 1, reader)["state"] == first[reader]
        assert replays.state(game.store, game.id, 2, reader)["state"] == second[reader]
        streamed = [line["state"] for line in replays.states(game.store, game.id, 1, 2, reader)[2]]
        assert streamed == [first[reader], second[reader]]
        [later] = replays.states(game.store, game.id, 2, 2, reader)[2]
        assert later["state"] == second[reader]
    assert replays.state(game.store, game.id, 1)["state"]["ply"] == 1


def test_the_log_of_a_finished_game_is_that_of_its_record(match: Start, offer: Situation) -> None:
    """One truth: what the record shows, the log does not hide any more."""
    game = match(offer.seats, seed=offer.seed)
    game.follow(offer.moves)
    seat = game.active
    kept = next(text for text in game.legal(seat) if text.startswith("choose "))
    game.play(seat, kept)
    spectators = game_page.log(game.store, game.id, None, 0)["moves"]
    assert kept not in [entry["move"] for entry in spectators]
    for other in [other for other in game.others() if other is not None]:
        game.play(other, "resign")
    recorded = replays.record(game.store, game.id)["moves"]
    assert [kept, seat] in [entry[:2] for entry in recorded]
    for reader in (*game.players, None):
        log = game_page.log(game.store, game.id, reader, 0)["moves"]
        assert [[entry["move"], entry["seat"], entry["at"]] for entry in log] == recorded
        tail = game_page.log(game.store, game.id, reader, 3)["moves"]
        assert tail == log[3:]
        with game.store.read():
            loaded = loading.for_reader(game.store, game.id, reader)
            story = tell(game.store, loaded, loaded.seat_of(reader))
        assert [[one.move, one.seat] for one in story.moves] == [entry[:2] for entry in recorded]


@pytest.mark.parametrize("tower", [True, False])
def test_a_preview_begins_no_round(match: Start, tower: bool) -> None:
    """With a round the next Tower tile is turned: not in a preview, neither by the end of a turn nor by resigning."""
    game = match(3, options={"tower": tower})
    for _ in range(2):
        game.play_turn()
    seat = game.active
    push = game.legal(seat)[0]
    page = game.page(seat)

    def preview(*moves: str) -> dict[str, Any]:
        return turns.preview(game.store, game.id, game.players[seat], game.ply(seat), list(moves))

    shown = preview(push, "end")
    assert (shown["applied"], shown["view"]["round"], shown["ply"]) == (1, 1, page["ply"] + 1)
    assert shown["view"]["tower"] == page["view"]["tower"]
    assert preview("resign") == {"applied": 0, "ply": page["ply"], "view": page["view"]}
    assert preview(push, "end", "resign")["applied"] == 1
    game.play(seat, push, "end")
    assert game.page(seat)["round"] == 2  # as it comes to pass
    first = game.active
    shown = turns.preview(game.store, game.id, game.players[first], game.ply(first), [game.legal(first)[0], "end"])
    assert shown["applied"] == 2  # the end of a turn amid a round shows nothing


@pytest.mark.parametrize("auto_draw", [True, False])
def test_a_repeated_resignation_is_answered_as_the_first_was(match: Start, auto_draw: bool) -> None:
    """Under its Idempotency-Key, also when the draw that was hidden then lies open: as if made before the draw."""
    game = match(3, auto_draw=auto_draw)
    seat = game.active
    other = (seat + 1) % 3
    first = game.play(other, "resign", ply=0, key="once")
    assert (first["applied"], first["ply"]) == (1, 1)
    if not auto_draw:
        game.play(seat, "draw")
        assert game.play(other, "resign", ply=0, key="once") == first
    game.play(seat, game.legal(seat)[0])
    assert game.play(other, "resign", ply=0, key="once") == first
