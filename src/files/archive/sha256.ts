/** SHA-256 (FIPS 180-4) in steps. The state is plain JSON, because the digest of a file continues in another process. */
export interface Sha256State {
  words: number[]
  /** Bytes so far. */
  size: number
  /** Bytes of the unfinished block, fewer than 64. */
  rest: number[]
}

const BLOCK_BYTES = 64
const LENGTH_OFFSET = 56

const listPrimes = (count: number): number[] => {
  const primes: number[] = []
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime)) primes.push(n)
  return primes
}

// The standard defines the constants as the first 32 bits of the fractions of these roots.
const fractionBits = (root: number) => ((root % 1) * 2 ** 32) | 0
const PRIMES = listPrimes(BLOCK_BYTES)
const ROUND_CONSTANTS = Int32Array.from(PRIMES, (prime) => fractionBits(Math.cbrt(prime)))
const FIRST_WORDS = PRIMES.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime)))

export const startSha256 = (): Sha256State => ({ words: [...FIRST_WORDS], size: 0, rest: [] })

type Octet = [number, number, number, number, number, number, number, number]

const rotate = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits))

function hashBlock(words: Int32Array, view: DataView, offset: number, schedule: Int32Array): void {
  for (let n = 0; n < 16; n++) schedule[n] = view.getInt32(offset + 4 * n)
  for (let n = 16; n < BLOCK_BYTES; n++) {
    const early = schedule[n - 15] as number
    const late = schedule[n - 2] as number
    const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    schedule[n] = (schedule[n - 16] as number) + first + (schedule[n - 7] as number) + second
  }
  let [a, b, c, d, e, f, g, h] = Array.from(words) as Octet
  for (let n = 0; n < BLOCK_BYTES; n++) {
    const choice = (e & f) ^ (~e & g)
    const spread = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const added = (h + spread + choice + (ROUND_CONSTANTS[n] as number) + (schedule[n] as number)) | 0
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const mixed = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority
    h = g
    g = f
    f = e
    e = (d + added) | 0
    d = c
    c = b
    b = a
    a = (added + mixed) | 0
  }
  const worked = [a, b, c, d, e, f, g, h]
  for (let n = 0; n < worked.length; n++) words[n] = (words[n] as number) + (worked[n] as number)
}

export function updateSha256({ words, size, rest }: Sha256State, bytes: Uint8Array): Sha256State {
  const hashed = Int32Array.from(words)
  const schedule = new Int32Array(BLOCK_BYTES)
  let start = 0
  let unfinished = rest
  if (rest.length) {
    start = Math.min(BLOCK_BYTES - rest.length, bytes.length)
    unfinished = [...rest, ...bytes.subarray(0, start)]
    if (unfinished.length === BLOCK_BYTES) {
      hashBlock(hashed, new DataView(Uint8Array.from(unfinished).buffer), 0, schedule)
      unfinished = []
    }
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (; start + BLOCK_BYTES <= bytes.length; start += BLOCK_BYTES) hashBlock(hashed, view, start, schedule)
  return { words: [...hashed], size: size + bytes.length, rest: [...unfinished, ...bytes.subarray(start)] }
}

/** Hexadecimal digest. */
export function finishSha256(state: Sha256State): string {
  const { size, rest } = state
  const blocks = rest.length < LENGTH_OFFSET ? 1 : 2
  const padding = new Uint8Array(blocks * BLOCK_BYTES - rest.length)
  padding[0] = 128
  new DataView(padding.buffer).setBigUint64(padding.length - 8, BigInt(size) * 8n)
  return updateSha256(state, padding)
    .words.map((word) => (word >>> 0).toString(16).padStart(8, '0'))
    .join('')
}
