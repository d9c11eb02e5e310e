"""The deal of the day: made once, played once by everybody, its table told when it may be, and its proof at home."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from replays.cli import main
from replays.deals import parting, standings
from server.service.accounts import profiles
from server.service.accounts.players import Player
from server.service.archive import replays
from server.service.common.errors import Conflict, Forbidden, NotFound
from server.service.contests import day
from server.service.erasure import deletion
from server.service.lists import game_lists
from server.service.play import turns
from server.storage import sql
from server.storage.database import Store
from tests.service.bots_here import play_due
from tests.service.conftest import NOW, Match, make_player

NEXT = NOW + timedelta(days=1)


def test_places_go_by_points_and_are_shared() -> None:
    assert [tuple(one) for one in standings([40, 50, 40, 30, 50])] == [
        (3, 40, 38), (1, 50, 88), (3, 40, 38), (5, 30, 0), (1, 50, 88),
    ]  # fmt: skip
    assert [tuple(one) for one in standings([7])] == [(1, 7, 0)]
    assert standings([]) == []


def test_where_two_games_part() -> None:
    one = [(0, "push N1"), (0, "end"), (1, "push S2")]
    assert parting(one, [(0, "push N1"), (0, "end"), (1, "push S3")]) == 3
    assert parting(one, one[:2]) is None


def play_on(store: Store, player: Player, game_id: str, turns_wanted: int = 2, first: str = "") -> None:
    """So many turns of the player, the bot's between them, then the end by resignation."""
    match, ended = Match(store, game_id, [player]), 0
    while ended < turns_wanted:
        if match.to_move != 0:
            play_due(store, NOW)
            continue
        legal = match.legal(0)
        wanted = [one for one in ("draw", "end") if one in legal] or [
            one for one in legal if one.split()[0] in ("push", "keep", "pick", "dock")
        ]
        move = first if first in legal else wanted[0]
        match.play(0, move)
        ended += move == "end"
    while match.to_move != 0:
        play_due(store, NOW)
    match.play(0, "resign")
    play_due(store, NOW)  # at a table of three the others play on


def test_one_deal_a_day_with_bots_that_play_it(store: Store) -> None:
    with pytest.raises(NotFound):
        day.find(store, day.TODAY, None, NOW)
    assert day.look_after(store, NOW) == 1
    assert day.look_after(store, NOW) == 0
    deal = day.find(store, day.TODAY, None, NOW)
    assert (deal["day"], deal["seats"], deal["begun"], deal["done"]) == ("2026-11-21", 2, len(day.FIELD), 0)
    assert (deal["server_seed"], deal["field"]) == (None, None)
    assert game_lists.listing(store, None)[0] == []
    assert day.look_after(store, datetime(2026, 11, 21, 23, 56, tzinfo=UTC)) == 1  # that of tomorrow
    sunday = NOW + timedelta(days=1)
    assert day.look_after(store, sunday) == 1  # yesterday's is revealed
    large = day.find(store, day.TODAY, None, sunday)
    assert (large["seats"], large["options"]["tower"]) == (3, True)


def test_a_deal_that_cannot_end_keeps_no_other_from_it(store: Store) -> None:
    """A game by rules that this server does not know any more."""
    day.look_after(store, NOW)
    with store.write():
        sql.execute(store, "UPDATE game SET ruleset = 'gone/1'")
    for now in (NEXT, NEXT + timedelta(days=1)):
        with pytest.raises(NotFound):
            day.look_after(store, now)
    assert day.find(store, "2026-11-22", None, NEXT)["server_seed"] is not None


def test_it_is_played_once_and_shows_its_field_to_who_has_played(store: Store) -> None:
    ann, ben = make_player(store, "Ann"), make_player(store, "Ben")
    with pytest.raises(NotFound):
        day.play(store, ann, NOW)
    day.look_after(store, NOW)
    game = day.play(store, ann, NOW)
    assert day.play(store, ann, NOW) == game
    play_due(store, NOW)  # the bots of the field, to the end
    before = day.find(store, day.TODAY, ann, NOW)
    assert (before["done"], before["field"], before["game"]) == (len(day.FIELD), None, game)
    play_on(store, ann, game)
    field = day.find(store, day.TODAY, ann, NOW)["field"]
    assert field is not None
    assert {line["name"] for line in field} == {"Apprentice", "Journeyman", "Master builder", "Ann"}
    assert [line["game"] for line in field if line["game"] is not None] == [game]
    assert field == sorted(field, key=lambda line: -line["points"])
    Match(store, day.play(store, ben, NOW), [ben]).play(0, "resign")
    assert day.find(store, day.TODAY, ben, NOW)["field"] is None  # resigned at once is not played
    assert day.find(store, day.TODAY, None, NOW)["field"] is None
    with pytest.raises(NotFound, match="revealed"):
        day.compare(store, "2026-11-21", game, None, NOW)


