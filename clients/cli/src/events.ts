// groundwork events and groundwork webhooks forward.
import { createHmac, randomBytes } from 'node:crypto'
import process from 'node:process'
import { type Client, type Event, follow, readLatestEventId } from 'groundwork-client'
import { CliError } from './exit.ts'
import { printLine, printNote } from './output.ts'

export interface EventFlags {
  type?: string
  product?: string
  origin?: string
  after?: string
  follow?: boolean
  json?: boolean
}

const filterOf = ({ type, product, origin }: EventFlags) => ({
  ...(type && { type: type.split(',') as never }),
  ...(product && { product }),
  ...(origin && { origin }),
})

/** Ends the work when the user presses Ctrl-C. */
function abortOnInterrupt(): AbortSignal {
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  return stop.signal
}

const printEvent = (event: Event, json: boolean | undefined) =>
  printLine(
    json
      ? JSON.stringify(event)
      : [
          event.id,
          event.createdAt,
          event.type,
          event.resourceKey,
          event.actor.keyName ?? event.actor.userId ?? '',
        ].join('  '),
  )

export async function showEvents(client: Client, flags: EventFlags): Promise<void> {
  if (!flags.follow) {
    const query = {
      ...filterOf(flags),
      ...(flags.after ? { after: Number(flags.after) } : { order: 'newest' as const }),
    }
    const events = await client.listEvents({ ...query, limit: 50 } as never)
    for (const event of flags.after ? events : events.toReversed()) printEvent(event, flags.json)
    return
  }
  const after = flags.after ? Number(flags.after) : await readLatestEventId(client)
  for await (const event of follow(client, { ...filterOf(flags), after, signal: abortOnInterrupt() }))
    printEvent(event, flags.json)
}

export interface ForwardFlags {
  to: string
  events?: string
  secret?: string
}

const MAX_ATTEMPTS = 5

/** Signs as the service does (Standard Webhooks). */
function sign(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

function urlOf(to: string): string {
  const url = /^\d+$/.test(to) ? `http://localhost:${to}` : to.includes('://') ? to : `http://${to}`
  if (!URL.canParse(url)) throw new CliError(`--to must be an address like localhost:3000/hooks, not "${to}".`)
  return url
}

/** Sends new events to an address on this machine, in order, as a webhook would. */
export async function forwardWebhooks(client: Client, flags: ForwardFlags): Promise<void> {
  const url = urlOf(flags.to)
  const secret = flags.secret ?? `whsec_${randomBytes(24).toString('base64')}`
  const after = await readLatestEventId(client)
  printNote(`Forwarding new events to ${url}. Secret: ${secret}. Press Ctrl-C to stop.`)
  const signal = abortOnInterrupt()
  const filter = flags.events ? { type: flags.events.split(',') as never } : {}
  for await (const event of follow(client, { after, ...filter, signal })) await deliver(event, { url, secret, signal })
}

async function deliver(event: Event, { url, secret, signal }: { url: string; secret: string; signal: AbortSignal }) {
  const { type, createdAt, actor, origin, data, previous } = event
  const body = JSON.stringify({ type, timestamp: createdAt, actor, origin, data, ...(previous && { previous }) })
  for (let attempt = 1; attempt <= MAX_ATTEMPTS && !signal.aborted; attempt++) {
    const timestamp = Math.floor(Date.now() / 1000)
    const id = `evt_${event.id}`
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign(secret, id, timestamp, body),
    }
    const answer = await fetch(url, { method: 'POST', headers, body, signal }).then(
      ({ ok, status }) => ({ ok, text: String(status) }),
      (error: unknown) => ({ ok: false, text: error instanceof Error ? error.message : 'failed' }),
    )
    printLine(`${event.id}  ${type}  ${event.resourceKey}  ${answer.text}`)
    if (answer.ok) return
    await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt))
  }
}
