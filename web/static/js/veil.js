// Secrets lie under a veil until the finger holds it up, and whenever the page is left.
const cover = () => {
  for (const shown of document.querySelectorAll("[data-veil][data-shown]")) shown.removeAttribute("data-shown");
};
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-unveil]");
  if (!button) return;
  const veil = button.closest("section").querySelector("[data-veil]");
  const shown = veil.toggleAttribute("data-shown");
  button.setAttribute("aria-pressed", String(shown));
});
document.addEventListener("visibilitychange", cover);
addEventListener("blur", cover);
