// Shows what the server pushes, also while no page is open. It keeps nothing and answers no request of a page.

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("push", (event) => event.waitUntil(show(event.data?.json() ?? {})));

async function show(news) {
  if (news.waiting) navigator.setAppBadge?.(news.waiting);
  else navigator.clearAppBadge?.();
  const open = await clients.matchAll({ type: "window" });
  // Who looks at the game, or at the list of all, sees it there.
  if (open.some((page) => page.visibilityState === "visible" && tells(page.url, news.url))) return;
  const [look, stop] = news.labels ?? [];
  const actions = [{ action: "look", title: look }, ...(news.stop ? [{ action: "stop", title: stop }] : [])];
  await registration.showNotification(news.title ?? "Ulm by mail", {
    body: news.text,
    tag: news.tag,
    renotify: true,
    icon: new URL("icon-192.png", registration.scope).href,
    data: news,
    actions: look ? actions : [],
  });
}

function tells(page, address) {
  const here = page.split(/[?#]/)[0];
  return here === registration.scope || here === address || here.startsWith(`${address}/`);
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const news = event.notification.data ?? {};
  event.waitUntil(event.action === "stop" ? stop(news.stop) : look(news.url));
});

// The same press that mail programs have (RFC 8058): no more of this game.
function stop(address) {
  return fetch(address, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });
}

async function look(address) {
  const open = await clients.matchAll({ type: "window" });
  const there = open.find((page) => tells(page.url, address) && page.url !== registration.scope);
  return there ? there.focus() : clients.openWindow(address);
}
