// The replay viewer: steps, plays and scrubs through boards that come in chunks. Without it each step is a link.

import "./copy.js";
import { awaited } from "./replay-analysis.js";
import { Boards } from "./replay-boards.js";
import { tell } from "./replay-comments.js";
import { move, still } from "./replay-motion.js";
import { bring, changed } from "./replay-sight.js";

const at = (id) => document.getElementById(id);
const viewer = at("viewer");
const plies = Number(viewer.dataset.plies);
const seat = viewer.dataset.seat;
const texts = JSON.parse(viewer.dataset.texts);
const numbers = (text) => text.split(" ").filter(Boolean).map(Number);
const turns = numbers(viewer.dataset.turns);
const rounds = numbers(viewer.dataset.rounds);
const boards = new Boards(viewer.dataset.frames, Number(viewer.dataset.chunk), plies);
const stages = [...document.querySelectorAll(".layout")];
const lines = new Map([...document.querySelectorAll("#moves .line")].map((line) => [Number(line.dataset.ply), line]));
const [slider, speed, play] = [at("slider"), at("speed"), at("play")];
let ply = Number(viewer.dataset.ply);
let timer = 0;
let shown = ply; // the ply whose board is on the stage
let scrubbing = false; // whether the slider led there: what lies under a finger is not scrolled away

const stage = () => stages.find((each) => each.offsetParent !== null) ?? stages[0];
const before = (stops) => stops.findLast((stop) => stop < ply) ?? 0;
const after = (stops) => stops.find((stop) => stop > ply) ?? plies;
const steps = {
  first: () => 0, "round-back": () => before(rounds), "turn-back": () => before(turns), back: () => ply - 1,
  on: () => ply + 1, "turn-on": () => after(turns), "round-on": () => after(rounds), last: () => plies,
};
const tab = at("analysis") ? "&tab=analysis" : "";
const address = (to) => `?ply=${to}${seat ? `&seat=${seat}` : ""}${tab}`;

/** Put the board of the present ply onto the stage, when it has come. */
async function draw() {
  const place = stage();
  const { layout } = place.dataset;
  const wanted = ply;
  if (boards.at(layout, wanted) === null) {
    viewer.setAttribute("aria-busy", "true");
    try {
      await boards.load(layout, wanted);
    } catch {
      stop();
      at("text").textContent = texts.late;
      return;
    } finally {
      viewer.removeAttribute("aria-busy");
    }
  }
  if (wanted !== ply) return; // somebody went on meanwhile
  put(place, layout);
  boards.load(layout, Math.min(plies, ply + boards.chunk / 2)).catch(() => {});
  if (!timer) boards.load(layout, Math.max(0, ply - boards.chunk / 2)).catch(() => {});
}

function put(place, layout) {
  const old = place.firstElementChild;
  if (Number(place.dataset.ply ?? viewer.dataset.ply) === ply) return;
  const holder = document.createElement("template");
  holder.innerHTML = boards.at(layout, ply); // our server's own picture
  const fresh = holder.content.firstElementChild;
  const time = timer ? Math.min(450, Number(speed.value) * 0.6) : 450;
  const same = Number(place.dataset.ply ?? viewer.dataset.ply) === shown;
  const one = same && Math.abs(ply - shown) === 1;
  const parts = same && (one || !scrubbing) && watched(place) ? changed(old, fresh) : [];
  const were = one ? parts.map(([part]) => part.getBoundingClientRect()) : [];
  if (ply > shown && one && time >= 200 && !still.matches) {
    // The old board stays beside the new one for as long as it is measured.
    old.after(fresh);
    move(old, fresh, time);
    old.remove();
  } else {
    old.replaceWith(fresh);
  }
  bring([...were, ...parts.map(([, part]) => part.getBoundingClientRect())], at("controls"));
  place.dataset.ply = ply;
  shown = ply;
}

