import { env } from 'cloudflare:workers'
import { getTableName } from 'drizzle-orm'
import type * as z from 'zod'
import { createBackgroundDeps } from '../src/background'
import { homeOf } from '../src/homes'
import type { AnyOperation } from '../src/http/operation'
import { operations } from '../src/operations'
import { exportRunHandler } from '../src/workspace/exports/work/handler'
import { uniqueExample } from './examples'
import type { Workspace } from './factories'
import { declaredRecords } from './records'
import { addMakers, MAKERS, type PathValue, type RecordMaker, type Records } from './world'

const table: readonly AnyOperation[] = operations

/** The table of the record that an operation cannot find. */
function tableOf({ id, errors }: AnyOperation): string {
  const record = declaredRecords.find(({ missing }) => errors?.includes(missing))
  if (!record) throw new Error(`No record for ${id}. Export the record of the resource from its queries.ts.`)
  return getTableName(record.table)
}

/**
 * Makers of the records that a POST creates with the example of its body: the path of the GET is the path of the POST
 * with a parameter.
 */
function deriveMakers(): Record<string, RecordMaker> {
  const readers = table.flatMap((op) => {
    const [, path, parameter = ''] = /^(.*)\/\{(\w+)\}$/.exec(op.method === 'get' ? op.path : '') ?? []
    const creator = table.find((other) => other.method === 'post' && other.path === path)
    const pathValue = /\{(\w+)\}$/.exec(creator?.location ?? '')?.[1]
    return creator?.body && pathValue && !(parameter in MAKERS) ? [{ op, creator, parameter, pathValue }] : []
  })
  return Object.fromEntries(
    readers.map(({ op, creator: { path, body }, parameter, pathValue }) => [
      parameter,
      { path, body: ({ workspace }) => uniqueExample(body as z.ZodType, workspace), pathValue, table: tableOf(op) },
    ]),
  )
}

addMakers(deriveMakers())

const MAX_EXPORT_TURNS = 60

/** The queue of the tests delivers nothing. */
async function finishExport({ workspace }: Records, exportId: PathValue): Promise<void> {
  const { subscriptionId } = workspace as Workspace
  const deps = createBackgroundDeps(env, { waitUntil: () => {} }, homeOf(env, subscriptionId))
  const message = { kind: 'export.run' as const, subscriptionId, exportId: Number(exportId) }
  for (let turn = 0; turn < MAX_EXPORT_TURNS; turn++) {
    await exportRunHandler.handle(message, { ...deps, connect: (call) => call() })
    const { body } = await workspace.client<{ status: string }>('GET', `/api/v2/exports/${exportId}`, {})
    if (body.data.status === 'completed') return
  }
  throw new Error(`The export ${exportId} is not complete after ${MAX_EXPORT_TURNS} turns`)
}

MAKERS.exportId = { ...(MAKERS.exportId as RecordMaker), afterCreate: finishExport }
MAKERS.sessionId = {
  ...(MAKERS.sessionId as RecordMaker),
  makeValue: async ({ workspace }) => (await (workspace as Workspace).session()).id,
}
