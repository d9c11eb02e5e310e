// The page of a game: playing made lighter. Everything here works without it, by links and forms.
import { gently, line, shape } from "./replay-motion.js";
import { say, visit } from "./swap.js";

const desk = () => document.getElementById("play");
const one = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];

// Light: pointing at a gate or at its button shows the three tiles that it activates, and says what they do.

function light(slot) {
  dark();
  const button = one(`button[data-slot="${slot}"]`);
  if (!button) return;
  for (const name of line(slot)) {
    const cell = document.getElementById(`b-cell-${name}`);
    if (!cell) continue;
    const { x, y, width, height } = cell.getBBox();
    cell.parentNode.append(shape("rect", { class: "lights", x, y, width, height, rx: 6 }));
  }
  all(`[data-slot="${slot}"], a[data-link="slot-${slot}"]`).forEach((part) => part.classList.add("lit"));
  const preview = document.getElementById("preview");
  preview.textContent = `${button.querySelector(".label").textContent}: ${button.querySelector(".tells").textContent}`;
  preview.hidden = false;
}

function dark() {
  all(".lights").forEach((mark) => mark.remove());
  all(".lit").forEach((part) => part.classList.remove("lit"));
  const preview = document.getElementById("preview");
  if (preview) preview.hidden = true;
}

function slotOf(target) {
  const part = target.closest?.("button[data-slot], a[data-link^=slot-]");
  return part && (part.dataset.slot || part.dataset.link.slice(5));
}

for (const [on, off] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
  document.addEventListener(on, (event) => {
    const slot = event.pointerType !== "touch" && slotOf(event.target);
    if (slot) light(slot);
  });
  document.addEventListener(off, (event) => slotOf(event.target) && dark());
}

// Keys.

const KEYS_OFF = "ulm:keys-off";
const typing = (target) => target.closest?.("input:not([type=checkbox]), textarea, select, dialog, [contenteditable]");
const undo = () => (one(".bar a.undo") ?? all(".done .back").at(-1))?.click();

const KEYS = {
  "?": () => document.getElementById("keys")?.showModal(),
  u: undo,
  s: () => one("#done .send")?.click(),
  e: () => one('#move-end-now, #move-end:not([aria-disabled])')?.focus(),
  b: () => (document.activeElement instanceof SVGElement ? one("#asked button, #moves button") : one(".picture a.hit:not([tabindex])"))?.focus(),
};

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || typing(event.target)) return;
  if (event.key.startsWith("Arrow") && event.target instanceof SVGElement) {
    if (walk(event.target, event.key)) event.preventDefault();
    return;
  }
  if (!desk() || stored(KEYS_OFF)) return;
  const action = KEYS[event.key.toLowerCase()];
  if (action) {
    event.preventDefault();
    action();
  } else if (/^[1-9]$/.test(event.key) && !event.repeat && document.getElementById("main").ariaBusy !== "true") {
    const move = one(`.move[data-number="${event.key}"]`);
    move?.focus(); // from there it goes on to the next page
    move?.click();
  }
}

// The first nine moves that are in the list as it lies open bear the numbers of their keys, and are played by them.
function number() {
  const moves = all("#asked .move, #moves .move");
  for (const part of moves) delete part.dataset.number;
  if (stored(KEYS_OFF)) return;
  const open = moves.filter((part) => part.checkVisibility?.() ?? true);
  open.slice(0, 9).forEach((part, index) => (part.dataset.number = index + 1));
}

