// Buttons that copy the field or the text that data-copy names, and say data-copied when it is done; and that share the
// address that data-share names by what the device has for it. Without scripts they stay hidden: what they would copy can
// be marked by hand.

function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  if (source.select) source.select();
  else getSelection().selectAllChildren(source);
  const done = () => {
    button.classList.add("copied");
    const said = document.getElementById("said");
    said.textContent = ""; // the same words are said again
    setTimeout(() => (said.textContent = button.dataset.copied), 30);
  };
  // Without https there is no clipboard, but the older way.
  if (navigator.clipboard) navigator.clipboard.writeText(source.value ?? source.textContent).then(done, () => {});
  else if (document.execCommand("copy")) done();
}

function share(button) {
  const url = document.getElementById(button.dataset.share).textContent;
  navigator.share({ text: button.dataset.text, url }).catch(() => {}); // closed without a choice
}

function show() {
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
  if (navigator.share) for (const button of document.querySelectorAll("[data-share]")) button.hidden = false;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (button) copy(button);
  const sharing = event.target.closest?.("[data-share]");
  if (sharing) share(sharing);
});
document.addEventListener("ulm:swapped", show);
show();
