"""A whole game by what openapi-generator makes of the description for Python: `… FOLDER_OF_THE_CLIENT ADDRESS`."""

import sys

sys.path.insert(0, sys.argv[1])

import ulm_client as ulm

configuration = ulm.Configuration(host=sys.argv[2])
client = ulm.ApiClient(configuration)
replays = ulm.ReplaysApi(client)
configuration.access_token = ulm.PlayersApi(client).post_players(ulm.NewPlayer(name="Ann")).token
games, moves = ulm.GamesApi(client), ulm.MovesApi(client)
game = games.post_games(ulm.NewGame(seats=2, bots=["random"], client_seed="a"))
while game.status == ulm.GameStatus.RUNNING:
    legal = moves.get_legal_moves(game.id)
    move = "end" if "end" in legal.moves else legal.moves[0]
    moves.post_moves(game.id, ulm.Moves(ply=legal.ply, moves=[move]))
    game = games.get_game(game.id)
assert game.status == ulm.GameStatus.FINISHED
assert game.phase == ulm.Phase.OVER
assert game.origin == ulm.Origin.PLAYED
record = replays.get_record(game.id).actual_instance
assert isinstance(record, ulm.Record)
assert {type(part.actual_instance) for part in record.moves[0]} == {str, int}
assert replays.get_state(game.id, len(record.moves)).state.actual_instance.phase == ulm.Phase.OVER
assert replays.post_verify(record).plies == len(record.moves)
print(f"over after {len(record.moves)} plies")
