import type { Context } from 'hono'
import type { Database } from '../../db/client/client'
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
import { type OpenPortal, openPortalDatabaseIn } from './open-portal'
import { readForm } from './read-form'

/** A bucket, and the database for the records of its files. */
interface FileHome extends FileStore {
  db: Database
}

/** The home stays, because the bucket of another home lacks the files. */
function openFileHome(c: Context<AppEnv>, opened: OpenPortal): FileHome {
  const { subscriptionId } = opened.actor
  const { DB, FILES } = homeEnvOf(c, subscriptionId)
  return {
    ...{ db: openPortalDatabaseIn(c, DB, opened), files: FILES, subscriptionId },
    runAfterResponse: (work) => c.executionCtx.waitUntil(work),
  }
}

/** The edge takes 100 MB. The files of a larger choice are refused, but the fields before them are read. */
const MAX_FORM_BYTES = 95 * 1024 * 1024

export interface FormWithFiles {
  form: URLSearchParams
  /** Stored, without records. */
  files: StoredFile[]
  home: FileHome
  /** True if a file is too large, empty or one too many. */
  areFilesRefused: boolean
}

/** A form of a page whose files are stored while they arrive. The database admits the person first. */
export async function readFormWithFiles(c: Context<AppEnv>, opened: OpenPortal): Promise<FormWithFiles> {
  const contentType = c.req.header('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(contentType))
    return {
      ...{ form: await readForm(c, opened), files: [], areFilesRefused: false },
      home: { ...openFileHome(c, opened), db: opened.db },
    }
  const { subscriptionId } = opened.actor
  let home: FileHome | undefined
  const authorize = makeLazy(() => authorizeWriting(opened.db))
  const fields = new Map<string, string>()
  const files: StoredFile[] = []
  let areFilesRefused = false
  await withBodyMemory(c, subscriptionId, async (reserve) => {
    const limits = { maxBytes: MAX_FORM_BYTES, maxHeldBytes: MEMORY_PER_OBJECT_WRITE }
    const body = readCountedBody(c.req.raw, limits, { authorize, reserve })
    try {
      await readFilesForm(body, contentType, {
        ...{ part: 'files', fields, maxFiles: MAX_IDEA_FILES, maxFileBytes: MAX_IDEA_FILE_BYTES },
        tooLarge: () => bodyTooLargeError(MAX_IDEA_FILE_BYTES),
        async receive(file) {
          await authorize()
          home ??= openFileHome(c, opened)
          files.push(await storeFile(home.files, makeObjectKey('asset', subscriptionId), file))
        },
      })
    } catch (cause) {
      if (!isRefusedFile(cause)) {
        if (home) discardFiles(home, files)
        throw cause
      }
      areFilesRefused = true
    }
  })
  home ??= { ...openFileHome(c, opened), db: opened.db }
  return { form: new URLSearchParams([...fields]), files, home, areFilesRefused }
}

const isRefusedFile = (cause: unknown) =>
  cause instanceof ApiError &&
  (cause.code === 'payload_too_large' || cause.issues.some(({ path }) => path.startsWith('/file')))
