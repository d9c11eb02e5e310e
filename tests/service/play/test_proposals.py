"""What players of a running game agree upon: who plays for one who is gone, the end, more time, a turn taken back."""

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from server.service.accounts import channels as own_channels
from server.service.archive import replays, verification
from server.service.chat import notice_wishes
from server.service.common.errors import Conflict, Forbidden, NotFound, ServiceError, TooManyRequests
from server.service.common.quotas import PROPOSALS_A_DAY
from server.service.games.proposals import LASTS, SILENT
from server.service.lists import game_page
from server.service.play import proposals, timeouts, turns, vacation
from server.service.play.proposals import Wish
from server.service.seating import creating, joining
from server.storage import sql
from server.storage.database import Store
from server.storage.times import parse_utc, utc
from tests.service.bots_here import play_due
from tests.service.conftest import NOW, make_player
from tests.service.timed import HOUR, PLAIN, Timed, confirm_addresses, start

LATE = timedelta(hours=24, seconds=1)
SHORT = ("draw", "push", "keep", "pick", "dock", "end")


def clockless(store: Store, seats: int = 2, private: bool = False) -> Timed:
    """A game in which turns may take for ever."""
    players = [make_player(store, f"Player {seat}") for seat in range(seats)]
    page = creating.create(store, players[0], seats, "A game", None, "", [], private, NOW)
    for player in players[1:]:
        joining.join(store, player, page["id"], "", page["invitation"], NOW)
    return Timed(store, page["id"], players, now=NOW)


def propose(game: Timed, by: int, kind: Any, **more: Any) -> dict[str, Any]:
    return dict(proposals.propose(game.store, game.players[by], game.id, Wish(kind, **more), game.now))


def answer(game: Timed, seat: int, agree: bool = True, named: str | None = None) -> dict[str, Any]:
    named = named or game.page(seat)["proposal"]["id"]
    return dict(proposals.answer(game.store, game.players[seat], game.id, named, agree, game.now))


def away(game: Timed) -> int:
    """Let the player of a seat be late until the server plays for them, while the others play on."""
    gone = game.active
    while not game.page(None)["players"][gone]["autopilot"]:
        if game.active == gone:
            game.wait(LATE)
            game.tick()
        else:
            game.play_turn()
    return gone


def told(game: Timed, kind: str) -> list[int]:
    """The first seats of whoever got such a mail."""
    ids = [player.id for player in game.players]
    return [ids.index(mail.player_id) for mail in game.mails(kind)]


def others(game: Timed, *but: int) -> list[int]:
    return [seat for seat in range(len(game.players)) if seat not in but]


def sound(store: Store) -> bool:
    return list(verification.verify_all(store)) == []


# --- somebody else for who is gone -----------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", ["apprentice", "master"])
def test_a_bot_of_their_choice_plays_on_for_who_is_gone(store: Store, bot: str) -> None:
    game = start(store, seats=3)
    confirm_addresses(game)
    gone = away(game)
    first, second = others(game, gone)
    seen, ply = game.page(None)["view"]["players"][gone], game.ply(None)
    shown = propose(game, first, "replace", seat=gone, bot=bot)["proposal"]
    assert (shown["seat"], shown["bot"], shown["agreed"], shown["asked"]) == (gone, bot, [first], [first, second])
    assert told(game, "proposal") == [second]
    assert game.page(None)["players"][gone]["player"] == game.players[gone].id
    page = answer(game, second)
    seated = page["players"][gone]
    assert (seated["player"], seated["bot"], seated["autopilot"], page["proposal"]) == (None, bot, False, None)
    assert (game.ply(None), game.page(None)["view"]["players"][gone]) == (ply, seen)
    assert (told(game, "agreed"), told(game, "replaced")) == ([first], [gone])
    with pytest.raises(Forbidden):
        timeouts.come_back(store, game.players[gone], game.id)
    while game.active != gone:
        game.play_turn()
        play_due(store, game.now)
        if len(game.log()) > ply + 20:
            break
    assert sound(store)


