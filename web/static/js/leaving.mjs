// Leave a page by script: only once the table answers, because a browser that is out of reach shows
// an error page of its own, from which no script leads back.

const RETRY_MS = 1_000;

// Open this address, as soon as the table can be reached.
export async function openPage(address) {
  while (!(await canReach(address))) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  if (address === location.href) location.reload();
  else location.assign(address);
}

async function canReach(address) {
  return fetch(address, { method: "HEAD", redirect: "manual" }).then(() => true, () => false);
}
