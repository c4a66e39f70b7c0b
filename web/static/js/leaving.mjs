// Leave a page by script: only once the table answers, because a browser that is out of reach shows
// an error page of its own, from which no script leads back; and never while the reader is leaving it,
// for the later of two ways out would end the first.

const RETRY_MS = 1_000;
const LEAVE_MS = 5_000; // A page that is still there after that stays: what was asked for was a file.

let leftAt = -LEAVE_MS;
window.addEventListener("beforeunload", () => (leftAt = performance.now()));

// Open this address, as soon as the table can be reached.
export async function openPage(address) {
  while (!(await canReach(address)) || isLeaving()) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  if (address === location.href) location.reload();
  else location.assign(address);
}

// The table refused or ended the stream: it may have restarted and forgotten this seat, or the seat
// may be played from another phone now. In both cases the address of the page redirects.
export async function reloadIfRedirected() {
  const page = await fetch(location.href, { method: "HEAD", redirect: "manual" }).catch(() => null);
  if (page?.type === "opaqueredirect") openPage(location.href);
}

function isLeaving() {
  return performance.now() - leftAt < LEAVE_MS;
}

async function canReach(address) {
  return fetch(address, { method: "HEAD", redirect: "manual" }).then(() => true, () => false);
}
