// The rehearsed table: throw, nudge, cover, lamp.
import { post, Refusal } from "./post.js";
import { toast } from "./say.js";

class RehearsalBar extends HTMLElement {
  constructor() {
    super();
    this.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-do]");
      if (!button) return;
      if (button.dataset.do !== "cover") this.#do({ do: button.dataset.do });
      else {
        const on = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(on));
        this.#do({ do: on ? "cover" : "uncover" });
      }
    });
    this.addEventListener("change", (event) => {
      if (event.target.matches('[data-do="lamp"]')) this.#do({ do: "lamp", level: Number(event.target.value) });
    });
    document.addEventListener("companion:view", () => this.#look());
  }

  async #do(body) {
    try {
      this.#show(await post("/api/rehearsal", body));
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      toast(refusal.message, "bad");
    }
  }

  async #look() {
    const answer = await fetch("/api/rehearsal", { headers: { Accept: "application/json" } }).catch(() => null);
    if (answer?.ok) this.#show(await answer.json());
  }

  #show(state) {
    this.querySelector("[data-states]").textContent = Object.entries(state)
      .map(([name, value]) => `${name}: ${value}`)
      .join(" · ");
  }
}
customElements.define("rehearsal-bar", RehearsalBar);
