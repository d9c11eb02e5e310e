"""A whole game by what openapi-python-client makes of the description: `… FOLDER_OF_THE_CLIENT ADDRESS`."""

import sys

sys.path.insert(0, sys.argv[1])

from ulm_client import AuthenticatedClient, Client, models
from ulm_client.api.games import get_game, post_games
from ulm_client.api.moves import get_legal_moves, post_moves
from ulm_client.api.players import post_players
from ulm_client.api.replays import get_record, get_state, post_verify

ADDRESS = sys.argv[2]
made = post_players.sync(client=Client(ADDRESS), body=models.NewPlayer(name="Ann"))
ann = AuthenticatedClient(ADDRESS, made.token, raise_on_unexpected_status=True)
game = post_games.sync(client=ann, body=models.NewGame(seats=2, bots=["random"], client_seed="a"))
while game.status == models.GameStatus.RUNNING:
    legal = get_legal_moves.sync(game.id, client=ann)
    move = "end" if "end" in legal.moves else legal.moves[0]
    post_moves.sync(game.id, client=ann, body=models.Moves(ply=legal.ply, moves=[move]))
    game = get_game.sync(game.id, client=ann)
assert game.status == models.GameStatus.FINISHED
assert game.phase == models.Phase.OVER
assert game.origin == models.Origin.PLAYED
record = get_record.sync(game.id, client=Client(ADDRESS))
assert isinstance(record, models.Record)
assert {type(part) for part in record.moves[0]} == {str, int}
assert get_state.sync(game.id, len(record.moves), client=Client(ADDRESS)).state.phase == models.Phase.OVER
assert post_verify.sync(client=Client(ADDRESS), body=record).plies == len(record.moves)
print(f"over after {len(record.moves)} plies")
