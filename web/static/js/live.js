// The stream: whole views, reopened whenever the phone wakes, quiet when hidden, honest when stale.
import { setTableTime } from "./count-down.js";
import { morph } from "./morph.js";
import { newId } from "./post.js";
import { announce } from "./say.js";
import { word } from "./words.js";

const SILENCE_MS = 25_000; // two and a half heartbeats
const GRACE_MS = 4_000; // shorter gaps are nobody's business
const RETRY_MS = 3_000;
const LIVE = new Set(["lobby", "play", "table", "history"]);

const screen = document.body.dataset.screen;
const stale = document.getElementById("stale");
let source = null;
let lastHeard = performance.now();
let grace = null;
let retry = null;
let asleep = false;
let said = "";

// This tab's own name, so that the server need not wait to notice that its last page is gone.
function tab() {
  try {
    const name = sessionStorage.getItem("tab") ?? newId();
    sessionStorage.setItem("tab", name);
    return name;
  } catch {
    return ""; // private windows may keep nothing
  }
}

function open() {
  close();
  if (document.hidden) return;
  asleep = false;
  lastHeard = performance.now();
  source = new EventSource(`/stream?screen=${screen}&tab=${tab()}`);
  for (const [name, handle] of Object.entries(HANDLERS)) {
    source.addEventListener(name, (event) => {
      heard();
      handle(JSON.parse(event.data));
    });
  }
  source.addEventListener("error", lost);
}

function close() {
  clearTimeout(retry);
  source?.close();
  source = null;
}

function heard() {
  lastHeard = performance.now();
  clearTimeout(grace);
  grace = null;
  if (!stale.hidden) {
    stale.hidden = true;
    announce(word("back"));
  }
}

function lost() {
  complain("lost");
  // the browser itself tries again after a broken line, not after a refusal
  if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS);
}

function complain(name, afterMs = GRACE_MS) {
  grace ??= setTimeout(() => {
    stale.querySelector("[data-text]").textContent = word(name);
    stale.hidden = false;
  }, afterMs);
}

const HANDLERS = {
  view(data) {
    document.body.dataset.version = data.version;
    document.body.dataset.at = data.at;
    document.body.dataset.paused = data.paused ? "yes" : "";
    document.documentElement.dataset.face = data.face;
    setTableTime(data.at);
    morph(document.getElementById("screen"), data.html);
    if (data.say !== said) announce(data.say); // once, also when a message came between
    said = data.say;
    document.dispatchEvent(new Event("companion:view"));
  },
  beat() {},
  again() {
    open();
  },
  moved() {
    close();
    asleep = true;
    complain("moved", 0);
  },
  out() {
    location.assign("/");
  },
  bye() {
    close();
    complain("bye", 0);
    retry = setTimeout(open, RETRY_MS);
  },
};

if (LIVE.has(screen)) {
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pageshow", (event) => event.persisted && open());
  addEventListener("pagehide", close);
  addEventListener("online", open);
  document.addEventListener("companion:look-again", open);
  document.addEventListener("click", () => asleep && open());
  setInterval(() => {
    if (document.hidden || asleep || performance.now() - lastHeard < SILENCE_MS) return;
    complain("lost", 0);
    open();
  }, 5_000);
  open();
}
