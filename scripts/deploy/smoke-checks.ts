import { createHash, randomBytes } from 'node:crypto'
import {
  describeAnswer,
  findHomeOfBookmark,
  requireStatus,
  requireThat,
  type SmokeAnswer,
  type SmokeCall,
} from './smoke-client.ts'

export interface SmokeContext {
  url: string
  isLocal: boolean
  mailTo?: string | undefined
  uploadBytes: number
  call: SmokeCall
  /** Key and path of the product that holds the records of all checks. */
  productKey: string
  product: `/${string}`
  /** Random, for names that must be unique. */
  name: string
  /** Work to do after all checks. */
  later(work: () => Promise<unknown>): void
  waitUntil<T>(read: () => Promise<T | undefined>, problem: string): Promise<T>
}

export interface SmokeCheck {
  name: string
  remedy: string
  skippedBecause?(options: { mailTo?: string | undefined }): string | undefined
  run(context: SmokeContext): Promise<void>
}

// No database has this id.
const UNKNOWN_ID = 2_000_000_001
const SCHEDULE_AHEAD_MS = 1_500
const LOCAL_CRON_INTERVAL_MS = 3_000

const REFUSAL_REMEDY =
  'The database words its errors differently than the Worker expects: compare the log line of the request with REFUSAL_ERROR_PATTERN in src/db/client/failure.ts'

interface Refusal {
  name: string
  status: number
  code: string
  /** A part of the message that the database computes. */
  says: string
  provoke(context: SmokeContext): Promise<SmokeAnswer>
}

const createTag = ({ call, product }: SmokeContext, name: string, headers = {}) =>
  call(`POST ${product}/tags`, { body: { name }, headers })

async function createKey({ call, later }: SmokeContext, body: object) {
  const created = requireStatus(await call('POST /api/v2/api-keys', { body }), 201, 'The creation of an API key')
  const revoke = () => call(`DELETE /api/v2/api-keys/${created.id}`)
  later(revoke)
  return { key: String(created.token), revoke }
}

async function createEpic({ call, product }: SmokeContext, summary: string): Promise<`/${string}`> {
  const body = { summary, description: '<p>A text that is long enough for the edge to compress.</p>'.repeat(40) }
  const data = requireStatus(await call(`POST ${product}/epics`, { body }), 200, 'The creation of an epic')
  return `${product}/epics/${data.externalKey}`
}

const REFUSALS: Refusal[] = [
  {
    name: 'a revoked key',
    status: 401,
    code: 'unauthorized',
    says: 'This API key is not active',
    async provoke(context) {
      const { key, revoke } = await createKey(context, { name: `${context.name} revoked`, scopes: ['*'] })
      requireStatus(await revoke(), 200, 'The revocation of the key')
      return context.call(`POST ${context.product}/tags`, { body: { name: 'Revoked' }, key })
    },
  },
  {
    name: 'a key of another product',
    status: 403,
    code: 'insufficient_scope',
    says: 'limited to other products',
    async provoke(context) {
      const { call, later, name, productKey } = context
      const body = { name: `${name} other` }
      const other = requireStatus(await call('POST /api/initiatives', { body }), 201, 'The creation of a product')
      later(() => call(`DELETE /api/initiatives/${other.externalKey}`))
      const { key } = await createKey(context, { name: `${name} limited`, scopes: ['*'], products: [productKey] })
      return call(`POST /api/initiatives/${other.externalKey}/tags`, { body: { name: 'Limited' }, key })
    },
  },
  {
    name: 'an unknown product',
    status: 404,
    code: 'product_not_found',
    says: 'Product not found',
    provoke: ({ call }) => call('POST /api/initiatives/SMKE-NOTHERE/tags', { body: { name: 'Nowhere' } }),
  },
  {
    name: 'an unknown record',
    status: 404,
    code: 'tag_not_found',
    says: 'Tag not found',
    provoke: ({ call, product }) => call(`PUT ${product}/tags/${UNKNOWN_ID}`, { body: { name: 'Nobody' } }),
  },
  {
    name: 'an unknown reference',
    status: 400,
    code: 'unknown_reference',
    says: '/members/0',
    provoke: ({ call, name }) => call('POST /api/v2/teams', { body: { name, members: [UNKNOWN_ID] } }),
  },
  {
    name: 'a stale version',
    status: 412,
    code: 'precondition_failed',
    says: 'The record has changed',
    async provoke(context) {
      const epic = await createEpic(context, 'Stale version')
      return context.call(`PUT ${epic}`, { body: { summary: 'Changed' }, headers: { 'if-match': '"v999"' } })
    },
  },
  {
    name: 'a taken name',
    status: 409,
    code: 'conflict',
    says: 'same slug',
    async provoke(context) {
      requireStatus(await createTag(context, 'Smoke taken'), 201, 'The creation of a tag')
      return createTag(context, 'Smoke taken')
    },
  },
  {
    name: 'a reused Idempotency-Key',
    status: 422,
    code: 'idempotency_key_reused',
    says: 'another body',
    async provoke(context) {
      const headers = { 'idempotency-key': `${context.name}-reused` }
      requireStatus(await createTag(context, 'Reused', headers), 201, 'The creation of a tag')
      return createTag(context, 'Reused again', headers)
    },
  },
]

