// Commitment to a bid, byte for byte as companion.core.commitment makes it: the seal is the SHA-256
// of game, round, seat, the canonical value, and a nonce that only this browser knows until the hand
// is opened. Plain http has no crypto.subtle, so the hash is our own (sha2.mjs).

import { sha256 } from "./sha2.mjs";
import { keep } from "./storage.mjs";

// Return 16 random bytes in hexadecimal, for a nonce or an idempotency key.
export function randomHex() {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}

/** @param {string} game @param {string | number} round @param {string | number} seat @param {any} value @param {string} nonce */
export function seal(game, round, seat, value, nonce) {
  const text = `${game}|${round}|${seat}|${toCanonical(value)}|${nonce}`;
  return toHex(sha256(new TextEncoder().encode(text)));
}

// Return 12, yellow, or blue:2,red:1 (sorted by name, without zeros). Names are plain ASCII, so
// sorting by UTF-16 here and by code point in Python gives the same order.
/** @param {any} value */
function toCanonical(value) {
  if (typeof value !== "object") return String(value);
  return Object.keys(value)
    .sort()
    .filter((name) => value[name])
    .map((name) => `${name}:${value[name]}`)
    .join(",");
}

/** @param {Uint8Array} bytes */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} text */
export function readHex(text) {
  return Uint8Array.from(text.match(/../g), (byte) => Number.parseInt(byte, 16));
}

// Store value and nonce of closed hands in this browser until they are opened, keyed by their seal.
//
// The key is the seal because a hand may be closed again and the response to that may be lost: both
// hands are kept, and the one whose seal the table has can be opened.
const PREFIX = "companion seal ";
const memory = new Map(); // Used until the page closes where the browser forbids storage.

/** @param {string} key @param {any} hand */
export function storeHand(key, hand) {
  remember(key, { ...hand, when: Date.now() });
}

// Mark the hand whose seal the table has accepted.
/** @param {string} key */
export function markGranted(key) {
  remember(key, { ...loadHand(key), granted: true });
}

/** @param {string} key @param {any} hand */
function remember(key, hand) {
  memory.set(key, hand);
  keep(PREFIX + key, JSON.stringify(hand));
}

// Return the hand with this key, or null.
/** @param {string} key */
export function loadHand(key) {
  return memory.get(key) ?? readStorage().get(key) ?? null;
}

// Return the hand this seat closed last, or null; a granted one goes before any other.
/** @param {string} game @param {string | number} round @param {string | number} seat */
export function findNewestHand(game, round, seat) {
  const hands = [...new Map([...readStorage(), ...memory]).values()].filter(
    (hand) => hand.game === game && hand.round === round && hand.seat === seat,
  );
  const order = (/** @type {any} */ hand) => [hand.granted ? 1 : 0, hand.when];
  hands.sort((a, b) => order(b)[0] - order(a)[0] || order(b)[1] - order(a)[1]);
  return hands[0] ?? null;
}

function readStorage() {
  const hands = new Map();
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX)) hands.set(key.slice(PREFIX.length), JSON.parse(localStorage.getItem(key)));
    }
  } catch {
    // The browser forbids storage.
  }
  return hands;
}

// Delete every hand except those of this round of this game.
/** @param {string} game @param {string | number} round */
export function deleteOtherRounds(game, round) {
  for (const [key, hand] of [...readStorage(), ...memory]) {
    if (hand.game === game && hand.round === round) continue;
    memory.delete(key);
    try {
      localStorage.removeItem(PREFIX + key);
    } catch {
      // The browser forbids storage.
    }
  }
}
