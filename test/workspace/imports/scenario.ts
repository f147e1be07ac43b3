import { env } from 'cloudflare:workers'
import type { ImportName } from '../../../src/imports'
import { createWorkspace, type Workspace } from '../../factories'
import { fileForm } from '../../world'

export interface Run {
  id: number
  status: string
  progress: number
  totals: Record<'rows' | 'created' | 'updated' | 'skipped' | 'rejected' | 'suppressed' | 'kept', number>
  problem: string | null
  mapping: { columns: { column: string; dates?: string | null }[] }
  rejected: { row: number; field: string | null; reason: string }[]
  warnings: {
    field: string
    column: string | null
    value: string | null
    rows: number
    became: string | null
    reason: string
  }[]
  kept: { row: number; externalKey: string | null; id: number | null; reason: string }[]
}

interface StoredPerson {
  id: number
  email: string
  first_name: string
  last_name: string
  role: string
  attributes: string
  version: number
  deleted_at: number | null
}

const queueResponse = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
/** A queue that drops every message, because the tests pass messages to the handler. */
export const QUEUE = {
  send: async () => queueResponse,
  sendBatch: async () => queueResponse,
  metrics: env.QUEUE.metrics,
}

export const MEMBERS = '/api/v2/idea-manager/members/import-users'

/** Path of the import with a query, and the part of the form with the file. */
const PATHS: Record<ImportName, (product: string) => [path: string, part: string]> = {
  backlog: (product) => [`/api/initiatives/${product}/backlog/import?`, 'file'],
  feedback: (product) => [`/api/feedback-items/import?product=${product}&`, 'file'],
  changelog: (product) => [`/api/v2/changelog/import?product=${product}&`, 'file'],
  people: () => [`${MEMBERS}?`, 'users'],
  suppressions: () => ['/api/v2/suppressions/import?', 'file'],
}

export function sendImport<R extends Run>({ client, product }: Workspace, kind: ImportName, file: File, query = '') {
  const [path, part] = PATHS[kind](product.externalKey)
  const raw = new FormData()
  raw.set(part, file)
  return client<R>('POST', path + query, { raw, env: { QUEUE } })
}

/** Imports a file of any kind, and returns the run. */
export async function importFile<R extends Run>(space: Workspace, kind: ImportName, file: File, query = '') {
  const { body } = await sendImport<R>(space, kind, file, query)
  if (!body.success) throw new Error(JSON.stringify(body))
  return body.data
}

interface Options {
  query?: string
  mapping?: object
  path?: string
  name?: string
  apiKey?: string
}

export async function createImportScenario() {
  const space: Workspace = await createWorkspace()
  const { client, subscriptionId } = space
  return {
    ...space,
    run(
      content: string | Uint8Array<ArrayBuffer>,
      { query = '', mapping, path = MEMBERS, name, apiKey }: Options = {},
    ) {
      const raw = fileForm('users', content, name ?? 'people.csv', 'text/csv')
      if (mapping) raw.set('mapping', JSON.stringify(mapping))
      return client<Run>('POST', `${path}${query}`, { raw, env: { QUEUE }, ...(apiKey && { apiKey }) })
    },
    read: async (id: number) => (await client<Run>('GET', `/api/v2/imports/${id}`)).body.data,
    async people(where = 'deleted_at IS NULL') {
      const { results } = await env.DB.prepare(
        `SELECT * FROM users WHERE subscription_id = ? AND role <> 'owner' AND ${where} ORDER BY id`,
      )
        .bind(subscriptionId)
        .all<StoredPerson>()
      return results
    },
    async segment(name = 'Beta') {
      const { body } = await client<{ id: number }>('POST', '/api/v2/segments', { json: { name } })
      return body.data.id
    },
  }
}

export function createUsersCsv(count: number, { from = 0 } = {}): string {
  const lines = Array.from({ length: count }, (_, n) => `p${from + n}@example.com,Person ${from + n},plan-${n % 7}`)
  return `email,name,plan\n${lines.join('\n')}\n`
}
