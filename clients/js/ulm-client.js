/**
 * A client of Ulm by mail, for browsers and Node 20; one file, no packages.
 *
 *     const client = new Client("https://ulm.example.org", TOKEN);
 *     for await (const turn of client.turns()) await turn.play(choose(turn.view, turn.legal));
 *
 * @typedef {import("./operations.d.ts").Schemas} Schemas
 * @typedef {import("./operations.d.ts").Names} Names
 * @typedef {Schemas["View"]} View
 * @typedef {Schemas["Played"]} Played
 * @typedef {Schemas["AccountGlance"]} Told
 * @typedef {{ name: string, data: Told, id: string }} Event What a stream tells; of one game `data` have no `game`.
 */

const BASE = "/api/v1";
const LATER = [408, 425, 429, 500, 502, 503, 504]; // answers that pass
const PASSED = ["stale-ply", "not-running", "not-your-turn"]; // why a move is refused that has come too late
const NEEDED = ["legal_moves", "view"]; // what has to be told for nothing else to be asked for
const QUIET = 60; // seconds without a word after which a connection is dead: streams say something every 15
const SOON = 0.5; // seconds until a stream is opened again that has ended as streams do
const LONGEST = 30; // seconds between two tries, unless the server asks for more
/** @type {Record<string, ((row: any) => Record<string, unknown>) | undefined>} How answers that are lines go on. */
const BEHIND = {
  "GET /replays/export": (row) => ({ after: row.replay.after }),
  "GET /replays/{game_id}/states": (row) => ({ from: row.ply + 1 }),
};

/** Nobody answered, or nobody who speaks this API, for as long as the client was to wait. */
export class NoAnswerError extends Error {}

/** The server refused; `message` says what to do, `kind` names what is wrong ("stale-ply"), `errors` the details. */
export class RefusedError extends Error {
  /** @param {number} status @param {string} kind @param {string} message @param {Record<string, any>} errors */
  constructor(status, kind, message, errors) {
    super(message);
    Object.assign(this, { name: "RefusedError" });
    this.status = status;
    this.kind = kind;
    this.errors = errors;
  }
}

/** A move is against the rules: nothing was played. `errors` has `move`, `index`, `rule`, `legal` moves near to it. */
export class IllegalMoveError extends RefusedError {}

/** A position in which the caller is to move: `view` is all that their seat may see, `legal` are its moves. */
export class Turn {
  /** @param {Client} client @param {string} game_id @param {{ ply: number, view: View, legal_moves: string[] }} told */
  constructor(client, game_id, told) {
    this.game_id = game_id;
    this.ply = told.ply;
    this.view = told.view;
    this.legal = told.legal_moves;
    /** @type {Played | null} What the server said to the moves. */
    this.answer = null;
    this.client = client;
  }

  /**
   * Play moves, up to the first that reveals something; what is to be decided then is the next turn.
   * @param {...string} moves
   * @returns {Promise<Played | null>} null where the game has moved on meanwhile: then nothing was played
   */
  async play(...moves) {
    const { game_id, ply } = this;
    try {
      const values = { game_id, ply, moves, include: NEEDED };
      this.answer = await this.client.ask("POST /games/{game_id}/moves", /** @type {any} */ (values));
    } catch (error) {
      if (!(error instanceof RefusedError) || !PASSED.includes(error.kind)) throw error;
    }
    return this.answer;
  }
}

/**
 * The API of a server, with a token (without one: as a stranger). What passes (no network, 429, 503, a cut stream) is
 * waited out, up to `patience` seconds for each request: `Infinity` for a bot. A request that is sent again does
 * nothing twice.
 */
export class Client {
  #url;
  #token;
  #patience;
  #sleep;

  /**
   * @param {string} url
   * @param {string} [token]
   * @param {{ patience?: number, sleep?: (seconds: number) => Promise<unknown> }} [options]
   */
  constructor(url, token, { patience = 60, sleep = wait } = {}) {
    this.#url = url.replace(/\/+$/, "");
    this.#token = token;
    this.#patience = patience;
    this.#sleep = sleep;
  }

