// A photograph of the dice through the file picker, which needs no HTTPS.
import { post, Refusal } from "./post.js";
import { announce, toast } from "./say.js";
import { word } from "./words.js";

const MOST_BYTES = 25 * 1024 * 1024;
let asked = false;

document.addEventListener("change", async (event) => {
  const field = event.target;
  if (!field.matches("[data-photo]") || !field.files.length) return;
  const [file] = field.files;
  field.value = "";
  if (file.size > MOST_BYTES) {
    toast(word("big"), "bad");
    return;
  }
  const state = document.querySelector("[data-photo-state]");
  if (state) state.textContent = word("reading");
  try {
    const data = await post("/api/photo", file);
    if (data.status === "asked") {
      announce(data.text);
      asked = true;
    } else toast(data.text);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    toast(refusal.message, "bad");
  } finally {
    const shown = document.querySelector("[data-photo-state]");
    if (shown) shown.textContent = "";
  }
});

// The question comes with the next view; whoever took the photograph is led to it.
document.addEventListener("companion:view", () => {
  if (!asked || !document.getElementById("question")) return;
  asked = false;
  document.getElementById("question")?.scrollIntoView({ block: "start" });
});
