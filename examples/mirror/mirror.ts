// Copies a workspace to a file of SQLite and keeps the copy current.
//   GROUNDWORK_URL, GROUNDWORK_KEY   address of the service, and a key with the scopes `*:read`
//   node mirror.ts copy.sqlite                                   follows the events
//   GROUNDWORK_WEBHOOK_SECRET=whsec_… node mirror.ts copy.sqlite --port 3000   receives the deliveries of a webhook too
import { createServer } from 'node:http'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import {
  applyEvent,
  type Client,
  createClient,
  mirror,
  readEvent,
  verifyWebhook,
  WebhookError,
} from 'groundwork-client'
import { SqliteStore } from './store.ts'

const { values, positionals } = parseArgs({ options: { port: { type: 'string' } }, allowPositionals: true })
const [file = 'mirror.sqlite'] = positionals
const {
  GROUNDWORK_URL: url = 'http://localhost:8787',
  GROUNDWORK_KEY: key = '',
  GROUNDWORK_WEBHOOK_SECRET: secret,
} = process.env

/** Applies each delivery as it arrives. A failure answers 500, and the service repeats the delivery. */
function receiveDeliveries(client: Client, store: SqliteStore, port: number, secret: string) {
  const server = createServer(async (request, response) => {
    try {
      const { id } = await verifyWebhook(request.headers, await text(request), secret)
      const event = await readEvent(client, id)
      if (event) await applyEvent(client, store, event)
      response.writeHead(204).end()
    } catch (error) {
      response.writeHead(error instanceof WebhookError ? 400 : 500).end()
    }
  })
  return server.listen(port)
}

if (!key) throw new Error('Set GROUNDWORK_KEY to an API key of the workspace.')
if (values.port && !secret) throw new Error('Set GROUNDWORK_WEBHOOK_SECRET to the secret of the webhook.')

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

const client = createClient({ url, key })
const store = new SqliteStore(file)
const server = values.port && secret ? receiveDeliveries(client, store, Number(values.port), secret) : undefined
await mirror(client, store, { signal: stop.signal })
server?.close()
store.close()
