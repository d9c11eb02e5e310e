"use strict";
(async () => {
  const at = (id) => document.getElementById(id);
  const texts = document.body.dataset;
  const lines = [...document.querySelectorAll("#log li")];
  const turns = [0, ...[...document.querySelectorAll("#log ol")].map((list) => Number(list.lastElementChild.dataset.ply))];
  const slider = at("slider"), last = lines.length;
  const within = location.protocol === "about:"; // a frame in the page of a collection, which has no address of its own
  document.querySelector(".top").hidden = within;
  const narrow = matchMedia("(max-width: 800px)");
  let boards, ply = 0, timer = 0;

  function show(wanted) {
    ply = Math.max(0, Math.min(last, Number(wanted) || 0));
    slider.value = ply;
    at("number").textContent = ply + " / " + last;
    if (boards) {
      const { parts, plies } = boards[narrow.matches ? "narrow" : "wide"];
      at("board").innerHTML = plies[ply].map((part) => parts[part]).join("");
    }
    for (const line of document.querySelectorAll("#log li.now")) {
      line.classList.remove("now");
      line.removeAttribute("aria-current");
    }
    const line = lines[ply - 1];
    at("words").textContent = line ? line.querySelector("span").textContent : texts.setup;
    if (line) {
      line.classList.add("now");
      line.setAttribute("aria-current", "step");
      const log = at("log");
      if (log.scrollHeight > log.clientHeight) {
        log.scrollTop = line.offsetTop - log.offsetTop - log.clientHeight / 2;
      }
    }
    if (!within) history.replaceState(null, "", "#" + ply);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    at("play").textContent = texts.play;
  }

  function play() {
    if (timer) return stop();
    if (ply === last) show(0);
    at("play").textContent = texts.pause;
    timer = setInterval(() => { show(ply + 1); if (ply === last) stop(); }, 900);
  }

  const turnBack = () => turns.filter((end) => end < ply).pop() ?? 0;
  const turnOn = () => turns.find((end) => end > ply) ?? last;
  const steps = {
    first: () => 0, "turn-back": turnBack, back: () => ply - 1, on: () => ply + 1, "turn-on": turnOn, last: () => last,
  };
  for (const [id, to] of Object.entries(steps)) at(id).addEventListener("click", () => { stop(); show(to()); });
  at("play").addEventListener("click", play);
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", PageUp: "turn-back", PageDown: "turn-on" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (keys[event.key]) {
      event.preventDefault();
      stop();
      show(steps[keys[event.key]]());
    } else if (event.key === " " && event.target.tagName !== "BUTTON") {
      event.preventDefault();
      play();
    } else if (event.key === "Enter" && event.target.dataset.ply) {
      show(event.target.dataset.ply);
    }
  });
  slider.max = last;
  slider.addEventListener("input", () => { stop(); show(slider.value); });
  at("log").addEventListener("click", (event) => {
    const line = event.target.closest("li");
    if (line) { stop(); show(line.dataset.ply); }
  });
  narrow.addEventListener("change", () => show(ply));
  addEventListener("hashchange", () => show(location.hash.slice(1)));
  document.addEventListener("click", (event) => {
    const to = event.target.closest("a[href^='#']")?.getAttribute("href").slice(1);
    if (!to) return;
    event.preventDefault();
    show(to);
  });
  show(location.hash.slice(1) || texts.ply);

  try {
    const bytes = Uint8Array.from(atob(at("data").textContent), (char) => char.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    boards = JSON.parse(await new Response(unpacked).text());
    show(ply);
    document.body.dataset.ready = "yes";
  } catch (error) {
    at("board").textContent = `${texts.locked} (${error})`;
  }
})();
