// The opened book: each cube falls again through the tower cut open, slower, as often as one likes.
const SLOWER = 4;
const BEFORE_S = 0.12; // seen above the roof before it breaks the first beam
const LANDING_S = 0.1;
const PAUSE_MS = 900;
const SIZE = 26;
const BARS = 66;
const still = matchMedia("(prefers-reduced-motion: reduce)");

class TowerFalls extends HTMLElement {
  #falls = [];
  #now = 0;
  #playing = false;
  #frame = 0;
  #timer = 0;

  connectedCallback() {
    this.#falls = [...this.querySelectorAll("[data-fall]")].map((item) => ({ ...JSON.parse(item.dataset.fall), item }));
    this.addEventListener("click", (event) => {
      const pick = event.target.closest("[data-pick]");
      if (pick) this.#pick(Number(pick.dataset.pick));
      else if (event.target.closest("[data-back]")) this.#pick(this.#now - 1);
      else if (event.target.closest("[data-next]")) this.#pick(this.#now + 1);
      else if (event.target.closest("[data-play]")) this.#toggle();
    });
    this.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by) this.#pick(this.#now + by);
    });
    this.#show(this.#falls.length - 1);
    // in a training each new cube falls at once; afterwards the shared screen shows the whole evening
    if (still.matches) return;
    if (this.dataset.auto === "all") this.#play();
    if (this.dataset.auto === "last") {
      this.#button(true);
      this.#fall();
    }
  }

  disconnectedCallback() {
    this.#stop();
  }

  #toggle() {
    if (this.#playing) this.#stop();
    else this.#play();
  }

  #pick(n) {
    this.#stop();
    this.#show(n);
  }

  #stop() {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.#button(false);
  }

  #button(on) {
    this.#playing = on;
    this.querySelector("[data-play-name]").textContent = this.querySelector(`[data-word-${on ? "pause" : "play"}]`).textContent;
    // while it plays by itself nobody is told every cube
    this.querySelector("[data-told]").setAttribute("aria-live", on ? "off" : "polite");
  }

  // From the current cube to the last; from the first when the last was shown.
  #play() {
    if (this.#now === this.#falls.length - 1) this.#now = 0;
    this.#button(true);
    this.#fall();
  }

  #fall() {
    const way = this.#show(this.#now);
    const onward = () => {
      if (this.#now === this.#falls.length - 1) this.#stop();
      else {
        this.#now += 1;
        this.#fall();
      }
    };
    if (still.matches) {
      this.#timer = setTimeout(onward, 2 * PAUSE_MS);
      return;
    }
    const began = performance.now();
    const end = way[way.length - 1].t;
    const draw = (ms) => {
      const t = way[0].t + Math.max(0, ms - began) / 1000 / SLOWER;
      this.#place(way, t);
      if (t < end) this.#frame = requestAnimationFrame(draw);
      else this.#timer = setTimeout(onward, PAUSE_MS);
    };
    this.#frame = requestAnimationFrame(draw);
  }

  #y(floor) {
    const { floors, top, step } = this.dataset;
    return Number(top) + (Number(floors) - floor) * Number(step);
  }

  // Where it was when: above the roof, in each hole whose beam it broke, and where it came to rest.
  #way({ floors, beams, sounds, was }) {
    const x = Number(this.dataset.middle);
    const roof = Number(this.dataset.floors);
    const likely = floors.length ? floors.indexOf(Math.max(...floors)) : null;
    const rest = was ?? likely;
    const passed = beams.filter(([plate]) => plate + 1 < roof && (rest === null || plate >= rest)).sort((a, b) => a[1] - b[1]);
    const way = [{ t: -BEFORE_S, x, y: 14 }, { t: 0, x, y: this.#y(roof) }];
    for (const [plate, t] of passed) if (t > way[way.length - 1].t) way.push({ t, x, y: this.#y(plate + 1) });
    if (rest === null) return way;
    const last = way[way.length - 1];
    const lands = { t: last.t + LANDING_S, x: x + 14, y: this.#y(rest) - SIZE / 2 };
    way.push(lands, { t: Math.max(lands.t + LANDING_S, ...sounds), x: x + (this.#now % 2 ? 44 : -44), y: lands.y });
    return way;
  }

  #show(n) {
    this.#now = Math.min(Math.max(n, 0), this.#falls.length - 1);
    const fall = this.#falls[this.#now];
    const way = this.#way(fall);
    this.#odds(fall);
    this.querySelector("[data-trace]").setAttribute("d", `M${way.map(({ x, y }) => `${x} ${y}`).join("L")}`);
    this.querySelector("[data-sparks]").replaceChildren(...fall.sounds.map((t) => this.#spark(at(way, t))));
    const drawing = fall.item.querySelector("svg.cube").cloneNode(true);
    for (const side of ["width", "height"]) drawing.setAttribute(side, SIZE);
    this.querySelector("[data-cube]").replaceChildren(drawing);
    this.#place(way, Infinity);
    const told = `${this.#now + 1} / ${this.#falls.length} · ${fall.item.querySelector("[data-words]").textContent}`;
    this.querySelector("[data-told]").textContent = told;
    for (const { item } of this.#falls) item.querySelector("button").setAttribute("aria-current", String(item === fall.item));
    return way;
  }

  #odds({ floors, was }) {
    for (const bar of this.querySelectorAll("[data-odds]")) {
      const share = floors[Number(bar.dataset.odds)] ?? 0;
      bar.setAttribute("width", String(Math.round(share * BARS * 10) / 10));
      this.querySelector(`[data-percent="${bar.dataset.odds}"]`).textContent = share >= 0.005 ? `${Math.round(share * 100)} %` : "–";
    }
    for (const mark of this.querySelectorAll("[data-found]")) mark.toggleAttribute("data-here", Number(mark.dataset.found) === was);
  }

  #spark({ x, y }) {
    const ring = this.querySelector("defs .spark").cloneNode();
    ring.setAttribute("cx", x);
    ring.setAttribute("cy", y);
    return ring;
  }

  #place(way, t) {
    const { x, y } = at(way, t);
    const drawing = this.querySelector("[data-cube] svg");
    drawing.setAttribute("x", x - SIZE / 2);
    drawing.setAttribute("y", y - SIZE / 2);
  }
}

function at(way, t) {
  const n = way.findIndex((point) => point.t >= t);
  if (n === -1) return way[way.length - 1];
  if (n === 0) return way[0];
  const [a, b] = [way[n - 1], way[n]];
  const share = (t - a.t) / (b.t - a.t);
  return { x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y) };
}
customElements.define("tower-falls", TowerFalls);
