// What is written about the moves: shown no earlier than its move.

const counted = (link, number) => {
  link.textContent = link.dataset.text.replace("{number}", number);
  link.hidden = !number;
};

/** Show what is written about moves up to `ply`, and lead to the next one. */
export function tell(ply) {
  const [next, here] = ["next-comment", "comments-here"].map((id) => document.getElementById(id));
  if (!next) return;
  const all = [...document.querySelectorAll("#comments li")];
  for (const item of all) {
    item.hidden = Number(item.dataset.ply) > ply;
    item.classList.toggle("here", Number(item.dataset.ply) === ply);
  }
  const later = all.filter((item) => item.hidden);
  counted(next, later.length);
  counted(here, all.filter((item) => item.matches(".here")).length);
  if (!later.length) return;
  next.dataset.ply = later[0].dataset.ply;
  next.href = next.href.replace(/ply=\d+/, `ply=${next.dataset.ply}`);
}
