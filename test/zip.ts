/** A ZIP file, read by its directory. */
export interface ZipFile {
  paths: string[]
  /** The content of an entry, after its size and CRC-32 were compared with the directory and the local header. */
  read(path: string): Promise<Uint8Array<ArrayBuffer>>
  readText(path: string): Promise<string>
  readRows<T = Record<string, unknown>>(path: string): Promise<T[]>
}

interface Entry {
  method: number
  crc32: number
  packedSize: number
  size: number
  offset: number
}

const textDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const CRC_TABLE = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  return crc
})

function findCrc32(bytes: Uint8Array): number {
  let crc = ~0
  for (let n = 0; n < bytes.length; n++) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ (bytes[n] ?? 0)) & 255] ?? 0)
  return ~crc >>> 0
}

const fail = (problem: string): never => {
  throw new Error(problem)
}

export function openZip(bytes: Uint8Array<ArrayBuffer>): ZipFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = bytes.length - 22
  if (view.getUint32(end, true) !== 0x06054b50) fail('The file does not end with the record of the directory')
  const [count, directorySize, directoryOffset] = [
    view.getUint16(end + 10, true),
    view.getUint32(end + 12, true),
    view.getUint32(end + 16, true),
  ]
  if (directoryOffset + directorySize !== end) fail('The directory is not in front of its record')
  const entries = new Map<string, Entry>()
  let at = directoryOffset
  for (let n = 0; n < count; n++) {
    if (view.getUint32(at, true) !== 0x02014b50) fail(`Entry ${n} has no header`)
    const [nameLength, extraLength] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)]
    const path = textDecoder.decode(bytes.subarray(at + 46, at + 46 + nameLength))
    if (entries.has(path)) fail(`${path} appears twice`)
    entries.set(path, {
      method: view.getUint16(at + 10, true),
      crc32: view.getUint32(at + 16, true),
      packedSize: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    })
    at += 46 + nameLength + extraLength
  }
  if (at !== end) fail('The directory has another size')

  async function read(path: string): Promise<Uint8Array<ArrayBuffer>> {
    const { method, crc32, packedSize, size, offset } = entries.get(path) ?? fail(`${path} is missing`)
    if (view.getUint32(offset, true) !== 0x04034b50) fail(`${path} has no local header`)
    const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
    const packed = bytes.slice(start, start + packedSize)
    const content =
      method === 0
        ? packed
        : new Uint8Array(
            await new Response(
              new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')),
            ).arrayBuffer(),
          )
    if (content.length !== size || findCrc32(content) !== crc32) fail(`${path} has other bytes than the directory says`)
    return content
  }
  const readText = async (path: string) => textDecoder.decode(await read(path))
  return {
    paths: [...entries.keys()],
    read,
    readText,
    readRows: async <T>(path: string) =>
      (await readText(path)).split('\n').flatMap((line) => (line ? [JSON.parse(line) as T] : [])),
  }
}
