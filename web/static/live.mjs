// The stream: the newest state of the table, morphed into the page.
//
// A browser has six connections a host and a locked phone keeps a dead one "open": so the stream
// is closed while nobody looks, opened when somebody does, and opened anew when it falls silent.

import { Idiomorph } from "./vendor/idiomorph/idiomorph.esm.js";

const SILENT = 40_000;
const AGAIN = 2_000;
const TOLD_AFTER = 3_000;

export function follow(live, shown) {
  let source = null;
  let heard = 0;
  let lost = 0;
  let elsewhere = false;

  const open = () => {
    if (source || document.hidden) return;
    heard = Date.now();
    source = new EventSource(live.dataset.stream);
    source.addEventListener("state", (event) => {
      hear();
      show(live, event.data);
      shown();
    });
    source.addEventListener("heartbeat", hear);
    source.addEventListener("stop", () => retry());
    source.addEventListener("replaced", () => {
      close();
      elsewhere = true;
      tell(live.dataset.replaced);
    });
    source.addEventListener("error", () => {
      lost ||= Date.now();
      if (source?.readyState !== EventSource.CLOSED) return;
      retry();
      askAgain();
    });
  };
  const close = () => {
    source?.close();
    source = null;
  };
  const reopen = () => {
    elsewhere = false;
    close();
    open();
  };
  const retry = () => {
    lost ||= Date.now();
    close();
    setTimeout(open, AGAIN);
  };
  const hear = () => {
    heard = Date.now();
    lost = 0;
    tell("");
  };

  document.addEventListener("visibilitychange", () => (document.hidden ? close() : reopen()));
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => event.persisted && reopen());
  window.addEventListener("online", reopen);
  window.addEventListener("focus", () => elsewhere && reopen());
  setInterval(() => {
    if (elsewhere) return;
    if (source && Date.now() - heard > SILENT) reopen();
    if (lost && Date.now() - lost > TOLD_AFTER) tell(link.dataset.lost);
  }, 1_000);
  open();
}

// The table refused the stream: it may have begun anew and not know this seat any more. Then the
// page itself leads elsewhere, and so do we.
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
}

// A form that stays was asked again just now: it answers the newest view.
function date(old, fresh) {
  const [was, is] = [old, fresh].map((form) => form.querySelector("input[name=version]"));
  if (was && is) was.value = is.value;
}
