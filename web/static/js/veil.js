// Secrets lie under a veil. A finger that stays on its button holds it up until it lets go; a tap (or a key)
// leaves it up until the next one. It falls whenever the page is left.
const HOLD_MS = 350;
let held = null;

function lift(button, up) {
  button.closest("section").querySelector("[data-veil]").toggleAttribute("data-shown", up);
  button.setAttribute("aria-pressed", String(up));
}

function cover() {
  held = null;
  for (const shown of document.querySelectorAll("[data-unveil][aria-pressed=true]")) lift(shown, false);
}

function letGo() {
  if (held?.button.isConnected && performance.now() - held.at >= HOLD_MS) {
    lift(held.button, false);
    held.long = true;
  }
}

document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("[data-unveil]");
  held = button && { button, at: performance.now(), up: button.getAttribute("aria-pressed") === "true" };
  if (button) lift(button, true);
});
document.addEventListener("pointerup", letGo);
document.addEventListener("pointercancel", () => {
  if (held?.button.isConnected) lift(held.button, held.up);
  held = null;
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-unveil]");
  if (!button) return;
  const tapped = held?.button === button ? held : { up: button.getAttribute("aria-pressed") === "true" };
  held = null;
  if (!tapped.long) lift(button, !tapped.up);
});
document.addEventListener("contextmenu", (event) => event.target.closest("[data-unveil]") && event.preventDefault());
document.addEventListener("visibilitychange", cover);
addEventListener("blur", cover);
