// The live trace: a row for each line, a step down where its beam was broken, and the level of the sound.
import { word } from "./words.js";

const PAUSE_MS = 250;
const PATIENCE_MS = 2000;
const LOW = 8.5;
const HIGH = 1.5;
const QUIET_DB = -80;

async function follow(box) {
  for (;;) {
    // what nobody sees is not asked for
    const seen = !document.hidden && box.getBoundingClientRect().top < innerHeight && box.getBoundingClientRect().bottom > 0;
    const answer = seen ? await fetch("/api/teach/tower/trace", { headers: { Accept: "application/json" } }).catch(() => null) : null;
    if (answer?.ok) draw(box, await answer.json());
    await new Promise((resolve) => setTimeout(resolve, answer?.ok || !seen ? PAUSE_MS : PATIENCE_MS));
  }
}

function draw(box, trace) {
  const rows = trace.lines.map((line) => [line.line, steps(line, trace.window_s), word(`tower-${line.now}`), line.now]);
  if (trace.sound.length) {
    const now = trace.sound[trace.sound.length - 1][1];
    rows.push([word("tower-sound-line"), curve(trace.sound, trace.window_s), word("tower-db").replace("{level}", now), ""]);
  }
  while (box.children.length > rows.length) box.lastElementChild.remove();
  const template = document.querySelector("template[data-trace-row]").content.firstElementChild;
  while (box.children.length < rows.length) box.append(template.cloneNode(true));
  rows.forEach(([name, path, now, is], n) => {
    const row = box.children[n];
    row.querySelector("[data-name]").textContent = name;
    row.querySelector("path").setAttribute("d", path);
    row.querySelector("[data-now]").textContent = now;
    row.querySelector("[data-now]").dataset.is = is;
  });
  document.querySelector("[data-trace-text]").textContent = trace.text;
}

function steps({ breaks }, window_s) {
  const x = (ago) => (100 * (1 - ago / window_s)).toFixed(2);
  const down = breaks.map(([since, until]) => `H${x(since)} V${LOW} H${x(until)} V${until > 0 ? HIGH : LOW}`);
  return `M0 ${HIGH} ${down.join(" ")}${breaks.length && breaks[breaks.length - 1][1] === 0 ? "" : " H100"}`;
}

function curve(sound, window_s) {
  const y = (level) => (9 - 8 * Math.min(1, Math.max(0, 1 - level / QUIET_DB))).toFixed(2);
  return sound.map(([ago, level], n) => `${n ? "L" : "M"}${(100 * (1 - ago / window_s)).toFixed(2)} ${y(level)}`).join(" ");
}

for (const box of document.querySelectorAll("[data-trace]")) follow(box);
