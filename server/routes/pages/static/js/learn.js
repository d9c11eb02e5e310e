// The guided first game without loading pages: what moved on the board moves, and a screen reader hears the coach.
import { say } from "./swap.js";
import { gently, move, still } from "./replay-motion.js";
import "./lobby.js";

const TIME = 600; // milliseconds
const LOOK = 500; // so long after that the barge is looked at, before the square is shown, where the next move is

// The boards that are seen, by layout.
const boards = () =>
  new Map(
    [...document.querySelectorAll(".picture[data-layout]")]
      .filter((picture) => picture.getClientRects().length)
      .map((picture) => [picture.dataset.layout, picture.querySelector("svg")]),
  );

let before = boards();

function moveOn() {
  const halves = document.querySelector(".halves[data-moving-on]");
  if (!halves) return;
  let touched = false; // who scrolls by hand looks at what they like
  for (const kind of ["pointerdown", "wheel", "keydown"]) halves.addEventListener(kind, () => (touched = true));
  setTimeout(() => {
    if (touched || !halves.isConnected) return;
    halves.scrollTo({ left: halves.scrollWidth, behavior: gently() });
  }, TIME + LOOK);
}

moveOn();

document.addEventListener("ulm:swapped", () => {
  const lesson = document.querySelector(".lesson");
  if (!lesson) return;
  document.querySelector(".halves")?.scrollTo(0, 0);
  if (document.querySelector(".lesson-head").getBoundingClientRect().top < 0) scrollTo(0, 0);
  const after = boards();
  for (const [layout, board] of still.matches ? [] : after) {
    const old = before.get(layout);
    if (!old) continue;
    const ghost = document.createElement("div"); // where things were is measured of what is in the page
    ghost.className = "ghost";
    ghost.append(old);
    board.parentNode.append(ghost);
    move(old, board, TIME);
    ghost.remove();
  }
  before = after;
  moveOn();
  say(lesson.dataset.said);
});
