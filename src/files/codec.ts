// Replaces `@borewit/text-codec` (see wrangler.toml) by the runtime's own decoder and saves 1 kB of the Worker.
const BYTE_ENCODINGS = new Set(['latin1', 'iso-8859-1', 'ascii', 'us-ascii'])

export function textDecode(bytes: Uint8Array, encoding = 'utf-8'): string {
  if (BYTE_ENCODINGS.has(encoding)) return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return new TextDecoder(encoding).decode(bytes)
}

/** The detection of types writes no texts. */
export const textEncode = (text: string): Uint8Array => new TextEncoder().encode(text)
