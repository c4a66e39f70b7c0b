// Seal the PIN of the floor, which is typed on a page without TLS: a guest who listens learns nothing. It
// is opened byte for byte as companion/floor/pin_seal.py has it; another browser that sends the same
// seals another PIN with it, as the key with which this browser signs is in the hash.

import { Point, utils } from "../vendor/noble-ed25519/index.js";
import { toHex } from "./seal.mjs";
import { sha256 } from "./sha2.mjs";
import { publicKey } from "./signing.mjs";

const PURPOSE = "companion pin 1";
const MOST = 32;

// Return the PIN sealed for the floor that has this public key, in hexadecimal.
export function sealPin(pin, floor) {
  const { scalar, pointBytes } = utils.getExtendedPublicKey(utils.randomSecretKey());
  const made = toHex(pointBytes);
  const point = Point.fromHex(floor).multiply(scalar).toHex();
  const cover = sha256(toBytes([PURPOSE, floor, made, publicKey(), point].join("\n")));
  const typed = toBytes(pin).slice(0, MOST);
  return made + toHex(cover.map((byte, at) => byte ^ (typed[at] ?? 0)));
}

function toBytes(text) {
  return new TextEncoder().encode(text);
}
