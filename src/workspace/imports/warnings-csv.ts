import type { Database } from '../../db/client/client'
import { EXPORT_MEDIA_TYPES, streamCsv } from '../../files/write'
import { downloadResponse } from '../../http/download'
import type { ImportKey } from './fields'
import { findWarnings, listWarningsAfter } from './queries/warnings'

const WARNING_COLUMNS = ['field', 'column', 'value', 'rows', 'became', 'reason'] as const

export async function streamWarningsCsv(db: Database, key: ImportKey): Promise<Response> {
  const first = await findWarnings(db, key)
  async function* pages() {
    for (let page = first; page.length; page = await listWarningsAfter(db, key, page.at(-1))) {
      yield page.map((warning) => WARNING_COLUMNS.map((column) => warning[column] ?? ''))
    }
  }
  const pieces = streamCsv(WARNING_COLUMNS, pages())
  return downloadResponse({ type: EXPORT_MEDIA_TYPES.csv, name: `import-${key.importId}-warnings.csv`, pieces })
}
