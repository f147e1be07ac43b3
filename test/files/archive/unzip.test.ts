import { expect, test } from 'vitest'
import { findDirectory, readDirectory, readLocalHeaderLength } from '../../../src/files/archive/unzip'
import { makeCentralHeader, makeEndRecords, makeLocalHeader, type ZipEntry } from '../../../src/files/archive/zip'
import { joinBytes } from '../../../src/http/body'

const NEAR: ZipEntry = { path: 'é.txt', offset: 0, size: 12, packedSize: 9, crc32: 0xfedcba98, isDeflated: true }
const FAR: ZipEntry = { path: 'far.bin', offset: 6 * 2 ** 32, size: 3, packedSize: 3, crc32: 1, isDeflated: false }

test('a directory is read as it was written', () => {
  const directory = joinBytes([NEAR, FAR].flatMap((entry) => makeCentralHeader(entry, 0)))
  expect(readDirectory(directory, 2)).toEqual([NEAR, FAR])
})

test.each([
  { entryCount: 2, offset: 5, size: 90 },
  { entryCount: 70_000, offset: 7 * 2 ** 32, size: 90 },
])('the end of a file names the directory of $entryCount entries', (place) => {
  expect(findDirectory(joinBytes([new Uint8Array(50), ...makeEndRecords(place)]))).toEqual(place)
})

test('a local header names its length', () => {
  expect(readLocalHeaderLength(joinBytes(makeLocalHeader(NEAR, 0)))).toBe(36)
})

test('other bytes are refused', () => {
  expect(() => findDirectory(new Uint8Array(10))).toThrow('not a complete ZIP file')
  expect(() => findDirectory(new Uint8Array(100))).toThrow('not a complete ZIP file')
  expect(() => readDirectory(new Uint8Array(100), 1)).toThrow('not a complete ZIP file')
  const encrypted = joinBytes(makeCentralHeader(NEAR, 0))
  encrypted[8] = 1
  expect(() => readDirectory(encrypted, 1)).toThrow('encrypted')
  const cut = joinBytes(makeCentralHeader(FAR, 0)).subarray(0, -8)
  expect(() => readDirectory(cut, 1)).toThrow('not a complete ZIP file')
})
