import { crc32 } from 'node:zlib'

/** CRC-32 of the bytes before, which is 0 at the start, and of `bytes`. */
export const updateCrc32 = (before: number, bytes: Uint8Array): number => crc32(bytes, before)
