// The button that switches pushes to this browser on and off. The form says what the worker and the server's key are;
// what the browser says of itself is put into it, and it is sent like any other.

const form = document.getElementById("push");

async function begin() {
  if (!form || !("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return;
  const worker = await navigator.serviceWorker.register(form.dataset.worker);
  const there = await worker.pushManager.getSubscription();
  const known = there && sameKey(there);
  form.querySelector("[data-on]").hidden = Boolean(known);
  form.querySelector("[data-off]").hidden = !known;
  form.hidden = false;
  document.getElementById("push-none").hidden = true;
}

// Of another key (the server's data base was made anew) it would be of no use.
function sameKey(subscription) {
  const key = subscription.options?.applicationServerKey;
  return !key || base64(key) === form.dataset.key;
}

function base64(buffer) {
  const text = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function switched(on) {
  const worker = await navigator.serviceWorker.ready;
  let subscription = await worker.pushManager.getSubscription();
  if (on) {
    if ((await Notification.requestPermission()) !== "granted") return say(form.dataset.refused);
    if (subscription && !sameKey(subscription)) await subscription.unsubscribe();
    subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: form.dataset.key });
    const { keys } = subscription.toJSON();
    form.elements.p256dh.value = keys.p256dh;
    form.elements.auth.value = keys.auth;
  } else {
    await subscription?.unsubscribe();
    form.elements.off.value = "off";
  }
  form.elements.endpoint.value = subscription?.endpoint ?? "";
  form.submit();
}

function say(text) {
  form.querySelector("[role=status]").textContent = text;
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  switched(!event.submitter?.matches("[data-off]")).catch(() => say(form.dataset.failed));
});
begin();
