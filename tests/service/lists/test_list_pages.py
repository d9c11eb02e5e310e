"""Lists of games cost the same however many games there are: by their plans, and in what they give."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, date, datetime

import pytest

from benchmarks import grown_store
from server.service.accounts.players import Player, player_by_id
from server.service.archive import replay_lists
from server.service.common.errors import Unprocessable
from server.service.lists import game_lists, list_pages
from server.service.lists.list_pages import Total
from server.storage import sql
from server.storage.database import Store, open_database
from server.storage.migrate import migrate
from tests import postgres

NOW = datetime(2026, 1, 1, tzinfo=UTC)
GAMES = 3000


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def grown(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Store]:
    """A store of three thousand games, which tests read; their logs are left out, no list asks for them."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path_factory.mktemp('grown')}/ulm.sqlite3"
    else:
        directory = request.getfixturevalue("postgres_directory")
        postgres.recreate_database(directory, f"grown_{worker_id}")
        url = postgres.url(directory, f"grown_{worker_id}")
    with closing(open_database(url, 4)) as store:
        migrate(store)
        grown_store.grow(store, GAMES, logs=False)
        yield store


def somebody(store: Store, order: str) -> Player:
    with store.read():
        found = sql.row(store, f"SELECT id FROM player ORDER BY id {order} LIMIT 1")
        player = player_by_id(store, found[0])
    assert player is not None
    return player


