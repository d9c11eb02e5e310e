// What others did since the reader's last turn, played on the board itself: once for each of their moves, above the
// board of the present, which stays as it is. Whatever the reader does shows the present at once.

import { move, shape, still } from "./replay-motion.js";

// Milliseconds a move, fewer when there are many: then for all of them; and for which the last board stays.
const SPEEDS = { normal: [900, 9500, 700], fast: [300, 3000, 300] };
const PATIENCE = 4000; // boards that come later than that are shown when they are asked for,
const PATIENCE_LIVE = 12000; // but while the board that was looked at stays in sight
const TRIES = 3;
const LATE = 8000; // for which the button is gone after its end: who presses it then does not see all again

const speed = () => known("speed") ?? "normal"; // the reader's wish: one of `SPEEDS`, or "instant"
const quiet = () => still.matches || speed() === "instant";
const strip = () => document.getElementById("since");
const pictures = () => [...document.querySelectorAll(".picture svg")].filter((svg) => !svg.closest(".since-stage") && !svg.parentElement.closest("svg"));
let run = null; // what is played: {stages, ply, over}
let late = []; // the pictures of the page before this one
let ended = null; // the timer that runs when the last board of a film was taken away
let touched = null; // what a pointer came down on in a film: a gate that is offered now, or "" for all else

// ---- what was shown already, by game and reader, as long as the tab is open; and how fast, in this browser for good

function known(name, value) {
  const [key, place] = [`ulm:since:${name}`, name === "speed" ? "localStorage" : "sessionStorage"];
  try {
    if (value === undefined) return window[place].getItem(key);
    window[place].setItem(key, value);
  } catch {
    // A browser that keeps nothing plays nothing by itself.
  }
  return null;
}

/** The page is new: play what it tells and was not shown. `came`: it was open already, and moves came to it; `at`: the
 * ply up to which they were played when it came, null when nothing was being played. */
function arrive(came, at = null) {
  if (!strip()) return;
  const { game, first, last, auto, own } = strip().dataset;
  for (const id of ["since-play", "since-speed"]) document.getElementById(id)?.removeAttribute("hidden");
  const wished = document.getElementById(`since-${speed()}`);
  if (wished) wished.checked = true;
  const before = known(game);
  label(before === null || Number(before) < Number(last) ? "play" : "again");
  const wanted = auto && (before !== null || auto === "open");
  if (document.querySelector("[data-draft], dialog[open], #asked")) return;
  if (document.hidden && wanted) return; // when it is looked at
  known(game, last);
  if (!wanted || !pictures().length) return;
  const from = theirs(Math.max(Number(first), Number(at ?? before ?? 0)));
  if (from >= Number(last)) return;
  // At the first look at a game nothing is new to its reader: frames on half of the board would tell them nothing.
  if (quiet() && before === null && own === undefined) return;
  if (quiet()) mark(from);
  else play(from, came);
}

/** The ply from which on somebody else moved: the last round begins with what its reader has just played. */
function theirs(ply) {
  const seat = document.getElementById("mat")?.dataset.seat;
  const own = strip().querySelectorAll(`.since-turns > [data-seat="${seat}"] [data-ply]`);
  const plies = new Set([...own].map((line) => Number(line.dataset.ply)));
  let from = ply;
  while (plies.has(from + 1)) from += 1;
  return from;
}

// ---- boards

/** The boards after ply `after`, by layout; null when they do not come. */
async function boards(after, layouts, signal) {
  const address = strip().dataset.boards;
  const one = async (layout) => {
    for (let tries = TRIES; tries; tries -= 1) {
      const answer = await fetch(`${address}?layout=${layout}&after=${after}`, { credentials: "same-origin", signal });
      if (answer.ok) return answer.json();
      if (answer.status !== 503) break;
      await new Promise((done) => setTimeout(done, 500)); // the server draws for a few at a time
    }
    throw new Error("no boards");
  };
  try {
    return await Promise.all(layouts.split(" ").map(one));
  } catch {
    return null;
  }
}

/** The link by which a gate is chosen now, null where it cannot be. */
const gate = (slot) => document.querySelector(`.picture a[data-link="slot-${slot}"]`);

function drawn(found, index) {
  const holder = document.createElement("template");
  holder.innerHTML = found.plies[index].map((part) => found.parts[part]).join(""); // our server's own picture
  const board = holder.content.firstElementChild;
  // A gate that is offered now is seen to be, and can be chosen in the film.
  for (const part of board.querySelectorAll("[data-slot]")) if (gate(part.dataset.slot)) part.classList.add("offered");
  return board;
}