const REFUSAL_CHECKS: SmokeCheck[] = REFUSALS.map(({ name, status, code, says, provoke }) => ({
  name: `refuses ${name}`,
  remedy: REFUSAL_REMEDY,
  async run(context) {
    const answer = await provoke(context)
    const isRefused = answer.status === status && answer.json.error?.code === code
    requireThat(isRefused, `the answer is ${describeAnswer(answer)}, not ${status} ${code}`)
    requireThat(answer.json.message?.includes(says) === true, `the message "${answer.json.message}" lacks "${says}"`)
  },
}))

const mailingPathOf = (answer: SmokeAnswer): `/${string}` => `/${answer.headers.get('location')?.slice(1)}`

export const SMOKE_CHECKS: SmokeCheck[] = [
  {
    name: 'health',
    remedy: 'The message names the missing setting, binding or migration',
    async run({ call }) {
      const data = requireStatus(await call('GET /health'), 200, 'GET /health')
      requireThat(data.status === 'ok', `GET /health answered the status ${data.status}`)
    },
  },
  ...REFUSAL_CHECKS,
  {
    name: 'repeats a response',
    remedy: REFUSAL_REMEDY,
    async run(context) {
      const headers = { 'idempotency-key': `${context.name}-repeated` }
      const first = requireStatus(await createTag(context, 'Repeated', headers), 201, 'The creation of a tag')
      const second = await createTag(context, 'Repeated', headers)
      const repeated = requireStatus(second, 201, 'The repeated creation')
      requireThat(
        second.headers.get('idempotent-replayed') === 'true',
        'the repeated response lacks Idempotent-Replayed',
      )
      requireThat(first.id === repeated.id, `the repeated response has the tag ${repeated.id}, not ${first.id}`)
    },
  },
  {
    name: 'reads the rules of a segment',
    remedy: REFUSAL_REMEDY,
    async run({ call, later, name }) {
      const rules = { match: 'all', conditions: [{ attribute: 'email', operator: 'eq', value: 'nobody@example.com' }] }
      const body = { name, type: 'dynamic', rules }
      const segment = requireStatus(await call('POST /api/v2/segments', { body }), 201, 'The creation of a segment')
      later(() => call(`DELETE /api/v2/segments/${segment.id}`))
      const mail = { subject: name, html: '<p>Nobody reads this text.</p>' }
      requireStatus(await call(`POST /api/v2/segments/${segment.id}/email`, { body: mail }), 200, 'The mailing')
    },
  },
  {
    name: 'If-Match with gzip',
    remedy: 'The edge rewrites ETags: compare the ETag of the answer with VERSION_ETAG_PATTERN in src/http/etag.ts',
    async run(context) {
      const { call } = context
      const epic = await createEpic(context, 'Compressed')
      const gzip = { 'accept-encoding': 'gzip' }
      const read = await call(`GET ${epic}`, { headers: gzip })
      requireStatus(read, 200, 'The epic')
      const etag = read.headers.get('etag') ?? ''
      requireThat(etag !== '', 'the epic has no ETag')
      const known = await call(`GET ${epic}`, { headers: { ...gzip, 'if-none-match': etag } })
      requireThat(known.status === 304, `If-None-Match: ${etag} answered ${known.status}, not 304`)
      const weak = etag.startsWith('W/') ? etag : `W/${etag}`
      const change = { body: { summary: 'Compressed and changed' }, headers: { ...gzip, 'if-match': weak } }
      requireStatus(await call(`PUT ${epic}`, change), 200, `If-Match: ${weak}`)
    },
  },
  {
    name: 'bookmark',
    remedy: 'The binding DB answers no session: check the compatibility date, and D1 in wrangler.toml',
    async run(context) {
      const written = await createTag(context, 'Bookmark')
      const tag = requireStatus(written, 201, 'The creation of a tag')
      const bookmark = written.headers.get('x-d1-bookmark') ?? ''
      requireThat(findHomeOfBookmark(bookmark) !== undefined, `the write has the bookmark "${bookmark}"`)
      const read = await context.call(`GET ${context.product}/tags/${tag.id}`, {
        headers: { 'x-d1-bookmark': bookmark },
      })
      requireStatus(read, 200, 'The tag, read with the bookmark of its creation,')
    },
  },
  {
    name: 'upload of 25 MiB',
    remedy: 'Check the bucket of the binding FILES in wrangler.toml, and the limit of bodies of the zone',
    async run({ call, product, uploadBytes }) {
      const bytes = randomBytes(uploadBytes)
      const body = new FormData()
      body.set('file', new File([bytes], 'smoke.bin'))
      const asset = requireStatus(await call(`POST ${product}/assets`, { body }), 201, 'The upload')
      const read = await call(`GET ${product}/assets/${asset.id}/download`)
      requireStatus(read, 200, 'The download')
      const digest = (data: Uint8Array) => createHash('sha256').update(data).digest('hex')
      requireThat(digest(read.bytes) === digest(bytes), `the download has ${read.bytes.length} bytes that differ`)
    },
  },
  {
    name: 'queue',
    remedy: 'Check that the queue has its consumer (npx wrangler queues list), and repeat the deployment',
    async run({ call, later, productKey, name, waitUntil }) {
      const mapping = { externalId: '$.id', summary: '$.title' }
      const body = { provider: 'generic', product: productKey, action: 'upsert_work_item', mapping }
      const hook = requireStatus(
        await call('POST /api/v2/incoming-webhooks', { body }),
        201,
        'The creation of an incoming webhook',
      )
      const path = `/api/v2/incoming-webhooks/${hook.id}` as const
      later(() => call(`DELETE ${path}`))
      const sent = await call(`POST ${new URL(String(hook.url)).pathname as '/'}`, {
        body: { id: name, title: 'Received' },
      })
      requireStatus(sent, 202, 'The delivery')
      const handled = await waitUntil(async () => {
        const [receipt] = (await call(`GET ${path}/receipts`)).json.data as unknown as { status: string }[]
        return receipt && receipt.status !== 'queued' ? receipt.status : undefined
      }, 'the queue did not handle a received delivery')
      requireThat(handled === 'processed', `the delivery was handled as ${handled}`)
    },
  },
  {
    name: 'cron',
    remedy: 'Check that the Worker has its cron trigger (npx wrangler triggers deploy --env production sets it)',
    async run({ url, isLocal, call, later, name, waitUntil }) {
      const address = `${name}@example.com`
      const people = 'POST /api/v2/idea-manager/members?invite=false'
      const person = requireStatus(await call(people, { body: { email: address } }), 201, 'The creation of a member')
      const remove = () => call(`DELETE /api/v2/idea-manager/members/${person.id}`)
      later(remove)
      const due = Date.now() + SCHEDULE_AHEAD_MS
      let nextCronAt = due
      const mail = { subject: name, html: '<p>Nobody reads this text.</p>', scheduledAt: new Date(due).toISOString() }
      const body = { userIds: [person.id], ...mail }
      const accepted = await call('POST /api/v2/segments/email-members', { body })
      requireStatus(accepted, 200, 'The scheduled mailing')
      const mailing = mailingPathOf(accepted)
      later(() => call(`POST ${mailing}/cancel`))
      // The message to a removed member is suppressed, so no mail leaves.
      requireStatus(await remove(), 200, 'The removal of the member')
      const { totals } = await waitUntil(async () => {
        if (isLocal && Date.now() > nextCronAt) {
          nextCronAt = Date.now() + LOCAL_CRON_INTERVAL_MS
          await fetch(`${url}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`)
        }
        const { data } = (await call(`GET ${mailing}`)).json
        return data?.status === 'completed' ? (data as { totals: { suppressed: number } }) : undefined
      }, 'the cron did not send a scheduled mailing')
      requireThat(totals.suppressed === 1, `the mailing suppressed ${totals.suppressed} messages, not 1`)
    },
  },
  {
    name: 'mail',
    remedy: 'Check MAIL_PROVIDER, MAIL_FROM and MAIL_API_KEY, and the log of the mail provider',
    skippedBecause: ({ mailTo }) => (mailTo ? undefined : 'Add --mail-to ADDRESS to send a mail'),
    async run({ call, mailTo, name, waitUntil }) {
      const body = { to: [mailTo], subject: name, html: '<p>The mail of Groundwork works.</p>' }
      const accepted = await call('POST /api/v2/emails/test', { body })
      requireStatus(accepted, 200, 'The test mail')
      const recipient = await waitUntil(async () => {
        const { data } = (await call(`GET ${mailingPathOf(accepted)}/recipients/0`)).json
        return data && data.status !== 'queued' && data.status !== 'sending' ? data : undefined
      }, 'the mail was not sent')
      requireThat(
        recipient.status === 'sent' || recipient.status === 'delivered',
        `the mail has the status ${recipient.status}: ${recipient.reason}`,
      )
      const { subject } = recipient.message as { subject: string }
      requireThat(subject === name, `the mail has the subject "${subject}"`)
    },
  },
]
