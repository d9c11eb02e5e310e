// A whole game by the types that openapi-typescript makes of the description: `node … ADDRESS`.
import type { components, operations } from "./ulm_client";

type Schemas = components["schemas"];
type Answer<Name extends keyof operations, Status extends number> =
  operations[Name]["responses"] extends Record<Status, { content: { "application/json": infer Body } }> ? Body : never;
declare const process: { argv: string[] };

let token = "";

async function call<Body>(path: string, data?: unknown): Promise<Body> {
  const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(process.argv[2] + "/api/v1" + path, {
    headers, method: data === undefined ? "GET" : "POST", body: data === undefined ? null : JSON.stringify(data),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return await answer.json() as Body;
}

async function play(): Promise<void> {
  const ann: Schemas["NewPlayer"] = { name: "Ann" };
  token = (await call<Answer<"postPlayers", 201>>("/players", ann)).token;
  const wish: operations["postGames"]["requestBody"]["content"]["application/json"] =
    { seats: 2, bots: ["random", "@somebody"].slice(0, 1), client_seed: "a" };
  let game: Schemas["Game"] = await call<Answer<"postGames", 201>>("/games", wish);
  while (game.status === "running") {
    const legal = await call<Answer<"getLegalMoves", 200>>(`/games/${game.id}/legal-moves`);
    const chosen: Schemas["Moves"] = {
      ply: legal.ply, moves: [legal.moves.includes("end") ? "end" : legal.moves[0]!],
    };
    await call<Answer<"postMoves", 201>>(`/games/${game.id}/moves`, chosen);
    game = await call<Answer<"getGame", 200>>(`/games/${game.id}`);
  }
  const status: Schemas["GameStatus"] = game.status, phase: Schemas["Phase"] | null = game.phase;
  const origin: Schemas["Origin"] = game.origin;
  if (status !== "finished" || phase !== "over" || origin !== "played") throw new Error(`${status} ${phase} ${origin}`);
  const record = await call<Answer<"getRecord", 200>>(`/replays/${game.id}/record`);
  if (record.format !== "ulm-record/1") throw new Error(record.format);
  const [move, seat, at]: [string, number, string | null] = record.moves[0]!;
  if (typeof move !== "string" || typeof seat !== "number" || typeof at !== "string") throw new Error("a move");
  const verdict = await call<Answer<"postVerify", 200>>("/replays/verify", record);
  if (verdict.plies !== record.moves.length) throw new Error(JSON.stringify(verdict));
  console.log(`over after ${record.moves.length} plies`);
}

play();
