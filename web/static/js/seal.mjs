// Commitment to a bid, byte for byte as companion.core.commitment makes it: the seal is the SHA-256
// of game, round, seat, the canonical value, and a nonce that only this browser knows until the hand
// is opened. Plain http has no crypto.subtle, so the hash is our own (sha2.mjs).

import { sha256 } from "./sha2.mjs";

// Return 16 random bytes in hexadecimal, for a nonce or an idempotency key.
export function randomHex() {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}

export function seal(game, round, seat, value, nonce) {
  const text = `${game}|${round}|${seat}|${toCanonical(value)}|${nonce}`;
  return toHex(sha256(new TextEncoder().encode(text)));
}

// Return 12, yellow, or blue:2,red:1 (sorted by name, without zeros). Names are plain ASCII, so
// sorting by UTF-16 here and by code point in Python gives the same order.
function toCanonical(value) {
  if (typeof value !== "object") return String(value);
  return Object.keys(value)
    .sort()
    .filter((name) => value[name])
    .map((name) => `${name}:${value[name]}`)
    .join(",");
}

export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function readHex(text) {
  return Uint8Array.from(text.match(/../g), (byte) => Number.parseInt(byte, 16));
}
