import { xxHash32 } from 'js-xxhash'

export function versionEtag(version: number): string {
  return `"v${version}"`
}

const utf8Encoder = new TextEncoder()

/**
 * Contains a checksum of the body, because linked content changes without a new version. A cryptographic digest would
 * take ten times as long, and nobody gains by forging a tag.
 */
export function contentEtag(version: number, body: string): string {
  const bytes = utf8Encoder.encode(body)
  return `"v${version}-${checksumHex(xxHash32(bytes, 1))}${checksumHex(xxHash32(bytes, 2))}"`
}

function checksumHex(checksum: number): string {
  return checksum.toString(16).padStart(8, '0')
}

export function fileEtag(hash: string): string {
  return `"${hash}"`
}

export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) === true
}

const VERSION_ETAG_PATTERN = /^(?:W\/)?"v(0|[1-9]\d{0,14})(?:-[0-9a-f]+)?"$/

/**
 * Versions as a JSON array; null accepts any version. Weak ETags count too, because a compressing edge weakens tags.
 * @example versionsOf('"v3", W/"v5-1f"') // '[3,5]'
 */
export function parseIfMatchVersions(ifMatch: string | undefined): string | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null
  const versions = ifMatch.split(',').flatMap((tag) => VERSION_ETAG_PATTERN.exec(tag.trim())?.[1] ?? [])
  return `[${versions}]`
}
