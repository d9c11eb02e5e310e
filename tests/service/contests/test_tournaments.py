"""Tournaments: entered, played round by round on the same deals, counted from records alone."""

import json
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from replays.files import Item, Source
from replays.pairing import KINDS
from replays.standings import Told, standings, told_by
from server.engine import rulesets
from server.service.accounts.players import Player
from server.service.common.errors import Conflict, Forbidden, NotFound, ServiceError
from server.service.contests import rounds, tournaments
from server.service.erasure import deletion, personal_export
from server.service.lists import game_page
from server.service.outbox import heartbeat, pauses
from server.service.play import proposals
from server.service.play.proposals import Wish
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc
from tests.service.bots_here import play_due
from tests.service.conftest import NOW, Match, make_player


def tables(store: Store, made: str, player: Player) -> list[str]:
    """The games of the round under way at which somebody sits."""
    page = tournaments.page(store, made, player)
    return [str(one["game"]) for one in page["tables"] if one["game"] and one["status"] == "running"]


def play(store: Store, made: str, people: list[Player], now: datetime = NOW) -> None:
    """Let all people play a turn where it is theirs, then resign one after the other; and bots their turns."""
    for player in people:
        for game_id in tables(store, made, player):
            page = game_page.page(store, game_id, player)
            seated = [
                next((one for one in people if seat and one.id == seat["player"]), player) for seat in page["players"]
            ]
            match = Match(store, game_id, seated)
            while page["to_move"] is not None and page["status"] == "running":
                if page["players"][page["to_move"]]["bot"] is not None:
                    play_due(store, now)
                else:
                    match.play(page["to_move"], "resign")
                page = game_page.page(store, game_id, player)


def told(store: Store, made: str) -> list[Told]:
    """What the records of a tournament tell."""
    found = [told_by(Item(Source("-"), json.dumps(one).encode())) for one in tournaments.records(store, made)]
    assert all(isinstance(one, Told) for one in found)
    return found  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("kind", "seats", "ruleset"), [(KINDS[0], 2, "ulm/1"), (KINDS[1], 3, "ulm/2"), (KINDS[2], 2, "ulm/2")]
)
def test_rounds_follow_by_themselves_and_records_give_the_same_table(
    store: Store, monkeypatch: pytest.MonkeyPatch, kind: str, seats: int, ruleset: str
) -> None:
    people = [make_player(store, name) for name in ("Jürgen Groß", "Людмила", "Ελένη")]
    monkeypatch.setattr(rulesets, "_chosen", [rulesets.rules_for(ruleset)])  # the operator's wish
    made = tournaments.make(store, people[0], "Кубок für 烏爾姆", kind, seats, NOW, boards=2)
    for player in people:
        tournaments.enter(store, player, made, NOW)
    tournaments.add_bot(store, people[0], made, "random", NOW)
    page = tournaments.start(store, people[0], made, NOW)
    for number in range(1, (page["rounds"] or 0) + 1):
        page = tournaments.page(store, made, people[1])
        assert (page["status"], page["round"]) == ("running", number)
        now = [one for one in page["tables"] if one["round"] == number]
        assert {one["board"] for one in now} == {1, 2}
        assert all((one["game"] is not None) == (page["number"] in one["entrants"]) for one in now)
        assert [one["seed"] is None for one in page["deals"]] == [one["round"] == number for one in page["deals"]]
        play(store, made, people)
        while rounds.run(store, NOW) == 0:
            play_due(store, NOW)
    page = tournaments.page(store, made, None)
    assert (page["status"], page["round"]) == ("over", page["rounds"])
    assert all(one["game"] for one in page["tables"])
    records = told(store, made)
    assert {one.tournament for one in records} == {(made, kind)}
    assert {one.names.get(2) for one in records} == {None, "Людмила"}
    lines = standings([one.played for one in records if one.played], kind == "knock-out")
    assert [(line.place, line.entrant, *line.measure) for line in lines] == [
        (one["place"], one["number"], one["points"], one["duplicate"], one["margin"]) for one in page["standings"]
    ]
    assert rounds.run(store, NOW) == 0


