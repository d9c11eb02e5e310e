"""The rows of the outbox: who is told what, written with the moves that cause it."""

from datetime import UTC, datetime, timedelta

from server.service.outbox import enqueuing
from server.service.outbox.news import News
from server.service.seating import creating, joining
from server.storage.database import Store
from tests.service.conftest import NOW, Match, make_player
from tests.tables import Mail
from tests.tables import Player as PlayerRow


def rows(store: Store) -> list[tuple[str, int | None, str]]:
    """(kind, ply, player) of every row, in the order of writing."""
    return store.ask(lambda: [(row.kind, row.ply, row.player_id) for row in Mail.select().order_by(Mail.id)])


def open_game(store: Store, names: int = 2, bots: list[str] | None = None) -> Match:
    """A running game of players whom mail reaches."""
    players = [make_player(store, f"Player {seat}") for seat in range(names)]
    with store.write():
        PlayerRow.update(email=PlayerRow.id.concat("@example.org"), email_confirmed_at=NOW).execute()
    page = creating.create(store, players[0], names + len(bots or []), "A game", None, "", bots, False, NOW)
    for player in players[1:]:
        joining.join(store, player, page["id"], "", None, NOW)
    return Match(store, page["id"], players)


def test_the_start_tells_everybody_and_is_the_first_turn_notice(store: Store) -> None:
    match = open_game(store, 3)
    players = match.players
    told = [row for row in rows(store) if row[0] != "joined"]
    assert sorted(player for _, _, player in told) == sorted(player.id for player in players)
    assert {kind for kind, _, _ in told} == {"started"}
    active = players[match.active].id
    mails = store.ask(lambda: list(Mail.select().where(Mail.kind == "started")))
    data = {row.player_id: (row.ply, row.data, row.key) for row in mails}
    assert data[active] == (match.ply(match.active), '{"turn":true}', f"started:{match.id}:0:{active}")
    assert {(ply, text) for player, (ply, text, _) in data.items() if player != active} == {(0, "{}")}


def test_after_the_bots_it_is_a_new_turn_of_the_same_seat(store: Store) -> None:
    match = open_game(store, 1, ["steady"])
    players = match.players
    ply = match.ply(0)
    while match.ply(0) < 100:
        legal = match.legal(0)
        match.play(0, "end" if "end" in legal else next(move for move in legal if move.split()[0] in ("push", "dock")))
        if "end" in legal:
            break
    assert match.active == 0
    assert rows(store)[-1] == ("turn", match.ply(0), players[0].id)
    assert match.ply(0) > ply + 1


def test_a_resignation_ends_the_game_for_all_and_a_turn_for_the_next(store: Store) -> None:
    match = open_game(store, 3)
    players = match.players
    first = match.active
    match.play(first, "resign")
    assert rows(store)[-1] == ("turn", match.ply(match.active), players[match.active].id)
    match.play(match.active, "resign")
    over = [(kind, player) for kind, _, player in rows(store) if kind == "over"]
    assert sorted(over) == sorted(("over", player.id) for player in players)


def test_one_key_is_one_row(store: Store) -> None:
    [player] = open_game(store, 1, ["random"]).players
    news = [News("digest", player.id, "digest:x")]
    with store.write():
        assert enqueuing.tell(store, news, NOW) == 1
        assert enqueuing.tell(store, news, NOW + timedelta(hours=5)) == 0
    [row] = store.ask(lambda: list(Mail.select().where(Mail.kind == "digest")))
    assert datetime.fromisoformat(row.due_at) == NOW.astimezone(UTC)
