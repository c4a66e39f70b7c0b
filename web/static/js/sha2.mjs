// SHA-256 and SHA-512 as FIPS 180-4 defines them, as plain http has no crypto.subtle. The constants
// are the roots of the first primes and are worked out here, which takes a millisecond and spares
// each phone two tables of random digits; SHA-256 has the upper halves of those of SHA-512.
//
// SHA-256 counts in numbers, as files of many megabytes are hashed with it. SHA-512 counts in BigInt:
// it is used for signatures alone, a few short messages each.

const FIRST = 1n << 67n; // Above each of the roots.
/** @type {number[]} */
const primes = [];
for (let n = 2; primes.length < 80; n += 1) if (primes.every((prime) => n % prime)) primes.push(n);
const fraction = (/** @type {number} */ prime, /** @type {bigint} */ power) => BigInt.asUintN(64, findRoot(BigInt(prime) << (64n * power), power));
const ROUNDS = primes.map((prime) => fraction(prime, 3n));
const START = primes.slice(0, 8).map((prime) => fraction(prime, 2n));
const upperHalf = (/** @type {bigint} */ long) => Number(long >> 32n) | 0;
const SHORT_ROUNDS = ROUNDS.slice(0, 64).map(upperHalf);

// Return the largest whole number whose power is not above n, by Newton's method.
/** @param {bigint} n @param {bigint} power */
function findRoot(n, power) {
  for (let root = FIRST; ; ) {
    const next = ((power - 1n) * root + n / root ** (power - 1n)) / power;
    if (next >= root) return root;
    root = next;
  }
}

// Return the SHA-256 of these bytes. `sha256.create()` hashes what comes in pieces.
/** @param {Uint8Array} bytes */
export function sha256(bytes) {
  return sha256.create().update(bytes).digest();
}

sha256.create = () => {
  const state = Int32Array.from(START, upperHalf);
  let rest = new Uint8Array(); // What does not fill a block yet.
  let length = 0;
  const hash = {
    /** @param {Uint8Array} bytes */
    update(bytes) {
      length += bytes.length;
      const all = rest.length ? join(rest, bytes) : bytes;
      const whole = all.length - (all.length % 64);
      addBlocks(state, all.subarray(0, whole));
      rest = all.slice(whole);
      return hash;
    },
    digest() {
      addBlocks(state, pad(rest, length, 64));
      const view = new DataView(new ArrayBuffer(32));
      state.forEach((word, at) => view.setInt32(4 * at, word));
      return new Uint8Array(view.buffer);
    },
  };
  return hash;
};

// Return the SHA-512 of these bytes.
/** @param {Uint8Array} bytes */
export function sha512(bytes) {
  const padded = pad(bytes, bytes.length, 128);
  const view = new DataView(padded.buffer);
  const state = [...START];
  for (let at = 0; at < padded.length; at += 128) addLongBlock(state, (n) => view.getBigUint64(at + 8 * n));
  state.forEach((word, at) => view.setBigUint64(8 * at, word));
  return padded.slice(0, 64);
}

/** @param {Uint8Array[]} parts */
function join(...parts) {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((at, part) => (joined.set(part, at), at + part.length), 0);
  return joined;
}

// Return the end of a message as whole blocks: a bit that is set, zeros, and its length in bits.
/** @param {Uint8Array} end @param {any} length @param {number} block */
function pad(end, length, block) {
  const padded = new Uint8Array(Math.ceil((end.length + 1 + block / 8) / block) * block);
  padded.set(end);
  padded[end.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, 8n * BigInt(length));
  return padded;
}

/** @param {any} state @param {Uint8Array} bytes */
function addBlocks(state, bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  /** @type {(x: number, n: number) => number} */
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  const w = new Int32Array(64);
  for (let at = 0; at < bytes.length; at += 64) {
    let [a, b, c, d, e, f, g, h] = state;
    for (let n = 0; n < 64; n += 1) {
      if (n < 16) w[n] = view.getInt32(at + 4 * n);
      else {
        const x = w[n - 15];
        const y = w[n - 2];
        w[n] = w[n - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + w[n - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
      }
      const t = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + SHORT_ROUNDS[n] + w[n]) | 0;
      const u = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t) | 0, c, b, a, (t + u) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, n) => (state[n] += word));
  }
}

/** @param {bigint[]} state @param {(n: number) => bigint} read */
function addLongBlock(state, read) {
  /** @type {(x: bigint, n: bigint) => bigint} */
  const turn = (x, n) => (x >> n) | BigInt.asUintN(64, x << (64n - n));
  /** @type {(...words: bigint[]) => bigint} */
  const add = (...words) => BigInt.asUintN(64, words.reduce((sum, word) => sum + word));
  const w = /** @type {bigint[]} */ ([]);
  let [a, b, c, d, e, f, g, h] = state;
  for (let n = 0; n < 80; n += 1) {
    if (n < 16) w[n] = read(n);
    else {
      const x = w[n - 15];
      const y = w[n - 2];
      w[n] = add(w[n - 16], turn(x, 1n) ^ turn(x, 8n) ^ (x >> 7n), w[n - 7], turn(y, 19n) ^ turn(y, 61n) ^ (y >> 6n));
    }
    const t = add(h, turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n), (e & f) ^ (~e & g), ROUNDS[n], w[n]);
    const u = (turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, add(d, t), c, b, a, add(t, u)];
  }
  [a, b, c, d, e, f, g, h].forEach((word, n) => (state[n] = add(state[n], word)));
}
