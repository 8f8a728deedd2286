// The live picture, asked for anew as soon as the last one is there, and not while the page is hidden.
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
    const state = this.querySelector("[data-state]");
    const answer = await fetch("/api/camera", { headers: { Accept: "image/jpeg, application/json" } }).catch(() => null);
    if (!answer?.ok) {
      const data = await answer?.json().catch(() => null);
      state.textContent = data?.error ?? "…";
      return false;
    }
    const picture = this.querySelector("[data-picture]");
    const old = picture.src;
    picture.src = URL.createObjectURL(await answer.blob());
    if (old.startsWith("blob:")) URL.revokeObjectURL(old);
    state.textContent = answer.headers.get("X-Camera-State");
    return true;
  }
}
customElements.define("camera-live", CameraLive);
