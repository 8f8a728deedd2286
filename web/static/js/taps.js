// Actions of the view, and buttons that post something fixed.
import { leadBack } from "./lead-back.js";
import { newId, postAndTell } from "./post.js";
import { toast } from "./say.js";
import { hide, sure } from "./sheets.js";
import { word } from "./words.js";

const seen = () => Number(document.body.dataset.version);

async function send(source, args, button) {
  const tap = JSON.parse(source.dataset.tap);
  if (source.dataset.warning && !(await sure(source.dataset.warning))) return;
  leadBack(source.matches(".throw") ? "button.throw" : "");
  const tray = document.querySelector('dice-tray[data-mode="choose"]');
  // dice tapped beforehand are paid with; else the action's own, the cheapest
  const paid = "dice" in tap.args && tray?.pressed.length ? { dice: tray.pressed.join(",") } : {};
  const body = { id: newId(), word: tap.word, args: { ...tap.args, ...paid, ...args }, seen: seen() };
  // looked up before: the new view may be there before the answer, without this action
  const [sheet, fold] = [source.closest("dialog"), source.closest("details")];
  if (!(await postAndTell("/api/tap", body, button, { quiet: true }))) return;
  tray?.clear();
  for (const counter of source.querySelectorAll("cube-counter")) counter.clear();
  for (const box of source.querySelectorAll("input[type=checkbox]")) box.checked = box.defaultChecked;
  hide(sheet);
  fold?.removeAttribute("open");
}

document.addEventListener("click", (event) => {
  const tap = event.target.closest("button[data-tap]");
  if (tap) send(tap, {}, tap);
  const act = event.target.closest("button[data-act]");
  if (act && !act.disabled) fixed(act);
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-tap]");
  if (!form) return;
  event.preventDefault();
  const args = {};
  for (const field of form.elements) {
    if (!field.name || (field.type === "radio" && !field.checked)) continue;
    if (field.type === "radio" && field.dataset.part) continue;
    if (field.type === "checkbox") {
      args[field.name] = [args[field.name], field.checked ? field.value : ""].filter(Boolean).join(",");
      continue;
    }
    if ("dice" in field.dataset && !field.value) {
      toast(word("choose"), "bad");
      return;
    }
    if ("tile" in field.dataset && field.value.startsWith(":")) {
      toast(word("nameless"), "bad");
      return;
    }
    // free text goes quoted, so that quotes inside it stay quotes
    args[field.name] = "quote" in field.dataset ? JSON.stringify(field.value) : field.value;
  }
  send(form, args, form.querySelector("[type=submit]"));
});

async function fixed(button) {
  if (button.dataset.warning && !(await sure(button.dataset.warning))) return;
  const counted = ["undo", "redo", "open-book"].includes(button.dataset.act);
  // Two phones that tap undo at once mean the same fact, so the tap names it.
  const fact = button.dataset.seq === undefined ? {} : { seq: Number(button.dataset.seq) };
  const body = counted ? { id: newId(), ...fact } : {};
  const done = await postAndTell(`/api/${button.dataset.act}`, body, button);
  if (done && button.dataset.then) location.assign(button.dataset.then);
}
