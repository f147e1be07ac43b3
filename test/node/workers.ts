// The bindings of the Workers runtime on Node, in place of `cloudflare:workers`.
import { inject } from 'vitest'
import { migrateDatabase } from '../migrate'
import { NodeBucket } from './bucket'
import { NodeDatabase } from './database'

declare module 'vitest' {
  interface ProvidedContext {
    /** Settings of the service, and the schema. */
    bindings: Record<string, string | string[]>
  }
}

export class DurableObject {}

const accept = async () => ({ metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } })
const queue: Queue = { send: accept, sendBatch: accept, metrics: async () => ({ backlogCount: 0, backlogBytes: 0 }) }
// Rate limits of the runtime hold within a minute of the clock, so only the Workers runtime shows them.
const unlimited: RateLimit = { limit: async () => ({ success: true }) }

const database = new NodeDatabase()
const secondDatabase = new NodeDatabase()
const thirdDatabase = new NodeDatabase()
const bucket = new NodeBucket()
const secondBucket = new NodeBucket()

export const env = {
  ...inject('bindings'),
  DB: database,
  DB_EU: secondDatabase,
  DB_US: thirdDatabase,
  FILES: bucket,
  FILES_EU: secondBucket,
  QUEUE: queue,
  MAIL_QUEUE: queue,
  KEY_RATE: unlimited,
  WORKSPACE_RATE: unlimited,
  BULK_RATE: unlimited,
  ADDRESS_RATE: unlimited,
  VERSION: { id: '', tag: '', timestamp: '' },
  ASSETS: { fetch: async () => new Response(null, { status: 404 }) },
}

const initial = { ...env }

/** A database with the schema, made once in a process. */
let schemaImage: Uint8Array | undefined
let lastWorkspaceId: number | null = null

/** Gives a test file new databases, empty buckets and the bindings of the start. Workspace ids continue, because modules remember data by workspace. */
export async function renewStorage(): Promise<void> {
  const ids = database.prepare('SELECT max(id) AS id FROM subscriptions')
  if (lastWorkspaceId !== null) lastWorkspaceId = Math.max(lastWorkspaceId, (await ids.first<number>('id')) ?? 0)
  for (const name of Object.keys(env)) if (!Object.hasOwn(initial, name)) Reflect.deleteProperty(env, name)
  Object.assign(env, initial)
  database.load(schemaImage)
  if (!schemaImage) {
    await migrateDatabase(database)
    schemaImage = database.serialize()
  }
  secondDatabase.load()
  thirdDatabase.load()
  bucket.clear()
  secondBucket.clear()
  if (lastWorkspaceId) {
    const kept = database.prepare(`INSERT INTO subscriptions (id, name, created_at) VALUES (?, 'Before', 0)`)
    await kept.bind(lastWorkspaceId).run()
  }
  lastWorkspaceId ??= 0
}
