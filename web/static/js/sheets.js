// Dialogs: anything with data-opens="id" opens one, data-closes closes it, so does a tap beside it.

// iPhones of before iOS 15.4 know no dialog: there it is an element that is shown and hidden.
export function show(dialog) {
  if (dialog.showModal) {
    dialog.showModal();
    return;
  }
  dialog.dataset.plain = "";
  dialog.setAttribute("open", "");
  dialog.setAttribute("role", "dialog");
  dialog.querySelector("button, input")?.focus();
}

export function hide(dialog) {
  if (!dialog) return;
  if (dialog.close) dialog.close();
  else {
    dialog.removeAttribute("open");
    dialog.dispatchEvent(new Event("close"));
  }
}

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) {
    show(document.getElementById(opener.dataset.opens));
    return;
  }
  const dialog = event.target.closest("dialog[open]");
  if (dialog && (event.target === dialog || event.target.closest("[data-closes]"))) hide(dialog);
});

export function sure(text) {
  const dialog = document.getElementById("sure");
  dialog.querySelector("[data-text]").textContent = text;
  show(dialog);
  return new Promise((resolve) => {
    const yes = dialog.querySelector("[data-yes]");
    const answer = () => {
      resolve(true);
      hide(dialog);
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
