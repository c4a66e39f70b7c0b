// The stream: the newest state of the table, morphed into the page.
//
// A browser has six connections a host and a locked phone keeps a dead one "open": so the stream
// is closed while nobody looks, opened at once when somebody does, opened anew when it falls
// silent, and only so many tabs of a browser have one.

import { Idiomorph } from "../vendor/idiomorph/idiomorph.esm.js";

const SILENT = 40_000; // Four heartbeats.
const SLOW = 5_000; // Nothing at all on a new connection: it hangs.
const SLEPT = 5_000; // The clock stood still so long: the phone slept.
const SOONEST = 250;
const LATEST = 4_000;
const TOLD_AFTER = 3_000;
const MOST = 4; // Streams of one browser; a bid needs a connection too.

export function follow(live, shown) {
  let source = null;
  let opened = 0;
  let heard = 0;
  let lost = 0;
  let elsewhere = false;
  let pause = SOONEST;
  let again = 0;

  const open = () => {
    if (source || document.hidden) return;
    opened = Date.now();
    heard = 0;
    source = new EventSource(live.dataset.stream);
    tabs.opened();
    source.addEventListener("state", (event) => {
      hear();
      show(live, event.data);
      shown();
    });
    source.addEventListener("heartbeat", hear);
    source.addEventListener("stop", retry);
    source.addEventListener("replaced", giveWay);
    source.addEventListener("anew", () => location.reload());
    source.addEventListener("error", () => {
      const refused = source?.readyState === EventSource.CLOSED;
      retry();
      if (refused) askAgain();
    });
  };
  const close = () => {
    clearTimeout(again);
    if (source) tabs.closed();
    source?.close();
    source = null;
  };
  const reopen = () => {
    elsewhere = false;
    pause = SOONEST;
    close();
    open();
  };
  const giveWay = () => {
    close();
    elsewhere = true;
    tell(live.dataset.replaced);
    askAgain();
  };
  // Not all phones of the table at the same moment, when it comes back.
  const retry = () => {
    lost ||= Date.now();
    close();
    again = setTimeout(open, pause * (0.5 + Math.random() / 2));
    pause = Math.min(2 * pause, LATEST);
  };
  const hear = () => {
    heard = Date.now();
    lost = 0;
    pause = SOONEST;
    tell("");
  };
  const tabs = otherTabs(() => source && giveWay());

  document.addEventListener("visibilitychange", () => (document.hidden ? close() : reopen()));
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => event.persisted && reopen());
  window.addEventListener("online", reopen);
  window.addEventListener("focus", () => (elsewhere || !source) && reopen());
  let ticked = Date.now();
  setInterval(() => {
    const now = Date.now();
    const slept = now - ticked > SLEPT;
    ticked = now;
    if (elsewhere || document.hidden) return;
    const hangs = source && (heard ? now - heard > SILENT : now - opened > SLOW);
    if (hangs) lost ||= now;
    if (slept || hangs) reopen();
    if (lost && now - lost > TOLD_AFTER) tell(link.dataset.lost);
  }, 1_000);
  open();
}

// The tabs of this browser that opened a stream after this one did; the oldest gives way.
function otherTabs(giveWay) {
  if (!("BroadcastChannel" in window)) return { opened() {}, closed() {} };
  const others = new Set();
  const me = crypto.getRandomValues(new Uint32Array(2)).join();
  const channel = new BroadcastChannel("companion streams");
  channel.addEventListener("message", ({ data }) => {
    if (data.open) others.add(data.tab);
    else others.delete(data.tab);
    if (others.size >= MOST) giveWay();
  });
  return {
    opened: () => {
      others.clear();
      channel.postMessage({ tab: me, open: true });
    },
    closed: () => channel.postMessage({ tab: me, open: false }),
  };
}

// The table refused the stream, or ended it: it may have begun anew and not know this seat any more,
// or the seat plays from another phone now. Then the page itself leads elsewhere, and so do we.
async function askAgain() {
  const page = await fetch(location.href, { method: "HEAD", redirect: "manual" }).catch(() => null);
  if (page?.type === "opaqueredirect") location.reload();
}

const link = document.getElementById("link");
if (link) link.dataset.lost = link.textContent;

function tell(sentence) {
  link.hidden = !sentence;
  if (sentence) link.textContent = sentence;
}

// What somebody is filling in, or has unfolded, stays as it is while the rest changes.
function show(live, html) {
  Idiomorph.morph(live, html, {
    morphStyle: "innerHTML",
    callbacks: {
      beforeNodeMorphed: (old, fresh) => {
        const stays = old.dataset && "keep" in old.dataset && old.id === fresh.id;
        if (stays) date(old, fresh);
        return !stays;
      },
      beforeAttributeUpdated: (name, node) => !(name === "open" && node.localName === "details"),
    },
  });
  entitle(live.querySelector("#box").value);
}

// The rail is no part of what is exchanged, but names the box: another one may lie there by now.
function entitle(box) {
  const brand = document.querySelector(".brand a");
  if (brand.textContent === box) return;
  document.title = document.title.replace(brand.textContent, box);
  brand.textContent = box;
}

// A form that stays was asked again just now: it answers the newest view.
function date(old, fresh) {
  const [was, is] = [old, fresh].map((form) => form.querySelector("input[name=version]"));
  if (was && is) was.value = is.value;
}