  /**
   * Carry out an operation by its name in the API's description: `ask("GET /games/{game_id}", { game_id })`. What it
   * takes in its path, its query and its body stands side by side.
   * @template {Names} Name
   * @param {Name} operation
   * @param {import("./operations.d.ts").Takes<Name>} [values]
   * @returns {Promise<import("./operations.d.ts").Gives<Name>>}
   */
  async ask(operation, values) {
    return (await this.#answered(request(operation, values))).content;
  }

  /**
   * What a list holds, over all its pages. Of the answers that are lines of JSON (all records, all positions of a game)
   * each line, as it comes: where one breaks off, it is asked for what is behind the last line.
   * @template {Names} Name
   * @param {Name} operation
   * @param {import("./operations.d.ts").Takes<Name>} [values]
   * @returns {AsyncGenerator<import("./operations.d.ts").Row<Name>>}
   */
  async *each(operation, values) {
    const behind = BEHIND[operation];
    /** @type {Send | null} */
    let send = request(operation, values);
    if (behind) send.headers.Accept = "application/x-ndjson, application/problem+json";
    for (let pauses = growing(); send; ) {
      const { response, content, heard } = await this.#answered(send, pauses);
      try {
        for await (const told of behind ? lines(response, heard) : content) {
          const row = behind ? JSON.parse(told) : told;
          if (behind) send = further(send, behind(row));
          pauses = growing();
          yield row;
        }
        send = nextPage(send, response);
      } catch (error) {
        if (!(error instanceof NoAnswerError)) throw error;
        await this.#sleep(pauses.next().value);
      }
    }
  }

  /**
   * Follow a game until it is over; without one all games of the caller, for ever. Where the stream ends or breaks off,
   * it goes on where it was.
   * @param {{ game_id?: string, include?: string[] }} [options]
   * @returns {AsyncGenerator<Event>}
   */
  async *events({ game_id, include = [] } = {}) {
    const stream = request(game_id ? "GET /games/{game_id}/events" : "GET /events", { game_id, include });
    stream.headers.Accept = "text/event-stream, application/problem+json";
    let last = "";
    for (let pauses = growing(); ; ) {
      if (last) stream.headers["Last-Event-ID"] = last;
      const { response, heard } = await this.#answered(stream, pauses);
      let some = false;
      try {
        for await (const event of parsed(response, heard)) {
          some = true;
          if (!event) continue;
          last = event.id || last;
          yield event;
          if (game_id && ["finished", "abandoned"].includes(event.data.status ?? "")) return;
        }
      } catch (error) {
        if (!(error instanceof NoAnswerError)) throw error;
      }
      if (some) pauses = growing();
      await this.#sleep(some ? SOON : pauses.next().value);
    }
  }

  /**
   * A turn whenever it is the caller's, in any game or in one until it is over, at one request a move.
   * @param {string} [game_id]
   * @returns {AsyncGenerator<Turn>}
   */
  async *turns(game_id) {
    /** @type {Map<string, number>} */
    const played = new Map();
    for await (const { data } of this.events({ game_id, include: NEEDED })) {
      const game = data.game ?? game_id;
      /** @type {any} */
      let now = data;
      if (!now.legal_moves?.length) played.delete(game);
      else if (now.ply < (played.get(game) ?? 0)) continue; // an echo of moves whose answers went further
      while (now?.legal_moves?.length) {
        const turn = new Turn(this, game, now);
        yield turn;
        now = turn.answer;
        played.set(game, now?.ply ?? turn.ply);
      }
    }
  }

  /**
   * @param {Send} send
   * @param {Generator<number, never>} pauses
   * @returns {Promise<{ response: Response, content: any, heard: (more?: boolean) => void }>}
   */
  async #answered(send, pauses = growing()) {
    for (let waited = 0; ; ) {
      const { seconds, error, ...answer } = await this.#once(send);
      if (!error) return /** @type {any} */ (answer);
      if (error instanceof RefusedError && !LATER.includes(error.status)) throw error;
      const pause = Math.max(pauses.next().value, seconds ?? 0);
      waited += pause;
      if (waited > this.#patience) throw error;
      console.warn(`${send.method} ${send.path}: ${error.message}; again in ${Math.round(pause)} s`);
      await this.#sleep(pause);
    }
  }

  /** @param {Send} send */
  async #once(send) {
    const { method, path, headers, body } = send;
    const gone = new AbortController();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const heard = (more = true) => {
      clearTimeout(timer);
      if (more) timer = setTimeout(() => gone.abort(), QUIET * 1000);
    };
    heard();
    let streams = false;
    try {
      const all = this.#token ? { ...headers, Authorization: `Bearer ${this.#token}` } : headers;
      const how = { method, body, headers: all, signal: gone.signal, redirect: /** @type {const} */ ("manual") };
      const response = await fetch(this.#url + path, how);
      const kind = (response.headers.get("Content-Type") ?? "").split(";")[0];
      warnOfEnd(send, response);
      streams = response.ok && headers.Accept.startsWith(kind);
      if (streams) return { response, heard };
      const json = /[/+]json$/.test(kind);
      const text = await (/^(image\/gif)$/.test(kind) ? response.blob() : response.text());
      const content = json && typeof text === "string" ? JSON.parse(text) : text || null;
      const moved = response.headers.get("Location") ?? (response.type === "opaqueredirect" ? "another one" : "");
      const message = `the address of this server is ${moved}`;
      if (!response.ok && moved) return { error: refusal(response.status, { message }) };
      if (!response.ok) return { error: refusal(response.status, content), seconds: retryAfter(response) };
      if (headers.Accept !== "*/*" || (kind === "text/html" && !path.includes(".html"))) {
        return { error: new NoAnswerError("something else came than was asked for") };
      }
      return { response, content };
    } catch (error) {
      return { error: new NoAnswerError(String(error)) };
    } finally {
      if (!streams) heard(false);
    }
  }
}

/** @typedef {{ operation: string, method: string, path: string, headers: Record<string, string>, body?: string }} Send */

/**
 * The request for an operation.
 * @param {string} operation
 * @param {Record<string, any>} [values]
 * @returns {Send}
 */
function request(operation, values = {}) {
  const [method, template] = operation.split(" ");
  const rest = { ...values };
  const base = /^\/(healthz|readyz)$/.test(template) ? "" : BASE;
  let path = base + template.replace(/^\/$/, "").replace(/{(\w+)}/g, (_, name) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(value);
  });
  /** @type {Record<string, string>} */
  const headers = { Accept: "*/*" };
  const query = method === "GET" ? rest : { include: rest.include };
  if (method !== "GET") delete rest.include;
  const asked = Object.entries(query).filter(([, value]) => value != null && String(value));
  if (asked.length) path += `?${new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))}`;
  if (method === "POST") headers["Idempotency-Key"] = key();
  if (method === "GET" || method === "DELETE") return { operation, method, path, headers };
  headers["Content-Type"] = "application/json";
  return { operation, method, path, headers, body: JSON.stringify(rest) };
}

