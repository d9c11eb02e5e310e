// The lobby's forms: sent once, and with the reader's time zone, which only the browser knows.

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

for (const field of document.querySelectorAll('input[name="time_zone"]')) {
  field.value = zone || "";
}

for (const form of document.querySelectorAll("form[data-once]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    form.setAttribute("aria-busy", "true");
  });
}

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
