// The dice on the table. Holding is the table's business, at once; choosing is this phone's own.
import { newId, post, Refusal } from "./post.js";
import { toast } from "./say.js";
import { word } from "./words.js";

class DiceTray extends HTMLElement {
  #sending = false;
  #again = false;

  constructor() {
    super();
    this.addEventListener("click", (event) => {
      const die = event.target.closest("[data-die]");
      if (!die) return;
      die.setAttribute("aria-pressed", die.getAttribute("aria-pressed") === "true" ? "false" : "true");
      if (this.dataset.mode === "hold") this.#hold();
      else this.settle();
    });
  }

  get pressed() {
    return [...this.querySelectorAll('[data-die][aria-pressed="true"]')].map((die) => die.dataset.die);
  }

  clear() {
    for (const die of this.querySelectorAll('[data-die][aria-pressed="true"]')) die.setAttribute("aria-pressed", "false");
    this.settle();
  }

  // Tell the forms which dice are chosen; after every new view as well, for dice may be gone.
  settle() {
    if (this.dataset.mode !== "choose") return;
    const dice = [...this.querySelectorAll('[data-die][aria-pressed="true"]')];
    for (const field of document.querySelectorAll("input[data-dice]")) field.value = this.pressed.join(",");
    for (const output of document.querySelectorAll("output[data-chosen]")) {
      output.textContent = dice.map((die) => die.dataset.face).join(" ") || word("none");
    }
  }

  async #hold() {
    this.dataset.busy = "";
    if (this.#sending) {
      this.#again = true;
      return;
    }
    this.#sending = true;
    try {
      do {
        this.#again = false;
        const seen = Number(document.body.dataset.version);
        await post("/api/tap", { id: newId(), word: this.dataset.word, args: { dice: this.pressed.join(",") }, seen });
      } while (this.#again);
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      toast(refusal.message, "bad");
      document.dispatchEvent(new Event("companion:look-again"));
    } finally {
      this.#sending = false;
      delete this.dataset.busy;
    }
  }
}
customElements.define("dice-tray", DiceTray);
document.addEventListener("companion:view", () => document.querySelector("dice-tray")?.settle());
