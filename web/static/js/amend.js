// Correcting the past: the form, what it would change, then the correction.
import { dieName } from "./die-name.js";
import { newId, post, postAndTell, Refusal } from "./post.js";
import { toast } from "./say.js";
import { hide, show } from "./sheets.js";
import { word } from "./words.js";

document.addEventListener("click", async (event) => {
  const opener = event.target.closest("[data-amend]");
  if (!opener) return;
  const answer = await fetch(`/amend/${opener.dataset.amend}`, { headers: { Accept: "application/json" } }).catch(() => null);
  if (!answer?.ok) {
    const data = await answer?.json().catch(() => null);
    toast(data?.error ?? word("unreachable"), "bad");
    return;
  }
  const dialog = document.getElementById("amend");
  // the server's own fragment, escaped there
  dialog.querySelector("[data-slot]").innerHTML = await answer.text();
  show(dialog);
});

class AmendForm extends HTMLElement {
  constructor() {
    super();
    this.addEventListener("click", (event) => {
      const die = event.target.closest("[data-turn]");
      if (die) this.#turn(die);
      if (event.target.closest("[data-amend-now]")) this.#amend(event.target);
    });
    this.addEventListener("input", () => this.#stale());
    this.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#look();
    });
  }

  get #given() {
    const args = Object.fromEntries(new FormData(this.querySelector("form")));
    return { seq: Number(this.dataset.seq), args };
  }

  #stale() {
    this.querySelector("[data-amend-now]").hidden = true;
    this.querySelector("[data-look]").hidden = false;
    this.querySelector("[data-preview]").replaceChildren();
    this.querySelector(".form-error").textContent = "";
  }

  #turn(die) {
    const faces = [...this.querySelectorAll(`[data-drawings] [data-kind="${die.dataset.kind}"]`)];
    const now = faces.findIndex((f) => f.dataset.face === die.dataset.face);
    const next = faces[(now + 1) % faces.length];
    die.dataset.face = next.dataset.face;
    die.querySelector("svg").replaceWith(next.querySelector("svg").cloneNode(true));
    die.setAttribute("aria-label", dieName(die.dataset.kind, die.dataset.face, die));
    const dice = [...this.querySelectorAll("[data-turn]")].map((d) => `${d.dataset.kind}:${d.dataset.face}`);
    this.querySelector("[data-dice-value]").value = dice.join(",");
    this.#stale();
  }

  async #look() {
    this.#stale();
    try {
      const seen = await post("/api/preview", this.#given);
      if (!seen.ok) {
        this.querySelector(".form-error").textContent = seen.text;
        return;
      }
      const head = document.createElement("p");
      head.textContent = seen.text;
      const list = document.createElement("ul");
      list.className = "changes";
      for (const change of seen.changes) list.append(Object.assign(document.createElement("li"), { textContent: change }));
      this.querySelector("[data-preview]").append(head, list);
      this.querySelector("[data-amend-now]").hidden = false;
      this.querySelector("[data-look]").hidden = true;
      this.querySelector("[data-preview]").focus({ preventScroll: true }); // its button is gone
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      this.querySelector(".form-error").textContent = refusal.message;
    }
  }

  async #amend(button) {
    if (await postAndTell("/api/amend", { id: newId(), ...this.#given }, button)) hide(this.closest("dialog"));
  }
}
customElements.define("amend-form", AmendForm);