@pytest.mark.parametrize("bot", ["apprentice", "journeyman"])
def test_without_a_clock_who_is_silent_for_two_weeks_is_gone(store: Store, bot: str) -> None:
    game = clockless(store)
    silent = game.active
    other = 1 - silent
    vacation.add(store, game.players[silent], None, utc(NOW + 5 * 24 * HOUR), NOW)
    for game.now in (NOW + SILENT - HOUR, NOW + SILENT + HOUR):
        with pytest.raises(Conflict, match="not gone"):  # the vacation does not count
            propose(game, other, "replace", seat=silent, bot=bot)
    game.now = NOW + SILENT + 5 * 24 * HOUR
    propose(game, other, "replace", seat=silent, bot=bot)
    play_due(store, game.now)
    assert (game.active, game.page(other)["players"][silent]["bot"]) == (other, bot)
    game.play_turn()
    assert sound(store)


@pytest.mark.parametrize("clock", [True, False])
def test_a_person_takes_the_seat_over_by_the_link_that_was_agreed_upon(store: Store, clock: bool) -> None:
    game = start(store) if clock else clockless(store)
    confirm_addresses(game)
    gone = away(game) if clock else game.active
    game.now += timedelta() if clock else SILENT
    play_due(store, game.now)
    other, zoe = 1 - gone, make_player(store, "Zoe")
    hand = game.page(gone)["view"]["players"][gone]["hand"]
    notice_wishes.change(store, game.id, game.players[gone], {"mail": "mute", "push": "mute", "webhook": "mute"})
    shown = propose(game, other, "replace", seat=gone)["proposal"]
    assert (shown["accepted"], shown["bot"], game.page(other)["seat"]) == (True, None, other)
    for reader in (gone, None):
        assert game.page(reader)["proposal"]["invitation"] is None
    for wrong in (None, "x" * 20):
        with pytest.raises(Conflict):
            joining.join(store, zoe, game.id, "", wrong, game.now)
    with pytest.raises(Conflict, match="already have a seat"):
        joining.join(store, game.players[other], game.id, "", shown["invitation"], game.now)
    page = joining.join(store, zoe, game.id, "mine", shown["invitation"], game.now)
    assert (page["seat"], page["view"]["players"][gone]["hand"], page["proposal"]) == (gone, hand, None)
    assert game_page.page(store, game.id, game.players[gone])["seat"] is None
    assert notice_wishes.read(store, game.id, zoe) == {"mail": None, "push": None, "webhook": None}
    assert (told(game, "replaced"), told(game, "joined")[-1:]) == ([gone], [other])
    with pytest.raises(Conflict):
        joining.join(store, make_player(store, "Yan"), game.id, "", shown["invitation"], game.now)
    game.players[gone] = zoe
    while game.active != gone:
        game.play_turn()
    game.play_turn()
    assert sound(store)  # the share in the shuffle is that of who sat there first


def test_who_comes_back_in_time_keeps_the_seat(store: Store) -> None:
    game = start(store, seats=3)
    gone = away(game)
    first, second = others(game, gone)
    named = propose(game, first, "replace", seat=gone, bot="random")["proposal"]["id"]
    timeouts.come_back(store, game.players[gone], game.id)
    assert game.page(first)["proposal"] is None
    with pytest.raises(Conflict, match="not proposed any more"):
        answer(game, second, named=named)
    game.tick()
    with store.read():
        assert sql.value(store, "SELECT proposal FROM game") is None
    for seat in (gone, first):
        with pytest.raises(Conflict, match="not gone"):
            propose(game, second, "replace", seat=seat, bot="random")


def test_without_a_clock_who_has_begun_the_turn_is_there(store: Store) -> None:
    game = clockless(store)
    silent, other = game.active, 1 - game.active
    game.now += SILENT
    shown = propose(game, other, "replace", seat=silent)["proposal"]
    assert game.page(other)["proposal"]["id"] == shown["id"]
    game.play(silent, next(move for move in game.legal(silent) if move.startswith("push")))
    assert game.page(other)["proposal"] is None
    with pytest.raises(Conflict, match="not gone"):
        propose(game, other, "replace", seat=silent, bot="apprentice")
    with pytest.raises(Conflict):
        joining.join(store, make_player(store, "Zoe"), game.id, "", shown["invitation"], game.now)
    game.now += SILENT  # and amid it they stay away once more
    assert propose(game, other, "replace", seat=silent)["proposal"]["accepted"]


