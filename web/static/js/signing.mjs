// Sign what this browser writes with a key of its own, so that a copied cookie is worth nothing. The
// private half of the key is made here, stays in this browser's storage and is never sent; plain
// http has no crypto.subtle, so Ed25519 comes from a vendored library.
//
// A signature is over method, address, the number of the table's start, a fresh attempt number and
// SHA-256 of the body, byte for byte as companion/seating/identity.py checks it. Each attempt
// counts once, so a repeated request is signed anew. If the table has restarted, its refusal names the
// new start number. An event of the game is then sent again, since the journal knows it by its key;
// anything else may have been done before the restart: the person looks, and decides.

import { randomHex, readHex, toHex } from "./seal.mjs";
import { getPublicKey, hashes, sign, utils } from "../vendor/noble-ed25519/index.js";
import { sha256, sha512 } from "./sha2.mjs";
import { keep, recall } from "./storage.mjs";

const STORAGE_KEY = "companion key";
const PURPOSE = "companion request 1";
const REGISTER = "/api/browser/key";
const HEADER = "Companion-Signature";
const RETRIES = 4;
const NO_START = "0".repeat(32); // Signed until the table has told its own.
const CHUNK = 1 << 20;
const WARM_UP_MS = 400;

hashes.sha512 = sha512;

let isCurrent = false; // Whether the table has told or taken its start number since this page came.

// Post a body, signed, and again where the table asks for another signature; `inJournal` says that it
// is an event of the game. The answer is that of the registration if the key could not be registered.
/** @param {string} address @param {any} body */
export async function sendSigned(address, body, headers = {}, inJournal = false) {
  return (await refusedKey()) ?? post(address, body, headers, toHex(sha256(toBytes(body))), inJournal);
}

// Post a file as it is, with its name and the key of this request in the address, signed over a hash
// that the table computes as well while the file comes.
/** @param {string} address @param {File} file @param {string} key */
export async function sendSignedFile(address, file, key, more = {}) {
  const refused = await refusedKey();
  if (refused) return refused;
  const hash = sha256.create();
  for (let at = 0; at < file.size; at += CHUNK) hash.update(new Uint8Array(await file.slice(at, at + CHUNK).arrayBuffer()));
  const digest = hash.digest();
  const headers = { ...more, "Content-Type": "application/octet-stream", "Content-Digest": `sha-256=:${btoa(String.fromCharCode(...digest))}:` };
  return post(`${address}?name=${encodeURIComponent(file.name)}&key=${key}`, file, headers, toHex(digest), false);
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

/** @param {string} address @param {any} body @param {Record<string, string>} headers @param {string} digest @param {boolean} inJournal */
async function post(address, body, headers, digest, inJournal) {
  for (let tries = 0; ; tries += 1) {
    const signature = makeSignature("POST", address, digest);
    const answer = await fetch(address, { method: "POST", body, headers: { ...headers, [HEADER]: signature } });
    if (answer.status !== 403) return answer;
    const problem = await answer.clone().json();
    const isRight = await putRight(problem);
    const isDecided = problem.code === "other_start" && !inJournal;
    if (!isRight || isDecided || tries === RETRIES) return answer;
  }
}

// After a refusal: take the start number that the table tells, or register the key. Return whether
// the same may be signed anew.
/** @param {any} given */
async function putRight({ code, start }) {
  if (code === "other_start") useStart(start);
  else if (["unknown_key", "bad_signature", "no_cookie"].includes(code)) return (await register()).ok;
  return code === "other_start" || code === "attempt_used";
}

// Sign with this number of the table's start from now on.
/** @param {string} start */
export function useStart(start) {
  saveKey({ ...loadKey(), start });
  isCurrent = true;
}

// Note that the table took a stream of this page, and so the start number that it was signed with.
export function confirmStart() {
  isCurrent = true;
}

// Register the key unless the table has it and its start number is known; the answer if it was
// refused, as on a full disk.
async function refusedKey() {
  if (loadKey()?.registered && isCurrent) return null;
  const answer = await register();
  return answer.ok ? null : answer;
}

// Register the key of this browser, made first if there is none; the answer of the table. It may be
// sent again at any time: a key that the table has changes nothing.
async function register() {
  const { secret } = loadKey() ?? makeKey();
  const body = JSON.stringify({ key: randomHex(), public_key: toHex(getPublicKey(readHex(secret))) });
  for (let tries = 0; ; tries += 1) {
    const signature = makeSignature("POST", REGISTER, toHex(sha256(toBytes(body))));
    const headers = { "Content-Type": "application/json", Accept: "application/json", [HEADER]: signature };
    const answer = await fetch(REGISTER, { method: "POST", body, headers });
    if (answer.ok) {
      saveKey({ ...loadKey(), registered: true });
      isCurrent = true;
    }
    if (answer.status !== 403 || tries === RETRIES) return answer;
    const { code, start } = await answer.clone().json();
    if (code === "other_start") useStart(start);
    else if (code !== "attempt_used") return answer;
  }
}

/** @param {string} method @param {string} address @param {string} digest */
function makeSignature(method, address, digest) {
  const { secret, start } = loadKey();
  const attempt = randomHex();
  const { pathname, search } = new URL(address, location.href);
  const text = [PURPOSE, method, pathname + search, start, attempt, digest].join("\n");
  return `${start}.${attempt}.${toHex(sign(toBytes(text), readHex(secret)))}`;
}

/** @param {string} text */
function toBytes(text) {
  return new TextEncoder().encode(text);
}

// The stored key: its private half in hexadecimal, the number of the table's start that was told
// last, and whether the table knows the key.
function makeKey() {
  return saveKey({ secret: toHex(utils.randomSecretKey()), start: NO_START, registered: false });
}

function loadKey() {
  return JSON.parse(recall(STORAGE_KEY));
}

/** @param {any} key */
function saveKey(key) {
  keep(STORAGE_KEY, JSON.stringify(key));
  return key;
}