class Plans:
    """Looks at how the database answers each question that is asked meanwhile."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bad: list[str] = []
        self.seen = 0
        execute = sql.execute

        def explained(store: Store, statement: str, *values: object) -> object:
            if statement.lstrip().startswith("SELECT"):
                if not store.is_sqlite:
                    # Of so few rows PostgreSQL reads all when that is cheaper than the way it would take with many.
                    execute(store, "SET LOCAL enable_seqscan = off")
                plan = execute(store, word + statement, *values).fetchall()
                self._judge(statement, [str(row[-1]) for row in plan])
            return execute(store, statement, *values)

        word = "EXPLAIN QUERY PLAN " if store.is_sqlite else "EXPLAIN "
        monkeypatch.setattr(sql, "execute", explained)

    def _judge(self, statement: str, plan: list[str]) -> None:
        self.seen += 1
        whole = [line for line in plan if _reads_all(line) or ("m.listed" in statement and _reads_all_of_one(line))]
        if whole:
            self.bad.append("\n".join([statement, *plan]))


def _reads_all(line: str) -> bool:
    """Whether a step of a plan goes through all games, seats or moves, whatever is asked."""
    return re.search(r"^SCAN (g|m|w|game|seat|move)\b|Seq Scan on (game|seat|move)\b", line) is not None


def _reads_all_of_one(line: str) -> bool:
    """Whether a step goes through all seats of a player, whatever they are listed as."""
    found = re.search(r"SEARCH m .*\(player_id=|Index Cond: \(+player_id\b", line)
    return found is not None and not re.search(r"\b(listed|game_id)\b", line)


def every_list(store: Store) -> Iterator[tuple[str, object]]:
    """Each list that the server has, asked as a stranger, a newcomer and the player with the most games."""
    for who, player in (("stranger", None), ("newcomer", somebody(store, "DESC")), ("heavy", somebody(store, "ASC"))):
        for which in game_lists.FOR_ALL if player is None else game_lists.LISTS:
            yield f"{who} {which}", game_lists.home(store, player, which, NOW)
        for status in (None, *game_lists.STATUSES):
            yield f"{who} games {status}", game_lists.listing(store, player, status)
        yield f"{who} games of one", game_lists.listing(store, player, member=somebody(store, "ASC").id)
        after = list_pages.after_text("2024-01-01T00:00:00Z", "x")
        if player is not None:
            turns = game_lists.listing(store, player, None, player.id, to_move=player.id, by_deadline=True)
            yield f"{who} games by deadline", turns
        yield f"{who} games after", game_lists.listing(store, player, after=after)
        yield f"{who} replays after", replay_lists.listing(store, player, after=after)
        filters: list[replay_lists.Filters] = [
            {}, {"member": somebody(store, "ASC").id}, {"winner": somebody(store, "ASC").id}, {"tower": True},
            {"seats": 3}, {"origin": "played"}, {"since": date(2023, 1, 1), "until": date(2023, 2, 1)},
            {"score_min": 60}, {"score_max": 10}, {"score_min": 20}, {"score_min": 20, "tower": True, "seats": 4},
        ]  # fmt: skip
        for chosen in filters:
            yield f"{who} replays {chosen}", replay_lists.listing(store, player, **chosen)


def test_no_list_reads_all_games(grown: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    plans = Plans(grown, monkeypatch)
    for _ in every_list(grown):
        pass
    assert plans.seen > 150
    assert plans.bad == [], "\n\n".join(plans.bad[:3])


@pytest.mark.parametrize("who", ["stranger", "heavy"])
def test_pages_after_one_another_are_the_whole_list(grown: Store, who: str) -> None:
    """By `after`, which may begin anywhere, everything comes once and in order, beyond what is counted too."""
    player = None if who == "stranger" else somebody(grown, "ASC")
    with grown.read():
        expected = [
            row[0]
            for row in sql.rows(
                grown,
                "SELECT g.id FROM game g WHERE g.private = ? OR g.id IN (SELECT game_id FROM seat WHERE player_id = ?)"
                " ORDER BY g.created_at DESC, g.id",
                False,
                "" if player is None else player.id,
            )
        ]
    seen: list[str] = []
    after = None
    while True:
        page, total = game_lists.listing(grown, player, page_size=100, after=after)
        assert total == Total(list_pages.COUNTED, False)
        seen += [game["id"] for game in page]
        if len(page) < 100:
            break
        after = list_pages.after_text(page[-1]["created_at"], page[-1]["id"])
    assert seen == expected
    numbered = [
        game["id"] for number in (1, 2, 21) for game in game_lists.listing(grown, player, None, None, number, 100)[0]
    ]
    assert numbered == expected[:200] + expected[2000:2100]
    with pytest.raises(Unprocessable, match="at most 21"):
        game_lists.listing(grown, player, page=22, page_size=100)


@pytest.mark.parametrize("few", [0, 100_000])
def test_games_of_some_points_are_the_same_by_either_index(
    grown: Store, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    """Of few games all are put in order, of many the list is read: page by page, for strangers and players."""
    monkeypatch.setattr(list_pages, "FEW", few)
    for player in (None, somebody(grown, "ASC")):
        own = "" if player is None else player.id
        for low, high in ((40, None), (None, 30), (30, 45), (200, None)):
            with grown.read():
                expected = [
                    row[0]
                    for row in sql.rows(
                        grown,
                        "SELECT g.id FROM game g WHERE g.status = 'finished' AND g.winner_total BETWEEN ? AND ? AND"
                        " (g.private = ? OR g.id IN (SELECT game_id FROM seat WHERE player_id = ?))"
                        " ORDER BY g.finished_at DESC, g.id",
                        low or 0, high or 1000, False, own,
                    )
                ]  # fmt: skip
            chosen: replay_lists.Filters = {"score_min": low, "score_max": high}
            pages = [replay_lists.listing(grown, player, page, 50, None, **chosen) for page in (1, 2, 3)]
            assert [game["id"] for page, _ in pages for game in page] == expected[:150]
            assert pages[0][1] == Total(min(len(expected), list_pages.COUNTED), len(expected) <= list_pages.COUNTED)
            if len(expected) > 60:
                middle = pages[0][0][-1]
                assert middle["finished_at"] is not None
                after = list_pages.after_text(middle["finished_at"], middle["id"])
                found, _ = replay_lists.listing(grown, player, 1, 50, after, **chosen)
                assert [game["id"] for game in found] == expected[50:100]


@pytest.mark.parametrize("order", ["ASC", "DESC"])
def test_lists_of_a_player_are_what_the_rows_of_their_games_say(grown: Store, order: str) -> None:
    player = somebody(grown, order)
    with grown.read():
        rows = sql.rows(
            grown,
            "SELECT g.id, g.status, g.created_at, g.finished_at, s.won FROM game g JOIN seat s ON s.game_id = g.id"
            " WHERE s.player_id = ? ORDER BY g.id",
            player.id,
        )
    newest = sorted(rows, key=lambda row: row[2], reverse=True)
    over = sorted((row for row in rows if row[3]), key=lambda row: row[3], reverse=True)

    def ids(found: Iterable[Sequence[object]]) -> list[object]:
        return [row[0] for row in found][:50]

    def of(page: tuple[Sequence[game_lists.ListedGame], Total]) -> list[object]:
        return [game["id"] for game in page[0]]

    assert of(game_lists.listing(grown, player, None, player.id, 1, 50)) == ids(newest)
    listed = game_lists.listing(grown, player, None, player.id, 1, 50)[0]
    assert [one[:6] for one in game_lists.standings(grown, player, 50)] == [
        (game["id"], game["status"], game["ply"], game["to_move"], game["free_seats"], game["deadline"])
        for game in listed
    ]
    for status in game_lists.STATUSES:
        found = game_lists.listing(grown, player, status, player.id, 1, 50)
        assert of(found) == ids(row for row in newest if row[1] == status)
        assert found[1] == Total(sum(row[1] == status for row in rows), True)
    assert of(game_lists.home(grown, player, game_lists.OVER, NOW, 1, 50)) == ids(over)
    assert of(game_lists.home(grown, player, game_lists.SEATED, NOW, 1, 50)) == ids(
        row for row in newest if row[1] == "open"
    )
    assert of(game_lists.home(grown, player, game_lists.SANDBOXES, NOW)) == []
    running = [of(game_lists.home(grown, player, which, NOW, 1, 50)) for which in ("turns", "running")]
    assert sorted(str(game) for one in running for game in one) == [row[0] for row in rows if row[1] == "running"]
    won = replay_lists.listing(grown, player, 1, 50, None, winner=player.id)[0]
    assert [game["id"] for game in won] == ids(row for row in over if row[4])


@pytest.mark.parametrize("bad", ["", "x", "%%%", "Zm9v", "8J+YgCDwn5iA"])
def test_what_is_no_place_in_a_list_is_refused(store: Store, bad: str) -> None:
    with pytest.raises(Unprocessable):
        game_lists.listing(store, None, after=bad)
