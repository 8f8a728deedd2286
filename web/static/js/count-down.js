// A timer counted here from the end that was sent, on the table's clock.
import { announce } from "./say.js";
import { word } from "./words.js";

const THRESHOLDS_S = [60, 30, 10, 0];
const LOW_S = 10;
let zeroMs = performance.now();

// Table time `at` is now. Called with every view and whenever table time stops or goes on.
export function setTableTime(at) {
  zeroMs = performance.now() - at * 1000;
}

const tableTime = () =>
  document.body.dataset.paused ? Number(document.body.dataset.at) : (performance.now() - zeroMs) / 1000;

class CountDown extends HTMLElement {
  #timer;
  #last = Infinity;

  connectedCallback() {
    this.#timer = setInterval(() => this.#draw(), 250);
    this.#draw();
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  #draw() {
    const left = Math.max(0, Number(this.dataset.endsAt) - tableTime());
    const whole = Math.ceil(left);
    const text = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
    if (this.textContent !== text) this.textContent = text;
    this.toggleAttribute("data-low", left <= LOW_S);
    const passed = THRESHOLDS_S.find((s) => left <= s && this.#last > s && Number.isFinite(this.#last));
    if (passed !== undefined) {
      announce(word(`left-${passed}`));
      if (passed <= LOW_S) navigator.vibrate?.(passed ? 60 : [120, 80, 120]);
    }
    this.#last = left;
  }
}
setTableTime(Number(document.body.dataset.at));
customElements.define("count-down", CountDown);
