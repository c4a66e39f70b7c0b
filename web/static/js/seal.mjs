// Sealing, exactly as companion.sealed does it: a seal is the SHA-256 of game, round, seat, the
// value in its one spelling, and a nonce that only this browser knows until the hand is opened.
// Plain http has no crypto.subtle, so the hash is a vendored one.

import { sha256 } from "../vendor/noble-hashes/sha2.js";

export function random() {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

export function seal(game, round, seat, value, secret) {
  const text = `${game}|${round}|${seat}|${canonical(value)}|${secret}`;
  return hex(sha256(new TextEncoder().encode(text)));
}

// 12, yellow, or blue:2,red:1 (by name, none at nought). Names are plain ASCII, so that sorting
// by UTF-16 here and by code point there is the same.
export function canonical(value) {
  if (typeof value !== "object") return String(value);
  return Object.keys(value)
    .sort()
    .filter((name) => value[name])
    .map((name) => `${name}:${value[name]}`)
    .join(",");
}

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
