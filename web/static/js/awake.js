// Keep the table screen and phones awake where the browser can (over HTTPS or on this machine).
const screens = ["play", "table"];

async function keepAwake() {
  if (!("wakeLock" in navigator) || document.hidden || !screens.includes(document.body.dataset.screen)) return;
  await navigator.wakeLock.request("screen").catch(() => null); // low battery may forbid it
}
document.addEventListener("visibilitychange", keepAwake);
keepAwake();
