// The live picture, asked for anew as soon as the last one is there, and not while the page is hidden.
import { word } from "./words.js";

const PAUSE_MS = 250;
const PATIENCE_MS = 2000;

class CameraLive extends HTMLElement {
  connectedCallback() {
    this.#follow();
  }

  async #follow() {
    while (this.isConnected) {
      const wait = document.hidden ? PATIENCE_MS : (await this.#look()) ? PAUSE_MS : PATIENCE_MS;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  async #look() {
    const answer = await fetch("/api/camera", { headers: { Accept: "image/jpeg, application/json" } }).catch(() => null);
    if (!answer?.ok) {
      const data = await answer?.json().catch(() => null);
      this.#tell(data?.error ?? word("camera-silent"));
      return false;
    }
    const picture = this.querySelector("[data-picture]");
    const old = picture.src;
    picture.src = URL.createObjectURL(await answer.blob());
    if (old.startsWith("blob:")) URL.revokeObjectURL(old);
    const state = answer.headers.get("X-Camera-State");
    const seen = JSON.parse(answer.headers.get("X-Camera-Seen") ?? '{"why": "", "dice": []}');
    this.#tell(word(`camera-${state}`) || state, seen.why);
    this.#list(seen.dice);
    return true;
  }

  // Only what is new is written, for it is read out as well.
  #tell(text, why = "") {
    const said = this.querySelector("[data-state]");
    if (said.textContent !== text) said.textContent = text;
    const because = this.querySelector("[data-why]");
    if (because.textContent !== why) because.textContent = why;
    because.hidden = !why;
  }

  // Doubtful dice are told by a mark and a word, not by their colour alone.
  #list(dice) {
    const list = this.querySelector("[data-dice]");
    const lines = dice.map(({ kind, face, confidence, sure }) => {
      const share = `${Math.round(100 * confidence)} %`;
      return { sure, text: sure ? `${kind} ${face}, ${share}` : `${kind} ${face}? ${word("unsure")}, ${share}` };
    });
    const key = lines.map((line) => line.text).join("\n");
    if (list.dataset.key === key) return;
    list.dataset.key = key;
    list.hidden = !lines.length;
    list.replaceChildren(
      ...lines.map(({ sure, text }) => {
        const item = document.createElement("li");
        item.className = sure ? "chip" : "chip chip-warn";
        item.textContent = text;
        return item;
      }),
    );
  }
}
customElements.define("camera-live", CameraLive);
