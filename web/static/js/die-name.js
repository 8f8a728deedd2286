// A die in words, beginning with the letters that are drawn on it, as a button's name has to.
export function dieName(kind, face, drawing) {
  return [drawing.querySelector(".print-letters")?.textContent, kind, face].filter(Boolean).join(" ");
}
