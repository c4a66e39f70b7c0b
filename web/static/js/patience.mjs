// Ask the table for something that the page shows by itself, again and again until it answers: no reader
// has tapped for it, so no reader would tap again.

const BUSY = [429, 503]; // An answer that only says: later.
const PAUSE_MS = 1_000;

// Return the answer's `ok`, `type` and `text`, or null as soon as it is not wanted any more.
export async function askUntilAnswered(address, how = {}, isWanted = () => true) {
  while (isWanted()) {
    const told = await ask(address, how);
    if (told) return told;
    await waitAWhile();
  }
  return null;
}

// Return whether the table would answer now.
export async function canReach(address) {
  return (await ask(address, { method: "HEAD", redirect: "manual" })) !== null;
}

export function waitAWhile() {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

async function ask(address, how) {
  try {
    const answer = await fetch(address, how);
    const { ok, status, type } = answer;
    return BUSY.includes(status) ? null : { ok, type, text: await answer.text() };
  } catch {
    return null;
  }
}
