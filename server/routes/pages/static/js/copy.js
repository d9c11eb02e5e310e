// Buttons that copy the field or the text that data-copy names, and say data-copied when it is done. Without scripts they
// stay hidden: what they would copy can be marked by hand.

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

function show() {
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (button) copy(button);
});
document.addEventListener("ulm:swapped", show);
show();
