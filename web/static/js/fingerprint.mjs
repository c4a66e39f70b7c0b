// Fingerprint of the scripts that this browser was sent, to compare with the one on the table screen;
// web/static_files.py computes it over the scripts that the table serves. It shows an old or a foreign
// script; a page that was replaced on its way can show whatever it likes.

import { sha256 } from "../vendor/noble-hashes/sha2.js";
import { toHex } from "./seal.mjs";

const GROUPS = 5;

// Compute it when it is unfolded for the first time.
export function enableFingerprint() {
  const place = document.getElementById("fingerprint");
  place?.addEventListener("toggle", () => showFingerprint(place), { once: true });
}

async function showFingerprint(place) {
  const lines = await Promise.all(place.dataset.scripts.split(" ").map(describeScript));
  const digits = toHex(sha256(new TextEncoder().encode(lines.join(""))));
  place.querySelector("output").textContent = digits.match(/..../g).slice(0, GROUPS).join(" ");
}

// Return the name and the hash of a script, as the browser keeps it since the page was loaded.
async function describeScript(name) {
  const answer = await fetch(`/static/${name}`, { cache: "force-cache" });
  return `${name} ${toHex(sha256(new Uint8Array(await answer.arrayBuffer())))}\n`;
}
