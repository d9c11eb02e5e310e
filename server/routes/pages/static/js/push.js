// The button that switches pushes to this browser on and off. The form says what the worker and the server's key are;
// what the browser says of itself is put into it, and it is sent like any other.

const form = document.getElementById("push");

async function begin() {
  if (!form || !("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return;
  const worker = await navigator.serviceWorker.register(form.dataset.worker);
  const there = await worker.pushManager.getSubscription();
  form.querySelector("[data-on]").hidden = Boolean(there);
  form.querySelector("[data-off]").hidden = !there;
  form.hidden = false;
  document.getElementById("push-none").hidden = true;
}

async function switched(on) {
  const worker = await navigator.serviceWorker.ready;
  let subscription = await worker.pushManager.getSubscription();
  if (on) {
    if ((await Notification.requestPermission()) !== "granted") return say(form.dataset.refused);
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