def test_an_invitation_of_a_private_game_shows_it_to_nobody_for_long(store: Store) -> None:
    game, zoe = clockless(store, private=True), make_player(store, "Zoe")
    silent = game.active
    game.now += SILENT
    invitation = propose(game, 1 - silent, "replace", seat=silent)["proposal"]["invitation"]
    assert game_page.page(store, game.id, zoe, invitation)["seat"] is None
    game.now += LASTS
    with pytest.raises(Conflict):
        joining.join(store, zoe, game.id, "", invitation, game.now)
    assert game.tick() == 1
    with pytest.raises(NotFound):
        game_page.page(store, game.id, zoe, invitation)


# --- the end ---------------------------------------------------------------------------------------------------------


def test_all_who_still_play_may_end_the_game(store: Store) -> None:
    game = start(store, seats=3, auto_draw=False)
    confirm_addresses(game)
    game.play_turn()
    game.play(game.active, "draw")  # which nobody else may know
    drawn, ply = game.active, game.ply(None)
    first, second = others(game, drawn)
    propose(game, first, "end")
    answer(game, drawn)
    assert game.page(None)["status"] == "running"
    page = answer(game, second)
    assert (page["status"], page["result"], page["deadline"], page["ply"]) == ("abandoned", None, None, ply)
    assert (page["proposal"]["kind"], page["proposal"]["accepted"]) == ("end", True)
    assert sorted(told(game, "over")) == [0, 1, 2]
    assert game.page(None)["view"]["turn"]["tiles"] == []
    with pytest.raises(ServiceError, match="abandoned"):
        replays.record(store, game.id, game.players[0])
    with pytest.raises(Conflict, match="given up"):
        game.play(drawn, "resign")
    assert game.tick() == 0
    assert sound(store)


def test_who_is_gone_is_not_asked_whether_it_ends(store: Store) -> None:
    timed, slow = start(store), clockless(store)
    gone = away(timed)
    assert propose(timed, 1 - gone, "end")["status"] == "abandoned"
    silent = slow.active
    assert propose(slow, 1 - silent, "end")["status"] == "running"
    answer(slow, 1 - silent, agree=False)
    slow.now += SILENT
    assert propose(slow, 1 - silent, "end")["status"] == "abandoned"
    alone = start(store, bots=["random"])
    with pytest.raises(Conflict, match="only bots"):
        propose(alone, 0, "end")


# --- more time -------------------------------------------------------------------------------------------------------


def test_who_alone_loses_by_it_gives_more_time_at_once(store: Store) -> None:
    game = start(store, {**PLAIN, "reserve_hours": 10})
    confirm_addresses(game)
    slow = game.active
    game.deliver()
    before = game.page(None)["deadline"]
    with pytest.raises(Conflict, match="your turn"):
        propose(game, slow, "time", hours=5)
    page = propose(game, 1 - slow, "time", hours=48)
    assert parse_utc(page["deadline"]) == parse_utc(before) + 48 * HOUR
    assert (page["extra_seconds"], page["proposal"], told(game, "agreed")) == (48 * 3600, None, [slow])
    game.wait(72 * HOUR - timedelta(minutes=1))
    game.tick()
    game.play_turn()
    assert game.page(None)["reserve_seconds"][slow] == 10 * 3600  # what was given is used up before it
    assert (game.active, game.page(None)["extra_seconds"]) == (1 - slow, None)
    assert parse_utc(game.page(None)["deadline"]) == game.now + 34 * HOUR


def test_among_three_the_third_is_asked_about_more_time(store: Store) -> None:
    game = start(store, seats=3)
    slow = game.active
    first, second = others(game, slow)
    before = game.page(None)["deadline"]
    assert propose(game, first, "time", hours=24)["proposal"]["asked"] == [first, second]
    with pytest.raises(Forbidden, match="for the others"):
        answer(game, slow)
    assert parse_utc(str(answer(game, second)["deadline"])) == parse_utc(before) + 24 * HOUR
    named = propose(game, first, "time", hours=24)["proposal"]["id"]
    game.play_turn()
    with pytest.raises(Conflict, match="not proposed any more"):  # it was for that turn
        answer(game, second, named=named)