/** What lies above a picture while something is played. */
function stage(picture) {
  const parent = picture.parentElement;
  const [own, frame] = [picture.getBoundingClientRect(), parent.getBoundingClientRect()];
  if (getComputedStyle(parent).position === "static") parent.style.position = "relative";
  const made = document.createElement("div");
  made.className = "since-stage";
  made.setAttribute("aria-hidden", "true");
  const place = { left: own.left - frame.left + parent.scrollLeft, top: own.top - frame.top + parent.scrollTop, width: own.width, height: own.height };
  for (const [name, size] of Object.entries(place)) made.style[name] = `${size}px`;
  picture.after(made);
  return made;
}

/** What says so beside the title of the turn. The choices are about the board of the present, and can be played all the
 * time. Not when the game is over, whose result is what is read then, perhaps without a board in sight. */
function watch(mine) {
  document.getElementById("play")?.classList.add("watching");
  if (document.querySelector(".result")) return;
  mine.sign = document.createElement("p");
  mine.sign.className = "preview since-sign";
  mine.sign.setAttribute("aria-hidden", "true");
  mine.sign.textContent = strip().dataset.watching;
  document.querySelector(".turn-head .hint")?.append(mine.sign);
}

// ---- playing

async function play(from, came) {
  stop();
  const mine = (run = { stages: [], ply: from, over: false, quiet: new AbortController() });
  const shown = pictures();
  if (came && late.length === shown.length) {
    // Until the boards are here, the one that was looked at stays: nothing flashes by.
    mine.stages = shown.map(stage);
    late.forEach((old, index) => mine.stages[index].replaceChildren(old));
    watch(mine);
  }
  label("skip");
  const patience = setTimeout(() => stop(), mine.stages.length ? PATIENCE_LIVE : PATIENCE);
  const found = await boards(from, strip().dataset.layouts, mine.quiet.signal);
  clearTimeout(patience);
  if (mine.over) return;
  const at = strip();
  if (!found || !at || found.length !== shown.length) return stop();
  if (!mine.stages.length) {
    mine.stages = shown.map(stage);
    watch(mine);
  }
  mine.stages.forEach((place, index) => place.replaceChildren(drawn(found[index], 0)));
  const steps = told(found[0]);
  const [most, whole, end] = SPEEDS[speed()] ?? SPEEDS.fast;
  const time = Math.min(most, whole / steps.length);
  for (const step of steps) {
    mine.ply = found[0].from + step.index;
    say(at, step);
    panel(mine, step.marks, shown);
    found.forEach((one, index) => next(mine.stages[index], drawn(one, step.index), time));
    await new Promise((done) => setTimeout(done, time));
    if (mine.over) return;
  }
  await new Promise((done) => setTimeout(done, end));
  if (mine.over) return;
  stop();
  label("skip", true);
  ended = setTimeout(label, LATE, "again");
}

/** What is shown one after the other: a move that nobody can see on the board comes with the next one. */
function told(found) {
  const steps = [];
  let texts = [];
  let main = 0;
  for (let index = 1; index < found.plies.length; index += 1) {
    const line = strip().querySelector(`[data-ply="${found.from + index}"]`);
    if (!line?.previousElementSibling) texts = []; // that the turn before has ended is seen by this one
    if (line) {
      main = texts.length; // what came before it is left out first where there is no room
      texts.push(...[...line.querySelectorAll(".said")].map((one) => one.textContent));
    }
    const marks = found.marks[index].filter((name) => !/^(player|bag)-/.test(name));
    if (!marks.length && index < found.plies.length - 1) continue;
    steps.push({ index, marks, line, texts, main });
    texts = [];
    main = 0;
  }
  return steps;
}

function next(place, fresh, time) {
  const old = place.firstElementChild;
  old.after(fresh); // beside the new one for as long as it is measured
  move(old, fresh, time * 0.75);
  old.remove();
}

/** Whole sentences, as many as there is room for: the first one of the move itself is said in any case. */
function sayWhatFits(place, texts, main) {
  let first = 0;
  let end = texts.length;
  for (;;) {
    place.textContent = texts.slice(first, end).join(" ");
    if (place.scrollHeight <= place.clientHeight + 1) return;
    if (first < main) first += 1;
    else if (end > main + 1) end -= 1;
    else return;
  }
}

function say(at, { texts, main, line }) {
  const now = document.getElementById("since-now");
  now.hidden = false;
  sayWhatFits(now.firstElementChild, texts, main);
  const seat = line?.closest("[data-seat]")?.dataset.seat;
  if (seat) now.dataset.seat = seat;
  for (const before of at.querySelectorAll("[aria-current]")) before.removeAttribute("aria-current");
  line?.setAttribute("aria-current", "step");
}

