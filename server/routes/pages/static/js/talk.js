// What others write and do at the table is seen wherever the reader looks: told as it comes, counted until it is read.
// Which of it is new the server knows (it remembers what was read on any device); this shows it, and tells what was seen.

const SHOWN = 9000; // milliseconds for which something is told

const one = (selector) => document.querySelector(selector);
const said = document.createElement("div");
said.id = "toasts";
said.role = "status";
place();
let newest = last(); // the number of what the page showed last

function last() {
  return Number(one(".talk .messages li:last-child")?.dataset.id ?? 0);
}

/** Tell the newest of what has come since the page was last shown, but for what the reader did. */
function tell() {
  const items = [...document.querySelectorAll(".talk .messages li[data-id]:not([data-mine])")];
  const fresh = items.filter((item) => Number(item.dataset.id) > newest).at(-1);
  newest = Math.max(newest, last());
  const { left, top, width, height } = fresh?.getBoundingClientRect() ?? {};
  if (fresh && !fresh.contains(document.elementFromPoint(left + width / 2, top + height / 2))) toast(words(fresh)); // it is not in sight
}

function words(item) {
  const [who, text] = [item.querySelector(".who strong"), item.querySelector(".text").cloneNode(true)];
  text.querySelector(".note")?.remove();
  const told = text.textContent.trim();
  return who ? `${who.textContent}: ${told}` : told;
}

function toast(text) {
  const box = document.createElement("p");
  const [open, close] = ["open", "close"].map((name) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `quiet ${name}`;
    box.append(button);
    return button;
  });
  open.append(document.createElement("span"));
  open.firstChild.textContent = text;
  close.textContent = "×";
  close.ariaLabel = one("#live")?.dataset.close ?? "×";
  open.addEventListener("click", () => {
    box.remove();
    openTalk();
  });
  close.addEventListener("click", () => box.remove());
  const wait = () => setTimeout(() => (box.matches(":hover, :focus-within") ? wait() : box.remove()), SHOWN);
  wait();
  said.replaceChildren(box);
}

/** It stands at the foot of a drawer that is open, or in the header (table.css). On a phone there is no room: while others play it
 * lies over the title, where that is in sight, else above the bar, where "More below" keeps a row free, or above the answers there. */
function place() {
  const drawer = one("#drawer:popover-open");
  const { top, bottom } = one(".turn-head").getBoundingClientRect();
  if (drawer) drawer.append(said);
  else one("header .site").before(said);
  const seen = !one("#play.live") && Math.min(bottom - top - 8, top, innerHeight - bottom - 99) > 0;
  const at = seen ? (top + bottom) / 2 : one(".now .answers")?.getBoundingClientRect().top - 20;
  said.style.top = at && !drawer ? `${at - 20}px` : "";
}

/** Show a part of the drawer, by its tab; where there is no drawer (before the game begins) the part alone. */
function show(tab, part) {
  const [chosen, drawer] = [one(tab), one(".drawer")];
  if (chosen) {
    chosen.click();
    if (drawer.popover && !drawer.matches(":popover-open")) drawer.showPopover();
    chosen.focus({ preventScroll: true });
  }
  if (!drawer?.popover) {
    scrollTo(0, 0); // the page itself has no more than its foot to scroll to
    (drawer ?? one(part))?.scrollIntoView({ block: drawer ? "nearest" : "start" });
  }
  watch();
}

const openTalk = () => show("#tab-talk", "#messages");

// ---- what is seen is read

const sight = new IntersectionObserver((entries) => entries.at(-1).isIntersecting && read(), { threshold: 0.6 });

function watch() {
  sight.disconnect();
  const item = one("#reading") && one(".talk .messages li:last-child");
  if (item) sight.observe(item);
}

async function read() {
  const form = one("#reading");
  if (!form || document.hidden) return;
  try {
    const options = { method: "POST", body: new URLSearchParams(new FormData(form)), redirect: "manual", credentials: "same-origin" };
    const answer = await fetch(form.action, options);
    if (answer.type !== "opaqueredirect") return; // the button is still there
  } catch {
    return;
  }
  form.remove();
  for (const count of document.querySelectorAll(".unread")) count.remove();
  for (const link of document.querySelectorAll(".open-talk")) link.ariaLabel = link.dataset.read;
  document.dispatchEvent(new Event("ulm:read"));
}

document.addEventListener("click", (event) => {
  const [talk, log, agree] = [".open-talk", ".open-log", ".open-agreement"].map((way) => event.target.closest?.(way));
  if (event.defaultPrevented || (!talk && !log && !agree)) return;
  event.preventDefault();
  if (talk) openTalk();
  else show(log ? "#tab-log" : "#tab-game", "#drawer");
  if (!agree) return;
  one("#no-undo").hidePopover();
  one("#agreement").open = true;
  one("#take-back").focus();
});
// What is written, and its button, lie above the bar of a phone.
document.addEventListener("focusin", ({ target }) => target.closest(".talk form:not(#reading)")?.scrollIntoView({ block: "nearest" }));
document.addEventListener("ulm:swapped", () => {
  place();
  tell();
  watch();
});
document.addEventListener("visibilitychange", watch);
if (location.hash === "#messages" && !one("#drawer[popover]")) addEventListener("load", () => setTimeout(openTalk));
watch();
