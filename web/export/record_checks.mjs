// Checks of a record in the browser, without the table that wrote it: chain, seals, signatures and
// fingerprint, each as companion/records does. Whether the rules grant a moment is not checked here.

import { readHex, seal, toHex } from "../js/seal.mjs";
import { sha256, sha512 } from "../js/sha2.mjs";
import { hashes, verify } from "../vendor/noble-ed25519/index.js";

const LINE = /^\{"n":(\d+),"at":([^,]+),"via":("(?:[^"\\]|\\.)*"),"event":(\{.*\}),"chain":"([0-9a-f]{64})"\}$/;
const LETTERS = [["bdfghjklmnprstvz", 4], ["aiou", 2], ["bdfghjklmnprstvz", 4], ["aiou", 2], ["bdfghjklmnprstvz", 4]];
const DIGITS = 16;

hashes.sha512 = sha512;

function toBytes(text) {
  return new TextEncoder().encode(text);
}

function hash(text) {
  return toHex(sha256(toBytes(text)));
}

// Return the header of a record and its moments, of which each that is no line of a record is null.
export function readRecord(text) {
  const [first, ...lines] = text.trimEnd().split("\n");
  const moments = lines.map((line) => {
    const found = LINE.exec(line);
    return found && { n: Number(found[1]), at: found[2], via: found[3], raw: found[4], event: JSON.parse(found[4]), chain: found[5] };
  });
  return { header: JSON.parse(first), moments };
}

// Return the number of the first moment that the chain does not tie to those before it; 0 if none.
export function findBrokenLink({ header, moments }) {
  let chain = hash(JSON.stringify([1, header.game, header.id, header.title, header.rules]));
  for (const [place, moment] of moments.entries()) {
    if (!moment || moment.n !== place + 1) return place + 1;
    const own = hash(`[${JSON.stringify(header.game)},${JSON.stringify(header.id)},${moment.at},${moment.via},${JSON.stringify(moment.raw)}]`);
    chain = toHex(sha256(readHex(chain + own)));
    if (chain !== moment.chain) return place + 1;
  }
  return moments.length === header.moments ? 0 : moments.length + 1;
}

// Compare each hand that was opened with the last one that its seat had sealed; `rounds` has the round
// of each seal by its moment. Return how many fit, how many were entered, and the first that does not.
export function checkSeals({ header, moments }, rounds) {
  const sealed = {};
  const found = { proven: 0, entered: 0, wrong: 0 };
  for (const { n, event } of moments) {
    if (event.event === "sealed") sealed[event.seat] = { seal: event.seal, round: rounds[n] };
    if (event.event === "entered") found.entered += 1;
    if (event.event !== "opened") continue;
    const { seal: wanted, round } = sealed[event.seat] ?? {};
    if (wanted === seal(header.id, round, event.seat, event.value, event.nonce)) found.proven += 1;
    else found.wrong ||= n;
  }
  return found;
}

// Return the first moment with a wrong signature (0 if none), and what each seat signed.
export function checkSignatures({ header, moments }, rounds, end) {
  const seats = moments[0].event.players.map((name) => ({ name, closed: 0, signed: 0, ended: false, keys: new Set() }));
  let wrong = 0;
  for (const { n, event } of moments) {
    const seat = seats[event.seat - 1];
    if (event.event === "sealed") seat.closed += 1;
    const texts = signedTexts(header, n, event, rounds, moments);
    if (!texts.length) continue;
    if (!texts.some((text) => isSigned(event, text))) wrong ||= n;
    seat.keys.add(event.key);
    if (event.event === "sealed") seat.signed += 1;
    else seat.ended ||= event.line === end;
  }
  return { wrong, seats: seats.map((seat) => ({ ...seat, standing: standingOf(seat, seats) })) };
}

// What a moment may be signed over: the end of a game whose names were erased also as it was before.
function signedTexts({ id, former }, n, event, rounds, moments) {
  if (event.event === "sealed" && (event.key || event.signature)) {
    return [["companion seal 1", id, rounds[n], event.seat, event.seal].join("\n")];
  }
  if (event.event !== "end_signed") return [];
  const chains = [event.line < n ? moments[event.line - 1]?.chain : "", former?.[event.line]];
  return chains.filter((chain) => chain !== undefined).map((chain) => ["companion end 1", id, event.seat, event.line, chain].join("\n"));
}

function isSigned({ key, signature }, text) {
  try {
    return verify(readHex(signature), toBytes(text), readHex(key), { zip215: false });
  } catch {
    return false;
  }
}

function standingOf(seat, seats) {
  const others = new Set(seats.filter((other) => other !== seat).flatMap((other) => [...other.keys]));
  if ([...seat.keys].some((key) => others.has(key))) return "shared";
  if (!seat.keys.size) return "unsigned";
  return seat.signed === seat.closed && seat.ended && seat.keys.size === 1 ? "signed" : "in_part";
}

// Return the number of the last moment that belongs to the game itself.
export function findEnd(moments, afterwards) {
  let n = moments.length;
  while (n > 1 && afterwards.includes(moments[n - 1].event.event)) n -= 1;
  return n;
}

// The fingerprint: 64 bits of the chain as digits, as words and as a picture (companion/records/fingerprint.py).

export function groupDigits(chain) {
  return chain.slice(0, DIGITS).match(/..../g).join(" ");
}

export function fingerprintWords(chain) {
  return groupDigits(chain).split(" ").map(toWord).join(" ");
}

function toWord(group) {
  let left = 16;
  return LETTERS.map(([letters, bits]) => {
    left -= bits;
    return letters[(Number.parseInt(group, 16) >> left) & ((1 << bits) - 1)];
  }).join("");
}

export function fingerprintPath(chain) {
  const bits = BigInt(`0x${chain.slice(0, DIGITS)}`).toString(2).padStart(64, "0");
  const squares = [...bits].map((bit, n) => (bit === "1" ? [n % 8, Math.floor(n / 8)] : null)).filter(Boolean);
  return squares.map(([x, y]) => `M${x} ${y}h1v1h-1zM${15 - x} ${y}h1v1h-1z`).join("");
}

// Return whether these are the digits or the words of this fingerprint, however they are spaced.
export function isFingerprint(told, chain) {
  const plain = told.toLowerCase().replace(/[\s.,;:_-]+/g, "");
  return [groupDigits(chain), fingerprintWords(chain)].some((each) => each.replaceAll(" ", "") === plain);
}
