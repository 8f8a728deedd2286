// Posting to the companion. crypto.randomUUID needs HTTPS, which a table at home does not have.
import { toast } from "./say.js";
import { word } from "./words.js";

export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

export class Refusal extends Error {}

export async function post(path, body = {}) {
  const json = !(body instanceof Blob);
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: {
        Accept: "application/json",
        "Content-Type": json ? "application/json" : body.type || "application/octet-stream",
        "X-Companion": "1",
        ...(body instanceof File ? { "X-File-Name": encodeURIComponent(body.name) } : {}),
      },
      body: json ? JSON.stringify(body) : body,
    });
  } catch {
    throw new Refusal(word("unreachable"));
  }
  const data = await answer.json().catch(() => ({ error: word("unreachable") }));
  if (!answer.ok) throw new Refusal(data.error ?? word("unreachable"));
  return data;
}

// Post and tell: true if it counted. The button is busy meanwhile, so a double tap is one tap.
// With quiet, good news is left to the new view.
export async function postAndTell(path, body, button, { quiet = false } = {}) {
  if (button?.getAttribute("aria-busy") === "true") return false;
  button?.setAttribute("aria-busy", "true");
  try {
    const data = await post(path, body);
    if (data.text && !(quiet && data.status === "kept")) toast(data.text);
    return true;
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    toast(refusal.message, "bad");
    return false;
  } finally {
    button?.removeAttribute("aria-busy");
  }
}
