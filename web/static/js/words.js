// Sentences live in the templates, so that a translation touches no script.
export const word = (name) => document.querySelector(`#words [data-word="${name}"]`)?.textContent ?? "";
