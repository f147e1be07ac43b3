import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { callersKey, workingKey } from '../../db/access'
import { type Elsewhere, inserts, modifies } from '../../db/change'
import type { Database, Write } from '../../db/client'
import { equals, walking } from '../../db/filter'
import { lifecycle } from '../../db/lifecycle'
import { list } from '../../db/list'
import type { Row } from '../../db/record'
import { guard } from '../../db/refuse'
import { room } from '../../db/room'
import { kpis } from '../../db/schema/kpis'
import { apiKeys, products } from '../../db/schema/tenancy'
import { incomingReceipts, incomingWebhooks } from '../../db/schema/webhooks'
import { caller, inline, param, type Statement, statement, type Values } from '../../db/statement'
import type { Sealed } from '../webhooks/secret'
import { rotates, takesOver } from '../webhooks/statements'
import {
  CreateIncomingWebhook,
  ListIncomingWebhooks,
  ListReceipts,
  lacking,
  ModifyIncomingWebhook,
  UNMAPPED,
} from './schema'
import { type IncomingWebhookKey, incomingWebhook, receipt } from './statements'

export const getIncomingWebhook = incomingWebhook.get

export const listIncomingWebhooks = list(incomingWebhook, ListIncomingWebhooks, {
  sorts: { createdAt: incomingWebhooks.createdAt },
}).page

export const listReceipts = list(receipt, ListReceipts, {
  sorts: { createdAt: incomingReceipts.createdAt },
  filters: { status: walking(equals(incomingReceipts.status)) },
}).page

/**
 * Returns the record with the encrypted secret and token, because a retry with the same Idempotency-Key must return
 * both.
 */
const withSecrets = (where: SQL) =>
  incomingWebhook.answering<{ secret: string | null; token: string }>(where, {
    secret: incomingWebhooks.secret,
    token: sql`${param('sealedToken')}`,
  })

async function issueBoth(
  db: Database,
  write: Write<readonly Statement[], Row & { secret: string | null; token: string }>,
) {
  const { answer } = await db.write(write)
  const [{ secret, token, ...row }] = answer
  return { data: incomingWebhook.replied([row]).data, secret, token }
}

const unknownKpi = (product: SQL) =>
  guard<Values>(
    sql`'validation_failed:/target/kpi:The product has no such KPI. Use the key of one of its own.'`,
    sql`${param('kpi')} IS NOT NULL AND ${product} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${kpis}
      WHERE ${kpis.subscriptionId} = ${caller.subscription} AND ${kpis.productId} = ${product}
        AND ${kpis.externalKey} = ${param('kpi')} AND ${kpis.deletedAt} IS NULL)`,
  )
const ofGiven = unknownKpi(sql`(SELECT ${products.id} FROM ${products}
  WHERE ${products.subscriptionId} = ${caller.subscription} AND ${products.externalKey} = ${param('=product')}
    AND ${products.deletedAt} IS NULL)`)
const ofAddressed = unknownKpi(
  sql`(SELECT ${incomingWebhooks.productId} FROM ${incomingWebhooks} WHERE ${incomingWebhook.addressed})`,
)

const { onCreate: full } = room(incomingWebhook)
const inserted = inserts(incomingWebhook, CreateIncomingWebhook, {
  except: ['secret'],
  values: {
    keyId: callersKey,
    tokenHash: param('tokenHash'),
    baseUrl: param('baseUrl'),
    secret: param('secret'),
    sealedBy: param('sealer'),
  },
})
const created = incomingWebhook.event('created')
const createdWithSecrets = withSecrets(incomingWebhook.newest)

/** A token as a hash for the lookup, and encrypted for the reply. */
export interface IssuedToken {
  tokenHash: string
  sealedToken: string
}

interface Made {
  token: IssuedToken
  baseUrl: string
  sealed: Sealed | undefined
}

export function createIncomingWebhook(
  db: Database,
  { secret: _, ...body }: z.output<typeof CreateIncomingWebhook>,
  { token, baseUrl, sealed }: Made,
) {
  const given = { ...token, baseUrl, secret: sealed?.secret ?? null, sealer: sealed?.sealer ?? null }
  return issueBoth(db, {
    guards: [ofGiven({ ...given, kpi: body.target.kpi ?? null, '=product': body.product }), ...full()],
    references: [{ kind: 'product', path: '/product', value: body.product }],
    statements: [inserted(body, given), created({})],
    answer: createdWithSecrets(given),
  })
}

const modified = modifies(incomingWebhook, ModifyIncomingWebhook)
// The caller's key replaces an ended key, even if nothing else changes.
const actsAs: Elsewhere = {
  name: 'key',
  json: sql`NULL`,
  differs: sql`NOT EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${apiKeys.id} = ${incomingWebhooks.keyId} AND ${workingKey})`,
  sets: { column: incomingWebhooks.keyId, value: callersKey },
}
const forgetsFirstKey = takesOver(incomingWebhooks)

// Only a generic sender needs the required fields in the mapping, because known providers have a default mapping.
const unmapped = guard<Values>(
  sql`'validation_failed:/mapping/' || ${param('lacking')} || ${inline(`:${UNMAPPED}`)}`,
  sql`${param('lacking')} IS NOT NULL AND EXISTS (SELECT 1 FROM ${incomingWebhooks}
    WHERE ${incomingWebhook.addressed} AND ${incomingWebhooks.provider} = 'generic')`,
)

