// A reading that is not sure: confirm it with one tap, tap the die that is wrong, tap those not seen.
import { dieName } from "./die-name.js";
import { leadBack } from "./lead-back.js";
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
      else if (target.closest("[data-add]")) this.#choose(this.#add());
      else if (target.closest("[data-lack] [data-face]")) this.#fill(target.closest("[data-face]"));
      else if (target.closest("[data-pick]")) this.#pick(target.closest("[data-pick]").dataset);
      else if (target.closest("[data-remove]")) this.#remove();
    });
  }

  connectedCallback() {
    this.#lack();
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
    button.append(this.#drawing(kind, face));
    button.setAttribute("aria-label", dieName(kind, face, button));
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
    die.setAttribute("aria-label", dieName(kind, face, die));
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

  #add(kind = this.dataset.kinds.split(",")[0], face = this.dataset.faces.split(",")[0]) {
    const list = this.querySelector("[data-dice]");
    const item = document.createElement("li");
    const die = this.#button(kind, face);
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
    return die;
  }

  // One tap for each die that was not seen; the next one, or the confirmation, has the focus after it.
  #fill({ dataset: { kind, face } }) {
    this.#choose(null);
    this.#add(kind, face);
    const next = this.querySelector(`[data-lack] [data-kind="${kind}"][data-face="${face}"]`);
    (next ?? this.querySelector("[data-lack] [data-face]") ?? this.querySelector("[data-confirm]")).focus();
  }

  // How many of each kind are too few (above zero) or too many (below).
  #missing() {
    if (this.dataset.wants === undefined) return [];
    const read = (text) => text.split(",").map((pair) => [pair.split(":")[0], Number(pair.split(":")[1])]);
    const [all, thrown] = [read(this.dataset.wants), read(this.dataset.thrown)];
    const count = thrown.reduce((sum, [, n]) => sum + n, 0);
    // held dice may lie in the picture or beside it
    const wanted = this.#dice.length <= count ? thrown : all;
    return wanted
      .map(([kind, n]) => [kind, n - this.#dice.filter((die) => die.dataset.kind === kind).length])
      .filter(([, n]) => n !== 0);
  }

  #lack() {
    const missing = this.#missing();
    this.querySelector("[data-lack]").replaceChildren(
      ...missing.map(([kind, n]) => {
        const group = document.createElement("div");
        const head = document.createElement("p");
        head.textContent = `${word(n > 0 ? "missing" : "many")} ${Math.abs(n)} ${kind}`;
        head.id = `lack-${kind}`;
        group.className = "pad-kind";
        group.setAttribute("role", "group");
        group.setAttribute("aria-labelledby", head.id);
        group.append(head);
        if (n > 0) {
          const row = document.createElement("div");
          row.className = "pad-faces";
          row.append(...this.dataset.faces.split(",").map((face) => this.#button(kind, face)));
          for (const button of row.children) delete button.dataset.pick;
          group.append(row);
        }
        return group;
      }),
    );
    const confirm = this.querySelector("[data-confirm]");
    confirm.disabled = missing.length > 0;
    if (missing.length > 0) confirm.textContent = word("first");
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
    this.#lack();
  }

  #confirm(button) {
    const body = { id: this.dataset.id };
    if (this.#touched) body.dice = this.#dice.map(({ dataset }) => `${dataset.kind}:${dataset.face}`);
    leadBack();
    postAndTell("/api/confirm", body, button, { quiet: true });
  }
}
customElements.define("dice-question", DiceQuestion);
