// Replaces `strtok3/core` (see wrangler.toml) without the readers of streams, because the service detects the types of
// bytes in memory. Saves 2 kB of the Worker.
import { BufferTokenizer } from '../../node_modules/strtok3/lib/BufferTokenizer.js'

export { AbstractTokenizer } from '../../node_modules/strtok3/lib/AbstractTokenizer.js'
export { EndOfStreamError } from '../../node_modules/strtok3/lib/stream/Errors.js'

export const fromBuffer = (bytes: Uint8Array, options?: object) => new BufferTokenizer(bytes, options)
