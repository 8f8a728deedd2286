// Whether pictures of misread dice are kept, and deleting them all.
import { postAndTell } from "./post.js";

class TeachLedger extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", async (event) => {
      const keep = event.target.closest("[data-keep]");
      const forget = event.target.closest("[data-forget]");
      const done = keep
        ? await postAndTell("/api/teach/ledger", { keep: keep.getAttribute("aria-pressed") !== "true" }, keep)
        : forget && (await postAndTell("/api/teach/ledger/forget", {}, forget));
      if (done) setTimeout(() => location.reload(), 900); // long enough to read what was said
    });
  }
}
customElements.define("teach-ledger", TeachLedger);
