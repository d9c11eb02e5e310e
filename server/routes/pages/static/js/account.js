// The account's pages: offer the device's time zone, which can be chosen by hand as well; forget drafts of turns (play.js)
// when somebody signs out or goes for good.

import "./copy.js";

const LOOK = 1500; // milliseconds, and longer each time

// A trial is on its way: what becomes of it is shown as soon as it is known.
function look(after) {
  if (!document.querySelector("[data-awaited]") || after > 20 * LOOK) return;
  setTimeout(async () => {
    const answer = document.hidden ? null : await fetch(location.href, { cache: "no-store" }).catch(() => null);
    const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
    for (const shown of document.querySelectorAll("[data-awaited]")) {
      const fresh = page?.getElementById(shown.id);
      if (!fresh || fresh.textContent === shown.textContent) continue;
      shown.replaceChildren(...fresh.childNodes);
      shown.toggleAttribute("data-awaited", "awaited" in fresh.dataset);
    }
    look(after * 1.3);
  }, after);
}
look(LOOK);

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[action$='/sign-out'], [action$='/account/delete']")) return;
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith("ulm:draft:")) localStorage.removeItem(name);
  } catch {
    // A browser that keeps nothing.
  }
});

const zones = document.getElementById("time_zone");
const device = Intl.DateTimeFormat().resolvedOptions().timeZone;

// A browser may know a zone by an older name than the list has (Asia/Calcutta, Asia/Kolkata): it says so itself.
function means(zone) {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone === device;
  } catch {
    return false; // a zone that this browser has not heard of
  }
}

function offered() {
  const all = [...zones.options];
  return all.find((one) => one.value === device) ?? all.find((one) => means(one.value));
}

const option = zones && device ? offered() : undefined;
if (option && option.value !== zones.value) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = zones.dataset.offer.replace("ZONE", option.textContent);
  button.addEventListener("click", () => {
    zones.value = option.value;
    zones.focus();
    button.remove();
  });
  zones.after(button);
}
