// A finger that rests on a card, a quarter or a Descendant opens what the "i" beside it opens. One that moves scrolls.
// A tap on what was opened closes it; one on the town, beside the square or on what is counted on the mat, that is no
// move, explains it.

const REST = 500; // milliseconds
const STRAY = 10; // pixels

let waiting = null;
let opened = null;

// Of the town, or beside the square.
const STOCK = ["docks", "bag", "pile", "coats", "discard"].map((part) => `[id$="-${part}"]`).join();
const place = (target) => target.closest?.(`.picture :is([data-quarter], [data-space], ${STOCK})`);
const discarded = (target) => target.closest?.('.picture [id$="-discard"] [data-card]')?.dataset.card;
const key = ({ quarter, space }) => (quarter ? `quarter-${quarter}` : space ? "river-danube" : "stock-common");

/** The window about what lies under a finger: of a part of the board by its key, else of the button beside it. */
function about(target) {
  const named = (key) => document.getElementById(`about-${key}`);
  const linked = target.closest?.("[data-link]");
  const part = place(target);
  const beside = target.closest?.(".choice, .mat li:has(.about), .supply")?.querySelector(".about");
  const card = discarded(target);
  return (linked && named(linked.dataset.link)) || (card && named(`discard-${card}`)) || (part && named(key(part.dataset))) || (beside && document.getElementById(beside.getAttribute("popovertarget")));
}

function forget() {
  clearTimeout(waiting?.timer);
  waiting = null;
}

document.addEventListener("touchstart", (event) => {
  forget();
  opened = null;
  const found = event.touches.length === 1 ? about(event.target) : null;
  if (!found?.showPopover) return;
  const { clientX: x, clientY: y } = event.touches[0];
  const open = () => {
    if (!found.isConnected || found.matches(":popover-open")) return;
    opened = found;
    found.showPopover();
  };
  waiting = { x, y, timer: setTimeout(open, REST) };
}, { passive: true });
document.addEventListener("touchmove", (event) => {
  const { clientX: x, clientY: y } = event.touches[0];
  if (waiting && Math.hypot(x - waiting.x, y - waiting.y) > STRAY) forget();
}, { passive: true });
document.addEventListener("touchcancel", forget, { passive: true });
// What was opened is to be read: lifting the finger neither plays what lies under it nor closes the window. Browsers of
// 2026 close it, as the finger came down beside it, before they tell of that.
document.addEventListener("touchend", (event) => {
  forget();
  if (opened && event.cancelable) event.preventDefault();
  if (opened?.isConnected && !opened.matches(":popover-open")) opened.showPopover();
}, { passive: false });
// Whoever has read it touches the window itself, or its cross, as well as what lies beside it.
document.addEventListener("click", ({ target }) => {
  if (target.closest("a, button") || String(getSelection())) return;
  target.closest("[popover]:not(.drawer)")?.hidePopover();
  if (place(target) || target.closest(".supply li")) about(target)?.showPopover();
});
document.addEventListener("contextmenu", (event) => {
  if (opened || waiting) event.preventDefault();
});