// On a phone square and town lie side by side: look at the one in which it happens.
function panel(mine, marks, shown) {
  if (shown.length < 2) return;
  const town = marks.some((name) => /^(quarter|space)-/.test(name));
  const square = marks.some((name) => /^(cell|slot|docks|pile|coats|discard)/.test(name));
  if (town === square) return;
  const picture = shown[town ? shown.length - 1 : 0];
  for (let row = picture.parentElement; row && row !== document.body; row = row.parentElement) {
    if (row.scrollWidth <= row.clientWidth + 1 || getComputedStyle(row).overflowX === "visible") continue;
    mine.row ??= row;
    mine.left ??= row.scrollLeft;
    row.scrollTo({ left: row.scrollLeft + picture.getBoundingClientRect().left - row.getBoundingClientRect().left, behavior: "smooth" });
    return;
  }
}

/** Show the present. */
function stop() {
  if (!run) return;
  run.over = true;
  run.quiet.abort();
  for (const place of [...run.stages, run.sign]) place?.remove();
  document.getElementById("play")?.classList.remove("watching");
  run.row?.scrollTo({ left: run.left });
  run = null;
  const now = document.getElementById("since-now");
  if (now) now.hidden = true;
  for (const line of strip()?.querySelectorAll("[aria-current]") ?? []) line.removeAttribute("aria-current");
  label("again");
}

function label(name, over = false) {
  clearTimeout(ended);
  const button = document.getElementById("since-play");
  if (!button) return;
  button.classList.toggle("over", over);
  button.textContent = button.dataset[name === "skip" || !quiet() ? name : "marks"];
}

// ---- without motion: what differs is framed

async function mark(from) {
  const found = await boards(from, ""); // no pictures
  unmark();
  for (const name of found?.[0].changed ?? []) {
    const part = pictures().map((svg) => svg.querySelector(`[id$="-${CSS.escape(name)}"]`)).find(Boolean);
    // What is in the bag changes with every turn, and tells nothing.
    const box = part && !name.startsWith("bag-") && boxOf(part, name);
    if (!box) continue;
    part.parentNode.append(shape("rect", { class: "since-mark", ...box, rx: 6 }));
  }
}

/** Where a part lies: of what has a name or a number beside it the thing alone, so that no frame covers these. */
function boxOf(part, name) {
  const whole = /^(quarter|discard)/.test(name);
  const thing = (whole ? null : part.querySelector("g[id*='-tile-'] use") ?? part.querySelector("rect, use")) ?? part;
  const [to, from] = [part.parentNode.getCTM(), thing.getCTM()];
  if (!to || !from) return null; // not on the page
  const { x, y, width, height } = thing.getBBox();
  const inside = to.inverse().multiply(from);
  const [start, end] = [new DOMPoint(x, y), new DOMPoint(x + width, y + height)].map((one) => one.matrixTransform(inside));
  const air = name === "discard" ? 4 : 0;
  return { x: start.x - air, y: start.y - air, width: end.x - start.x + 2 * air, height: end.y - start.y + 2 * air };
}

function unmark() {
  const marks = document.querySelectorAll(".since-mark");
  for (const frame of marks) frame.remove();
  return marks.length > 0;
}

// ---- what the reader does

document.addEventListener("pointerdown", ({ target }) => {
  touched = target.closest?.(".since-stage") ? target.closest(".offered")?.dataset.slot ?? "" : null;
}, true);
document.addEventListener("click", (event) => {
  if (event.detail && touched !== null) {
    // A tap in the film ends it. Where it is let go another board may be by now: what counts is what was touched.
    event.preventDefault();
    event.stopPropagation();
    stop();
    gate(touched)?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    return;
  }
  if (!event.target.closest?.("#since-play")) {
    if (!event.target.closest?.("#since")) stop();
    return;
  }
  const button = document.getElementById("since-play");
  if (run) stop();
  else if (button.textContent === button.dataset.skip) label("again"); // there is nothing left to skip
  else if (!quiet()) play(Number(strip().dataset.from), false);
  else if (!unmark()) mark(Number(strip().dataset.from));
}, true);
document.addEventListener("submit", stop, true);
document.addEventListener("keydown", (event) => {
  if (!run || event.target.closest?.("#since") && event.key !== "Escape") return;
  if (event.key.length > 1 && !["Escape", "Enter"].includes(event.key)) return;
  stop();
}, true);
document.addEventListener("change", (event) => {
  if (event.target.name !== "since-speed") return;
  known("speed", event.target.value);
  label("again");
});
document.addEventListener("focusin", ({ target }) => target.closest?.(".picture") && target.matches(":focus-visible") && stop());
document.addEventListener("visibilitychange", () => (document.hidden ? stop() : arrive(true)));
addEventListener("resize", stop);
document.addEventListener("ulm:swapped", () => {
  const at = run?.ply; // nobody stopped it: it goes on, on the page that has come
  if (run?.stages.length) late = run.stages.map((place) => place.firstElementChild);
  stop();
  arrive(true, at);
  late = pictures();
});

arrive(false);
late = pictures();
