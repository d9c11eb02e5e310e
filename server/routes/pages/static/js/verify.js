// "Was it fair?": checks a finished game in the browser, from its record and its positions, with code of its own.

import { hex, sha256, unhex, utf8 } from "./verify-sha256.js";
import { Chance, COLORS, gameSeed, known, RULESETS, setUp } from "./verify-shuffle.js";

/** What is wrong with a game; `name` and `values` choose a text. */
class Wrong extends Error {
  constructor(name, values = {}) {
    super(name);
    this.values = values;
  }
}

/** Canonical JSON (docs/record.md, section 4): keys sorted, no blanks, ASCII. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    return `{${Object.keys(value).sort().map((key) => `${canonical(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The digest of a state. */
export const digest = (state) => hex(sha256(utf8(canonical(state)))).slice(0, 16);

const same = (one, other) => canonical(one) === canonical(other);

/** Server's secret and promise; the seed of the game. `told` gets each finding. */
export function checkSeed(record, shown, imported, told) {
  const { server, clients, commitment } = record.seed;
  const found = hex(sha256(unhex(server)));
  if (found !== commitment) throw new Wrong("commitment-bad", { found, commitment });
  if (shown && shown !== commitment) throw new Wrong("shown-bad");
  told("commitment", { commitment });
  if (imported) told("imported", {}, "open");
  const seed = gameSeed(server, clients);
  told("clients", { count: clients.length, seed: hex(seed) });
  return seed;
}

/** Whether the position at ply 0 is what the seed deals. */
export function checkSetUp(state, seed) {
  const dealt = setUp(seed, state.players.length);
  const differ = ["start", "pile", "descendants", "coats", "grid", "bag", "chance", "tower"]
    .filter((part) => !same(dealt[part], state[part]));
  state.players.forEach((player, seat) => {
    const own = Object.fromEntries(COLORS.map((color) => [color, color === dealt.tiles[seat] ? 1 : 0]));
    if (!same(own, player.tiles)) differ.push(`players.${seat}.tiles`);
  });
  if (differ.length) throw new Wrong("setup-bad", { parts: differ.join(", ") });
}

/** Checks positions one after the other. */
export class Positions {
  constructor(record, seed) {
    this.record = record;
    this.seed = seed;
    this.plies = record.moves.length;
    this.before = null;
    this.next = 0;
    this.draws = 0;
    this.digests = 0;
  }

  take({ ply, state }) {
    const bad = (what, values = {}) => new Wrong("states-bad", { ply: this.next, what: { name: what, values } });
    if (ply !== this.next || !state || state.ply !== ply || ply > this.plies) throw bad("gap");
    if (this.before) this.step(this.record.moves[ply - 1], state, bad);
    else if (this.seed) checkSetUp(state, this.seed);
    const wanted = this.record.digests[ply];
    if (wanted !== undefined) {
      const found = digest(state);
      if (found !== wanted) throw bad("wrong-digest", { found, wanted });
      this.digests += 1;
    }
    this.before = state;
    this.next += 1;
  }

  step([move, seat], state, bad) {
    const { before } = this;
    if (move !== "resign" && seat !== before.active) throw bad("wrong-seat");
    if (state.chance < before.chance) throw bad("chance-back");
    const inBag = COLORS.reduce((sum, color) => sum + before.bag[color], 0);
    if (move !== "draw" || !this.seed || !inBag) return;
    const chance = new Chance(this.seed, before.chance);
    const bag = { ...before.bag };
    const drawn = state.turn.tiles.map(() => chance.draw(bag));
    if (!same([drawn, bag, chance.counter], [state.turn.tiles, state.bag, state.chance])) throw bad("wrong-draw");
    this.draws += 1;
  }

  finish(told) {
    if (this.next !== this.plies + 1) throw new Wrong("states-bad", { ply: this.next, what: { name: "gap" } });
    const { digests, result } = this.record;
    if (digests[0] === undefined || digests[this.plies] === undefined) throw new Wrong("digest-missing");
    if (this.seed) told("setup");
    told("states-good", { plies: this.plies });
    if (this.seed && this.draws) told("draws", { count: this.draws });
    told("digests", { count: this.digests });
    if (!result || !same(result.scores, this.before.scores)) throw new Wrong("result-bad");
    told("result");
  }
}

