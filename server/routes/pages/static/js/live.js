// Keeps an open page up to date. The server tells by a stream of events that something changed, or is asked now and then
// where it has no thread for that; the page itself is fetched anew, so that it never shows what the server would not.
//
// <div id="live" data-stream data-pulse data-tag …> says how; it lies in #main and comes anew with each page.

import { notice, say, visit } from "./swap.js";

const SECOND = 1000;
const ASK = 15 * SECOND; // between two questions, and ever longer while nothing happens
const ASK_SELDOM = 60 * SECOND;
const TRY_STREAM = 15 * SECOND; // after there was no place for one, and ever later until there is
const TRY_SELDOM = 240 * SECOND;
const LATER = [408, 425, 429]; // refusals that pass
const HIDDEN = 60 * SECOND; // a page that nobody looks at gives its stream back: a browser has few connections
const SETTLE = 250; // several changes come together: a move and the bots' answers

const timers = {};
let source = null; // the open stream
let watched = ""; // what it is a stream of
let noPlaceUntil = 0;
let noPlace = TRY_STREAM;
let pause = ASK;
let known = null; // the newest that the server told, when that is not what the page shows
let renewing = false; // the page is being fetched for a change, not for its reader
let unseen = false; // for long, and the stream is given back
let plain = ""; // the title without a badge
let mine = false; // it is the reader's turn
let turns = 0; // on a page of many games: in how many

const place = () => document.getElementById("live");
const now = () => performance.now();

function later(name, milliseconds, what) {
  clearTimeout(timers[name]);
  timers[name] = setTimeout(what, milliseconds);
}

// ---- hearing of changes

function listen() {
  const live = place();
  if (!live) return stop();
  if (live.dataset.pulse !== watched) stop();
  watched = live.dataset.pulse;
  const wanted = live.dataset.stream && !unseen && now() >= noPlaceUntil;
  if (wanted && !source) open(live.dataset.stream);
  if (!source) later("ask", pause, ask);
}

function open(address) {
  clearTimeout(timers.ask);
  source = new EventSource(address);
  source.addEventListener("open", () => (noPlace = TRY_STREAM));
  source.addEventListener("game", (event) => heard(JSON.parse(event.data)));
  source.addEventListener("error", () => {
    if (source?.readyState !== EventSource.CLOSED) return; // the browser connects again by itself
    source = null;
    noPlaceUntil = now() + noPlace;
    noPlace = Math.min(noPlace * 2, TRY_SELDOM);
    listen();
  });
}

function stop() {
  source?.close();
  source = null;
  clearTimeout(timers.ask);
}

async function ask() {
  const live = place();
  if (!live) return;
  let rest = 0;
  try {
    const answer = await fetch(live.dataset.pulse, { cache: "no-cache", credentials: "same-origin" });
    if (answer.ok) heard(await answer.json());
    else if (answer.status < 500 && !LATER.includes(answer.status)) return; // no longer for these eyes: it may stay as it is
    else rest = Number(answer.headers.get("Retry-After")) * SECOND || 0;
  } catch {
    // The server cannot be reached: the next question may find it.
  }
  pause = Math.max(Math.min(pause * 1.25, ASK_SELDOM), rest);
  listen();
}

// ---- what a change does

function heard(glance) {
  if (glance.tag === place()?.dataset.tag) {
    known = null;
    return;
  }
  known = glance;
  pause = ASK;
  later("settle", SETTLE, renew);
}

async function renew() {
  if (!known || !place()) return;
  if (known.tag === place().dataset.tag) {
    known = null;
    return;
  }
  if (document.getElementById("main").ariaBusy === "true") {
    later("settle", SETTLE, renew); // the reader is on the way to a page already
    return;
  }
  const moved = ["ply", "status"].some((name) => String(known[name] ?? "") !== place().dataset[name]);
  if (moved && document.querySelector("[data-draft]")) {
    tell();
    return;
  }
  if (document.querySelector("dialog[open]")) return; // until it is closed
  renewing = true; // what is half written stays: table.js
  const became = await visit(location.href, { replace: true });
  renewing = false;
  if (became !== "shown") later("settle", became === "failed" ? ASK : SETTLE, renew);
}

// A draft is open to a position that is past: it stays, and the reader is told that the page is not the newest. What else
// happens at the table is shown beside it, for a draft is an address.
function tell() {
  if (document.getElementById("live-note")) return;
  const live = place();
  const note = notice("live-note", `${live.dataset.moved} `);
  const link = document.createElement("a");
  link.href = location.pathname;
  link.className = "button";
  link.dataset.swap = "";
  link.textContent = live.dataset.show;
  note.append(link);
}

// ---- whose turn it is, and the life of the page

// In the title of a tab that nobody looks at.
function badge() {
  const live = place();
  document.title = document.hidden && live && (mine || turns) ? `(●) ${live.dataset.yourTurn} – ${plain}` : plain;
}

function begin() {
  const live = place();
  plain = document.title;
  mine = live?.dataset.mine === "1";
  turns = Number(live?.dataset.turns || 0);
  if (live?.dataset.turns !== undefined) navigator.setAppBadge?.(turns).catch(() => {}); // of the app; 0 takes it off
}

function swapped() {
  const [wasMine, hadTurns] = [mine, turns];
  begin();
  badge();
  if (renewing && ((mine && !wasMine) || turns > hadTurns)) {
    const rest = document.querySelector("#main [data-said]")?.dataset.said || "";
    setTimeout(() => say(`${place().dataset.yourTurn}. ${rest}`), SETTLE); // after what the page says of itself
  }
  listen();
  if (known) later("settle", SETTLE, renew);
}

function looked() {
  if (document.hidden) {
    later("hidden", HIDDEN, () => {
      unseen = true;
      stop();
      listen();
    });
    return;
  }
  clearTimeout(timers.hidden);
  unseen = false;
  badge();
  pause = ASK;
  listen();
  if (!source) ask();
}

document.addEventListener("ulm:swapped", swapped);
document.addEventListener("ulm:read", () => {
  plain = plain.replace(/^\(\d+\) /, ""); // how many messages are new
  badge();
});
document.addEventListener("visibilitychange", looked);
document.addEventListener("close", () => known && later("settle", SETTLE, renew), true); // a dialog
addEventListener("online", ask);
addEventListener("pagehide", stop);
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  listen();
  ask();
});
begin();
if (document.hidden) looked();
listen();
