// SHA-256 and HMAC-SHA256 (FIPS 180-4, RFC 2104) over Uint8Array. The browser's own crypto is there on https alone, and
// answers later; a check of a game takes some thousand short hashes, for which this is quick enough.

const K = new Uint32Array(64);
const FIRST = new Uint32Array(8);

// The constants are what they are said to be: fractional parts of roots of the first primes.
(() => {
  const primes = [];
  for (let number = 2; primes.length < 64; number += 1) {
    if (primes.every((prime) => number % prime)) primes.push(number);
  }
  const fraction = (root, prime) => {
    // 32 bits after the point, exactly: in whole numbers.
    const power = BigInt(root);
    const target = BigInt(prime) << (32n * power);
    let low = 0n;
    let high = 1n << 40n;
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      if (middle ** power <= target) low = middle;
      else high = middle;
    }
    return Number(low & 0xffffffffn);
  };
  primes.forEach((prime, index) => {
    K[index] = fraction(3, prime);
    if (index < 8) FIRST[index] = fraction(2, prime);
  });
})();

const words = new Uint32Array(64);

function mix(hash, block, at) {
  for (let i = 0; i < 16; i += 1) {
    const j = at + 4 * i;
    words[i] = (block[j] << 24) | (block[j + 1] << 16) | (block[j + 2] << 8) | block[j + 3];
  }
  for (let i = 16; i < 64; i += 1) {
    const x = words[i - 15];
    const y = words[i - 2];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[i] = (words[i - 16] + s0 + words[i - 7] + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = hash;
  for (let i = 0; i < 64; i += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const first = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + words[i]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => {
    hash[index] = (hash[index] + value) | 0;
  });
}

/** The 32 bytes of the SHA-256 of bytes. */
export function sha256(bytes) {
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  const hash = Uint32Array.from(FIRST);
  for (let at = 0; at < padded.length; at += 64) mix(hash, padded, at);
  const out = new Uint8Array(32);
  const result = new DataView(out.buffer);
  hash.forEach((value, index) => result.setUint32(4 * index, value));
  return out;
}

/** The 32 bytes of the HMAC-SHA256 of a message. */
export function hmac(key, message) {
  const short = key.length > 64 ? sha256(key) : key;
  const inner = new Uint8Array(64 + message.length).fill(0x36, 0, 64);
  const outer = new Uint8Array(96).fill(0x5c, 0, 64);
  short.forEach((byte, index) => {
    inner[index] ^= byte;
    outer[index] ^= byte;
  });
  inner.set(message, 64);
  outer.set(sha256(inner), 64);
  return sha256(outer);
}

/** Bytes as hex digits. */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Hex digits as bytes; raises an Error for what is none. */
export function unhex(text) {
  if (typeof text !== "string" || text.length % 2 || /[^0-9a-f]/.test(text)) throw new Error("not hex digits");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** Text as the bytes of its UTF-8. */
export const utf8 = (text) => new TextEncoder().encode(text);
