// Put a new drawing in place and leave alone what belongs to the person: typed text, open folds,
// chosen dice, scroll and focus.
import { Idiomorph } from "../vendor/idiomorph.js";

const TYPED = new Set(["value", "checked", "selected"]);
// what these stand for is the game's; whether they are chosen is the person's
const CHOICES = "input[type=radio], input[type=checkbox], option";

function owned(name, element) {
  if (name === "value" && element.matches(CHOICES)) return false;
  if (TYPED.has(name) && element.matches("input, textarea, select, option")) return true;
  if (name === "aria-pressed" && element.closest("[data-busy]")) return true;
  if (name === "aria-busy") return true;
  return (element.dataset.own ?? "").split(" ").includes(name);
}

// What is proposed anew takes no choice away that was made. One that is no more gives way to it, for
// something has to be chosen; only an editor of its own may know better.
function keepChosen(target, chosen) {
  for (const choice of chosen.filter((c) => c.isConnected)) {
    if (choice.matches("option")) choice.selected = true;
    else choice.checked = true;
  }
  for (const field of target.querySelectorAll("fieldset")) {
    const radios = [...field.querySelectorAll("input[type=radio]")];
    if (field.closest("[data-keep]") || !radios.length || radios.some((radio) => radio.checked)) continue;
    (radios.find((radio) => radio.hasAttribute("checked")) ?? radios[0]).checked = true;
  }
}

export function morph(target, html) {
  const chosen = [...target.querySelectorAll("input[type=radio]:checked, option:checked")];
  const inside = target.contains(document.activeElement);
  const throwing = document.activeElement?.matches("button.throw");
  Idiomorph.morph(target, html, {
    morphStyle: "innerHTML",
    // with it, what has the focus keeps all it holds: a field should, a button with a number should not
    ignoreActiveValue: document.activeElement?.matches("input, textarea, select") ?? false,
    callbacks: {
      beforeAttributeUpdated: (name, element) => !owned(name, element),
      beforeNodeMorphed: (old, fresh) =>
        !(old instanceof Element && "keep" in old.dataset && old.id !== "" && old.id === fresh.id),
    },
  });
  keepChosen(target, chosen);
  // the button that had the focus is gone: whoever has only a keyboard goes on with the next cube, or
  // at the top, not nowhere
  if (inside && document.activeElement === document.body) {
    const next = throwing && target.querySelector("button.throw");
    (next || target.querySelector("#now h1"))?.focus({ preventScroll: true });
  }
}
