import type { Context } from 'hono'
import { makeLazy } from '../../db/sql/statement'
import { bodyTooLargeError } from '../../http/body'
import { homeEnvOf } from '../../http/home'
import { withBodyMemory } from '../../http/hook'
import { readFilesForm } from '../../http/multipart'
import { MEMORY_PER_OBJECT_WRITE } from '../../http/object'
import type { AppEnv } from '../../http/response'
import { readCountedBody } from '../../http/upload'
import { ApiError } from '../../text/errors'
import type { StoredFile } from '../../workspace/assets/fields'
import { storeFile } from '../../workspace/assets/store'
import { makeObjectKey } from '../../workspace/objects/fields'
import { authorizeWriting } from '../api/writing/queries'
import { discardFiles, type FileStore, MAX_IDEA_FILE_BYTES, MAX_IDEA_FILES } from '../api/writing/store-files'
import type { OpenPortal } from './open-portal'
import { readForm } from './read-form'

export const makeFileStore = (c: Context<AppEnv>, { actor }: OpenPortal): FileStore => ({
  get files() {
    return homeEnvOf(c, actor.subscriptionId).FILES
  },
  subscriptionId: actor.subscriptionId,
  runAfterResponse: (work) => c.executionCtx.waitUntil(work),
})

/** The edge takes 100 MB. The files of a larger choice are refused, but the fields before them are read. */
const MAX_FORM_BYTES = 95 * 1024 * 1024

interface FormWithFiles {
  form: URLSearchParams
  /** Stored, without records. */
  files: StoredFile[]
  /** True if a file is too large, empty or one too many. */
  areFilesRefused: boolean
}

/** A form of a page whose files are stored while they arrive. The database admits the person first. */
export async function readFormWithFiles(c: Context<AppEnv>, opened: OpenPortal): Promise<FormWithFiles> {
  const contentType = c.req.header('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(contentType))
    return { form: await readForm(c, opened), files: [], areFilesRefused: false }
  const store = makeFileStore(c, opened)
  const authorize = makeLazy(() => authorizeWriting(opened.db))
  const fields = new Map<string, string>()
  const files: StoredFile[] = []
  let areFilesRefused = false
  await withBodyMemory(c, store.subscriptionId, async (reserve) => {
    const limits = { maxBytes: MAX_FORM_BYTES, maxHeldBytes: MEMORY_PER_OBJECT_WRITE }
    const body = readCountedBody(c.req.raw, limits, { authorize, reserve })
    try {
      await readFilesForm(body, contentType, {
        ...{ part: 'files', fields, maxFiles: MAX_IDEA_FILES, maxFileBytes: MAX_IDEA_FILE_BYTES },
        tooLarge: () => bodyTooLargeError(MAX_IDEA_FILE_BYTES),
        async receive(file) {
          await authorize()
          files.push(await storeFile(store.files, makeObjectKey('asset', store.subscriptionId), file))
        },
      })
    } catch (cause) {
      if (!isRefusedFile(cause)) {
        discardFiles(store, files)
        throw cause
      }
      areFilesRefused = true
    }
  })
  return { form: new URLSearchParams([...fields]), files, areFilesRefused }
}

const isRefusedFile = (cause: unknown) =>
  cause instanceof ApiError &&
  (cause.code === 'payload_too_large' || cause.issues.some(({ path }) => path.startsWith('/file')))
