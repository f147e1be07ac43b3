import { xxHash32 } from 'js-xxhash'

export function versionTag(version: number): string {
  return `"v${version}"`
}

const encoder = new TextEncoder()

/**
 * Contains a checksum of the body, because linked content changes without a new version. A cryptographic digest would
 * take ten times as long, and nobody gains by forging a tag.
 */
export function contentTag(version: number, body: string): string {
  const bytes = encoder.encode(body)
  return `"v${version}-${hex(xxHash32(bytes, 1))}${hex(xxHash32(bytes, 2))}"`
}

function hex(checksum: number): string {
  return checksum.toString(16).padStart(8, '0')
}

export function fileTag(hash: string): string {
  return `"${hash}"`
}

export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) === true
}

const VERSION_TAG = /^(?:W\/)?"v(0|[1-9]\d{0,14})(?:-[0-9a-f]+)?"$/

/**
 * Versions as a JSON array; null accepts any version. Weak ETags count too, because a compressing edge weakens tags.
 * @example versionsOf('"v3", W/"v5-1f"') // '[3,5]'
 */
export function versionsOf(ifMatch: string | undefined): string | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null
  const versions = ifMatch.split(',').flatMap((tag) => VERSION_TAG.exec(tag.trim())?.[1] ?? [])
  return `[${versions}]`
}
