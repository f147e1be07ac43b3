import { Deflate, Z_SYNC_FLUSH } from 'pako'

// Twice as fast as the usual level 6, and 3 % larger for records.
const DEFLATE_LEVEL = 3

/** Blocks that end at a byte, so that the blocks of further bytes may follow. `DEFLATE_END` ends the stream. */
export function deflateBlocks(bytes: Uint8Array): Uint8Array[] {
  const blocks: Uint8Array[] = []
  const deflate = new Deflate({ level: DEFLATE_LEVEL, raw: true })
  deflate.onData = (block) => void blocks.push(block)
  deflate.push(bytes, Z_SYNC_FLUSH)
  return blocks
}

/** An empty last block. */
export const DEFLATE_END = Uint8Array.of(3, 0)