@pytest.fixture
def evening(store: Store) -> tuple[str, list[Player]]:
    """Four people at two tables of a Swiss tournament whose round takes a day."""
    people = [make_player(store, name) for name in ("Ann", "Ben", "Cleo", "Dan")]
    made = tournaments.make(store, people[0], "Friday", "swiss", 2, NOW, rounds=2, round_hours=24)
    for player in people:
        tournaments.enter(store, player, made, NOW)
    tournaments.start(store, people[0], made, NOW)
    return made, people


def test_nobody_sees_another_table_of_the_round(store: Store, evening: tuple[str, list[Player]]) -> None:
    made, people = evening
    for player in people:
        [own] = tables(store, made, player)
        for other in (*people, None):
            if other is None or own not in tables(store, made, other):
                with pytest.raises(NotFound):
                    game_page.page(store, own, other)
    assert list(tournaments.records(store, made)) == []
    match = Match(store, tables(store, made, people[0])[0], [people[0]])
    with pytest.raises(Conflict):  # who takes a seat over must not come from another table
        proposals.propose(store, people[0], match.id, Wish("replace", 1), NOW)


def test_stand_ins_play_on_for_who_leaves_and_when_the_time_of_the_round_is_over(
    store: Store, evening: tuple[str, list[Player]]
) -> None:
    made, (ann, ben, cleo, dan) = evening
    [game] = tables(store, made, ben)
    number = tournaments.page(store, made, ben)["number"]
    assert number is not None
    with pytest.raises(Forbidden):
        tournaments.leave(store, cleo, made, number, NOW)
    with pytest.raises(Forbidden, match="table"):  # who organises it makes a bot of nobody who plays
        tournaments.leave(store, ann, made, number, NOW)
    tournaments.leave(store, ben, made, number, NOW)
    page = tournaments.page(store, made, ben)
    line = next(one for one in page["standings"] if one["number"] == number)
    assert (line["bot"], line["left"], line["player"], page["number"]) == ("journeyman", True, None, None)
    with pytest.raises(NotFound):
        game_page.page(store, game, ben)
    eve = make_player(store, "Eve")
    assert tournaments.page(store, made, eve)["may"] == ["enter"]
    assert tournaments.enter(store, eve, made, NOW)["number"] == number
    with pytest.raises(NotFound):  # from the next round on
        game_page.page(store, game, eve)
    assert rounds.run(store, NOW + timedelta(hours=23)) == 0
    assert tables(store, made, ann)
    late = NOW + timedelta(hours=25)
    for _ in range(500):
        if rounds.run(store, late):
            break
        play_due(store, late)
    page = tournaments.page(store, made, eve)
    assert (page["round"], len(tables(store, made, eve))) == (2, 1)
    assert all(one["totals"] for one in page["tables"] if one["round"] == 1)
    for player in (ann, cleo, dan):
        assert len(tables(store, made, player)) == 1
    tournaments.leave(store, eve, made, number, late)  # there is no round after the last
    assert tournaments.page(store, made, None)["may"] == []
    with pytest.raises(Conflict):
        tournaments.enter(store, ben, made, late)


def test_a_league_goes_on_by_seasons_and_divisions(store: Store) -> None:
    ann = make_player(store, "Ann")
    made = tournaments.make(store, ann, "League", "round-robin", 2, NOW, rounds=1)
    for _ in range(8):
        tournaments.add_bot(store, ann, made, "random", NOW)

    def played(which: str) -> list[str]:
        """The names of a division, the best first, when it is over."""
        tournaments.start(store, ann, which, NOW)
        with pytest.raises(Conflict):
            tournaments.next_season(store, ann, which, 4, NOW)
        while tournaments.page(store, which, ann)["status"] != "over":
            play_due(store, NOW)
            rounds.run(store, NOW)
        return [one["name"] for one in tournaments.page(store, which, ann)["standings"]]

    def entrants(which: str) -> list[str]:
        return [
            one["name"]
            for one in sorted(tournaments.page(store, which, None)["standings"], key=lambda one: one["number"])
        ]

    first = played(made)
    with pytest.raises(Forbidden):
        tournaments.next_season(store, make_player(store, "Ben"), made, 4, NOW)
    higher, lower = (one["id"] for one in tournaments.next_season(store, ann, made, 4, NOW)["league"][:2])
    assert (entrants(higher), entrants(lower)) == (first[:4], first[4:])
    assert tournaments.page(store, made, ann)["may"] == []
    with pytest.raises(Conflict, match="open already"):
        tournaments.next_season(store, ann, made, 4, NOW)
    with pytest.raises(Conflict, match="lowest"):
        tournaments.enter(store, ann, higher, NOW)
    assert [tournaments.page(store, one, None)["may"] for one in (higher, lower)] == [[], ["enter"]]
    above = played(higher)
    with pytest.raises(Conflict, match="division"):
        tournaments.next_season(store, ann, higher, 4, NOW)
    below = played(lower)
    page = tournaments.next_season(store, ann, lower, 4, NOW)
    assert (page["season"], page["division"], len(page["league"])) == (3, 1, 5)
    assert [entrants(one["id"]) for one in page["league"][:2]] == [[*above[:3], below[0]], [above[3], *below[1:]]]
    higher, lower = (one["id"] for one in page["league"][:2])
    with store.write():
        sql.execute(
            store, "UPDATE tournament_entry SET player_id = ? WHERE tournament_id = ? AND number = 1", ann.id, higher
        )
    with pytest.raises(Conflict, match="division"):  # once: both may be of one division in the next
        tournaments.enter(store, ann, lower, NOW)


