// Teaching the tower: naming lines, measures, labelled cubes, sound. What stands is asked for again and again.
import { post, Refusal } from "./post.js";
import { announce, toast } from "./say.js";
import { word } from "./words.js";

const PAUSE_MS = 600;
const PATIENCE_MS = 3000;
const PATH = "/api/teach/tower";
const CHIP = { problem: "chip chip-danger", unknown: "chip", ok: "chip chip-accent" };
const said = (name, parts) => Object.entries(parts).reduce((text, [key, value]) => text.replace(`{${key}}`, value), word(name));

class TowerBench extends HTMLElement {
  #drawn = {};
  #asked = null;

  connectedCallback() {
    this.addEventListener("click", (event) => this.#press(event.target.closest("button")));
    this.#find("[data-measures]").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#measure(event.target, event.submitter);
    });
    this.#buttons("[data-floors]", (floor) => ({ do: "lay", floor }));
    this.#buttons("[data-uncounted]", (floor) => ({ do: "uncounted", floor }));
    this.#follow();
  }

  #find(selector) {
    return this.querySelector(selector);
  }

  #buttons(selector, body) {
    const made = [7, 6, 5, 4, 3, 2, 1, 0].map((floor) => {
      const button = Object.assign(document.createElement("button"), {
        type: "button",
        className: "button",
        textContent: floor ? said("tower-floor", { floor }) : word("tower-table"),
      });
      button.dataset.body = JSON.stringify(body(floor));
      return button;
    });
    this.#find(selector).replaceChildren(...made);
  }

  async #follow() {
    for (;;) {
      if (!document.hidden) {
        const answer = await fetch(PATH, { headers: { Accept: "application/json" } }).catch(() => null);
        if (answer?.ok) this.#show(await answer.json());
      }
      await new Promise((resolve) => setTimeout(resolve, document.hidden ? PATIENCE_MS : PAUSE_MS));
    }
  }

  #press(button) {
    if (!button || button.getAttribute("aria-busy") === "true") return;
    if (button.dataset.naming) this.#post("naming", { do: button.dataset.naming }, button);
    if (button.dataset.speech) this.#post("speech", { do: button.dataset.speech }, button);
    if (button.dataset.cubes === "forget") this.#post("cubes", { do: "forget", number: this.#asked }, button);
    else if (button.dataset.cubes) this.#post("cubes", { do: button.dataset.cubes }, button);
    if (button.dataset.body) {
      const body = JSON.parse(button.dataset.body);
      this.#post("cubes", body.do === "lay" ? { ...body, number: this.#asked } : body, button);
    }
  }

  async #post(name, body, button) {
    button.setAttribute("aria-busy", "true");
    try {
      this.#show(await post(`${PATH}/${name}`, body));
      if (body.do === "finish") toast(word("tower-saved"));
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      toast(refusal.message, "bad");
    } finally {
      button.removeAttribute("aria-busy");
    }
  }

  async #measure(form, button) {
    const given = Object.fromEntries(["cube_mm", "hole_mm", "pitch_mm"].map((name) => [name, Number(form.elements[name].value)]));
    this.#find("[data-measures-error]").textContent = "";
    button?.setAttribute("aria-busy", "true");
    try {
      const width = await post(`${PATH}/measures`, { ...given, save: button?.value === "save" });
      this.#drawn.geometry = "";
      this.#width(width);
      if (width.saved) toast(word("tower-saved"));
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      this.#find("[data-measures-error]").textContent = refusal.message;
    } finally {
      button?.removeAttribute("aria-busy");
    }
  }

  // A part is drawn anew only when it has changed: what has the focus keeps it.
  #changed(name, part) {
    const now = JSON.stringify(part);
    if (this.#drawn[name] === now) return false;
    this.#drawn[name] = now;
    return true;
  }

  #show(state) {
    this.#find("[data-trouble]").textContent = state.trouble;
    this.#find("[data-sealed]").hidden = !state.sealed;
    for (const button of this.querySelectorAll("[data-guarded]")) button.disabled = state.sealed;
    this.#find("[data-sound-card]").hidden = !state.microphone && !state.lines.some((one) => one.line.startsWith("mic"));
    if (this.#changed("profile", state.profile)) this.#profile(state.profile);
    if (this.#changed("saved", state.geometry)) this.#width(state.geometry);
    if (this.#changed("naming", [state.naming, state.lines])) this.#naming(state.naming, state.lines);
    if (this.#changed("labels", state.labels)) this.#labels(state.labels);
    if (this.#changed("speech", state.speech)) this.#speech(state.speech);
  }

  #profile(profile) {
    for (const name of ["cube_mm", "hole_mm", "pitch_mm"]) this.#find(`[name=${name}]`).value = profile[name];
    const date = profile.date ? said("tower-date", { date: profile.date }) : "";
    this.#find("[data-evidence]").textContent = said("tower-measured", { evidence: profile.evidence, date });
  }

  #width(width) {
    this.#find("[data-width-text]").textContent = width.text;
    this.#find("[data-width-remedy]").textContent = width.remedy;
    const rows = width.plates.map((one) => {
      const row = document.createElement("tr");
      const missed = one.missed === null ? word("tower-no-beam") : said("tower-percent", { share: one.missed });
      const cells = [said("tower-ms", { ms: one.entry_ms }), said("tower-ms", { ms: one.broken_ms }), missed];
      row.append(cell("th", one.line, "row"), ...cells.map((text) => cell("td", text)));
      return row;
    });
    this.#find("[data-plates]").replaceChildren(...rows);
  }

  #naming(naming, lines) {
    const going = naming !== null && !naming.over;
    const prompt = naming?.prompt ?? "";
    if (this.#find("[data-name-prompt]").textContent !== prompt) this.#find("[data-name-prompt]").textContent = prompt;
    this.#find("[data-naming=skip]").hidden = !going;
    this.#find("[data-naming=leave]").hidden = !naming;
    this.#find("[data-naming=begin]").hidden = going;
    const known = naming?.lines ?? lines.map((one) => ({ ...one, found: "waiting", health: "unknown", text: "" }));
    this.#find("[data-lines]").replaceChildren(...known.map((one) => this.#line(one, naming?.asked ?? [])));
    const advice = naming?.advice ?? [];
    this.#find("[data-advice]").replaceChildren(...advice.map((text) => Object.assign(document.createElement("li"), { className: "teach-pair", textContent: text })));
    if (advice.length) announce(advice.join(" "));
  }

  #line(one, asked) {
    const row = this.#find("template[data-line]").content.firstElementChild.cloneNode(true);
    const chip = row.querySelector("[data-health]");
    const is = { ok: "tower-works", unknown: "tower-waiting", problem: "tower-problem" };
    chip.className = CHIP[one.health];
    chip.textContent = word(is[one.health]);
    row.querySelector("[data-name]").textContent = one.number ? `${one.line} (GPIO${one.number})` : one.line;
    row.querySelector("[data-text]").textContent = one.text;
    if (asked.includes(one.line)) row.setAttribute("aria-current", "step");
    return row;
  }

  #labels(labels) {
    this.#find("[data-cubes=begin]").hidden = labels !== null;
    this.#find("[data-labels]").hidden = labels === null;
    if (!labels) return;
    Object.assign(this.#find("[data-progress]"), { max: labels.of, value: Math.min(labels.done, labels.of) });
    this.#find("[data-labels-text]").textContent = labels.text;
    const first = labels.waiting[0];
    this.#find("[data-asked]").hidden = !first;
    if (first && first.number !== this.#asked) announce(said("tower-cube", { number: first.number }));
    this.#asked = first?.number ?? null;
    this.#find("[data-asked-text]").textContent = first ? said("tower-cube", { number: first.number }) : "";
    const more = labels.waiting.length - 1;
    this.#find("[data-more]").textContent = more > 0 ? said("tower-more", { count: more }) : "";
    const heap = labels.floors.map(({ floor, cubes }) => item(said("tower-heap", { floor, count: cubes })));
    this.#find("[data-heap]").replaceChildren(...heap);
    this.#find("[data-beams]").replaceChildren(...labels.beams.map((one) => item(`${one.line}: ${one.text}`)));
  }

  #speech(speech) {
    this.#find("[data-speech-text]").textContent = speech?.text ?? "";
    const bar = this.#find("[data-speech-progress]");
    bar.hidden = !speech || speech.ready;
    bar.value = speech?.part ?? 0;
    this.#find("[data-speech=begin]").hidden = speech !== null && !speech.ready;
    this.#find("[data-speech=finish]").hidden = !speech?.ready || speech.quietest_db === null;
    this.#find("[data-speech=leave]").hidden = !speech;
  }
}

function cell(name, text, scope = "") {
  const made = Object.assign(document.createElement(name), { textContent: text });
  if (scope) made.scope = scope;
  return made;
}

function item(text) {
  return Object.assign(document.createElement("li"), { textContent: text });
}
customElements.define("tower-bench", TowerBench);