# --- taking back -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("auto_draw", [True, False])
def test_the_end_of_a_turn_is_taken_back_while_the_next_has_not_begun(store: Store, auto_draw: bool) -> None:
    """The next player's draw goes back with it, seen or not, and is the same one afterwards."""
    game = start(store, auto_draw=auto_draw)
    confirm_addresses(game)
    by = game.active
    own_channels.add_webhook(store, game.players[1 - by], "json", "https://example.org/", "", NOW)
    game.play_turn()
    after = game.active
    if not auto_draw:
        game.play(after, "draw")
    drawn, ply = game.page(after)["view"]["turn"]["tiles"], game.ply(by)
    assert drawn
    with pytest.raises(Conflict, match="only who played last"):
        propose(game, after, "take_back")
    assert propose(game, by, "take_back")["proposal"]["asked"] == [0, 1]
    edition = game.page(None)["edition"]
    page = answer(game, after)
    assert (page["to_move"], page["ply"], page["proposal"]) == (by, ply - 1, None)
    assert parse_utc(str(page["deadline"])) == game.now + 24 * HOUR
    assert "end" in game.legal(by)
    assert told(game, "agreed") == [by]
    called = told(game, "turn")
    assert game.page(None)["edition"] != edition  # what stood at an address until now may stand there no more
    game.play(by, "end")
    assert told(game, "turn") == [*called, after]  # anew
    with store.read():
        assert sql.value(store, "SELECT COUNT(*) FROM delivery WHERE kind = 'turn'") == 2
    if not auto_draw:
        game.play(after, "draw")
    assert game.page(after)["view"]["turn"]["tiles"] == drawn
    game.play_turn()
    assert sound(store)


def test_what_all_have_seen_is_not_taken_back(store: Store) -> None:
    game = start(store)
    by = game.active
    game.play_turn()
    named = propose(game, by, "take_back")["proposal"]["id"]
    after = game.active
    game.play(after, next(move for move in game.legal(after) if move.startswith("push")))
    assert game.page(by)["proposal"] is None
    for act in (lambda: answer(game, after, named=named), lambda: propose(game, by, "take_back")):
        with pytest.raises(Conflict):
            act()


def test_nobody_takes_back_alone(store: Store) -> None:
    """The end of a turn may have turned the next tile of the Tower: where only bots play, nobody agrees that it goes
    back."""
    ann = make_player(store, "Ann")
    game = Timed(store, creating.create(store, ann, 2, "", None, "", ["master"], False, NOW)["id"], [ann], now=NOW)
    if game.active == 1:
        play_due(store, NOW)
    move = "draw"
    while move != "end":
        legal = game.legal(0)
        move = next(one for one in [*{"draw", "end"}.intersection(legal), *legal] if one.split()[0] in SHORT)
        turns.play(store, game.id, ann, game.ply(0), [move], None, NOW)
    assert game.active == 1
    with pytest.raises(Conflict, match="nobody else"):
        propose(game, 0, "take_back")


def test_asking_to_take_back_tells_nothing_of_a_hidden_draw(store: Store) -> None:
    """What is proposed, refused and shown is the same whether the next player has drawn or not."""
    answers = []
    for draws in (True, False):
        game = start(store, auto_draw=False, seats=3)
        by = game.active
        game.play_turn()
        if draws:
            game.play(game.active, "draw")
        seen: list[Any] = []
        for seat in others(game, game.active):
            try:
                seen.append(propose(game, seat, "take_back"))
            except Conflict as refusal:
                seen.append(refusal.message)
        answer(game, by, agree=False)
        seen += [propose(game, by, "time", hours=1), game.page(None)]
        answers.append(repr(seen).replace(game.id, "").replace(seen[-1]["proposal"]["id"], ""))
        ids = [game.id, *(one["proposal"]["id"] for one in seen if isinstance(one, dict))]
        ids += [player.id for player in game.players] + [game.page(None)["commitment"], game.page(None)["edition"]]
        for number, name in enumerate(ids):
            answers[-1] = answers[-1].replace(name, f"<{number}>")
    assert answers[0] == answers[1]


# --- all of them -----------------------------------------------------------------------------------------------------


