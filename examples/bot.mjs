// A bot in Node 20: `ULM_BOT_TOKEN=… node bot.mjs http://127.0.0.1:8000`.

import { Client } from "../clients/js/ulm-client.js";

const LIKED = ["seal", "coat", "descendant", "card", "play", "river", "money", "push", "draw", "end"];

/** Return the move to play; `view` is all that this seat may see (docs/record.md). */
function choose(view, legal) {
  const liked = LIKED.find((verb) => legal.some((move) => move.split(" ")[0] === verb));
  const moves = liked ? legal.filter((move) => move.split(" ")[0] === liked) : legal;
  return moves[Math.floor(Math.random() * moves.length)];
}

const client = new Client(process.argv[2], process.env.ULM_BOT_TOKEN, { patience: Infinity });
for await (const turn of client.turns()) await turn.play(choose(turn.view, turn.legal));
