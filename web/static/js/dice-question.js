// A reading that is not sure: confirm it with one tap, or tap the die that is wrong.
import { postAndTell } from "./post.js";
import { word } from "./words.js";

class DiceQuestion extends HTMLElement {
  #touched = false;
  #chosen = null;

  constructor() {
    super();
    this.addEventListener("click", (event) => {
      const { target } = event;
      const outline = target.closest("polygon[data-n]");
      const die = target.closest("[data-dice] [data-n]") ?? (outline && this.#die(outline.dataset.n));
      if (die) this.#choose(die === this.#chosen ? null : die);
      else if (target.closest("[data-confirm]")) this.#confirm(target);
      else if (target.closest("[data-dismiss]")) postAndTell("/api/dismiss", { id: this.dataset.id }, target);
      else if (target.closest("[data-add]")) this.#add();
      else if (target.closest("[data-pick]")) this.#pick(target.closest("[data-pick]").dataset);
      else if (target.closest("[data-remove]")) this.#remove();
    });
  }

  get #dice() {
    return [...this.querySelectorAll("[data-dice] [data-n]")];
  }

  #die(n) {
    return this.querySelector(`[data-dice] [data-n="${n}"]`);
  }

  #choose(die) {
    this.#chosen = die;
    for (const other of this.querySelectorAll("[data-n]")) {
      other.setAttribute("aria-current", String(die !== null && other.dataset.n === die.dataset.n));
    }
    const chooser = this.querySelector("[data-chooser]");
    chooser.hidden = die === null;
    if (die !== null) chooser.replaceChildren(...this.#offers(die));
  }

  // Other faces of its kind first, likely ones before all; then the other kinds; then taking it away.
  #offers(die) {
    const likely = die.dataset.alternatives ? die.dataset.alternatives.split(",") : [];
    const faces = this.dataset.faces.split(",");
    const order = [...new Set([...likely.filter((f) => faces.includes(f)), ...faces])];
    const kinds = [die.dataset.kind, ...this.dataset.kinds.split(",").filter((k) => k !== die.dataset.kind)];
    const rows = kinds.map((kind) => {
      const row = document.createElement("div");
      row.className = "pad-faces";
      row.append(...order.map((face) => this.#button(kind, face)));
      return row;
    });
    const remove = document.createElement("button");
    remove.type = "button";
    remove.className = "button button-danger";
    remove.dataset.remove = "";
    remove.textContent = word("remove");
    return [...rows, remove];
  }

  #button(kind, face) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "die";
    button.dataset.pick = "";
    button.dataset.kind = kind;
    button.dataset.face = face;
    button.setAttribute("aria-label", `${kind} ${face}`);
    button.append(this.#drawing(kind, face));
    return button;
  }

  #drawing(kind, face) {
    const found = this.querySelector(`[data-drawings] [data-kind="${kind}"][data-face="${face}"] svg`);
    return found ? found.cloneNode(true) : document.createTextNode(face);
  }

  #pick({ kind, face }) {
    const die = this.#chosen;
    die.dataset.kind = kind;
    die.dataset.face = face;
    die.querySelector("svg")?.replaceWith(this.#drawing(kind, face));
    die.querySelector(".die-kind").textContent = kind;
    die.setAttribute("aria-label", `${kind} ${face}`);
    this.#changed();
    this.#choose(null);
    die.focus();
  }

  #remove() {
    this.querySelector(`polygon[data-n="${this.#chosen.dataset.n}"]`)?.remove();
    this.#chosen.closest("li").remove();
    this.#changed();
    this.#choose(null);
  }

  #add() {
    const list = this.querySelector("[data-dice]");
    const item = document.createElement("li");
    const kind = this.dataset.kinds.split(",")[0];
    const die = this.#button(kind, this.dataset.faces.split(",")[0]);
    delete die.dataset.pick;
    die.dataset.n = `new-${list.children.length}-${performance.now()}`;
    die.dataset.alternatives = "";
    const label = document.createElement("span");
    label.className = "die-kind";
    label.textContent = kind;
    die.append(label);
    item.append(die);
    list.append(item);
    this.#changed();
    this.#choose(die);
  }

  #changed() {
    this.#touched = true;
    const kinds = new Map();
    for (const { dataset } of this.#dice) kinds.set(dataset.kind, [...(kinds.get(dataset.kind) ?? []), dataset.face]);
    const [first, ...rest] = [...kinds].sort((a, b) => b[1].length - a[1].length);
    const parts = [first?.[1].join(" "), ...rest.map(([kind, faces]) => `${kind} ${faces.join(" ")}`)];
    const n = this.#dice.length;
    const noun = word(n === 1 ? "die" : "dice");
    this.querySelector("[data-confirm]").textContent = `${n} ${noun}: ${parts.filter(Boolean).join(", ")} - ${word("right")}`;
  }

  #confirm(button) {
    const body = { id: this.dataset.id };
    if (this.#touched) body.dice = this.#dice.map(({ dataset }) => `${dataset.kind}:${dataset.face}`);
    postAndTell("/api/confirm", body, button);
  }
}
customElements.define("dice-question", DiceQuestion);