/** Whether the board is on the screen: who reads the moves far below it is left there. */
function watched(place) {
  const { top, bottom } = place.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

function words() {
  const line = lines.get(ply);
  at("where").textContent = ply ? texts.where.replace("{ply}", ply).replace("{plies}", plies) : texts["at-setup"];
  at("text").textContent = ply ? line?.textContent ?? "" : texts.setup;
  at("now").classList.toggle("long", at("text").textContent.length > at("now").dataset.long);
}

function list() {
  for (const link of document.querySelectorAll('#moves a[aria-current="step"]')) link.removeAttribute("aria-current");
  const line = lines.get(ply);
  if (!line) return;
  line.firstElementChild.setAttribute("aria-current", "step");
  const box = at("scroll");
  if (box.scrollHeight > box.clientHeight) {
    const [frame, mine] = [box.getBoundingClientRect(), line.getBoundingClientRect()];
    box.scrollTop += mine.top - frame.top - (frame.height - mine.height) / 2;
  }
}

/** Let every link and field of the page speak of the present ply. */
function follow() {
  slider.value = ply;
  slider.setAttribute("aria-valuetext", at("where").textContent);
  for (const link of document.querySelectorAll("[data-step]")) {
    const to = Math.max(0, Math.min(plies, steps[link.dataset.step]()));
    link.href = address(to);
    if (to === ply) link.setAttribute("aria-disabled", "true");
    else link.removeAttribute("aria-disabled");
  }
  for (const link of at("eyes").querySelectorAll("a")) {
    link.href = `?ply=${ply}${link.dataset.seat ? `&seat=${link.dataset.seat}` : ""}`;
  }
  for (const chart of document.querySelectorAll(".chart")) {
    const place = Number(chart.dataset.left) + ply * Number(chart.dataset.plyWidth);
    chart.querySelector(".marker").setAttribute("transform", `translate(${place} 0)`);
  }
  for (const tab of document.querySelectorAll("#tabs a, #to-analysis")) tab.href = tab.href.replace(/ply=\d+/, `ply=${ply}`);
  tell(ply);
  for (const field of document.querySelectorAll('main input[name="ply"]')) field.value = ply;
  for (const door of document.querySelectorAll("a.sign-in")) {
    const there = new URL(door.href);
    there.searchParams.set("next", `${location.pathname}${address(ply)}`);
    door.href = there.href;
  }
  const [link, code] = [at("link"), at("code")];
  if (link) link.value = link.value.replace(/ply=\d+/, `ply=${ply}`);
  if (code) code.value = code.value.replace(/ply=\d+/, `ply=${ply}`);
  const out = at("out");
  if (out) out.href = out.href.replace(/ply=\d+/, `ply=${ply}`);
}

let keeping = 0;
function remember() {
  // Browsers refuse an address that changes too often.
  clearTimeout(keeping);
  keeping = setTimeout(() => {
    history.replaceState(history.state, "", address(ply));
    if (!timer) at("said").textContent = `${at("where").textContent}. ${at("text").textContent}`;
  }, 250);
}

function show(to) {
  const wanted = Math.max(0, Math.min(plies, Math.round(Number(to)) || 0));
  if (wanted === ply) return;
  ply = wanted;
  words();
  list();
  follow();
  remember();
  draw();
}

function label() {
  const name = timer ? texts.pause : texts.play;
  play.classList.toggle("playing", Boolean(timer));
  play.querySelector(".sr").textContent = name;
  play.title = name;
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  label();
}

function beat() {
  timer = setTimeout(() => {
    // Nothing is skipped because a board is late.
    const { layout } = stage().dataset;
    if (boards.at(layout, ply) === null) boards.load(layout, ply).catch(stop);
    else show(ply + 1);
    if (ply === plies) stop();
    else beat();
  }, Number(speed.value));
}

function toggle() {
  if (timer) {
    stop();
    remember();
    return;
  }
  if (ply === plies) show(0);
  beat();
  label();
}

const go = (to, slid = false) => {
  stop();
  scrubbing = slid;
  show(to);
};
const keys = {
  ArrowLeft: "back", ArrowRight: "on", PageUp: "turn-back", PageDown: "turn-on", Home: "first", End: "last",
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input:not([type=range]), textarea, select, [contenteditable]");
  if (event.ctrlKey || event.altKey || event.metaKey || typing) return;
  let step = keys[event.key];
  if (step && event.shiftKey) step = { "turn-back": "round-back", "turn-on": "round-on" }[step];
  if (step) {
    event.preventDefault();
    go(steps[step]());
  } else if (event.key === " " && !event.shiftKey && !event.target.closest("button, summary, a")) {
    event.preventDefault();
    toggle();
  }
});

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const step = event.target.closest("[data-step]");
  const place = event.target.closest("#moves a, .decided, #points a, #analysis a[data-ply], #comments a[data-ply]");
  if (!step && !place) return;
  event.preventDefault();
  if (place?.matches("#analysis .moment a")) viewer.scrollIntoView();
  go(step ? steps[step.dataset.step]() : (place.dataset.ply ?? place.closest("[data-ply]").dataset.ply));
});

slider.addEventListener("input", () => go(slider.value, true));
play.addEventListener("click", toggle);
speed.addEventListener("change", () => {
  if (timer) {
    clearTimeout(timer);
    beat();
  }
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) stop();
});
// Another layout is another board.
addEventListener("resize", () => draw());

slider.hidden = play.hidden = false;
speed.closest("label").hidden = false;
viewer.classList.add("alive");
label();
list();
awaited(follow);
boards.load(stage().dataset.layout, ply).catch(() => {});
viewer.dataset.ready = "yes";
