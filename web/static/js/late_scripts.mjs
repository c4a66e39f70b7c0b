// Load a script that few pages need, and ask for it until it has come: each time under another address,
// as some browsers never ask twice for one that failed.

const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];
const coming = new Map(); // Address to what is waited for, so that each script is asked for once.

export function loadScript(address) {
  if (!coming.has(address)) coming.set(address, importUntilLoaded(address));
  return coming.get(address);
}

async function importUntilLoaded(address) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await import(tries ? `${address}?again=${tries}` : address);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, PAUSES_MS[tries] ?? PAUSES_MS.at(-1)));
    }
  }
}
