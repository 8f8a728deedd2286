// Put a new drawing in place and leave alone what belongs to the person: typed text, open folds,
// chosen dice, scroll and focus.
import { Idiomorph } from "../vendor/idiomorph.js";

const TYPED = new Set(["value", "checked", "selected"]);

function owned(name, element) {
  if (TYPED.has(name) && element.matches("input, textarea, select, option")) return true;
  if (name === "aria-pressed" && element.closest("[data-busy]")) return true;
  if (name === "aria-busy") return true;
  return (element.dataset.own ?? "").split(" ").includes(name);
}

export function morph(target, html) {
  const inside = target.contains(document.activeElement);
  Idiomorph.morph(target, html, {
    morphStyle: "innerHTML",
    ignoreActiveValue: true,
    callbacks: {
      beforeAttributeUpdated: (name, element) => !owned(name, element),
      beforeNodeMorphed: (old, fresh) =>
        !(old instanceof Element && "keep" in old.dataset && old.id !== "" && old.id === fresh.id),
    },
  });
  // the button that had the focus is gone: whoever has only a keyboard goes on at the top, not nowhere
  if (inside && document.activeElement === document.body) {
    target.querySelector("#now h1")?.focus({ preventScroll: true });
  }
}
