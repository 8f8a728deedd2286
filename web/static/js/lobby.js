// Forms of the lobby: take a seat, be the host, start a game, bring one in.
import { post, Refusal } from "./post.js";

async function told(form, path, body) {
  const error = form.querySelector(".form-error");
  error.textContent = "";
  try {
    await post(path, body);
    return true;
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    error.textContent = refusal.message;
    return false;
  }
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.matches("[data-post]")) {
    event.preventDefault();
    const body = Object.fromEntries(new FormData(form));
    if (await told(form, form.dataset.post, body)) location.assign(form.dataset.then);
  } else if (form.matches("[data-start]")) {
    event.preventDefault();
    await start(form);
  }
});

async function start(form) {
  const data = new FormData(form);
  const slug = data.get("slug");
  const options = {};
  for (const [name, value] of data) {
    if (name.startsWith(`${slug}:`)) options[name.slice(slug.length + 1)] = value;
  }
  const body = { slug, seats: data.getAll("seats"), options };
  if (data.get("title")) body.title = data.get("title");
  if (await told(form, "/api/games", body)) {
    const seated = document.querySelector(".bar-me");
    if (seated) location.assign("/play");
    else window.scrollTo({ top: 0 });
  }
}

document.addEventListener("change", async (event) => {
  const field = event.target;
  if (field.name === "slug" && field.form?.matches("[data-start]")) {
    for (const fold of field.form.querySelectorAll("[data-options]")) {
      fold.hidden = fold.dataset.options !== field.value;
    }
  } else if (field.matches("[data-import]") && field.files.length) {
    const card = field.closest("section");
    await told(card, "/api/games/import", { text: await field.files[0].text() });
    field.value = "";
  }
});