/** The lines of an answer as they come, each as JSON. */
async function* lines(address) {
  const answer = await fetch(address, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(`${answer.status}`);
  const reader = answer.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const whole = rest.split("\n");
    rest = done ? "" : whole.pop();
    for (const line of whole) if (line) yield JSON.parse(line);
    if (done) return;
  }
}

/** What a seat that is to move saw of a state (docs/record.md, section 4). */
export function seen({ chance, coats, pile, ...open }, seat) {
  return {
    ...open,
    coats_size: coats.length,
    pile_size: pile.length,
    tower: open.options.tower ? open.tower.slice(0, open.round + 1) : [],
    players: open.players.map(({ hand, ...player }, other) => (
      { ...player, hand_size: hand.length, ...(other === seat ? { hand } : {}) })),
  };
}

/** Whether the position that a page shows is the one after its move, as its seat saw it. */
export function checkShown(state, seat, shown) {
  if (state.active !== seat || !same(seen(state, seat), shown)) throw new Wrong("position-bad", { ply: state.ply });
}

async function check(place, told, progress) {
  const answer = await fetch(place.dataset.record, { credentials: "same-origin" });
  if (!answer.ok) throw new Wrong("no-record", { reason: answer.status });
  const record = await answer.json();
  let seed = null;
  if (record.format === "ulm-record/1") {
    const found = checkSeed(record, place.dataset.commitment, place.dataset.origin === "imported", told);
    if (known(record.ruleset)) seed = found;
    else told("other-rules", { known: RULESETS.join(", "), ruleset: record.ruleset }, "open");
  } else {
    told("no-seed", {}, "open");
  }
  const positions = new Positions(record, seed);
  // The page of a puzzle shows a position.
  const { ply, seat, view } = place.dataset;
  const shown = view ? { ply: Number(ply), seat: Number(seat), view: JSON.parse(view) } : null;
  if (shown && !(shown.ply <= positions.plies)) throw new Wrong("position-bad", { ply });
  while (positions.next <= positions.plies) {
    const from = positions.next;
    for await (const line of lines(`${place.dataset.states}?from=${from}`)) {
      positions.take(line);
      if (shown && line.ply === shown.ply) checkShown(line.state, shown.seat, shown.view);
      progress(line.ply, positions.plies);
    }
    if (positions.next === from) break;
  }
  positions.finish(told);
  if (shown) told("position", { ply });
  told("rules", {}, "open");
}

function start(place) {
  const texts = JSON.parse(place.dataset.texts);
  const [button, bar, list, verdict] = ["verify", "check-progress", "findings", "verdict"]
    .map((id) => document.getElementById(id));

  const say = (name, values = {}) => (texts[name] ?? name).replace(/\{(\w+)\}/g, (hole, key) => {
    const value = values[key];
    if (value === undefined) return hole;
    return typeof value === "object" ? say(value.name, value.values) : String(value);
  });

  function told(name, values, kind = "good") {
    const line = document.createElement("li");
    line.className = kind;
    line.textContent = say(name, values);
    list.append(line);
  }

  let shown = 0;
  function progress(ply, plies) {
    bar.value = plies ? ply / plies : 1;
    if (ply === plies || performance.now() - shown > 200) {
      shown = performance.now();
      bar.title = say("states", { ply, plies });
    }
  }

  button.hidden = false;
  button.addEventListener("click", async () => {
    list.replaceChildren();
    verdict.hidden = true;
    bar.hidden = false;
    bar.value = 0;
    button.disabled = true;
    place.dataset.verdict = "";
    let good = false;
    try {
      await check(place, told, progress);
      good = true;
    } catch (error) {
      if (error instanceof Wrong) told(error.message, error.values, "bad");
      else told("broken", { reason: error.message }, "bad");
    }
    bar.hidden = true;
    button.disabled = false;
    verdict.className = good ? "notice good" : "notice bad";
    verdict.textContent = say(good ? "good" : "bad");
    verdict.hidden = false;
    place.dataset.verdict = good ? "good" : "bad";
  });
}

if (typeof document !== "undefined") {
  const place = document.getElementById("check");
  if (place) start(place);
}
