// Beside the turn: a clock that counts down, and what is being written or was opened stays when the page is renewed.
import "./copy.js";
import "./long-press.js";
import { say } from "./swap.js";

const one = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];

// How long is left, in the two greatest units: "1 day, 3 hours".

const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const language = document.documentElement.lang || "en";

function words(seconds) {
  const first = Math.min(UNITS.findIndex(([, size]) => seconds >= size) + 1 || 4, 4) - 1;
  const parts = [];
  let rest = seconds;
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const number = Math.floor(rest / size);
    rest -= number * size;
    if (number || !parts.length) parts.push(new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(number));
  }
  return new Intl.ListFormat(language, { type: "unit" }).format(parts);
}

let ahead = 0; // of the server's clock: a device may show any time

function told(date) {
  const at = Date.parse(date ?? "");
  if (at) ahead = Date.now() - at;
}

async function askTime() {
  const pulse = one("#live")?.dataset.pulse;
  if (!pulse || !one("[data-deadline]")) return;
  try {
    told((await fetch(pulse, { cache: "no-store", credentials: "same-origin" })).headers.get("Date"));
    tick();
  } catch {
    // The server cannot be reached: the device's own time has to do.
  }
}

function tick() {
  for (const part of all("[data-deadline]")) {
    const left = Math.floor((Date.parse(part.dataset.deadline) - (Date.now() - ahead)) / 1000);
    const { reserve, then, over } = part.dataset;
    const [told, time] = then && left > reserve ? [then, left - reserve] : [part.dataset.left, left];
    const text = left > 0 ? told.replace("{time}", words(time)) : over;
    if (part.textContent !== text) part.textContent = text;
    part.classList.toggle("soon", left < 3600);
  }
}

// What somebody types is theirs: when the page is renewed it stays, until it is sent.

const typed = new Map();
const opened = new Map();
const drafted = () => one("#play")?.dataset.draft;
let draft = drafted();
let sent = [];

document.addEventListener("input", (event) => {
  if (event.target.matches("[data-keep]") && event.target.id) typed.set(event.target.id, event.target.value);
});
document.addEventListener("submit", (event) => {
  // Sent once more, because it was not heard that it arrived, it has to go by the same name.
  for (const field of event.target.querySelectorAll("[data-key]")) typed.set(field.id, field.value);
  // Only what is sent now may be forgotten, and only when it arrived.
  sent = [...event.target.elements].filter((field) => typed.has(field.id)).map((field) => field.id);
}, true);
document.addEventListener("toggle", (event) => {
  if (event.target.id && event.target.matches("details")) opened.set(event.target.id, event.target.open);
}, true);

function renew(event) {
  const { method, status, date } = event.detail;
  told(date);
  if (method === "POST" && status < 400) {
    for (const id of sent) {
      typed.delete(id);
      const field = document.getElementById(id);
      if (field && "defaultValue" in field) field.value = field.defaultValue;
    }
  }
  sent = [];
  for (const [id, text] of typed) {
    const field = document.getElementById(id);
    if (field && field.value !== text) field.value = text;
  }
  // Who makes a move has read what the others did, and wants to see what there is to do.
  if (draft !== drafted()) [...opened.keys()].filter((id) => id.startsWith("since-")).forEach((id) => opened.delete(id));
  draft = drafted();
  for (const [id, open] of opened) {
    const part = document.getElementById(id);
    if (part) part.open = open;
  }
  begin();
}

document.addEventListener("click", (event) => {
  if (event.target.matches?.("[data-select]")) event.target.select();
  const [more, back] = [".beyond", ".back-to"].map((way) => event.target.closest?.(way));
  if (!more && !back) return;
  event.preventDefault();
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  one("#mat").scrollBy({ left: one("#mat").clientWidth * (more ? 0.75 : -1), behavior });
});

// On a phone: whether anything lies beyond an edge of the mat. What says so covers what would be cut there, and of a
// title no half is read.
function beyond() {
  const [mat, more, back] = ["#mat", ".beyond", ".back-to"].map(one);
  if (!more?.getClientRects().length) return;
  const box = (part) => part.getBoundingClientRect();
  const pieces = all(".mat :is(.cards, .people) > li").map(box);
  more.classList.toggle("none", !pieces.some(({ right }) => right > box(mat).right));
  back.classList.toggle("none", mat.scrollLeft < 2);
  const right = more.classList.contains("none") ? box(mat).right : box(more).left;
  let from = right;
  for (const zone of all(".mat .zone")) {
    const title = document.createRange();
    title.selectNodeContents(zone.querySelector(".zone-name"));
    const { left, width } = box(title);
    zone.classList.toggle("untitled", mat.scrollLeft > 1 && left < box(back).right);
    if (left + width > right || box(zone.querySelector("li, p")).right > right) from = Math.min(from, box(zone).left);
  }
  from = Math.min(from, ...pieces.filter((piece) => piece.right > right).map(({ left }) => left));
  more.style.setProperty("--cut", `${right - from + (from < right && 3)}px`);
}
addEventListener("resize", beyond);
let moving; // while the mat is moved, nothing of it comes and goes
document.addEventListener("scroll", ({ target }) => {
  if (target.id !== "mat") return;
  one(".beyond")?.style.setProperty("--cut", "0px");
  clearTimeout(moving);
  moving = setTimeout(beyond, 120);
}, true);

function begin() {
  // What was done is said once: opened again, the address says nothing of it.
  const done = one("#done-said");
  const here = new URL(location.href);
  if (done && here.searchParams.has("done")) {
    here.searchParams.delete("done");
    history.replaceState(history.state, "", here);
    say(done.textContent);
  }
  tick();
  beyond();
}

document.addEventListener("ulm:swapped", renew);
setInterval(tick, 1000);
begin();
askTime();
