// What browser tests ask of a page: each piece is evaluated there by its name (`script` of scripts.py).

// # conftest.run_axe
axe.run(document, {resultTypes: ["violations"]}).then(found => JSON.stringify(found.violations
    .filter(rule => ["serious", "critical"].includes(rule.impact))
    .map(rule => [rule.impact, rule.id, rule.help, rule.nodes.slice(0, 5).map(node => [node.target.join(" "), node.html.slice(0, 200),
        node.any.concat(node.all, node.none).map(check => check.message).join("; ").slice(0, 300)])])))

// # in_sight.below
// The pushes of which something is not seen without scrolling.
() => {
    const now = document.getElementById("now"), edge = now.getBoundingClientRect().bottom;
    const more = now.scrollHeight > now.clientHeight ? now.querySelector(".more-below").offsetHeight : 0;
    return [...now.querySelectorAll(".group-push .move")].filter(one => one.checkVisibility()
        && one.getBoundingClientRect().bottom > edge - more).map(one => one.textContent) }

// # last_round.whole
() => {
  const one = document.querySelector("h1 .last-round");
  const whose = document.createRange();
  whose.selectNode(one.parentElement.firstChild);
  const [at, of, letters] = [one, one.parentElement, whose].map((it) => it.getBoundingClientRect());
  return at.width > 40 && at.height > 8 && at.right <= of.right + 1 && letters.top > of.top - 0.5 && at.bottom < of.bottom + 0.5;
}

// # live.covered
// What lies under the words that are told, but for what "More below" fades.
() => {
    const box = (one) => one.getBoundingClientRect();
    const words = box(document.querySelector("#toasts p:last-child")), more = document.querySelector(".more-below:not(.seen)");
    const drawer = document.querySelector("#drawer:popover-open"), edge = more ? box(more).top - 16 : Infinity;
    return [...(drawer ?? document).querySelectorAll(":is(a, button, label, summary, .seat, .panel):not(#toasts *, .more-below)")]
        .filter(one => one.checkVisibility({ visibilityProperty: true }))
        .filter(one => { const { left, right, top, bottom } = box(one);
            return left < words.right && right > words.left && top < words.bottom && bottom > words.top
                && !(one.closest(".now") && words.top >= edge) })
        .map(one => one.outerHTML.slice(0, 120)) }

// # layout.look
async stays => {
    const box = one => { const {x, y, width, height} = one.getBoundingClientRect();
        return [x, y, width, height].map(Math.round) };
    const shown = one => one.checkVisibility({ visibilityProperty: true });
    const first = document.querySelector("#asked .move, #moves .move, #moves .impossible li");
    const boxes = {};
    for (const [name, path] of Object.entries(stays)) boxes[name] = box(document.querySelector(path));
    // A heading is as long as its words: what must stay is where it begins.
    boxes.heading.splice(2, 1);
    const scale = [...document.querySelectorAll(".picture .panel svg")].map(svg => svg.getScreenCTM().a);
    const labels = [...document.querySelectorAll(".picture .panel")].flatMap((panel, index) =>
        [...panel.querySelectorAll("text")].map(text => parseFloat(getComputedStyle(text).fontSize) * scale[index]));
    return { boxes, first: first && box(first), smallest: Math.min(...labels),
        primary: [...document.querySelectorAll("#main .primary")].filter(shown).map(one => one.textContent.trim()),
        window: [innerWidth, innerHeight], wide: document.documentElement.scrollWidth };
}

// # learn.on_screen
[...document.querySelectorAll(".choices > .move.primary, .bubble, .lesson .table")]
    .map(element => element.getBoundingClientRect())
    .every(box => box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth + 1)

// # learn.silent
// The choices of which a name is all that is read.
() => [...document.querySelectorAll(".choices > .move")].filter(one => one.checkVisibility())
    .filter(one => !/^(draw|end|keep|push)/.test(one.dataset.move ?? "draw"))
    .filter(one => ![...one.querySelectorAll(".detail, .effect")].some(words => words.checkVisibility()))
    .map(one => one.textContent.trim())

// # letters.problems
() => {
    const wide = document.documentElement.clientWidth, found = [];
    if (document.documentElement.scrollWidth > wide) found.push(`scrolls: ${document.documentElement.scrollWidth}`);
    for (const one of document.querySelectorAll("body *")) {
        const box = one.getBoundingClientRect();
        if (box.width && (box.right > wide + 0.5 || box.left < -0.5)) found.push(`${one.outerHTML.slice(0, 120)}: ${box.right}`);
    }
    for (const one of document.querySelectorAll("a")) {
        const box = one.getBoundingClientRect();
        if (box.height < 43.5) found.push(`${one.textContent.trim()} is ${box.height} high`);
    }
    return found.slice(0, 5);
}

