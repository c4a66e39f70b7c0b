// Leave a page by script: only once the table answers, because a browser that is out of reach shows
// an error page of its own, from which no script leads back; and never while the reader is leaving it,
// for the later of two ways out would end the first.

import { askUntilAnswered, canReach, waitAWhile } from "./patience.mjs";

const LEAVE_MS = 5_000; // A page that is still there after that stays: what was asked for was a file.

let leftAt = -LEAVE_MS;
let asking = null; // What the table says of this page, as long as it is asked.
window.addEventListener("beforeunload", () => (leftAt = performance.now()));

// Open this address, as soon as the table can be reached.
export async function openPage(address) {
  while (!(await tryToOpen(address))) await waitAWhile();
}

// Open this address if the table can be reached now; return whether.
export async function tryToOpen(address) {
  if (!(await canReach(address)) || isLeaving()) return false;
  if (address === location.href) location.reload();
  else location.assign(address);
  return true;
}

// The table refused or ended the stream: it may have restarted and forgotten this seat, or the seat
// may be played from another phone now. In both cases the address of the page redirects.
export async function reloadIfRedirected() {
  asking ??= askUntilAnswered(location.href, { method: "HEAD", redirect: "manual" });
  const { type } = await asking;
  asking = null;
  if (type === "opaqueredirect") openPage(location.href);
}

function isLeaving() {
  return performance.now() - leftAt < LEAVE_MS;
}
