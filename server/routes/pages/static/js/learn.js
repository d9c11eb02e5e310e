// The guided first game without loading pages; a screen reader hears what the coach says.
import { say } from "./swap.js";
import "./lobby.js";

document.addEventListener("ulm:swapped", () => {
  const lesson = document.querySelector(".lesson");
  if (!lesson) return;
  document.querySelector(".halves")?.scrollTo(0, 0);
  if (scrollY > 0 && document.querySelector("#headline").getBoundingClientRect().top < 0) scrollTo(0, 0);
  say(lesson.dataset.said);
});
