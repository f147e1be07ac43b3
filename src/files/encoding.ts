import { ARCHIVE_DETECTION_BYTES, archiveError, isArchive, SAVE_AS_CSV } from './archive'
import { FileProblem } from './problem'

const NOT_TEXT_MESSAGE = `The file is neither UTF-8 nor UTF-16 text. Save the file as UTF-8. ${SAVE_AS_CSV}`
const HALF_CHARACTER_MESSAGE = 'The file is UTF-16 and ends in the middle of a character. Send the whole file.'
const NUL_CHARACTER_MESSAGE =
  'The file contains a NUL character: the file is damaged or not a text file. Send CSV or JSON.'

/** Bytes needed to detect the encoding: the longest byte order mark has three bytes, two UTF-16 units have four. */
const ENCODING_DETECTION_BYTES = 4

type DecodeFunction = (bytes: Uint8Array, last: boolean) => string

/** Keeps unpaired surrogates in the text, because the parsers reject the affected rows. */
export function createTextDecoder(): DecodeFunction {
  let head: Uint8Array = new Uint8Array(0)
  let decode: DecodeFunction | undefined
  return (bytes, last) => {
    let rest = bytes
    if (!decode) {
      rest = joinBytes(head, bytes)
      head = rest
      if (rest.length < ENCODING_DETECTION_BYTES && !last) return ''
      if (isArchive(rest)) {
        if (rest.length < ARCHIVE_DETECTION_BYTES && !last) return ''
        throw archiveError(rest)
      }
      const { encoding, mark } = detectEncoding(rest)
      decode = encoding === 'utf-8' ? createUtf8Decoder() : createUtf16Decoder(encoding === 'utf-16le')
      rest = rest.subarray(mark)
      head = new Uint8Array(0)
    }
    const text = decode(rest, last)
    if (text.includes('\0')) throw new FileProblem('nul', NUL_CHARACTER_MESSAGE)
    return text
  }
}

function detectEncoding(head: Uint8Array): { encoding: 'utf-8' | 'utf-16le' | 'utf-16be'; mark: number } {
  const [first, second, third] = head
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: 'utf-8', mark: 3 }
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', mark: 2 }
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', mark: 2 }
  if (first && second === 0) return { encoding: 'utf-16le', mark: 0 }
  if (first === 0 && second) return { encoding: 'utf-16be', mark: 0 }
  return { encoding: 'utf-8', mark: 0 }
}

function createUtf8Decoder(): DecodeFunction {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  return (bytes, last) => {
    try {
      return decoder.decode(bytes, { stream: !last })
    } catch {
      throw new FileProblem('encoding', NOT_TEXT_MESSAGE)
    }
  }
}

// Safe number of arguments for a function call.
const UTF16_UNITS_PER_CALL = 8192

/** Decodes by hand, because TextDecoder either hides unpaired surrogates or fails on the whole file. */
function createUtf16Decoder(little: boolean): DecodeFunction {
  let odd = new Uint8Array(0)
  return (bytes, last) => {
    const all = joinBytes(odd, bytes)
    odd = all.slice(all.length & ~1)
    if (last && odd.length) throw new FileProblem('encoding', HALF_CHARACTER_MESSAGE)
    const view = new DataView(all.buffer, all.byteOffset, all.length)
    const units = new Uint16Array(all.length >> 1)
    for (let i = 0; i < units.length; i++) units[i] = view.getUint16(i * 2, little)
    let text = ''
    for (let from = 0; from < units.length; from += UTF16_UNITS_PER_CALL) {
      text += String.fromCharCode(...units.subarray(from, from + UTF16_UNITS_PER_CALL))
    }
    return text
  }
}

function joinBytes(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
