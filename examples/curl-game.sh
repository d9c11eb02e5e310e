#!/bin/sh
# A whole game by curl and jq, against a bot of the house: `sh curl-game.sh http://127.0.0.1:8000`.
set -eu

api=$1/api/v1
folder=$(mktemp -d)
headers=$folder/headers events=$folder/events
trap 'rm -r "$folder"' EXIT
mkfifo "$events"

ask() { curl --silent --show-error --fail-with-body --header "@$headers" "$@"; }

echo 'Content-Type: application/json' >"$headers"
token=$(ask "$api/players" --data '{"name": "Ann"}' | jq -r .token)
echo "Authorization: Bearer $token" >>"$headers" # in a file: a command line is read by all users of a machine
game=$(ask "$api/games" --data '{"seats": 2, "bots": ["random"]}' | jq -r .id)
echo "Look on at $1/games/$game"

# Each event says how the game stands and, when it is our turn, what may be played. We end it as soon as we may.
curl --silent --no-buffer --header "@$headers" "$api/games/$game/events?include=legal_moves" >"$events" &
jq --raw-input --compact-output --unbuffered 'select(startswith("data: "))[6:] | fromjson |
    if .status != "running" then "over"
    elif .legal_moves != [] then {ply, moves: [.legal_moves | if index("end") then "end" else .[0] end]}
    else empty end' "$events" | {
    while read -r move && [ "$move" != '"over"' ]; do
        ask "$api/games/$game/moves" --data "$move" --output /dev/null || : # it may come too late: the next event tells
    done
    kill $! || :
}
ask "$api/games/$game/board.txt"
