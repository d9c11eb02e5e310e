// The account's page: offer the device's time zone, copy a new token. All of it can be done by hand as well.

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

for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) continue; // without https there is none
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = button.dataset.done;
    document.getElementById("said").textContent = button.dataset.done;
  });
}
