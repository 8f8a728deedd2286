// The lamp check: one press, a finding for each thing looked at, what is wrong first.
import { post, Refusal } from "./post.js";
import { toast } from "./say.js";
import { word } from "./words.js";

const ORDER = { problem: 0, unknown: 1, ok: 2 };
const CHIP = { problem: "chip chip-danger", unknown: "chip chip-warn", ok: "chip chip-accent" };

class TeachLamp extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", (event) => {
      const button = event.target.closest("[data-check]");
      if (button && button.getAttribute("aria-busy") !== "true") this.#check(button);
    });
  }

  async #check(button) {
    button.setAttribute("aria-busy", "true");
    try {
      const { findings } = await post("/api/teach/light");
      findings.sort((a, b) => ORDER[a.health] - ORDER[b.health]);
      this.querySelector("[data-findings]").replaceChildren(...findings.map((finding) => this.#row(finding)));
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      toast(refusal.message, "bad");
    } finally {
      button.removeAttribute("aria-busy");
    }
  }

  #row(finding) {
    const row = this.querySelector("[data-finding]").content.firstElementChild.cloneNode(true);
    const chip = row.querySelector("[data-health]");
    chip.className = CHIP[finding.health];
    chip.textContent = word(`health-${finding.health}`);
    row.querySelector("[data-text]").textContent = finding.text;
    row.querySelector("[data-remedy]").textContent = finding.remedy;
    return row;
  }
}
customElements.define("teach-lamp", TeachLamp);
