// Saying things: a toast for the eyes, a polite live region for the ears.
let hiding;

export function announce(text) {
  const region = document.getElementById("announcer");
  if (text && region.textContent !== text) region.textContent = text;
}

export function toast(text, tone = "good") {
  const box = document.getElementById("toast");
  box.textContent = text;
  box.dataset.tone = tone;
  // an open dialog lies above everything else, so the toast moves into it
  (document.querySelector("dialog[open] .sheet-body") ?? document.body).append(box);
  box.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => {
    box.hidden = true;
    document.body.append(box);
  }, tone === "bad" ? 7000 : 3200);
  announce(text);
}
