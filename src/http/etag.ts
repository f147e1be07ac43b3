import { xxHash32 } from 'js-xxhash'

/** The ETag of a record that was just written: its version. */
export function versionTag(version: number): string {
  return `"v${version}"`
}

const encoder = new TextEncoder()

/**
 * Names the version, which `If-Match` asks for, and the very text: what hangs on a record changes without its version.
 * A checksum, because nobody gains by forging one, and to wait for a cryptographic digest costs ten times as much.
 */
export function contentTag(version: number, body: string): string {
  const bytes = encoder.encode(body)
  return `"v${version}-${hex(xxHash32(bytes, 1))}${hex(xxHash32(bytes, 2))}"`
}

function hex(checksum: number): string {
  return checksum.toString(16).padStart(8, '0')
}

/** The ETag of a file: the SHA-256 of its bytes, which never change. */
export function fileTag(hash: string): string {
  return `"${hash}"`
}

/** Whether `If-None-Match` names the ETag, also in the weak form that a compressing edge makes of it. */
export function isAmong(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) === true
}

const VERSION = /^(?:W\/)?"v(0|[1-9]\d{0,14})(?:-[0-9a-f]+)?"$/

/**
 * The versions that `If-Match` names, as a JSON array; null where any will do. The version is compared, so the weak form
 * that a compressing edge makes of an ETag is as good.
 * @example versionsOf('"v3", W/"v5-1f"') // '[3,5]'
 */
export function versionsOf(ifMatch: string | undefined): string | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null
  // What is not an ETag of ours cannot be the record's.
  const versions = ifMatch.split(',').flatMap((tag) => VERSION.exec(tag.trim())?.[1] ?? [])
  return `[${versions}]`
}
