// Forms that a stranger may send: sent once, and with the reader's time zone, which only the browser knows.

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function place() {
  for (const field of document.querySelectorAll('input[name="time_zone"]')) field.value = zone || "";
}

place();
document.addEventListener("ulm:swapped", place); // the page was renewed because something happened in a game

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form[data-once]")) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
  form.setAttribute("aria-busy", "true");
});

// Whoever comes back by the browser's own button may send the form again.
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-once]")) {
    delete form.dataset.sent;
    form.removeAttribute("aria-busy");
  }
});

// The fields of a clock of one's own are for those who want one.
const details = document.querySelector(".own-clock");
for (const choice of details ? document.querySelectorAll('input[name="clock"]') : []) {
  choice.addEventListener("change", () => {
    if (choice.value === "own" && choice.checked) details.open = true;
  });
}