// From one part of the board to the nearest in that direction.
function walk(from, direction) {
  const middle = (part) => {
    const box = (part.querySelector(".area") || part).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(from);
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[direction];
  let best = null, least = Infinity;
  for (const part of all(".picture a.hit")) {
    if (part === from) continue;
    const [px, py] = middle(part);
    const along = (px - x) * dx + (py - y) * dy;
    if (along < 4) continue;
    const far = along + 3 * Math.abs((px - x) * dy + (py - y) * dx);
    if (far < least) [best, least] = [part, far];
  }
  best?.focus();
  return best !== null;
}

document.addEventListener("keydown", key);
// A gate that cannot be chosen while others play says why, as the grey button does.
document.addEventListener("click", ({ target }) => {
  if (target.closest?.(".desk:not(.live) .panel > svg [data-slot]")) one("#no-end")?.showPopover();
});
document.addEventListener("toggle", (event) => event.target.closest?.("#moves") && number(), true);

// Moves that are not sent: kept on this device, offered again, and asked about before the page is left.

function stored(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name);
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // A browser that keeps nothing.
  }
  return null;
}

function keep(first) {
  const { keep: name, ply, draft } = desk()?.dataset ?? {};
  if (!name) return;
  const place = `ulm:draft:${name}`;
  if (draft) return stored(place, JSON.stringify({ ply, draft }));
  let found = null;
  try {
    found = JSON.parse(stored(place) || "null");
  } catch {
    // Not ours.
  }
  if (!found || found.ply !== ply || !first) return stored(place, null);
  const offer = document.getElementById("kept");
  const link = offer.querySelector("a");
  const url = new URL(link.href);
  url.search = new URLSearchParams(found);
  link.href = url;
  offer.hidden = false;
  offer.querySelector("button").addEventListener("click", () => {
    stored(place, null);
    offer.hidden = true;
    document.getElementById("headline").focus();
  });
}

addEventListener("beforeunload", (event) => {
  if (desk()?.dataset.draft && !leaving) event.preventDefault();
});
let leaving = false;
document.addEventListener("submit", (event) => (leaving ||= event.target.matches(".look")));
document.addEventListener("ulm:sent", () => (leaving = true));

// The board as the window has room for it.

const roomy = matchMedia("(min-width: 45rem)");
let wished = null; // what was asked for last: a browser that keeps no cookie is not asked again and again

function fit() {
  const layout = roomy.matches ? "desk" : "phone";
  if (!desk() || !one(".picture") || (wished ?? desk().dataset.layout) === layout) return;
  wished = layout;
  document.cookie = `ulm_board=${layout}; path=/; max-age=31536000; samesite=lax`;
  visit(location.href, { replace: true }).then((became) => became === "gave way" && (wished = null));
}

// On a phone the board is a row of two: which of them was seen stays when the page is renewed, and the bar leads to each.

const row = () => one(".phone .picture");
const leftOf = (panel) => panel.offsetLeft - row().firstElementChild.offsetLeft; // how far the row is moved to show it
let seen = 0; // how far the row was moved

document.addEventListener("scroll", ({ target }) => {
  if (target === row()) seen = target.scrollLeft;
  if (target === row() || target === document) told();
}, true);

for (const event of ["toggle", "change"]) document.addEventListener(event, told, true); // of the drawer, of its tabs

/** The bar tells which of them is seen, or what of the drawer above them; none while the page is read below them. */
function told() {
  const town = row()?.scrollLeft > row()?.clientWidth / 2;
  const below = row()?.getBoundingClientRect().bottom <= 0;
  const tab = one("#drawer:popover-open .tabs :checked")?.id.slice(4);
  const here = tab ? `.open-${tab}` : below ? "none" : `[href="#panel-${town ? "town" : "square"}"]`;
  for (const link of document.querySelectorAll(".bar > *")) link.ariaCurrent = link.matches(here) ? "true" : null;
}

document.addEventListener("click", (event) => {
  const to = event.target.closest?.('a[href^="#panel-"]')?.hash.slice(1);
  const panel = to && document.getElementById(to);
  if (!panel || !row()) return;
  event.preventDefault();
  one(".drawer:popover-open")?.hidePopover();
  const behavior = gently();
  row().scrollTo({ left: leftOf(panel), behavior });
  scrollTo({ top: 0, behavior });
});

