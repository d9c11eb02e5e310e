// On a phone a board is higher than the screen: the part of it that a move changes is brought into view.

import { gently } from "./replay-motion.js";

const PARTS = ["[data-cell]", "[data-slot]", "[data-quarter]", "[id*='-barge-'][data-space]"].join();

/** What can be told from one board to the next of a part of docs/board.md. */
const told = ({ color, state, coatSeal, seals, space }) => [color, state, coatSeal, seals, space].join();

/** The parts of the board `after` that differ from those of `before`, each beside that of before. */
export function changed(before, after) {
  return [...after.querySelectorAll(PARTS)]
    .map((part) => [before.querySelector(`#${CSS.escape(part.id)}`), part])
    .filter(([old, part]) => old && told(old.dataset) !== told(part.dataset));
}

/** Scroll as little as needed for all `boxes` to be seen above `bar`, which lies at the foot of the screen. */
export function bring(boxes, bar) {
  if (!boxes.length || getComputedStyle(bar).position !== "sticky") return;
  const foot = Math.min(innerHeight, bar.getBoundingClientRect().top) - 8;
  const top = Math.min(...boxes.map((box) => box.top)) - 8;
  const below = Math.max(...boxes.map((box) => box.bottom)) - foot;
  const by = below > 0 ? Math.min(below, top) : Math.min(top, 0);
  if (by) scrollBy({ top: by, behavior: gently() });
}
