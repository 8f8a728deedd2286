// The tray's corners over the live picture: found, dragged with a thumb, or moved with arrow keys.
import { post, postAndTell, Refusal } from "./post.js";
import { word } from "./words.js";

const STEP = 0.004;
const LARGE_STEP = 0.03;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const WHOLE = [[0, 0], [1, 0], [1, 1], [0, 1]];
const within = (value) => Math.min(1, Math.max(0, value));

class TeachTray extends HTMLElement {
  #corners = WHOLE;

  connectedCallback() {
    for (const handle of this.querySelectorAll("[data-handle]")) this.#attend(handle);
    this.addEventListener("click", (event) => {
      if (event.target.closest("[data-look]")) this.#look(event.target.closest("[data-look]"));
      if (event.target.closest("[data-whole]")) this.#put(WHOLE, word("teach-whole"));
      if (event.target.closest("[data-save]")) this.#save(event.target.closest("[data-save]"));
    });
    this.#recall();
  }

  async #recall() {
    const answer = await fetch("/api/teach", { headers: { Accept: "application/json" } }).catch(() => null);
    if (answer?.ok) this.#put((await answer.json()).tray.corners);
  }

  #attend(handle) {
    const n = Number(handle.dataset.handle);
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      handle.dataset.held = "";
      const box = this.querySelector("[data-view]").getBoundingClientRect();
      const [x, y] = this.#corners[n];
      // the corner stays as far from the thumb as it was, so that the thumb does not hide it
      const off = [box.left + x * box.width - event.clientX, box.top + y * box.height - event.clientY];
      const move = (moved) => {
        this.#move(n, (moved.clientX + off[0] - box.left) / box.width, (moved.clientY + off[1] - box.top) / box.height);
      };
      const end = () => {
        handle.removeEventListener("pointermove", move);
        delete handle.dataset.held;
      };
      handle.addEventListener("pointermove", move);
      handle.addEventListener("pointerup", end, { once: true });
      handle.addEventListener("pointercancel", end, { once: true });
    });
    handle.addEventListener("keydown", (event) => {
      const way = ARROWS[event.key];
      if (!way) return;
      event.preventDefault();
      const step = event.shiftKey ? LARGE_STEP : STEP;
      const [x, y] = this.#corners[n];
      this.#move(n, x + way[0] * step, y + way[1] * step);
    });
  }

  #move(n, x, y) {
    const corners = this.#corners.map((corner) => [...corner]);
    corners[n] = [within(x), within(y)];
    this.#put(corners, word("teach-unsaved"));
  }

  #put(corners, said) {
    this.#corners = corners;
    this.querySelector("[data-frame]").setAttribute("points", corners.map((c) => c.join(",")).join(" "));
    for (const handle of this.querySelectorAll("[data-handle]")) {
      const [x, y] = corners[Number(handle.dataset.handle)];
      handle.style.left = `${x * 100}%`;
      handle.style.top = `${y * 100}%`;
      const place = word("teach-at").replace("{x}", Math.round(x * 100)).replace("{y}", Math.round(y * 100));
      handle.setAttribute("aria-label", place.replace("{name}", handle.dataset.name));
    }
    if (said !== undefined) this.#say(said);
  }

  async #look(button) {
    button.setAttribute("aria-busy", "true");
    this.#say(word("teach-looking"));
    const width = Number(this.querySelector("[data-width]").value);
    try {
      const found = await post("/api/teach/look", width ? { width_mm: width } : { });
      if (found.found) this.#put(found.corners);
      this.#say([found.text, found.remedy].filter(Boolean).join(" "), found.found ? "" : "bad");
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      this.#say(refusal.message, "bad");
    } finally {
      button.removeAttribute("aria-busy");
    }
  }

  async #save(button) {
    if (await postAndTell("/api/teach/tray", { corners: this.#corners.flat() }, button)) this.#say("");
  }

  #say(text, tone = "") {
    const said = this.querySelector("[data-said]");
    said.dataset.tone = tone;
    if (said.textContent !== text) said.textContent = text;
  }
}
customElements.define("teach-tray", TeachTray);