// "More below" leads on by as much as is in sight, where a link would lead to the end and stay in the address.
document.addEventListener("click", (event) => {
  if (!event.target.closest?.(".more-below")) return;
  event.preventDefault();
  const inside = roomy.matches && one("#now").scrollHeight > one("#now").clientHeight;
  const [part, height] = inside ? [one("#now"), one("#now").clientHeight] : [window, innerHeight];
  part.scrollBy({ top: height * (inside ? 0.75 : 0.5), behavior: gently() });
});

// Where the end comes into sight the words are gone at once; without a script it slides over them, and cuts them in half.
const end = new IntersectionObserver(
  (seen) => one(".more-below")?.classList.toggle("seen", seen.at(-1).isIntersecting),
  { rootMargin: "0px 0px -54px" }, // as high as the bar of a phone
);

// What is new in a page, whether it was loaded or swapped.
function ready(first) {
  number();
  end.disconnect();
  if (one("#all-seen")) end.observe(one("#all-seen"));
  const open = document.getElementById("keys-open");
  if (!open) return;
  open.hidden = false;
  open.addEventListener("click", KEYS["?"]);
  const on = document.getElementById("keys-on");
  if (!on) return;
  on.checked = !stored(KEYS_OFF);
  on.addEventListener("change", () => {
    stored(KEYS_OFF, on.checked ? null : "1");
    number();
  });
  keep(first);
}

// Where a phone's page was scrolled down, it keeps its place, but for what follows far above: then, and when a turn has
// ended, the whole board is seen and what there is to do next; that the page moves there is seen, too. A question is
// seen whole.

const stands = () => `${desk()?.dataset.ply} ${desk()?.dataset.draft} ${Boolean(one("#asked"))}`;
let stood = stands();
const has = () => [".picture", "#proposed", "#result"].map((part) => Boolean(one(part)));
let had = has();

function inSight(sent) {
  const same = stood === stands();
  stood = stands();
  const [[board, proposed, over], [begun, asked]] = [had, (had = has())];
  if (over) one("#result")?.classList.add("seen"); // it was celebrated
  if ((begun && !board) || (sent && asked && !proposed)) return scrollTo(0, 0); // the game begins; what became of a wish
  const head = one(".turn-head");
  if (same || !head) return;
  const ended = sent && (!one("#play.live") || one(".steps li:first-child.here"));
  const question = one("#asked, .group-choice");
  if (ended || head.getBoundingClientRect().bottom < 0) scrollTo({ top: 0, left: 0, behavior: question ? "auto" : gently() });
  question?.scrollIntoView({ block: "nearest" });
}

// A step on the Danube is seen where it is made; a turn that begins, and one taken back to there, begin at the square.
let drafted = desk()?.dataset.draft;
let followed = stood;

function follow() {
  const was = drafted;
  drafted = desk()?.dataset.draft;
  const asks = stood;
  if (!row() || (was === drafted && asks === followed)) return;
  followed = asks;
  const sailed = /(^|,)\s*(river|sail)$/.test(drafted) || Boolean(one('.group-choice [data-move^="sail"], .group-choice [data-move^="barge"]'));
  const begins = !drafted && (was || one(".steps li:first-child.here"));
  const panel = document.getElementById(sailed ? "panel-town" : begins ? "panel-square" : "");
  if (panel) seen = leftOf(panel);
  if (sailed) row().scrollIntoView({ block: "nearest", behavior: gently() });
}

document.addEventListener("ulm:swapped", ({ detail }) => {
  ready(false);
  fit(); // a game that has just begun has had no board before
  inSight(detail.method === "POST");
  follow();
  if (row()) row().scrollLeft = seen;
  told();
  const asked = document.getElementById("asked");
  if (asked) (asked.querySelector("button") || asked.querySelector("h2")).focus({ preventScroll: true });
  const error = one("#now [role=alert]");
  if (desk()) say(asked ? asked.querySelector("h2").textContent : error?.textContent || desk().dataset.said);
});
roomy.addEventListener("change", fit);
ready(true);
fit();
told();
