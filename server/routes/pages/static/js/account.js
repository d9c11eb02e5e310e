// The account's pages: offer the device's time zone, which can be chosen by hand as well; forget drafts of turns (play.js)
// when somebody signs out or goes for good.

import "./copy.js";

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[action$='/sign-out'], [action$='/account/delete']")) return;
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith("ulm:draft:")) localStorage.removeItem(name);
  } catch {
    // A browser that keeps nothing.
  }
});

const zones = document.getElementById("time_zone");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zones && here && here !== zones.value && [...zones.options].some((option) => option.value === here)) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = zones.dataset.offer.replace("ZONE", here.replaceAll("_", " "));
  button.addEventListener("click", () => {
    zones.value = here;
    zones.focus();
    button.remove();
  });
  zones.after(button);
}
