// Pages without loading them: what bears data-swap is fetched, and the answer's #main takes the place of the present one.
// Whatever goes wrong ends in what the browser would have done without this.

const main = () => document.getElementById("main");
let running = null; // what is under way, and whether a person wished for it
let pressed = false;
const BUSY = [429, 500, 502, 503, 504]; // a later try may do better
for (const [name, value] of [["pointerdown", true], ["pointerup", false], ["pointercancel", false]]) {
  addEventListener(name, () => (pressed = value), true);
}

/**
 * Go to `url` and show its page; resolves to "shown", to "gave way" (to another visit), or to "failed".
 * options: body (a FormData, to be sent by POST), replace (do not add to the history), wished (a person asked for it;
 * what merely keeps the page fresh gives way to that).
 */
export async function visit(url, { body = null, replace = false, wished = !replace } = {}) {
  if (running && running.wished && !wished) return "gave way";
  running?.abort();
  const turn = (running = new AbortController());
  turn.wished = wished;
  const method = body ? "POST" : "GET";
  const target = new URL(url, location.href);
  main().setAttribute("aria-busy", "true");
  let answer, text;
  try {
    answer = await fetch(target, {
      method,
      body: body && new URLSearchParams(body),
      signal: turn.signal,
      credentials: "same-origin",
      cache: "no-store",
    });
    text = await answer.text();
  } catch {
    if (turn.signal.aborted) return "gave way";
    over();
    if (body || (!replace && worth())) unsent();
    else if (!replace) location.assign(target);
    return "failed";
  }
  // Not under the finger: what is pressed must be what is let go.
  while (!wished && pressed) await new Promise((done) => setTimeout(done, 60));
  if (turn.signal.aborted) return "gave way";
  over();
  const here = new URL(answer.url || target);
  here.hash = target.hash;
  const page = new DOMParser().parseFromString(text, "text/html");
  if (!fits(page)) {
    // Another kind of page, with scripts or styles of its own.
    const failed = body ? !answer.redirected && !answer.ok : !replace && BUSY.includes(answer.status) && worth();
    if (failed) unsent(page.querySelector("#main [role=alert]")?.textContent);
    else if (body && !answer.redirected) location.reload();
    else if (wished || !BUSY.includes(answer.status)) {
      if (body) document.dispatchEvent(new Event("ulm:sent"));
      location.assign(here);
    }
    return "failed";
  }
  const held = hold();
  const stands = standing();
  const note = wished ? null : document.getElementById("unsent");
  const [left, top] = [scrollX, scrollY];
  const fresh = document.importNode(page.getElementById("main"), true);
  main().replaceWith(fresh);
  stand(stands);
  const [nav, then] = [document, page].map((one) => one.querySelector("nav.site"));
  if (then && nav && !nav.contains(document.activeElement)) nav.replaceWith(document.importNode(then, true));
  if (note) above(note);
  document.title = page.title;
  document.body.className = page.body.className;
  // A form that was refused stays at the address of the page that it came from.
  const address = !body || answer.redirected ? here.href : location.href;
  if (replace || address === location.href) history.replaceState({ swap: true }, "", address);
  else history.pushState({ swap: true }, "", address);
  if (held) put(held);
  scrollTo(left, top);
  document.dispatchEvent(new CustomEvent("ulm:swapped", { detail: { method, status: answer.status, date: answer.headers.get("Date") } }));
  return "shown";
}

// Whether the page has moves on it, and is worth more than a page which says that there is none now.
const worth = () => main().querySelector("[data-offline]");

function over() {
  running = null;
  main().removeAttribute("aria-busy");
}

const above = (note) => (document.getElementById("now") || main()).prepend(note);

/** Put a notice above all else, in the place of the one before with that id, and let it be said; it is returned. */
export function notice(id, text) {
  document.getElementById(id)?.remove();
  const note = document.createElement("p");
  note.id = id;
  note.className = "notice";
  note.textContent = text;
  above(note);
  say(text);
  return note;
}