def test_when_the_day_is_over_all_is_open_and_a_month_adds_up(store: Store) -> None:
    ann, ben = make_player(store, "Ann"), make_player(store, "Ben")
    day.look_after(store, NOW)
    mine, begun = day.play(store, ann, NOW), day.play(store, ben, NOW)
    play_due(store, NOW)
    play_on(store, ann, mine)
    assert day.look_after(store, NEXT) == 2  # it is revealed, and the next one made
    deal = day.find(store, "2026-11-21", None, NEXT)
    field = deal["field"]
    assert field is not None
    assert all(line["game"] for line in field)
    assert deal["server_seed"] is not None
    assert day.find(store, day.TODAY, None, NEXT)["previous"] == "2026-11-21"
    assert {(line.name, line.days, line.beaten) for line in day.month(store, "2026-11", 9)} == {
        (line["name"], 1, line["beaten"]) for line in field
    }
    by_game = [str(line["game"]) for line in field]
    others = [game for game in by_game if game != mine]

    def beside(game: str, player: Player | None) -> str:
        return day.compare(store, "2026-11-21", game, player, NEXT)[0]

    assert [beside(game, ann) for game in others] == [mine] * len(others)
    assert beside(mine, ann) == beside(mine, ben) == others[0]  # who has none of their own: the best
    assert beside(by_game[0], ben) == by_game[1]
    profiles.update_profile(store, ann, {"preferences": {"private": True}}, NEXT)
    assert "Ann" not in {line.name for line in day.month(store, "2026-11", 9)}
    with pytest.raises(Conflict):
        turns.play(store, begun, ben, 0, ["resign"], None, NEXT)
    deletion.delete_account(store, ann, NEXT)
    left = day.find(store, "2026-11-21", None, NEXT)["field"] or []
    assert [(line["name"], line["player"]) for line in left if line["game"] == mine] == [("Former player", None)]
    assert len(left) == len(field)
    assert "Ann" not in str([left, day.month(store, "2026-11", 9)])
    best, parted = day.compare(store, "2026-11-21", mine, None, NEXT)
    assert best == others[0]
    assert parted is not None


def test_the_same_table_comes_from_records_alone(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ann = make_player(store, "Ann")
    day.look_after(store, NOW)
    mine = day.play(store, ann, NOW)
    play_due(store, NOW)
    play_on(store, ann, mine)
    day.look_after(store, NEXT)
    deal = day.find(store, "2026-11-21", None, NEXT)
    records = [replays.record(store, str(line["game"])) for line in deal["field"] or []]
    file, other = tmp_path / "day.jsonl", tmp_path / "other.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    assert main(["deal", "--json", "--commitment", deal["commitment"], str(file)]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    names = ("place", "points", "beaten", "name", "game")
    kept = {tuple(line[key] for key in names) for line in deal["field"] or []}  # type: ignore[literal-required]
    assert {tuple(one["id" if key == "game" else key] for key in names) for one in told} == kept
    assert main(["deal", "--commitment", "0" * 64, str(file)]) == 2
    assert deal["commitment"] in capsys.readouterr().err
    other.write_text(json.dumps(records[0]) + "\n" + json.dumps(_of_tomorrow(store)) + "\n", "utf-8")
    assert main(["deal", str(other)]) == 2
    assert "of the same deal" in capsys.readouterr().err
    made_up = tmp_path / "branch.json"
    assert (
        main(["branch", f"{file}:1", "--ply", "3", "--random", "2000", "--random-seed", "1", "-o", str(made_up)]) == 0
    )
    assert main(["deal", str(file), str(made_up)]) == 2


def _of_tomorrow(store: Store) -> object:
    """A record of the next deal."""
    eve = make_player(store, "Eve")
    game = day.play(store, eve, NEXT)
    play_on(store, eve, game)
    day.look_after(store, NEXT + timedelta(days=1))
    return replays.record(store, game)


def test_a_bot_with_an_account_does_not_play_it(store: Store) -> None:
    ann = make_player(store, "Ann")
    with store.write():
        columns = {"player_id": ann.id, "owner_id": ann.id, "handle": "ann", "who": "everybody", "rules": "{}"}
        sql.insert(store, "bot_account", **columns, created_at="2026-11-21T09:30:00Z")
    day.look_after(store, NOW)
    with pytest.raises(Forbidden):
        day.play(store, ann, NOW)
