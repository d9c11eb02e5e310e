"""The room that a player has on the server, for all that they store together."""

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from server.service.accounts import stored_bytes
from server.service.accounts.players import Player
from server.service.archive import kept_records, replays, sandboxes
from server.service.chat import messages, notes
from server.service.common.errors import TooLarge
from server.service.erasure import deletion, personal_export
from server.service.play import turns
from server.storage.database import Store
from tests.service.conftest import NOW, Start
from tests.tables import Game, ImportedRecord
from tests.tables import Player as PlayerRow


def used(store: Store, player: Player) -> int:
    stored: dict[str, int] = personal_export.export(store, player, NOW)["stored"]
    return stored["bytes"]


def test_what_is_written_counts_and_what_goes_is_given_back(match: Start) -> None:
    game = match()
    store, ann = game.store, game.players[0]
    assert used(store, ann) == 0
    messages.post(store, game.id, ann, "Hällo", NOW)
    assert used(store, ann) == stored_bytes.MESSAGE + 6
    messages.post(store, game.id, ann, "Hello", NOW, "k")
    messages.post(store, game.id, ann, "Hello", NOW, "k")
    assert used(store, ann) == 2 * stored_bytes.MESSAGE + 11
    notes.put(store, game.id, ann, "x" * 1000)
    notes.put(store, game.id, ann, "x" * 300)
    assert used(store, ann) == 2 * stored_bytes.MESSAGE + 311
    notes.put(store, game.id, ann, "")
    before = used(store, ann)
    assert before == 2 * stored_bytes.MESSAGE + 11
    sandboxes.branch(store, ann, game.id, game.ply(0), 0, None, None, NOW, random.Random(1))
    assert stored_bytes.SANDBOX < used(store, ann) - before < stored_bytes.SANDBOX + 20_000
    before = used(store, ann)
    while game.to_move is not None:
        game.play(game.active, "resign")
    kept = kept_records.keep(store, ann, {**replays.record(store, game.id), "note": "x" * 5000}, NOW)["id"]
    assert used(store, ann) > before + stored_bytes.RECORD + 5000
    kept_records.remove_import(store, kept, NOW)
    assert used(store, ann) == before
    assert deletion.unplayed_games(store, game.clock() + timedelta(days=1)) == 1
    assert used(store, ann) == before - 2 * stored_bytes.MESSAGE - 11


def test_taking_back_for_ever_uses_room_up(match: Start) -> None:
    """What is taken back stays in the log."""
    game = match()
    seat = game.active
    ply = game.ply(seat)
    for _ in range(3):
        game.play(seat, "push N1")
        turns.undo(game.store, game.id, game.players[seat], ply, game.clock())
    assert used(game.store, game.players[seat]) == 3 * stored_bytes.ROW
    stored_bytes.allow(game.store, 10 * 4 * stored_bytes.ROW)
    game.play(seat, "push N1")
    turns.undo(game.store, game.id, game.players[seat], ply, game.clock())
    game.play(seat, "push N1")
    with pytest.raises(TooLarge):
        turns.undo(game.store, game.id, game.players[seat], ply, game.clock())
    game.play(seat, "end")  # playing on is possible


def test_there_is_room_for_so_much_and_no_more(match: Start) -> None:
    game = match()
    store, ann = game.store, game.players[0]
    game.end_early()
    record = replays.record(store, game.id)
    stored_bytes.allow(store, 10 * 50_000)

    def fill(player: Player) -> int:
        with pytest.raises(TooLarge, match="bytes on this server"):
            for number in range(100):
                kept_records.keep(store, player, {**record, "note": f"{number} " + "x" * 15_000}, NOW)
        return number

    kept = fill(ann)
    with store.read():
        assert sum(len(row.text) for row in ImportedRecord.select()) < used(store, ann) <= 50_000
        before = Game.select().count()
    other = match(seed=3)
    ben = other.players[0]
    with store.write():
        PlayerRow.update(stored_bytes=50_000).where(PlayerRow.id == ben.id).execute()
    refused: list[Callable[[], Any]] = [
        lambda: messages.post(store, other.id, ben, "Hello", NOW),
        lambda: notes.put(store, other.id, ben, "Hello"),
        lambda: sandboxes.branch(store, ben, other.id, other.ply(0), 0, None, None, NOW),
    ]
    for call in refused:
        with pytest.raises(
            TooLarge, match=r"50000 of your 50000 bytes.* with a confirmed mail address you have 500000"
        ):
            call()
    assert store.ask(lambda: Game.select().count()) == before + 1
    with store.write():
        PlayerRow.update(email_confirmed_at=NOW).where(PlayerRow.id == ann.id).execute()
    assert fill(ann) > 5 * kept