def test_a_no_ends_it_and_too_many_are_too_many(store: Store) -> None:
    game = start(store, seats=3)
    confirm_addresses(game)
    zoe = make_player(store, "Zoe")
    slow = game.active
    first, second = others(game, slow)
    for number in range(PROPOSALS_A_DAY):
        named = propose(game, first, "end")["proposal"]["id"]
        with pytest.raises(Conflict, match="proposed already"):
            propose(game, second, "end")
        with pytest.raises(Forbidden):
            proposals.answer(store, zoe, game.id, named, True, game.now)
        assert answer(game, first if number % 2 else slow, agree=False)["proposal"] is None
        with pytest.raises(Conflict):
            answer(game, second, named=named)
    with pytest.raises(TooManyRequests):
        propose(game, first, "end")
    assert len(told(game, "proposal")) == 2 * PROPOSALS_A_DAY
    assert propose(game, second, "end")["proposal"]["agreed"] == [second]


def test_what_waits_for_nobody_any_more_comes_about_and_what_is_too_old_does_not(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = start(store, {**PLAIN, "turn_hours": 1000}, seats=3)
    first, second, third = game.active, *others(game, game.active)
    propose(game, first, "end")
    answer(game, second)
    game.play(third, "resign")
    assert game.page(None)["status"] == "running"
    assert game.tick() == 1
    assert game.page(None)["status"] == "abandoned"
    game = start(store, {**PLAIN, "turn_hours": 1000})
    named = propose(game, game.active, "end")["proposal"]["id"]
    with monkeypatch.context() as patch:
        patch.setattr(proposals, "changing", lambda _: pytest.fail("nothing is to be written while people are asked"))
        assert not proposals.look_after(store, game.id, game.now)
    game.now += LASTS
    with pytest.raises(Conflict, match="in time"):
        answer(game, 1 - game.active, named=named)
    assert game.tick() == 1
    assert game.page(None)["proposal"] is None


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_agreed_upon_no_game_is_stuck(store: Store, seed: int) -> None:
    """At random: turns, silence, proposals and answers of all kinds. The game ends, and is as its log says."""
    rng = random.Random(seed)
    game = start(store, {**PLAIN, "reserve_hours": 5}, seats=rng.choice([2, 3]), seed=seed, auto_draw=seed % 2 == 0)
    zoe = make_player(store, "Zoe")

    def try_it(act: Callable[[], object]) -> None:
        try:
            act()
        except ServiceError:
            return

    for _ in range(400):
        page = game.page(None)
        if page["status"] != "running":
            break
        seat = rng.randrange(len(game.players))
        chance, kind = rng.random(), rng.choice(["replace", "replace", "time", "take_back", "end"])
        found = page["proposal"]
        if found and chance < 0.4:
            agree = rng.random() < (0.05 if found["kind"] == "end" else 0.8)
            try_it(lambda: answer(game, seat, agree, found["id"]))  # noqa: B023
        elif found and found["accepted"] and chance < 0.6:
            link = game.page(found["by"])["proposal"]["invitation"]
            try_it(lambda: joining.join(store, zoe, game.id, "", link, game.now))  # noqa: B023
        elif chance < 0.3:
            bot = rng.choice(["random", "journeyman", None])
            try_it(lambda: propose(game, seat, kind, seat=rng.randrange(len(game.players)), bot=bot, hours=7))  # noqa: B023
        elif chance < 0.5:
            game.wait(20 * HOUR)
            game.tick()
        elif game.page(seat)["to_move"] == seat == game.page(seat)["seat"]:
            try_it(game.play_turn)
        play_due(store, game.now)
        assert sound(store)
    while game.page(None)["status"] == "running":  # nobody comes any more
        game.wait(200 * HOUR)
        game.tick()
        play_due(store, game.now)
    assert sound(store)


def test_what_waits_for_agreement_changes_nothing_while_it_waits(store: Store) -> None:
    """Each look at it wrote the game anew, and woke all who watch it."""

    def version() -> int:
        return store.ask(lambda: sql.value(store, "SELECT version FROM game WHERE id = ?", game.id))

    game = start(store, {**PLAIN, "turn_hours": 1000})
    propose(game, game.active, "end")
    before = version()
    assert game.tick() == 0
    assert version() == before
