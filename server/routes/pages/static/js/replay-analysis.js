// An analysis that is being made: how far it is, until it has come. Without a script the page loads itself anew.

const SECONDS = 4;

/** Look for the analysis until it is there; `come` is called when it stands in the page. */
export function awaited(come) {
  if (!document.getElementById("under-way")) return;
  setTimeout(async () => {
    const fresh = document.hidden ? null : await fetched();
    const place = document.getElementById("under-way");
    if (fresh?.querySelector("#under-way")) {
      place.replaceWith(fresh.querySelector("#under-way"));
    } else if (fresh) {
      document.getElementById("said").textContent = place.dataset.come;
      document.getElementById("analysis").replaceWith(fresh);
      come();
    }
    awaited(come);
  }, SECONDS * 1000);
}

/** What the server shows now; null when it does not answer: a later try may do better. */
async function fetched() {
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    if (!answer.ok) return null;
    return new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("analysis");
  } catch {
    return null;
  }
}