// What was to be sent did not arrive, or was not taken. The page stays, with all that is drafted or written on it.
function unsent(reason) {
  const note = notice("unsent", reason || worth().dataset.offline);
  note.classList.add("bad");
  note.role = "alert";
  note.scrollIntoView({ block: "nearest" });
}

/** Let a screen reader say `text`. */
export function say(text) {
  const said = document.getElementById("said");
  said.textContent = "";
  if (text) setTimeout(() => (said.textContent = text), 30);
}

function fits(page) {
  if (!page.getElementById("main")) return false;
  const parts = (of) =>
    [...of.querySelectorAll("link[rel=stylesheet], style[data-sheet], script[src]")]
      .map((one) => one.getAttribute("href") || one.dataset.sheet || one.getAttribute("src"));
  const [before, then] = [parts(document), parts(page)];
  // The page of a result has fewer sheets than the pages of its game, and so has that of an error, which is to stay away.
  const same = then.join() === before.join() || (page.getElementById("play") && then.every((one) => before.includes(one)));
  return same && page.documentElement.lang === document.documentElement.lang;
}

// The windows that are open, and the tabs that were chosen: they are the reader's, and stay.
function standing() {
  const windows = HTMLElement.prototype.showPopover ? main().querySelectorAll(":popover-open") : [];
  const tabs = [...main().querySelectorAll("input[type=radio]:checked")].filter((one) => !one.form);
  // What lay open beside the page, with words begun in it, is a window of the page that follows when that has no place
  // for it. Without words it would hide that it is one's turn.
  const writes = document.activeElement?.matches?.("textarea") && document.activeElement.value;
  const beside = writes && document.activeElement.closest(".drawer:not([popover])");
  return { windows: [...windows, ...(beside ? [beside] : [])].map((one) => one.id), tabs: tabs.map((one) => one.id) };
}

function stand({ windows, tabs }) {
  for (const tab of tabs.map((id) => document.getElementById(id))) if (tab) tab.checked = true;
  for (const one of windows.map((id) => document.getElementById(id))) if (one?.popover) one.showPopover();
}

// Where the focus is, in words that the next page understands.
function hold() {
  const one = document.activeElement;
  if (!one || !main().contains(one)) return null;
  const { move } = one.dataset;
  return {
    id: one.id,
    move,
    board: one instanceof SVGElement,
    text: one.matches("textarea, input:not([type=hidden])") && one.id ? one.value : null,
    start: one.selectionStart,
    end: one.selectionEnd,
  };
}

function put(held) {
  const usable = (one) => one && !one.disabled && !one.ariaDisabled && (one.checkVisibility?.() ?? true) && one;
  const found =
    (held.id && usable(document.getElementById(held.id))) ||
    (held.move && usable(main().querySelector(`${held.board ? "svg a" : "button"}[data-move="${held.move}"]`))) ||
    document.getElementById("headline") ||
    main().querySelector("h1") ||
    main();
  if (!found.matches("a[href], button, input, select, textarea, summary, [tabindex]")) found.tabIndex = -1;
  if (held.text !== null && "value" in found && found.value === "") {
    found.value = held.text;
    found.setSelectionRange?.(held.start, held.end);
  }
  found.focus({ preventScroll: true });
}

function form(event) {
  const one = event.target;
  if (event.defaultPrevented || !one.matches("form[data-swap]")) return;
  event.preventDefault();
  const button = event.submitter;
  const data = new FormData(one);
  if (button?.name) data.append(button.name, button.value);
  if (one.method === "post") return visit(one.action, { body: data });
  const url = new URL(one.action);
  url.search = new URLSearchParams(data);
  visit(url);
}

function link(event) {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const one = event.target.closest?.("a[data-swap], [data-swap-links] a[href]");
  if (!one) return;
  event.preventDefault();
  visit(typeof one.href === "string" ? one.href : one.getAttribute("href"));
}

document.addEventListener("submit", form);
document.addEventListener("click", link);
addEventListener("popstate", () => visit(location.href, { replace: true, wished: true }));
history.scrollRestoration = "manual";
