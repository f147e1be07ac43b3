// The part of Cloudflare's API that commands use for a deployed database and its bucket.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { unstable_splitSqlQuery as split } from 'wrangler'

const META = { duration: 1, rows_read: 0, rows_written: 0, size_after: 0 }
const OBJECT_PATTERN = /\/r2\/buckets\/([^/]+)\/objects\/(.+)$/
const UUID = '00000000-0000-4000-8000-000000000001'

export interface FakeCloudflare {
  database: DatabaseSync
  /** Method and path of each call. */
  calls: string[]
  /** SQL sent to `/query`. */
  queries: string[]
  /** Objects of R2, by bucket and key. */
  objects: Map<string, Buffer>
  /** Jurisdiction of each object; undefined for the default. */
  jurisdictions: unknown[]
  /** Outcome of each import. */
  imports: string[]
  rows(sql: string): unknown[]
  stop(): Promise<void>
}

/** Starts the API, and points wrangler to the API. */
export async function startCloudflare(): Promise<FakeCloudflare> {
  const database = new DatabaseSync(':memory:')
  const [calls, queries, imports]: [string[], string[], string[]] = [[], [], []]
  const objects = new Map<string, Buffer>()
  const jurisdictions: unknown[] = []
  let uploaded = ''
  const runImport = () => {
    database.exec('BEGIN')
    try {
      database.exec(uploaded)
      database.exec('COMMIT')
    } catch (error) {
      database.exec('ROLLBACK')
      const message = error instanceof Error ? error.message : String(error)
      imports.push(`failed: ${message}`)
      return { success: true, status: 'error', errors: [message], messages: [] }
    }
    imports.push('complete')
    return {
      success: true,
      status: 'complete',
      messages: [],
      result: { num_queries: 1, final_bookmark: '', meta: META },
    }
  }
  const answer = (url: string, body: { sql?: string; action?: string }) => {
    if (url.includes('/time_travel/bookmark')) return { bookmark: '00000001-00000002' }
    if (url.endsWith('/query')) {
      queries.push(body.sql ?? '')
      return split(body.sql ?? '').map((sql) => ({ success: true, results: database.prepare(sql).all(), meta: META }))
    }
    if (url.endsWith('/import')) {
      return body.action === 'init' ? { upload_url: `${base}/upload`, filename: 'import.sql' } : runImport()
    }
    return { uuid: UUID, name: 'groundwork-production', version: 'production' }
  }
  const server = createServer(async (request, response) => {
    calls.push(`${request.method} ${request.url}`)
    const body = await readBody(request)
    const text = body.toString()
    const [, bucket, key] = OBJECT_PATTERN.exec(request.url ?? '') ?? []
    if (request.method === 'PUT' && key !== undefined) {
      objects.set(`${bucket}/${decodeURIComponent(key)}`, body)
      jurisdictions.push(request.headers['cf-r2-jurisdiction'])
    } else if (request.method === 'PUT') {
      uploaded = text
      response.setHeader('etag', createHash('md5').update(text).digest('hex')).end()
      return
    }
    const result = key === undefined ? answer(request.url ?? '', text ? JSON.parse(text) : {}) : {}
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ success: true, errors: [], messages: [], result }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = { CLOUDFLARE_API_BASE_URL: base, CLOUDFLARE_API_TOKEN: 'token', CLOUDFLARE_ACCOUNT_ID: 'account' }
  const before = Object.fromEntries(Object.keys(settings).map((name) => [name, process.env[name]]))
  Object.assign(process.env, settings)
  return {
    database,
    calls,
    queries,
    objects,
    jurisdictions,
    imports,
    rows: (sql) => database.prepare(sql).all(),
    async stop() {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