def test_a_round_that_cannot_end_keeps_no_other_from_it(
    store: Store, evening: tuple[str, list[Player]], caplog: pytest.LogCaptureFixture
) -> None:
    made, people = evening
    other = tournaments.make(store, None, "Of bots", "round-robin", 2, NOW, clock={"turn_hours": 24})
    for _ in range(2):
        tournaments.add_bot(store, None, other, "random", NOW)
    tournaments.start(store, None, other, NOW)
    play(store, made, people)
    play_due(store, NOW)
    broken, whole = sorted([made, other])
    with store.write():  # by rules that are gone
        where = "id IN (SELECT game_id FROM tournament_game WHERE tournament_id = ?)"
        sql.execute(store, f"UPDATE game SET ruleset = 'gone/1' WHERE {where}", broken)
    rounds.run(store, NOW + timedelta(hours=25))  # whose time is over, too
    pages = [tournaments.page(store, one, None) for one in (broken, whole)]
    assert [all(one["totals"] for one in page["tables"] if one["round"] == 1) for page in pages] == [False, True]
    assert broken in caplog.text


def test_a_round_takes_longer_by_what_all_clocks_stood_still(store: Store, evening: tuple[str, list[Player]]) -> None:
    """While the operator has paused all mail (after a backup was brought back, above all), and while no server was."""
    made, (ann, *_others) = evening
    [game] = tables(store, made, ann)

    def sits(hours: int) -> bool:
        with store.write():  # since it was last off, a server has been there
            sql.execute(store, "UPDATE heartbeat SET at = ?", utc(NOW + timedelta(hours=hours)))
        rounds.run(store, NOW + timedelta(hours=hours))
        return bool(tables(store, made, ann))

    heartbeat.beat(store, NOW)
    heartbeat.beat(store, NOW + timedelta(hours=5))
    pauses.pause(store, "looking", NOW + timedelta(hours=5))
    assert sits(30)
    pauses.resume(store, NOW + timedelta(hours=30))
    assert sits(30)
    assert tournaments.page(store, made, ann)["round_ends_at"] == utc(NOW + timedelta(hours=54))
    assert sits(53)
    assert not sits(54)  # nor is there a link to where they sat
    with pytest.raises(NotFound):
        game_page.page(store, game, ann)


def test_an_account_that_goes_takes_its_name_along_and_a_bot_has_its_place(
    store: Store, evening: tuple[str, list[Player]]
) -> None:
    made, people = evening
    own = personal_export.export(store, people[3], NOW)["tournaments"]
    assert [(one["tournament"], one["called"], one["organised"]) for one in own] == [(made, "Dan", False)]
    later = tournaments.make(store, people[0], "Saturday", "swiss", 2, NOW)
    tournaments.enter(store, people[3], later, NOW)
    tournaments.enter(store, people[1], later, NOW)
    deletion.delete_account(store, people[3], NOW)
    deletion.delete_account(store, people[0], NOW)
    page = tournaments.page(store, later, None)  # nobody is left to start it
    assert (page["status"], [one["name"] for one in page["standings"]]) == ("over", ["Ben"])
    with store.read():
        assert sql.rows(store, "SELECT 1 FROM tournament_entry WHERE name IN ('Ann', 'Dan')") == []
    play(store, made, people[1:3])
    while rounds.run(store, NOW) == 0:
        play_due(store, NOW)
    page = tournaments.page(store, made, people[1])
    seats = [name for one in page["tables"] if one["round"] == 2 for name in one["names"]]
    assert sorted(seats) == ["Ben", "Cleo", "Former player", "Former player (2)"]
    assert page["organiser"] is None
    games = [game_page.page(store, one, player) for player in people[1:3] for one in tables(store, made, player)]
    assert all(seat and (seat["player"] or seat["bot"]) for one in games for seat in one["players"])


