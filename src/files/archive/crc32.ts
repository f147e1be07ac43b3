const POLYNOMIAL = 0xedb88320

const CRC_BY_BYTE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1
  return crc
})

/** CRC-32 of the bytes before, which is 0 at the start, and of `bytes`. */
export function updateCrc32(before: number, bytes: Uint8Array): number {
  let crc = ~before
  // An index is faster than an iterator here.
  for (let n = 0; n < bytes.length; n++) {
    crc = (crc >>> 8) ^ (CRC_BY_BYTE[(crc ^ (bytes[n] as number)) & 255] as number)
  }
  return ~crc >>> 0
}
