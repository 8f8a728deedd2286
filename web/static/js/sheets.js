// Dialogs: anything with data-opens="id" opens one, data-closes closes it, so does a tap beside it.
document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) {
    document.getElementById(opener.dataset.opens)?.showModal();
    return;
  }
  const dialog = event.target.closest("dialog[open]");
  if (dialog && (event.target === dialog || event.target.closest("[data-closes]"))) dialog.close();
});

export function sure(text) {
  const dialog = document.getElementById("sure");
  dialog.querySelector("[data-text]").textContent = text;
  dialog.showModal();
  return new Promise((resolve) => {
    const yes = dialog.querySelector("[data-yes]");
    const answer = () => {
      resolve(true);
      dialog.close();
    };
    yes.addEventListener("click", answer, { once: true });
    dialog.addEventListener(
      "close",
      () => {
        yes.removeEventListener("click", answer);
        resolve(false);
      },
      { once: true },
    );
  });
}
