// The account's page: offer the device's time zone. It can be chosen by hand as well.

import "./copy.js";

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
