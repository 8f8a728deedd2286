// Describing a tile: name, what it shows, number, doors, passage. Its text: name:icon:number:sides:passage.
import { word } from "./words.js";

const KINDS = [".", "o", "l"];

class TileEditor extends HTMLElement {
  constructor() {
    super();
    this.addEventListener("click", (event) => {
      const side = event.target.closest("[data-side]");
      const step = event.target.closest("[data-step]");
      if (side) this.#turn(side);
      else if (step) this.#step(Number(step.dataset.step));
      else return;
      this.#keep();
    });
    this.addEventListener("input", (event) => {
      if (event.target.matches("[data-known]")) {
        if (event.target.value) this.#show(event.target.value);
      }
      this.#keep();
    });
  }

  connectedCallback() {
    this.#show(this.#field.value);
  }

  get #field() {
    return this.querySelector("[data-tile]");
  }

  #part(name) {
    return this.querySelector(`[data-part="${name}"]`);
  }

  #turn(side) {
    side.dataset.value = KINDS[(KINDS.indexOf(side.dataset.value) + 1) % KINDS.length];
    this.#label(side);
  }

  #label(side) {
    side.textContent = `${side.dataset.name}: ${word(`side-${side.dataset.value}`)}`;
  }

  #step(by) {
    const number = this.#part("number");
    number.textContent = String(Math.min(6, Math.max(1, Number(number.textContent) + by)));
  }

  #show(text) {
    const [name = "", icon = "suspect", number = "1", sides = "....", passage = "-"] = text.split(":");
    this.#part("name").value = name;
    for (const radio of this.querySelectorAll('[data-part="icon"]')) radio.checked = radio.value === icon;
    this.#part("number").textContent = number || "1";
    this.#part("passage").value = passage || "-";
    for (const side of this.querySelectorAll("[data-side]")) {
      side.dataset.value = sides[Number(side.dataset.side)] ?? ".";
      this.#label(side);
    }
    this.#keep();
  }

  #keep() {
    const icon = this.querySelector('[data-part="icon"]:checked')?.value ?? this.#field.value.split(":")[1];
    const sides = [...this.querySelectorAll("[data-side]")].sort((a, b) => a.dataset.side - b.dataset.side);
    const parts = [
      this.#part("name").value.trim().replace(/[:;"]/g, ""),
      icon,
      this.#part("number").textContent,
      sides.map((side) => side.dataset.value).join(""),
      this.#part("passage").value,
    ];
    this.#field.value = parts.join(":");
    this.#draw(sides);
  }

  #draw(sides) {
    for (const { dataset } of sides) {
      const drawing = this.querySelector(`[data-drawing="${dataset.value}"]`).cloneNode(true);
      this.querySelector(`[data-wall="${dataset.side}"]`).replaceChildren(...drawing.childNodes);
    }
    this.querySelector("[data-number]").textContent = this.#part("number").textContent;
  }
}
customElements.define("tile-editor", TileEditor);
