// A tile on the own board is dragged to a free room: the same tap as on the map in its sheet, said faster.

const FAR_PX = 10;
let drag = null;

const sheet = (cell) => document.getElementById(cell.dataset.opens);

// The map's buttons that take this tile to that room: one for each way to pay for it.
const ways = (cell, ref) => [...sheet(cell).querySelectorAll(".tea-map button")].filter((one) => one.dataset.room === ref);

function roomUnder(x, y) {
  const places = document.elementsFromPoint(x, y).filter((one) => one.matches(".teahouse .tea-grid > .tea-cell"));
  const place = places.find((one) => one !== drag.cell);
  return place ? place.id.replace("tea-", "") : "";
}

function light(on) {
  const rooms = new Set([...sheet(drag.cell).querySelectorAll(".tea-map button")].map((one) => one.dataset.room));
  for (const ref of rooms) document.getElementById(`tea-${ref}`)?.classList.toggle("tea-room-free", on);
}

function begin(event) {
  drag.far = true;
  drag.cell.setPointerCapture(event.pointerId);
  drag.cell.classList.add("tea-dragged");
  light(true);
}

function end() {
  drag.cell.classList.remove("tea-dragged");
  drag.cell.style.transform = "";
  if (drag.far) light(false);
  drag = null;
}

document.addEventListener("pointerdown", (event) => {
  const cell = event.target.closest(".tea-loose");
  if (cell && event.isPrimary && event.button === 0) drag = { cell, x: event.clientX, y: event.clientY, far: false };
});

document.addEventListener("pointermove", (event) => {
  if (!drag || !event.isPrimary) return;
  const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.far && Math.hypot(x, y) > FAR_PX) begin(event);
  if (drag.far) drag.cell.style.transform = `translate(${x}px, ${y}px)`;
});

document.addEventListener("pointerup", (event) => {
  if (!drag || !event.isPrimary) return;
  const { cell, far } = drag;
  const found = far ? ways(cell, roomUnder(event.clientX, event.clientY)) : [];
  end();
  if (!far) return;
  // the click that follows would open the sheet, which is right only where there is something to choose
  const swallow = (click) => {
    click.stopPropagation();
    click.preventDefault();
  };
  if (found.length < 2) {
    document.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => document.removeEventListener("click", swallow, { capture: true }), 0);
  }
  if (found.length === 1) setTimeout(() => found[0].click(), 0);
});

document.addEventListener("pointercancel", () => {
  if (drag) end();
});