/** @param {Send} send @param {Record<string, unknown>} query what is asked for besides, or instead */
function further(send, query) {
  const [path, asked] = send.path.split("?");
  const all = { ...Object.fromEntries(new URLSearchParams(asked)), ...query };
  return { ...send, path: `${path}?${new URLSearchParams(/** @type {any} */ (all))}` };
}

/** @param {Send} send @param {Response} response */
function nextPage(send, response) {
  const next = /<[^>?]*(\?[^>]*)>; *rel="?next/.exec(response.headers.get("Link") ?? "");
  return next && { ...send, path: send.path.split("?")[0] + next[1] }; // the token goes to no other server
}

/** A key that nobody guesses (`crypto.randomUUID` is not there on pages without TLS). */
function key() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Pauses that grow, without end, each a little else: not all clients come back at the same moment.
 * @returns {Generator<number, never>}
 */
function* growing() {
  for (let seconds = 1; ; seconds = Math.min(2 * seconds, LONGEST)) yield seconds * (0.5 + Math.random() / 2);
}

/** @param {number} seconds */
function wait(seconds) {
  return new Promise((done) => setTimeout(done, seconds * 1000));
}

/** @param {Response} response */
function retryAfter(response) {
  const told = response.headers.get("Retry-After") ?? "";
  return /^\d+$/.test(told) ? Number(told) : Math.max(0, (Date.parse(told) - Date.now()) / 1000 || 0);
}

/** @param {number} status @param {any} answer */
function refusal(status, answer) {
  if (typeof answer?.message !== "string") return new RefusedError(status, "", `the server answered ${status}`, {});
  const kind = String(answer.type ?? "").split("/").pop()?.replace("about:blank", "") ?? "";
  const error = kind === "illegal-move" ? IllegalMoveError : RefusedError;
  return new error(status, kind, answer.message, answer.errors ?? {});
}

/** @type {Set<string>} What was warned of. */
const ending = new Set();

/** Warn once of an operation that will go (docs/promises.md). @param {Send} send @param {Response} response */
function warnOfEnd({ operation }, { headers }) {
  if (!headers.has("Deprecation") || ending.has(operation)) return;
  ending.add(operation);
  console.warn(`${operation} is deprecated and may go on ${headers.get("Sunset")}: ${headers.get("Link")}`);
}

/**
 * The lines of an answer as they come. Throws `NoAnswerError` where it breaks off.
 * @param {Response} response
 * @param {(more?: boolean) => void} heard called whenever something comes, and with false at the end
 * @returns {AsyncGenerator<string>}
 */
async function* lines(response, heard) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error) => Promise.reject(new NoAnswerError(String(error))));
      if (done && rest) throw new NoAnswerError("the answer broke off");
      if (done) return;
      heard();
      const whole = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = whole.pop() ?? "";
      yield* whole;
    }
  } finally {
    heard(false);
    await reader.cancel().catch(() => {});
  }
}

/**
 * The events of a stream; null for a line that ends none. One that is cut off is none.
 * @param {Response} response
 * @param {(more?: boolean) => void} heard
 * @returns {AsyncGenerator<Event | null>}
 */
async function* parsed(response, heard) {
  /** @type {Record<string, string>} */
  let fields = {};
  for await (const line of lines(response, heard)) {
    const [, name, text] = /^([^:]*):? ?(.*?)\r?$/.exec(line) ?? [];
    if (name || text) {
      fields[name] = text;
      yield null;
    } else {
      const { event = "message", data, id = "" } = fields;
      fields = {};
      yield data ? { name: event, data: JSON.parse(data), id } : null;
    }
  }
}
