// The stream of chance of a game and what the set-up makes of it (docs/record.md, section 1), once more and from that text
// alone: what the server dealt is held against this.

import { hmac, sha256, unhex, utf8 } from "./verify-sha256.js";

export const COLORS = ["gray", "white", "brown", "turquoise", "orange"];
/** The rules whose set-up and draws are known here. */
export const RULESETS = ["ulm/1", "ulm/2"];
/** Values of somebody's own box in these rules (docs/record.md, section 2) touch neither. */
const OWN = /^[a-z][a-z0-9-]*\/[0-9]+-[0-9a-f]{8}$/;
export const known = (ruleset) => RULESETS.includes(ruleset) || OWN.test(ruleset);
export const TILES_PER_COLOR = 10;

const kinds = (names, values) => names.flatMap((name) => values.map((value) => `${name}-${value}`));

export const CARDS = [
  ...kinds(["nave", "choir", "steeple"], [1, 2, 3]),
  ...kinds(["fustian", "works_of_art", "commercial_goods"], COLORS),
  "first_chronicle", "city_wall", "construction_freeze", "fisherman_jousting", "patrician", "reformation", "siege",
  "swabian_league", "ulm_sparrow",
];
export const DESCENDANTS = [
  "abbot", "scholar", "mint_master", "city_guard", "builder", "merchant", "councilman", "barge_driver",
];
export const COATS = ["N1", "N2", "N3", "E1", "E2", "E3", "S1", "S2", "S3", "W1", "W2", "W3"];
export const GRID = ["gray", "gray", "white", "white", "brown", "turquoise", "turquoise", "orange", "orange"];
export const TOWER = [
  "extra_river", "extra_money", "card_for_coin", "card_for_tile", "free_seal", "cheap_seal", "dear_seal", "tile_levy",
  "coin_levy", "keep_pushed", "pick_tile", "long_reach",
];

/** The seed of a game: SHA-256 of the server's secret and each player's text, a zero byte before each. */
export function gameSeed(server, clients) {
  const parts = [unhex(server)];
  for (const client of clients) parts.push(new Uint8Array(1), utf8(client));
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return sha256(joined);
}

/** The stream of a seed from a counter on. */
export class Chance {
  constructor(seed, counter = 0) {
    this.seed = seed;
    this.counter = counter;
  }

  u64() {
    const message = new Uint8Array(8);
    new DataView(message.buffer).setBigUint64(0, BigInt(this.counter));
    this.counter += 1;
    return new DataView(hmac(this.seed, message).buffer).getBigUint64(0);
  }

  below(n) {
    if (n === 1) return 0;
    const span = 1n << 64n;
    const limit = span - (span % BigInt(n));
    for (;;) {
      const number = this.u64();
      if (number < limit) return Number(number % BigInt(n));
    }
  }

  shuffle(items) {
    const list = [...items];
    for (let i = list.length - 1; i > 0; i -= 1) {
      const j = this.below(i + 1);
      [list[i], list[j]] = [list[j], list[i]];
    }
    return list;
  }

  /** A tile out of the bag, {colour: count}, which has one less then. */
  draw(bag) {
    let number = this.below(COLORS.reduce((sum, color) => sum + bag[color], 0));
    const color = COLORS.find((each) => {
      if (number < bag[each]) return true;
      number -= bag[each];
      return false;
    });
    bag[color] -= 1;
    return color;
  }
}

/** What the set-up of a game leaves to chance, by the names of a state's parts. */
export function setUp(seed, players) {
  const chance = new Chance(seed);
  const start = chance.below(players);
  const pile = chance.shuffle(CARDS);
  const descendants = chance.shuffle(DESCENDANTS).slice(0, 4);
  const coats = chance.shuffle(COATS);
  const grid = chance.shuffle(GRID);
  // One of each colour lies in the docks.
  const bag = Object.fromEntries(COLORS.map((color) => [
    color, TILES_PER_COLOR - 1 - grid.filter((each) => each === color).length,
  ]));
  const tiles = Array.from({ length: players }, () => chance.draw(bag));
  const tower = chance.shuffle(TOWER).slice(0, 10);
  return {
    start, pile, descendants, coats, bag, tiles, tower,
    grid: [grid.slice(0, 3), grid.slice(3, 6), grid.slice(6)],
    chance: chance.counter,
  };
}
