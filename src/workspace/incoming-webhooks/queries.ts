import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { callersKey, workingKey } from '../../db/access'
import { type Elsewhere, inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { equals, walking } from '../../db/filter'
import { lifecycle } from '../../db/lifecycle'
import { list } from '../../db/list'
import { guard } from '../../db/refuse'
import { room } from '../../db/room'
import { kpis } from '../../db/schema/kpis'
import { apiKeys, products } from '../../db/schema/tenancy'
import { incomingReceipts, incomingWebhooks } from '../../db/schema/webhooks'
import { caller, inline, param, statement, type Values } from '../../db/statement'
import type { Sealed } from '../webhooks/secret'
import { issue, rotates } from '../webhooks/statements'
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

const withSecret = (where: SQL) =>
  incomingWebhook.answering<{ secret: string | null }>(where, { secret: incomingWebhooks.secret })

/** Refuses the key of a KPI that the product does not have. */
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
    token: param('token'),
    baseUrl: param('baseUrl'),
    secret: param('secret'),
    sealedBy: param('sealer'),
  },
})
const created = incomingWebhook.event('created')
const createdWithSecret = withSecret(incomingWebhook.newest)

/** What is made with it besides what is sent. */
interface Made {
  token: string
  baseUrl: string
  /** Its secret, where it has one. */
  sealed: Sealed | undefined
}

export function createIncomingWebhook(
  db: Database,
  { secret: _, ...body }: z.output<typeof CreateIncomingWebhook>,
  { token, baseUrl, sealed }: Made,
) {
  const given = { token, baseUrl, secret: sealed?.secret ?? null, sealer: sealed?.sealer ?? null }
  return issue(db, incomingWebhook, {
    guards: [ofGiven({ ...given, kpi: body.target.kpi ?? null, '=product': body.product }), ...full()],
    references: [{ kind: 'product', path: '/product', value: body.product }],
    statements: [inserted(body, given), created({})],
    answer: createdWithSecret({}),
  })
}

const modified = modifies(incomingWebhook, ModifyIncomingWebhook)
// In the place of one that has ended, also where nothing else differs.
const actsAs: Elsewhere = {
  name: 'key',
  json: sql`NULL`,
  differs: sql`NOT EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${apiKeys.id} = ${incomingWebhooks.keyId} AND ${workingKey})`,
  sets: { column: incomingWebhooks.keyId, value: callersKey },
}

// Of other providers it is known.
const unmapped = guard<Values>(
  sql`'validation_failed:/mapping/' || ${param('lacking')} || ${inline(`:${UNMAPPED}`)}`,
  sql`${param('lacking')} IS NOT NULL AND EXISTS (SELECT 1 FROM ${incomingWebhooks}
    WHERE ${incomingWebhook.addressed} AND ${incomingWebhooks.provider} = 'generic')`,
)

/** It acts as the key that says what it does. */
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
    statements: modified(key, body, [actsAs]),
    answer: incomingWebhook.reply(key),
  })

const { removal, restoration } = lifecycle(incomingWebhook)

export const removeIncomingWebhook = (db: Database, key: IncomingWebhookKey, ifMatch: string | null) =>
  db.write(removal(key, ifMatch))

export const restoreIncomingWebhook = (db: Database, key: IncomingWebhookKey) =>
  incomingWebhook.save(db, restoration(key))

/** Whoever knows the secret does through the webhook what it does. */
const mayNot = guard<Values>(
  sql`(SELECT 'insufficient_scope:This API key lacks the scope ' || (${param('scopes')} ->> ${incomingWebhooks.action})
    || ', by which the webhook acts. Use a key that has it.' FROM ${incomingWebhooks} WHERE ${incomingWebhook.addressed})`,
  sql`NOT EXISTS (SELECT 1 FROM ${incomingWebhooks} CROSS JOIN json_each(${caller.scopes}) s WHERE ${incomingWebhook.addressed}
    AND s.value IN ('*', ${param('scopes')} ->> ${incomingWebhooks.action}))`,
)
const rotated = incomingWebhook.event('secret_rotated', incomingWebhook.addressed)
const rotate = rotates(incomingWebhook)
const addressedWithSecret = withSecret(incomingWebhook.addressed)

/** Gives the webhook a new secret; the old one will do for a day. `scopes`: what each action needs, as JSON. */
export const rotateSecret = (db: Database, key: IncomingWebhookKey, sealed: Sealed, scopes: string) =>
  issue(db, incomingWebhook, {
    guards: [...incomingWebhook.writable(key), mayNot({ ...key, scopes })],
    statements: [rotate({ ...key, ...sealed }), rotated(key)],
    answer: addressedWithSecret(key),
  })

interface Known {
  id: number
  provider: string
  secret: string | null
  /** Null once it will not do any more. */
  previousSecret: string | null
  deletedAt: number | null
}

/** The incoming webhook of a token, removed or not. */
export const selectByToken = statement<Known, { token: string }>(sql`SELECT ${incomingWebhooks.id} AS "id",
    ${incomingWebhooks.provider} AS "provider", ${incomingWebhooks.secret} AS "secret",
    iif(${incomingWebhooks.previousUntil} > ${caller.now}, ${incomingWebhooks.previousSecret}, NULL) AS "previousSecret",
    ${incomingWebhooks.deletedAt} AS "deletedAt"
  FROM ${incomingWebhooks}
  WHERE ${incomingWebhooks.subscriptionId} = ${caller.subscription} AND ${incomingWebhooks.token} = ${param('token')}`)

/** Milliseconds that a receipt has to reach the queue by itself. */
const GRACE = inline(60_000)

/** Keeps what came, unless it came before: then nothing is returned. What failed and is sent again has another chance. */
type Received = { incomingWebhookId: number; deliveryId: string; payload: string }
export const insertReceipt = statement<{ id: number }, Received>(sql`
  INSERT INTO ${incomingReceipts} (subscription_id, incoming_webhook_id, delivery_id, payload, next_attempt_at, created_at)
  SELECT ${caller.subscription}, id, ${param('deliveryId')}, ${param('payload')}, ${caller.now} + ${GRACE}, ${caller.now}
  FROM ${incomingWebhooks} WHERE ${incomingWebhooks.subscriptionId} = ${caller.subscription}
    AND ${incomingWebhooks.id} = ${param('incomingWebhookId')} AND ${incomingWebhooks.deletedAt} IS NULL
  ON CONFLICT (subscription_id, incoming_webhook_id, delivery_id) DO UPDATE SET status = 'queued', payload = excluded.payload,
    error = NULL, attempts = 0, next_attempt_at = excluded.next_attempt_at, version = version + 1
    WHERE status = 'failed' RETURNING id AS "id"`)