/** The webhook acts with the caller's key from now on. */
export const modifyIncomingWebhook = (
  db: Database,
  key: IncomingWebhookKey,
  body: z.output<typeof ModifyIncomingWebhook>,
  ifMatch: string | null,
) =>
  incomingWebhook.save(db, {
    guards: [
      ...incomingWebhook.writable(key, ifMatch),
      unmapped({ ...key, lacking: lacking(body) ?? null }),
      ofAddressed({ ...key, kpi: body.target.kpi ?? null }),
    ],
    statements: modified(key, body, [actsAs, forgetsFirstKey]),
    answer: incomingWebhook.reply(key),
  })

const { removal, restoration } = lifecycle(incomingWebhook)

export const removeIncomingWebhook = (db: Database, key: IncomingWebhookKey, ifMatch: string | null) =>
  db.write(removal(key, ifMatch))

/**
 * The caller's key must have the scope of the webhook's action, because a restored or rotated webhook acts for the
 * caller.
 */
function lacksScope(where: SQL) {
  const needed = sql`${param('scopes')} ->> ${incomingWebhooks.action}`
  return guard<Values>(
    sql`(SELECT 'insufficient_scope:This API key lacks the scope ' || (${needed})
      || ', by which the webhook acts. Use a key that has it.' FROM ${incomingWebhooks} WHERE ${where})`,
    sql`EXISTS (SELECT 1 FROM ${incomingWebhooks} WHERE ${where}
      AND NOT EXISTS (SELECT 1 FROM json_each(${caller.scopes}) s WHERE s.value IN ('*', ${needed})))`,
  )
}
const mayNotRestore = lacksScope(incomingWebhook.removed)

/** `scopes`, here and below: required scope by action, as JSON. */
export function restoreIncomingWebhook(db: Database, key: IncomingWebhookKey, scopes: string) {
  const { guards, ...rest } = restoration(key)
  return incomingWebhook.save(db, { ...rest, guards: [...guards, mayNotRestore({ ...key, scopes })] })
}

const mayNotRotate = lacksScope(incomingWebhook.addressed)
const rotated = incomingWebhook.event('secret_rotated', incomingWebhook.addressed)
const rotateToken = statement<never, Values>(sql`UPDATE ${incomingWebhooks}
  SET previous_token_hash = token_hash, token_hash = ${param('tokenHash')} WHERE ${incomingWebhook.addressed}`)
const rotate = rotates(incomingWebhook)
const addressedWithSecrets = withSecrets(incomingWebhook.addressed)

/** Rotates the secret and the token. The old secret and the old token stay valid for a day. */
export function rotateSecret(
  db: Database,
  key: IncomingWebhookKey,
  { sealed, token, scopes }: { sealed: Sealed; token: IssuedToken; scopes: string },
) {
  return issueBoth(db, {
    guards: [...incomingWebhook.writable(key), mayNotRotate({ ...key, scopes })],
    statements: [rotateToken({ ...key, ...token }), rotate({ ...key, ...sealed }), rotated(key)],
    answer: addressedWithSecrets({ ...key, ...token }),
  })
}

interface Known {
  id: number
  provider: string
  secret: string | null
  /** Null after the overlap of a rotation. */
  previousSecret: string | null
  deletedAt: number | null
  /** 1 if a rotation has replaced the token and the overlap has ended. */
  isRotated: number
}

export const selectByToken = statement<Known, { tokenHash: string }>(sql`SELECT ${incomingWebhooks.id} AS "id",
    ${incomingWebhooks.provider} AS "provider", ${incomingWebhooks.secret} AS "secret",
    iif(${incomingWebhooks.previousUntil} > ${caller.now}, ${incomingWebhooks.previousSecret}, NULL) AS "previousSecret",
    ${incomingWebhooks.deletedAt} AS "deletedAt",
    ${incomingWebhooks.tokenHash} <> ${param('tokenHash')} AND ${incomingWebhooks.previousUntil} <= ${caller.now} AS "isRotated"
  FROM ${incomingWebhooks}
  WHERE ${incomingWebhooks.subscriptionId} = ${caller.subscription}
    AND (${incomingWebhooks.tokenHash} = ${param('tokenHash')} OR ${incomingWebhooks.previousTokenHash} = ${param('tokenHash')})`)

/** The cron enqueues a receipt after this many milliseconds, if the first message was lost. */
const GRACE = inline(60_000)

type Received = {
  incomingWebhookId: number
  deliveryId: string
  payload: string
  signedDigest: string | null
  hops: number
}
const cameBefore = sql`EXISTS (SELECT 1 FROM ${incomingReceipts} r WHERE r.subscription_id = ${caller.subscription}
  AND r.incoming_webhook_id = ${param('incomingWebhookId')} AND r.signed_digest = ${param('signedDigest')} AND r.status <> 'failed')`

/** Stores a delivery. A duplicate by id or by signed bytes returns no row, and a failed delivery is queued again. */
export const insertReceipt = statement<{ id: number }, Received>(sql`
  INSERT INTO ${incomingReceipts} (subscription_id, incoming_webhook_id, delivery_id, payload, signed_digest, hops, next_attempt_at, created_at)
  SELECT ${caller.subscription}, id, ${param('deliveryId')}, ${param('payload')}, ${param('signedDigest')}, ${param('hops')}, ${caller.now} + ${GRACE}, ${caller.now}
  FROM ${incomingWebhooks} WHERE ${incomingWebhooks.subscriptionId} = ${caller.subscription}
    AND ${incomingWebhooks.id} = ${param('incomingWebhookId')} AND ${incomingWebhooks.deletedAt} IS NULL AND NOT ${cameBefore}
  ON CONFLICT (subscription_id, incoming_webhook_id, delivery_id) DO UPDATE SET status = 'queued', payload = excluded.payload,
    signed_digest = excluded.signed_digest, hops = excluded.hops, error = NULL, attempts = 0, next_attempt_at = excluded.next_attempt_at, version = version + 1
    WHERE status = 'failed' RETURNING id AS "id"`)
