// Entering a throw by hand: one tap a die, a few seconds for eight.
import { leadBack } from "./lead-back.js";
import { newId, postAndTell } from "./post.js";
import { word } from "./words.js";

class DicePad extends HTMLElement {
  #entered = [];

  constructor() {
    super();
    this.addEventListener("click", (event) => {
      const face = event.target.closest(".pad-faces [data-face]");
      if (face && !face.disabled) this.#entered.push(face);
      else if (event.target.closest("[data-back]")) this.#entered.pop();
      else if (event.target.closest("[data-record]")) this.#record();
      else return;
      this.#draw();
    });
  }

  connectedCallback() {
    this.#draw();
  }

  #left(kind) {
    return Number(kind.dataset.count) - this.#entered.filter((f) => f.dataset.kind === kind.dataset.kind).length;
  }

  #draw() {
    for (const kind of this.querySelectorAll(".pad-kind")) {
      const left = this.#left(kind);
      kind.querySelector("[data-left]").textContent = left ? `· ${left}` : "✓";
      for (const face of kind.querySelectorAll("[data-face]")) face.disabled = left === 0;
    }
    this.querySelector("[data-entered]").replaceChildren(
      ...this.#entered.map((face) => {
        const mini = document.createElement("span");
        mini.className = "die die-mini";
        mini.dataset.kind = face.dataset.kind;
        mini.append(face.querySelector("svg").cloneNode(true));
        return mini;
      }),
    );
    const done = this.#entered.length === Number(this.dataset.count);
    const record = this.querySelector("[data-record]");
    record.disabled = !done;
    record.textContent = done
      ? `${word("record")} ${this.#entered.map((f) => f.dataset.face).join(" ")}`
      : `${this.#entered.length} / ${this.dataset.count}`;
    this.querySelector("[data-back]").disabled = this.#entered.length === 0;
  }

  #record() {
    const held = this.dataset.held ? this.dataset.held.split(",") : [];
    const dice = [...held, ...this.#entered.map((f) => `${f.dataset.kind}:${f.dataset.face}`)];
    leadBack();
    postAndTell("/api/dice", { id: newId(), dice }, this.querySelector("[data-record]"), { quiet: true });
  }
}
customElements.define("dice-pad", DicePad);