// # more_below.on_top
// What is painted on top in the middle of the words "More below".
() => {
    const words = document.querySelector(".more-below span"), box = words.getBoundingClientRect();
    return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === words;
}

// # motion.moved
async (script) => {
  const { move } = await import("data:text/javascript," + encodeURIComponent(script));
  const from = [];
  Element.prototype.animate = (frames) => from.push(frames[0].transform);
  move(...document.querySelectorAll("svg"), 1000);
  return from;
}

// # since.playing
// Asked at every frame: on a busy machine it may be over before somebody comes to look.
text => {
  const stage = document.querySelector(".since-stage"), now = document.getElementById("since-now");
  if (!stage || now.hidden || !now.textContent.includes(text)) return null;
  return [stage, stage.parentElement.querySelector("svg")].map(each => {
    const box = each.getBoundingClientRect();
    return [box.x, box.y, box.width, box.height];
  });
}

// # since.covered
// Names of gates, and numbers under piles, that a frame covers: where frame and letters share more than their edges.
[...document.querySelectorAll(".since-mark")].flatMap(mark => {
    const box = mark.getBoundingClientRect();
    const labels = [...mark.ownerSVGElement.querySelectorAll("text")];
    return labels.filter(text => /^([NSEW][1-3]|\d+)$/.test(text.textContent) && !text.closest("[id$=tower]"))
      .filter(text => {
        const one = text.getBoundingClientRect();
        const high = one.height / 4; // the room for accents and tails
        return one.left < box.right - 2 && box.left < one.right - 2
          && one.top + high < box.bottom - 2 && box.top < one.bottom - high - 2;
      }).map(text => text.textContent);
  })

// # since.pressed_too_late
// Press the button in the moment in which the film has ended; a while later say how many boards are on the stage, and
// what the button says.
() => new Promise(done => {
  const button = document.getElementById("since-play");
  const boards = () => document.querySelectorAll(".since-stage").length;
  const look = (begun) => {
    if (!begun || boards()) return requestAnimationFrame(() => look(begun || boards()));
    const before = button.textContent;
    button.click();
    setTimeout(() => done([before, boards(), button.textContent]), 300);
  };
  look(false);
})

// # table.cut
// How many pieces of the mat are not whole in it, and whether the words that there are more are painted on top.
() => {
    const mat = document.getElementById("mat").getBoundingClientRect(), sign = document.querySelector(".beyond span");
    const shown = sign.checkVisibility({ visibilityProperty: true });
    const edge = shown ? sign.parentElement.getBoundingClientRect().left : mat.right;
    const box = sign.getBoundingClientRect(), top = document.elementFromPoint(box.x + box.width / 2, box.y + 5);
    return { pieces: [...document.querySelectorAll("#mat :is(.cards, .people) > li")]
        .filter(one => one.getBoundingClientRect().right > Math.min(edge, mat.right) + .5).length,
        said: sign === top ? sign.textContent : null };
}

// # every_page.too_small
// What is to be tapped and is too small for a finger.
[...document.querySelectorAll("main button, main .button, main select, main input:not([type=hidden]), main summary")]
    .map(element => [element, (element.closest("label") || element).getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.height < 43.5 || box.width < 24))
    .map(([element]) => element.outerHTML.slice(0, 120))

// # channels.subscribing
// What a push service would give: an address and the keys of the test.
(() => {
  const [endpoint, p256dh, auth] = %s;
  const given = { endpoint, options: {}, toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
    unsubscribe: async () => { localStorage.removeItem("subscribed"); return true; } };
  PushManager.prototype.subscribe = async () => { localStorage.setItem("subscribed", "1"); return given; };
  PushManager.prototype.getSubscription = async () => (localStorage.getItem("subscribed") ? given : null);
})();

// # channels.noting
// Chromium without a window has no place for notifications and badges: what the worker would show is noted.
() => {
  [self.shown, self.badge] = [[], null];
  WorkerNavigator.prototype.setAppBadge = async (number) => { self.badge = number; };
  WorkerNavigator.prototype.clearAppBadge = async () => { self.badge = 0; };
  ServiceWorkerRegistration.prototype.showNotification = async (title, { body, tag, actions }) => {
    self.shown.push({ title, body, tag, actions: actions.map((one) => one.action) });
  };
}
