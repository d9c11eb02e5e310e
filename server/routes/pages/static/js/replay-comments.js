// What is written about the moves: shown no earlier than its move, and sent without loading the page.

const section = () => document.getElementById("comments");
const counted = (link, number) => {
  link.textContent = link.dataset.text.replace("{number}", number);
  link.hidden = !number;
};

/** Show what is written about moves up to `ply`, and lead to the next one. */
export function tell(ply) {
  if (!section()) return;
  const [list, waiting] = [section().querySelector("ol"), section().querySelector("template").content];
  const all = [...list.children, ...waiting.children];
  for (const item of all) {
    const at = Number(item.dataset.ply);
    (at <= ply ? list : waiting).append(item);
    item.classList.toggle("here", at === ply);
  }
  const [next, here] = ["next-comment", "comments-here"].map((id) => document.getElementById(id));
  counted(next, waiting.children.length);
  if (!next.hidden) {
    next.dataset.ply = waiting.firstElementChild.dataset.ply;
    next.href = next.href.replace(/ply=\d+/, `ply=${next.dataset.ply}`);
  }
  counted(here, list.querySelectorAll(".here").length);
}

/** Send what is written; `present` says which ply is on the board when the answer has come. */
export function sent(present) {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!section()?.contains(form)) return;
    event.preventDefault();
    if (form.ariaBusy) return;
    form.ariaBusy = "true";
    const body = new URLSearchParams(new FormData(form, event.submitter));
    try {
      const answer = await fetch(form.action, { method: "POST", body, credentials: "same-origin" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("comments");
      if (!fresh) return location.assign(answer.url); // signed out meanwhile
      section().replaceWith(fresh);
      tell(present());
      section().querySelector("textarea, button, a")?.focus();
    } catch {
      document.getElementById("said").textContent = form.closest("section").dataset.failed;
    } finally {
      form.ariaBusy = null;
    }
  });
}