def test_the_operator_takes_a_tournament_away(store: Store, evening: tuple[str, list[Player]]) -> None:
    made, people = evening
    games = [tables(store, made, player)[0] for player in people]
    assert tournaments.remove_as_operator(store, made, NOW) == "Friday"
    assert tournaments.listing(store, None) == []
    assert rounds.run(store, NOW) == 0
    pages = [game_page.page(store, game, player) for game, player in zip(games, people, strict=True)]
    assert {(one["name"], one["status"]) for one in pages} == {("Tournament", "abandoned")}
    with pytest.raises(NotFound):
        tournaments.remove_as_operator(store, made, NOW)


def test_what_is_refused(store: Store) -> None:
    ann, ben = make_player(store, "Ann"), replace(make_player(store, "Ben"), email=None)
    for wrong in (
        {"kind": "league"},
        {"seats": 5},
        {"boards": 0},
        {"clock": {"turn_hours": 1, "start_by": "2026-12-01T00:00:00Z"}},
    ):
        with pytest.raises(ServiceError):
            tournaments.make(store, ann, "A", **{"kind": "swiss", "seats": 2, **wrong}, now=NOW)  # type: ignore[arg-type]
    made = tournaments.make(store, ann, "A", "swiss", 2, NOW, guests=False)
    with pytest.raises(Forbidden, match="email"):
        tournaments.enter(store, ben, made, NOW)
    with pytest.raises(Forbidden):
        tournaments.leave(store, ben, made, tournaments.add_bot(store, ann, made, "random", NOW)["entrants"], NOW)
    assert tournaments.leave(store, ann, made, 1, NOW)["entrants"] == 0
    with pytest.raises(Conflict, match="two entrants"):
        tournaments.start(store, ann, made, NOW)
    for _ in range(8):
        tournaments.add_bot(store, ann, made, "random", NOW)
    with pytest.raises(Conflict):
        tournaments.add_bot(store, ann, made, "random", NOW)
    with pytest.raises(Forbidden):
        tournaments.add_bot(store, ben, made, "random", NOW)
    with pytest.raises(Forbidden):
        tournaments.start(store, ben, made, NOW)
    tournaments.make(store, ann, "B", "swiss", 2, NOW)
    tournaments.make(store, ann, "C", "swiss", 2, NOW)
    d = ("D", "round-robin", 2, NOW)
    with pytest.raises(Conflict):
        tournaments.make(store, ann, *d)
    with pytest.raises(Forbidden):
        tournaments.call_off(store, ben, made, NOW)
    page = tournaments.call_off(store, ann, made, NOW)
    assert (page["status"], page["round"], page["entrants"]) == ("over", 0, 8)
    with pytest.raises(Conflict):
        tournaments.call_off(store, ann, made, NOW)
    never = tournaments.make(store, ann, *d)
    assert sorted(one["name"] for one in tournaments.listing(store, ann)) == ["A", "B", "C", "D"]
    rounds.run(store, NOW + timedelta(weeks=4, seconds=1))  # what nobody begins is over, and makes room
    assert {one["status"] for one in tournaments.listing(store, ann)} == {"over"}
    assert tournaments.page(store, never, ann)["may"] == []  # nor does a league go on from it
    made = tournaments.make(store, ann, *d)
    for _ in range(tournaments.LISTED):  # newer ones that are over hide none that can be entered
        over = tournaments.make(store, None, "Of bots", "swiss", 2, NOW + timedelta(hours=1))
        with store.write():
            rounds.end(store, over, NOW)
    assert tournaments.listing(store, ann)[0]["id"] == made
