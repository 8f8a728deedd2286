// The rehearsed table: throw, nudge, cover, lamp; and the tower: drop cubes, disturb it.
import { post, Refusal } from "./post.js";
import { toast } from "./say.js";

class RehearsalBar extends HTMLElement {
  #guest = false;

  constructor() {
    super();
    this.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      if (button.dataset.do === "cover") this.#do({ do: this.#press(button) ? "cover" : "uncover" });
      else if (button.dataset.do) this.#do({ do: button.dataset.do });
      else this.#press(button);
    });
    this.addEventListener("change", (event) => {
      if (event.target.matches('[data-do="lamp"]')) this.#do({ do: "lamp", level: Number(event.target.value) });
    });
    // a colour named is a cube thrown, if one wishes: a whole evening with one thumb
    document.addEventListener("click", (event) => {
      const wished = this.querySelector('[data-with-colour][aria-pressed="true"]');
      const named = wished && event.target.closest(".throw[data-tap]");
      if (named) this.#do({ do: "drop", colour: JSON.parse(named.dataset.tap).args.colour });
    });
    document.addEventListener("companion:view", () => {
      this.#settle();
      this.#look();
    });
  }

  connectedCallback() {
    this.#settle();
  }

  // Games with a tower get its buttons, others those of the tray.
  #settle() {
    const tower = document.querySelector("#throws, #storeys") !== null;
    for (const acts of this.querySelectorAll("[data-for]")) acts.hidden = (acts.dataset.for === "tower") !== tower;
  }

  #press(button) {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    return on;
  }

  async #do(body) {
    try {
      this.#show(await post("/api/rehearsal", body));
      if (body.do.startsWith("drop")) this.#sound();
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      toast(refusal.message, "bad");
    }
  }

  // A tower that is not there makes no noise; whoever dropped the cube hears it on this phone.
  #sound() {
    if (!this.querySelector('[data-ears][aria-pressed="true"]')) return;
    new Audio(`/api/rehearsal/sound?${Date.now()}`).play().catch(() => {}); // some browsers want a touch first
  }

  async #look() {
    if (this.#guest) return;
    const answer = await fetch("/api/rehearsal", { headers: { Accept: "application/json" } }).catch(() => null);
    this.#guest = answer?.status === 401; // guests are told nothing, and need not ask again
    if (answer?.ok) this.#show(await answer.json());
  }

  #show(state) {
    this.querySelector("[data-states]").textContent = Object.entries(state)
      .map(([name, value]) => `${name}: ${value}`)
      .join(" · ");
  }
}
customElements.define("rehearsal-bar", RehearsalBar);
