// Teaching a kind: one face after another, and in the end what would have been mixed up.
import { post, Refusal } from "./post.js";
import { announce, toast } from "./say.js";
import { word } from "./words.js";

const OWN = "another";
const FIRST = "fingerprint"; // colours are what most needs to be shown

class TeachDice extends HTMLElement {
  #kinds = {};

  connectedCallback() {
    this.querySelector("[data-begin]").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#begin(event.target, event.submitter);
    });
    this.querySelector("[data-kinds]").addEventListener("change", () => this.#choose());
    this.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button || button.getAttribute("aria-busy") === "true") return;
      if (button.dataset.step) this.#step({ do: button.dataset.step }, button);
      if (button.dataset.lamp) this.#step({ do: "again", lamp: button.dataset.lamp }, button);
      if (button.dataset.again) this.#step(JSON.parse(button.dataset.again), button);
    });
    this.#recall();
  }

  async #recall() {
    const answer = await fetch("/api/teach", { headers: { Accept: "application/json" } }).catch(() => null);
    if (!answer?.ok) return;
    const state = await answer.json();
    this.#kinds = state.kinds;
    const options = [...Object.entries(state.kinds), [OWN, []]].map(([kind, faces]) =>
      Object.assign(document.createElement("option"), {
        value: kind,
        textContent: kind === OWN ? word("teach-another") : `${kind}: ${faces.join(", ")}`,
      }),
    );
    this.querySelector("[data-kinds]").replaceChildren(...options);
    this.querySelector("[data-kinds]").value = FIRST in state.kinds ? FIRST : OWN;
    this.#choose();
    this.#show(state.lesson);
  }

  #choose() {
    this.querySelector("[data-own-kind]").hidden = this.querySelector("[data-kinds]").value !== OWN;
  }

  async #begin(form, button) {
    const given = Object.fromEntries(new FormData(form));
    const own = given.kind === OWN;
    const faces = own ? given.faces.split(",").map((face) => face.trim()).filter(Boolean) : this.#kinds[given.kind];
    await this.#post("/api/teach/lesson", { kind: own ? given.name : given.kind, faces, lamp: given.lamp }, button);
  }

  async #step(body, button) {
    const done = await this.#post("/api/teach/lesson/step", body, button);
    if (done && (body.do === "finish" || body.do === "leave")) {
      toast(done.text);
      this.#recall();
    }
  }

  async #post(path, body, button) {
    button?.setAttribute("aria-busy", "true");
    try {
      const lesson = await post(path, body);
      if (body.do !== "finish") this.#show(lesson);
      return lesson;
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      if (this.querySelector("[data-lesson]").hidden) toast(refusal.message, "bad");
      else this.#note(refusal.message, "bad");
      return null;
    } finally {
      button?.removeAttribute("aria-busy");
    }
  }

  #show(lesson) {
    const going = lesson.kind !== "";
    this.querySelector("[data-begin]").hidden = going;
    this.querySelector("[data-lesson]").hidden = !going;
    if (!going) return;
    this.querySelector("[data-prompt]").textContent = lesson.prompt;
    const progress = this.querySelector("[data-progress]");
    progress.max = Math.max(lesson.of, 1);
    progress.value = lesson.done;
    this.#note(lesson.text ?? "");
    this.querySelector("[data-asking]").hidden = !lesson.face;
    this.querySelector("[data-end]").hidden = !lesson.table;
    if (lesson.table) this.#end(lesson);
  }

  #note(text, tone = "") {
    const noted = this.querySelector("[data-noted]");
    noted.dataset.tone = tone;
    noted.textContent = text;
    if (tone) announce(text);
  }

  #end(lesson) {
    const { table, faces } = lesson;
    this.querySelector("[data-score]").textContent = table.total
      ? word("teach-score").replace("{right}", table.right).replace("{total}", table.total)
      : "";
    this.querySelector("[data-table]").replaceChildren(...this.#rows(table, faces));
    const pairs = table.pairs.map((pair) => {
      const row = this.querySelector("template[data-pair]").content.firstElementChild.cloneNode(true);
      row.querySelector("[data-text]").textContent = pair.text;
      const both = pair.faces.filter((face) => faces.includes(face));
      row.querySelector("button").dataset.again = JSON.stringify({ do: "again", faces: both, lamp: pair.lamp });
      return row;
    });
    this.querySelector("[data-pairs]").replaceChildren(...pairs);
    const notes = table.notes.map((note) => Object.assign(document.createElement("li"), { textContent: note }));
    this.querySelector("[data-notes]").replaceChildren(...notes);
  }

  #rows(table, faces) {
    const caption = Object.assign(document.createElement("caption"), { textContent: word("teach-read") });
    const head = document.createElement("tr");
    head.append(cell("td", ""), ...table.columns.map((face) => cell("th", face || word("teach-nothing"), "col")));
    const rows = faces.map((face, n) => {
      const row = document.createElement("tr");
      row.append(cell("th", face, "row"));
      table.columns.forEach((read, m) => {
        const number = table.rows[n][m];
        const box = cell("td", number || "·");
        if (number) box.dataset.is = read === face ? "right" : "wrong";
        row.append(box);
      });
      return row;
    });
    return [caption, head, ...rows];
  }
}

function cell(name, text, scope = "") {
  const made = Object.assign(document.createElement(name), { textContent: text });
  if (scope) made.scope = scope;
  return made;
}
customElements.define("teach-dice", TeachDice);
