// A soft sign for the ears when silence is asked for. Off until somebody switches it on here.
const NOTES_HZ = [392, 523];
const NOTE_S = 0.22;
const LOUD = 0.12;

let context = null;
let switched = false;
let hushed = document.getElementById("hush")?.dataset.hush ?? "";

function wished() {
  try {
    return localStorage.getItem("sound") === "on";
  } catch {
    return switched; // private windows keep nothing: it holds for this page
  }
}

// Browsers let a page sound only after a touch, so this is called from touches alone.
function wake() {
  const Context = window.AudioContext ?? window.webkitAudioContext;
  if (!Context || !wished()) return;
  context ??= new Context();
  context.resume();
}

function chime() {
  if (context?.state !== "running" || !wished()) return;
  NOTES_HZ.forEach((hz, n) => {
    const [tone, gain, at] = [context.createOscillator(), context.createGain(), context.currentTime + n * NOTE_S];
    tone.frequency.value = hz;
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(LOUD, at + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.001, at + 2 * NOTE_S);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + 2 * NOTE_S);
  });
  document.dispatchEvent(new Event("companion:chime"));
}

function settle() {
  for (const button of document.querySelectorAll("[data-sound]")) button.setAttribute("aria-pressed", String(wished()));
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-sound]")) return;
  switched = !wished();
  try {
    localStorage.setItem("sound", switched ? "on" : "off");
  } catch {
    // it holds for this page, then
  }
  settle();
  wake();
  if (switched) Promise.resolve(context?.resume()).then(chime); // what it will be like
});
for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, wake, { passive: true });

document.addEventListener("companion:view", () => {
  settle();
  const now = document.getElementById("hush")?.dataset.hush ?? "";
  if (now && now !== hushed) chime();
  hushed = now;
});
settle();
