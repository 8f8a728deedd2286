// Saying things: a toast for the eyes, a polite live region for the ears.
const box = document.getElementById("toast");
let hiding;

export function announce(text) {
  const region = document.getElementById("announcer");
  if (text && region.textContent !== text) region.textContent = text;
}

export function toast(text, tone = "good") {
  box.textContent = text;
  box.dataset.tone = tone;
  box.hidden = false;
  place();
  clearTimeout(hiding);
  hiding = setTimeout(
    () => {
      box.hidden = true;
      place();
    },
    tone === "bad" ? 7000 : 3200,
  );
  announce(text);
}

// An open dialog lies above everything else, so the toast moves into it; a hidden one waits outside.
function place() {
  const sheet = box.hidden ? null : document.querySelector("dialog[open] .sheet-body");
  (sheet ?? document.body).append(box);
}

// a new view of the table knows nothing of a toast that stands in one of its sheets, and takes it away
document.addEventListener("companion:view", () => box.isConnected || place());
document.addEventListener("close", place, true);
