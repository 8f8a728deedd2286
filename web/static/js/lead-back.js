// What one's own tap has changed is told at the top; other people's taps leave the page where it is.
const PATIENCE_MS = 3000;
const headline = () => document.querySelector("#now h1")?.textContent;
let before = null;

// Called just before something is posted: if the headline is another one soon, the page goes to it;
// not while what `stay` selects is still there, for the next tap is made in the same place.
export function leadBack(stay = "") {
  before = { headline: headline(), atMs: performance.now(), stay };
}

document.addEventListener("companion:view", () => {
  if (!before || before.headline === headline()) return;
  const staying = before.stay && document.querySelector(before.stay);
  if (!staying && performance.now() - before.atMs < PATIENCE_MS) document.getElementById("now")?.scrollIntoView();
  before = null;
});
