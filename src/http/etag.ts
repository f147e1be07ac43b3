import { xxHash32 } from 'js-xxhash'

/** ETag of a record just written: the version. */
export function versionTag(version: number): string {
  return `"v${version}"`
}

const encoder = new TextEncoder()

/**
 * ETag of the version (for `If-Match`) and the exact body, because linked content changes without a new version. A
 * checksum is enough, because nobody gains by forging a tag, and a cryptographic digest takes ten times as long.
 */
export function contentTag(version: number, body: string): string {
  const bytes = encoder.encode(body)
  return `"v${version}-${hex(xxHash32(bytes, 1))}${hex(xxHash32(bytes, 2))}"`
}

function hex(checksum: number): string {
  return checksum.toString(16).padStart(8, '0')
}

/** ETag of a file: SHA-256 of the bytes, constant for a file. */
export function fileTag(hash: string): string {
  return `"${hash}"`
}

/** True if `If-None-Match` names the ETag, also in the weak form produced by a compressing edge. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) === true
}

const VERSION_TAG = /^(?:W\/)?"v(0|[1-9]\d{0,14})(?:-[0-9a-f]+)?"$/

/**
 * Versions named by `If-Match`, as a JSON array; null accepts any version. Weak ETags count too, because only the
 * version is compared and a compressing edge weakens tags.
 * @example versionsOf('"v3", W/"v5-1f"') // '[3,5]'
 */
export function versionsOf(ifMatch: string | undefined): string | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null
  // A foreign ETag cannot match the record.
  const versions = ifMatch.split(',').flatMap((tag) => VERSION_TAG.exec(tag.trim())?.[1] ?? [])
  return `[${versions}]`
}
