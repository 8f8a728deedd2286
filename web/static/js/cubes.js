// Counting cubes by colour with a thumb: for an action's form, and to correct what the camera saw.
import { leadBack } from "./lead-back.js";
import { postAndTell } from "./post.js";
import { announce } from "./say.js";
import { word } from "./words.js";

class Counting extends HTMLElement {
  constructor() {
    super();
    this.addEventListener("click", (event) => {
      const step = event.target.closest("[data-by]");
      if (step) this.#step(step);
    });
  }

  get rows() {
    return [...this.querySelectorAll("[data-count-of]")];
  }

  // The colours, one for each cube.
  get cubes() {
    return this.rows.flatMap((row) => Array(this.count(row)).fill(row.dataset.countOf));
  }

  get told() {
    const there = this.rows.filter((row) => this.count(row));
    const name = (row) => row.querySelector(".count-name").textContent;
    return there.map((row) => `${this.count(row)} ${name(row)}`).join(", ") || word("no-cube");
  }

  count(row) {
    return Number(row.querySelector("output").textContent);
  }

  put(row, number) {
    row.querySelector("output").textContent = String(number);
    for (const button of row.querySelectorAll("[data-by]")) {
      // not disabled: a disabled button would lose the focus
      const past = number + Number(button.dataset.by);
      button.setAttribute("aria-disabled", String(past < 0 || past > Number(row.dataset.most)));
    }
  }

  #step(button) {
    const row = button.closest("[data-count-of]");
    if (button.getAttribute("aria-disabled") === "true") {
      if (Number(button.dataset.by) > 0) announce(word("most-cubes"));
      return;
    }
    this.put(row, this.count(row) + Number(button.dataset.by));
    this.changed();
    this.dispatchEvent(new Event("input", { bubbles: true })); // as any field does when it is filled in
  }
}

class CubeCounter extends Counting {
  connectedCallback() {
    this.clear();
  }

  clear() {
    for (const row of this.rows) this.put(row, Number(row.dataset.start));
    this.changed();
  }

  changed() {
    const { cubes } = this;
    this.querySelector("input").value = cubes.join(",");
    this.querySelector("[data-sum]").textContent = `${word("together")} ${cubes.length} ${word(cubes.length === 1 ? "cube" : "cubes")}`;
  }
}
customElements.define("cube-counter", CubeCounter);

class CubeQuestion extends Counting {
  #touched = false;

  connectedCallback() {
    for (const row of this.rows) this.put(row, this.count(row));
    this.addEventListener("click", (event) => {
      const confirm = event.target.closest("[data-confirm]");
      const dismiss = event.target.closest("[data-dismiss]");
      if (confirm) this.#confirm(confirm);
      else if (dismiss) postAndTell("/api/dismiss", { id: this.dataset.id }, dismiss);
    });
  }

  changed() {
    this.#touched = this.rows.some((row) => this.count(row) !== Number(row.dataset.start));
    const head = word(this.#touched ? "cubes-correct" : "cubes-right");
    this.querySelector("[data-confirm]").textContent = `${head} ${this.told}`;
  }

  #confirm(button) {
    leadBack();
    const body = { id: this.dataset.id, ...(this.#touched ? { cubes: this.cubes } : {}) };
    postAndTell("/api/confirm", body, button, { quiet: true });
  }
}
customElements.define("cube-question", CubeQuestion);
