// Sign what this browser writes with a key of its own, so that a copied cookie is worth nothing. The
// private half of the key is made here, stays in this browser's storage and is never sent; plain
// http has no crypto.subtle, so Ed25519 comes from a vendored library.
//
// A signature is over method, address, counter and SHA-256 of the body, byte for byte as
// companion/identity/browser_keys.py checks it. Each counter counts once, and all tabs of this
// browser share them. If the table is ahead, as after a restart, it says the next one.

import { randomHex, readHex, toHex } from "./seal.mjs";
import { getPublicKey, hashes, sign, utils } from "../vendor/noble-ed25519/index.js";
import { sha256, sha512 } from "./sha2.mjs";

const STORAGE_KEY = "companion key";
const PURPOSE = "companion request 1";
const REGISTER = "/api/browser/key";
const HEADER = "Companion-Signature";
const RETRIES = 4;
const SPREAD = 16; // Tabs that were refused at the same time go on with different counters.
const CHUNK = 1 << 20;
const WARM_UP_MS = 400;

hashes.sha512 = sha512;

// Post a body, signed; whatever the table says about key or counter is put right, and it is sent
// again. The answer is that of the registration if the key could not be registered.
/** @param {string} address @param {any} body */
export async function sendSigned(address, body, headers = {}) {
  return (await refusedKey()) ?? post(address, body, headers, toHex(sha256(toBytes(body))));
}

// Post a file as it is, with its name in the address, signed over a hash that the table computes as
// well while the file comes.
/** @param {string} address @param {File} file */
export async function sendSignedFile(address, file, more = {}) {
  const refused = await refusedKey();
  if (refused) return refused;
  const hash = sha256.create();
  for (let at = 0; at < file.size; at += CHUNK) hash.update(new Uint8Array(await file.slice(at, at + CHUNK).arrayBuffer()));
  const digest = hash.digest();
  const headers = { ...more, "Content-Type": "application/octet-stream", "Content-Digest": `sha-256=:${btoa(String.fromCharCode(...digest))}:` };
  return post(`${address}?name=${encodeURIComponent(file.name)}`, file, headers, toHex(digest));
}

// Return the address of a stream, signed if this browser has a key: another one of the same seat ends.
/** @param {string} address */
export function signStream(address) {
  if (!loadKey()?.registered) return address;
  const signature = makeSignature("GET", address, toHex(sha256(new Uint8Array())));
  return `${address}${address.includes("?") ? "&" : "?"}signature=${signature}`;
}

// Return the answer to the word of a pass: its hash with the public key of this browser, so that no
// one who hears it can use it.
/** @param {string} word */
export function answerWord(word) {
  const { secret } = loadKey() ?? makeKey();
  return toHex(sha256(new Uint8Array([...toBytes(word), ...getPublicKey(readHex(secret))])));
}

// Prepare the library while nothing happens, so that the first signature does not wait for it.
export function warmUp() {
  setTimeout(() => getPublicKey(utils.randomSecretKey()), WARM_UP_MS);
}

/** @param {string} address @param {any} body @param {Record<string, string>} headers @param {string} digest */
async function post(address, body, headers, digest) {
  for (let tries = 0; ; tries += 1) {
    const signature = makeSignature("POST", address, digest);
    const answer = await fetch(address, { method: "POST", body, headers: { ...headers, [HEADER]: signature } });
    if (answer.status !== 403 || tries === RETRIES || !(await putRight(await answer.clone().json()))) return answer;
  }
}

// After a refusal: use the counter that the table names, or register the key. False if that is no help.
/** @param {any} given */
async function putRight({ code, next_counter: next }) {
  if (code === "counter_used") skipTo(next + Math.floor(Math.random() * SPREAD));
  else if (["unknown_key", "bad_signature", "no_cookie"].includes(code)) return (await register()).ok;
  return code === "counter_used";
}

// Sign next with this counter, unless another tab is further already.
/** @param {any} next */
function skipTo(next) {
  saveKey({ ...loadKey(), counter: Math.max(next - 1, loadKey().counter) });
}

// Register the key unless the table has it; the answer if it was refused, as on a full disk.
async function refusedKey() {
  if (loadKey()?.registered) return null;
  const answer = await register();
  return answer.ok ? null : answer;
}

// Register the key of this browser, made first if there is none; the answer of the table.
async function register() {
  const { secret } = loadKey() ?? makeKey();
  const body = JSON.stringify({ key: randomHex(), public_key: toHex(getPublicKey(readHex(secret))) });
  for (let tries = 0; ; tries += 1) {
    const signature = makeSignature("POST", REGISTER, toHex(sha256(toBytes(body))));
    const headers = { "Content-Type": "application/json", Accept: "application/json", [HEADER]: signature };
    const answer = await fetch(REGISTER, { method: "POST", body, headers });
    const { next_counter: next } = await answer.clone().json();
    if (next) skipTo(next);
    if (answer.ok) saveKey({ ...loadKey(), registered: true });
    if (answer.ok || !next || tries === RETRIES) return answer;
  }
}

/** @param {string} method @param {string} address @param {string} digest */
function makeSignature(method, address, digest) {
  const { secret, counter, ...rest } = loadKey();
  const next = counter + 1;
  saveKey({ ...rest, secret, counter: next });
  const { pathname, search } = new URL(address, location.href);
  const text = [PURPOSE, method, pathname + search, next, digest].join("\n");
  return `${next}.${toHex(sign(toBytes(text), readHex(secret)))}`;
}

/** @param {string} text */
function toBytes(text) {
  return new TextEncoder().encode(text);
}

// The stored key: its private half in hexadecimal, the last counter used, and whether the table knows it.

/** @type {any} */

let memory = null; // Used until the page closes where the browser forbids storage.

function makeKey() {
  return saveKey({ secret: toHex(utils.randomSecretKey()), counter: 0, registered: false });
}

function loadKey() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY)) ?? memory;
  } catch {
    return memory;
  }
}

/** @param {any} key */
function saveKey(key) {
  memory = key;
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(key));
  } catch {
    // It stays in memory.
  }
  return key;
}
