import { WorkspaceMoved } from '../../../db/client/fence'
import { makeIncomingFile } from '../../../http/multipart'
import { discardObject } from '../../../http/object'
import { ApiError, invalidValueError } from '../../../text/errors'
import type { StoredFile } from '../../../workspace/assets/fields'
import { storeFile } from '../../../workspace/assets/store'
import { makeObjectKey } from '../../../workspace/objects/fields'

export const MAX_IDEA_FILES = 5

/** 5 MiB, so that one file fits into a JSON body, and all into the 25 MiB of a form. */
export const MAX_IDEA_FILE_BYTES = 5 * 1024 * 1024

export interface SentFile {
  name: string
  type?: string | undefined
  /** Base64. */
  content: string
}

function decodeContent(content: string, path: string): Uint8Array {
  let bytes: Uint8Array
  try {
    bytes = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0))
  } catch {
    throw invalidValueError(path, 'Must be base64')
  }
  if (!bytes.length) throw invalidValueError(path, 'The file is empty. Send a file with content.', 'file_required')
  return bytes
}

/** Where the files of a request go. */
export interface FileStore {
  files: R2Bucket
  subscriptionId: number
  runAfterResponse(work: Promise<unknown>): void
}

/** The bytes come first, because a record must never refer to a missing object. */
export async function storeSentFiles(store: FileStore, sent: readonly SentFile[]): Promise<StoredFile[]> {
  const contents = sent.map(({ content }, n) => decodeContent(content, `/files/${n}/content`))
  const stored: StoredFile[] = []
  for (const [n, { name, type = '' }] of sent.entries()) {
    const bytes = contents[n] ?? new Uint8Array()
    const file = makeIncomingFile(yieldBytes(bytes), { name, type, isDigested: true })
    stored.push(await storeFile(store.files, makeObjectKey('asset', store.subscriptionId), file))
  }
  return stored
}

async function* yieldBytes(bytes: Uint8Array) {
  yield bytes
}

export function discardFiles({ files, runAfterResponse }: FileStore, stored: readonly StoredFile[]): void {
  for (const { objectKey } of stored) runAfterResponse(discardObject(files, objectKey))
}

/** A refusal wrote no record. After an interruption the outcome is unknown, and the cron deletes surplus objects. */
export async function saveWithFiles<T>(
  store: FileStore,
  stored: readonly StoredFile[],
  save: () => Promise<T>,
): Promise<T> {
  try {
    return await save()
  } catch (cause) {
    if (cause instanceof WorkspaceMoved || (cause instanceof ApiError && cause.status < 500))
      discardFiles(store, stored)
    throw cause
  }
}
