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
    this.#tell(word(`camera-${state}`) || state);
    return true;
  }

  // Only what is new is written, for it is read out as well.
  #tell(text) {
    const said = this.querySelector("[data-state]");
    if (said.textContent !== text) said.textContent = text;
  }
}
customElements.define("camera-live", CameraLive);
