// Fingerprint of the scripts that this browser was sent, to compare with the one on the table screen;
// web/static_files.py computes it over the scripts that the table serves. It is over the scripts that
// the table names and any other that this page has. It shows an old or a foreign script; a page that
// was replaced on its way can show whatever it likes.
//
// This script is loaded when the fingerprint is asked for, and asked by an event (main.mjs).

const GROUPS = 5;
const RETRY_MS = 1_000;

document.addEventListener("fingerprint", ({ detail }) => showFingerprint(detail));

async function showFingerprint({ place, sha256, toHex }) {
  const present = [...document.scripts].map(({ src }) => src.replace(location.origin, ""));
  const addresses = new Set([...place.dataset.scripts.split(" "), ...present]);
  const lines = await Promise.all([...addresses].map(describeScript));
  const digits = toHex(sha256(new TextEncoder().encode(lines.join(""))));
  place.querySelector("output").textContent = digits.match(/..../g).slice(0, GROUPS).join(" ");

  // Return the address and the hash of a script, as the browser keeps it since the page was loaded.
  async function describeScript(address) {
    return `${address} ${toHex(sha256(new Uint8Array(await readScript(address))))}\n`;
  }
}

// A refusal, as of a table that is asked too much at once, is no script: it is asked for again.
async function readScript(address) {
  for (;;) {
    try {
      const answer = await fetch(address, { cache: "force-cache" });
      if (answer.ok) return await answer.arrayBuffer();
    } catch {
      // The table is out of reach.
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
