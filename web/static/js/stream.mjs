// Live updates: follow the server-sent events of a page, reconnect when the connection is lost, and
// show each new state and what has changed since.
//
// A browser has six connections per host, and a locked phone keeps a dead one open. Therefore the
// stream is closed while the page is hidden and opened at once when it is visible again, reopened
// when it falls silent, and limited to a few tabs of one browser.

import { openPage, reloadIfRedirected } from "./leaving.mjs";
import { showNews, showState, watchFolded } from "./blocks.mjs";
import { confirmStart, signStream, useStart } from "./signing.mjs";

const SILENCE_MS = 8_000; // Two heartbeats are missing: the table stands still, or the connection is dead.
const CONNECT_MS = 5_000; // No message at all on a new connection: it hangs.
const SLEEP_MS = 5_000; // The timer stood still for so long: the phone slept.
const MIN_RETRY_MS = 250;
const MAX_RETRY_MS = 4_000;
const WARN_AFTER_MS = 3_000;
const MAX_STREAMS = 4; // Streams of one browser; a bid needs a connection too.

/** @param {HTMLElement} live @param {(changed: (...keys: string[]) => boolean) => void} onUpdate */
export function follow(live, onUpdate) {
  /** @type {EventSource | null} */
  let source = null;
  let openedAt = 0;
  let heardAt = 0;
  let lostAt = 0;
  let replaced = false; // Another tab has taken over; wait until this one is used again.
  let pause = MIN_RETRY_MS;
  let retryTimer = 0;
  let tickedAt = Date.now();

  const open = () => {
    if (source || document.hidden) return;
    openedAt = Date.now();
    heardAt = 0;
    source = new EventSource(signStream(live.dataset.stream));
    tabs.announceOpen();
    source.addEventListener("state", (event) => {
      markAlive();
      showState(live, event.data);
      onUpdate(() => true);
    });
    source.addEventListener("news", (event) => {
      markAlive();
      const news = JSON.parse(event.data);
      if (showNews(live, news)) onUpdate((/** @type {string[]} */ ...keys) => keys.some((key) => news.blocks[key]));
      else reopen(); // The stream then begins with the whole state.
    });
    source.addEventListener("heartbeat", markAlive);
    source.addEventListener("start", (event) => {
      useStart(event.data);
      reopen(); // The table has started anew, and took the stream for an unsigned one.
    });
    source.addEventListener("stop", retry);
    source.addEventListener("replaced", giveWay);
    source.addEventListener("anew", () => openPage(location.href));
    source.addEventListener("error", () => {
      const refused = source?.readyState === EventSource.CLOSED;
      retry();
      if (refused) reloadIfRedirected();
    });
  };
  const close = () => {
    clearTimeout(retryTimer);
    if (source) tabs.announceClosed();
    source?.close();
    source = null;
  };
  const reopen = () => {
    replaced = false;
    pause = MIN_RETRY_MS;
    tickedAt = Date.now(); // Opened after a sleep, it is not opened once more for that sleep.
    close();
    open();
  };
  const giveWay = () => {
    close();
    replaced = true;
    showBanner(live.dataset.replaced);
    reloadIfRedirected();
  };
  // The delay is random, so that the phones do not all reconnect at the same moment.
  const retry = () => {
    lostAt ||= Date.now();
    close();
    retryTimer = setTimeout(open, pause * (0.5 + Math.random() / 2));
    pause = Math.min(2 * pause, MAX_RETRY_MS);
  };
  const markAlive = () => {
    confirmStart();
    heardAt = Date.now();
    lostAt = 0;
    pause = MIN_RETRY_MS;
    showBanner("");
  };
  const tabs = watchOtherTabs(() => source && giveWay());
  watchFolded(live, reopen);

  document.addEventListener("visibilitychange", () => (document.hidden ? close() : reopen()));
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => event.persisted && reopen());
  window.addEventListener("online", reopen);
  window.addEventListener("focus", () => (replaced || !source) && reopen());
  setInterval(() => {
    const now = Date.now();
    const slept = now - tickedAt > SLEEP_MS;
    tickedAt = now;
    if (replaced || document.hidden) return;
    const hangs = source && (heardAt ? now - heardAt > SILENCE_MS : now - openedAt > CONNECT_MS);
    if (hangs) lostAt ||= heardAt || openedAt;
    if (slept || hangs) reopen();
    if (lostAt && now - lostAt > WARN_AFTER_MS) showBanner(banner.dataset.lost);
  }, 1_000);
  open();
}

// Count the tabs of this browser that opened a stream after this one; the oldest tab gives way.
/** @param {() => void} giveWay */
function watchOtherTabs(giveWay) {
  if (!("BroadcastChannel" in window)) return { announceOpen() {}, announceClosed() {} };
  const others = new Set();
  const me = crypto.getRandomValues(new Uint32Array(2)).join();
  const channel = new BroadcastChannel("companion streams");
  channel.addEventListener("message", ({ data }) => {
    if (data.open) others.add(data.tab);
    else others.delete(data.tab);
    if (others.size >= MAX_STREAMS) giveWay();
  });
  return {
    announceOpen: () => {
      others.clear();
      channel.postMessage({ tab: me, open: true });
    },
    announceClosed: () => channel.postMessage({ tab: me, open: false }),
  };
}

const banner = document.getElementById("link");
if (banner) banner.dataset.lost = banner.textContent;

/** @param {string} sentence */
function showBanner(sentence) {
  if (banner.hidden && !sentence) return;
  banner.hidden = !sentence;
  if (sentence) banner.textContent = sentence;
}
