// Games by clients/js/ulm-client.js: `… FILE ADDRESS`; with `away` in outages, by the clock of that server, and with
// `cut` a list that breaks off.

const [file, url, how] = process.argv.slice(2);
const { Client, IllegalMoveError, RefusedError } = await import(file);
const check = (right, what) => {
  if (!right) throw new Error(what);
};
const choose = (legal) => (legal.includes("end") ? "end" : legal[0]);

if (how === "away") {
  const warned = [];
  console.warn = (text) => warned.push(text);
  const sleep = (seconds) => fetch(`${url}/sleep/${seconds}`);
  const client = new Client(url, "token", { patience: Infinity, sleep });
  for await (const turn of client.turns("g")) await turn.play(...turn.legal);
  const ends = warned.filter((text) => text.includes("is deprecated"));
  check(ends.length === 2, ends);
} else if (how === "cut") {
  const client = new Client(url, "token", { sleep: async () => {} });
  for await (const { ply } of client.each("GET /replays/{game_id}/states", { game_id: "g", seat: 1 })) console.log(ply);
} else {
  const { token } = await new Client(url).ask("POST /players", { name: "Ann" });
  const client = new Client(`${url}/`, token);
  const game = await client.ask("POST /games", { seats: 2, bots: ["random"], client_seed: "a" });
  for await (const turn of client.turns(game.id)) {
    const refused = await turn.play("seal it").catch((error) => error);
    check(refused instanceof RefusedError && refused.kind === "unreadable-move", refused);
    check(await turn.play(choose(turn.legal)), "too late");
  }
  const again = await client.ask("POST /games", { seats: 2, bots: ["random"], client_seed: "b" });
  for await (const turn of client.turns()) {
    if (turn.game_id !== again.id) continue;
    const refused = await turn.play("end").catch((error) => error);
    check(refused instanceof IllegalMoveError && refused.errors.rule && refused.errors.legal, refused);
    break;
  }
  const found = [];
  for await (const listed of client.each("GET /games", { player: "me", page_size: 1 })) found.push(listed.id);
  check(found.sort().join() === [game.id, again.id].sort().join(), found);
  for await (const line of client.each("GET /replays/export", { player: "me" })) check(line.id === game.id, line);
  const record = await client.ask("GET /replays/{game_id}/record", { game_id: game.id });
  check((await client.ask("POST /replays/verify", record)).plies === record.moves.length, "plies");
  const board = await client.ask("GET /games/{game_id}/board.svg", { game_id: game.id, size: 300 });
  check(board.startsWith("<svg"), board);
  const none = await client.ask("DELETE /players/me/tokens/{token_id}", { token_id: "none" }).catch((error) => error);
  check(none.status === 404, none);
  console.log(`over after ${record.moves.length} plies`);
}
