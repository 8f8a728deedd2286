// A photograph of the dice through the file picker, which needs no HTTPS.
import { post, Refusal } from "./post.js";
import { toast } from "./say.js";
import { word } from "./words.js";

const MOST_BYTES = 25 * 1024 * 1024;

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
    toast(data.text, data.status === "asked" ? "plain" : "good");
    if (data.status === "asked") document.dispatchEvent(new Event("companion:question"));
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    toast(refusal.message, "bad");
  } finally {
    const shown = document.querySelector("[data-photo-state]");
    if (shown) shown.textContent = "";
  }
});

document.addEventListener("companion:question", () => {
  document.getElementById("question")?.scrollIntoView({ block: "start" });
});
