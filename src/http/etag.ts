import { sha256 } from '../text/sha256'

/** The ETag of a record that was just written: its version. */
export function versionTag(version: number): string {
  return `"v${version}"`
}

/** Names the version, which `If-Match` asks for, and the very text: what hangs on a record changes without its version. */
export async function contentTag(version: number, body: string): Promise<string> {
  return `"v${version}-${(await sha256(new TextEncoder().encode(body))).slice(0, 16)}"`
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
