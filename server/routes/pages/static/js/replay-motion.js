// What changed from one board to the next, set in motion: a push, a barge, a seal. Boards are the SVG elements of
// docs/board.md; nothing is computed but where things were and where they are.

const OPPOSITE = { N: "S", S: "N", E: "W", W: "E" };
const EASE = "cubic-bezier(.3, .1, .2, 1)";

/** Whether the reader wants less motion: `still.matches`. */
export const still = matchMedia("(prefers-reduced-motion: reduce)");

/** How a page or a part of it is moved: seen to move, unless the reader wants less of that. */
export const gently = () => (still.matches ? "auto" : "smooth");

/** A new element of a picture. */
export function shape(name, attributes = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Where the middle of an element is, in the units of its picture: whatever moves it or the parts that it lies in. */
function middle(element) {
  const box = element.getBBox();
  const inside = element.ownerSVGElement.getScreenCTM().inverse().multiply(element.getScreenCTM());
  return new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(inside);
}

/** The cells of the line that a push at `slot` moves, from there on. */
export function line(slot) {
  const number = Number(slot[1]);
  const cells = "NS".includes(slot[0]) ? [1, 2, 3].map((row) => `${row}-${number}`)
    : [1, 2, 3].map((column) => `${number}-${column}`);
  return "NW".includes(slot[0]) ? cells : cells.reverse();
}

/** Puts an element into a group of its own, which can be moved without touching the element's own transform. */
function wrap(element) {
  const group = shape("g");
  element.replaceWith(group);
  group.append(element);
  return group;
}

const part = (board, attribute, value) => board.querySelector(`[data-${attribute}="${value}"]`);

/** The tile of a cell or slot: the first symbol in it. */
const tile = (element) => element.querySelector("use");

function slide(element, from, to, time) {
  const [x, y] = [from.x - to.x, from.y - to.y];
  wrap(element).animate(
    [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }],
    { duration: time, easing: EASE, fill: "backwards" },
  );
}

function drop(element, time) {
  const group = wrap(element);
  Object.assign(group.style, { transformBox: "fill-box", transformOrigin: "center" });
  group.animate(
    [{ transform: "translateY(-14px) scale(2.2)", opacity: 0 }, { transform: "scale(.92)", opacity: 1, offset: 0.75 },
      { transform: "none", opacity: 1 }],
    { duration: time, easing: EASE },
  );
}

function push(after, slot, time) {
  const opposite = OPPOSITE[slot[0]] + slot[1];
  const [start, end] = [part(after, "slot", slot), part(after, "slot", opposite)];
  const cells = line(slot).map((cell) => part(after, "cell", cell));
  if (!start || !end || cells.some((cell) => !cell || !tile(cell))) return;
  const frame = (element) => middle(element.querySelector("rect") ?? element);
  const places = [frame(start), ...cells.map((cell) => middle(tile(cell))), frame(end)];
  cells.forEach((cell, index) => slide(tile(cell), places[index], places[index + 1], time));
  if (end.dataset.state === "tile") slide(tile(end), places[3], places[4], time);
}

function barges(before, after, time) {
  for (const barge of after.querySelectorAll("[id*='-barge-'][data-space]")) {
    const old = before.querySelector(`#${CSS.escape(barge.id)}`);
    if (old && old.dataset.space !== barge.dataset.space) {
      const [from, to] = [middle(tile(old)), middle(tile(barge))]; // a link around one would be in its box
      barge.parentNode.append(barge); // above the quarters that it passes
      slide(barge, from, to, time * 1.4);
    }
  }
}

function seals(before, after, time) {
  for (const quarter of after.querySelectorAll("[data-quarter]")) {
    const old = part(before, "quarter", quarter.dataset.quarter);
    const [had, has] = [old, quarter].map((each) => (each?.dataset.seals ?? "").split(" ").filter(Boolean).length);
    for (let place = had + 1; place <= has; place += 1) {
      const seal = part(quarter, "seal-space", place)?.querySelector("use");
      if (seal) drop(seal, time);
    }
  }
  for (const slot of after.querySelectorAll("[data-slot][data-coat-seal]")) {
    if (part(before, "slot", slot.dataset.slot)?.dataset.coatSeal === slot.dataset.coatSeal) continue;
    const seal = [...slot.querySelectorAll("use")].find((use) => use.getAttribute("href").includes("-seal-"));
    if (seal) drop(seal, time);
  }
}

/** The slot at which the line was pushed between two boards, null when there was no push. */
function pushed(before, after) {
  const differ = (slot) => {
    const cells = line(slot);
    const old = cells.map((cell) => part(before, "cell", cell)?.dataset.color);
    const fresh = cells.map((cell) => part(after, "cell", cell)?.dataset.color);
    const fell = part(after, "slot", OPPOSITE[slot[0]] + slot[1]);
    return part(before, "slot", slot)?.dataset.state === "open" && fell?.dataset.state === "tile"
      && old[0] === fresh[1] && old[1] === fresh[2];
  };
  const filled = [...after.querySelectorAll('[data-slot][data-state="tile"]')]
    .filter((slot) => part(before, "slot", slot.dataset.slot)?.dataset.state === "open")
    .map((slot) => OPPOSITE[slot.dataset.slot[0]] + slot.dataset.slot[1]);
  return filled.find(differ) ?? null;
}

/** Set in motion what changed between two boards, in `time` milliseconds; `after` is in the page. */
export function move(before, after, time) {
  try {
    const slot = pushed(before, after);
    // Measured before anything is wrapped or moved.
    barges(before, after, time);
    if (slot) push(after, slot, time);
    seals(before, after, time);
  } catch {
    // The board is right without any motion.
  }
}
