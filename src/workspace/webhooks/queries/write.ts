import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { callersKey } from '../../../db/access'
import { type Elsewhere, inserts, modifies } from '../../../db/change'
import type { Database } from '../../../db/client'
import { lifecycle } from '../../../db/lifecycle'
import { list } from '../../../db/list'
import { lastEvent } from '../../../db/log'
import type { Row } from '../../../db/record'
import { namingEach } from '../../../db/references'
import { guard } from '../../../db/refuse'
import { room } from '../../../db/room'
import { products } from '../../../db/schema/tenancy'
import { webhooks } from '../../../db/schema/webhooks'
import { caller, directlyAfter, param, statement, type Values } from '../../../db/statement'
import { CreateWebhook, ListWebhooks, ModifyWebhook } from '../schema'
import type { Sealed } from '../secret'
import { issue, keyWorks, limits, rotates, shownStatus, takesOver, type WebhookKey } from '../statements'
import { feed } from './feed'
import { asksBeyond, asksForMore, eventsOf, readsLessThan } from './reading'
import { endpoint, givenProducts } from './record'

export const getWebhook = endpoint.get

export const listWebhooks = list(endpoint, ListWebhooks, {
  sorts: { createdAt: webhooks.createdAt, name: webhooks.name },
}).page

const BEYOND =
  "'insufficient_scope:This API key is limited to products. Name some of its own in products, or use a key without that limit.'"
/** A caller's key with a product limit must name products, and only covered products. */
const beyondProducts = (given: SQL) => sql`${caller.products} IS NOT NULL AND (${given} IS NULL
  OR EXISTS (SELECT 1 FROM json_each(${given}) g CROSS JOIN ${products} ON ${products.subscriptionId} = ${caller.subscription}
    AND ${products.externalKey} = g.value AND ${products.deletedAt} IS NULL
    AND ${products.id} NOT IN (SELECT value FROM json_each(${caller.products}))))`
const namesBeyond = guard<Values>(sql.raw(BEYOND), beyondProducts(sql`${param('=products')}`))

const keysOf = (keys: readonly string[] | null) => keys && JSON.stringify([...new Set(keys)].sort())

// A reply with a secret has no ETag, and the plain version column saves the lookup of the key.
const withSecret = (where: SQL) =>
  endpoint.answering<{ secret: string } & Row>(where, { secret: webhooks.secret, version: webhooks.version })

const { onCreate: full } = room(endpoint)
const inserted = inserts(endpoint, CreateWebhook, {
  except: ['products'],
  values: {
    products: givenProducts,
    keyId: callersKey,
    hookTokenHash: param('hookTokenHash'),
    sealedUrl: param('sealedUrl'),
    secret: param('secret'),
    sealedBy: param('sealer'),
    // The endpoint's own `created` event is not delivered to the endpoint.
    position: sql`${lastEvent} + 1`,
  },
})
const created = endpoint.event('created')
const createdWithSecret = withSecret(endpoint.newest)

type Created = Omit<z.output<typeof CreateWebhook>, 'products'> & { name: string; products: string[] | null }

/** The URL as stored. A URL with the token of an incoming webhook is masked, and has the hash and the sealed URL. */
export interface Target {
  url: string
  hookTokenHash: string | null
  sealedUrl: string | null
}

export function createWebhook(
  db: Database,
  { products, ...body }: Created,
  { url, ...target }: Target,
  sealed: Sealed,
) {
  const given = { '=products': keysOf(products), ...target, ...sealed }
  return issue(db, endpoint, {
    guards: [namesBeyond(given), ...full()],
    references: namingEach('product', '/products', products),
    statements: [inserted({ ...body, url }, given), created(given), feed({})],
    answer: createdWithSecret(given),
  })
}

/** The caller's key must read all patterns of the endpoint after the change. */
const readsLess = guard<Values>(
  sql`'insufficient_scope:This API key may not read all events that the webhook asks for. Send events that it may read, or use a key with their scopes.'`,
  asksBeyond(sql`coalesce(${param('=events')}, ${eventsOf(endpoint.addressed)})`),
)

const modified = modifies(endpoint, ModifyWebhook, { except: ['products'] })
const worksFor: Elsewhere = {
  name: 'status',
  json: sql`json_quote(${shownStatus})`,
  differs: sql`NOT ${keyWorks}`,
  sets: { column: webhooks.keyId, value: callersKey },
}
const forgetsFirstKey = takesOver(webhooks)
const productsBecome: Elsewhere = {
  name: 'products',
  json: limits.json(),
  differs: sql`${webhooks.products} IS NOT ${givenProducts}`,
  becomes: sql`${param('=products')}`,
  sets: { column: webhooks.products, value: givenProducts },
}

const taken = statement<never, Values>(sql`UPDATE ${webhooks} SET position = ${lastEvent} + 1, failures = 0,
    failing_since = NULL, last_error = NULL, due_at = NULL
  WHERE ${endpoint.addressed} AND ${webhooks.status} = 'disabled'`)
/** Two URLs that differ in the token have the same mask. */
const targetChanges: readonly Elsewhere[] = [
  {
    name: 'url',
    json: sql`json_quote(${webhooks.url})`,
    differs: sql`(${webhooks.url} = ${param('=url')} AND ${webhooks.hookTokenHash} IS NOT ${param('hookTokenHash')})`,
    sets: { column: webhooks.hookTokenHash, value: sql`${param('hookTokenHash')}` },
  },
  {
    name: 'sealedUrl',
    json: sql`NULL`,
    differs: sql`false`,
    sets: { column: webhooks.sealedUrl, value: sql`${param('sealedUrl')}` },
  },
]
const hasOtherUrl = endpoint.refusing(
  sql`'validation_failed:/url:' || ${param('refusal')}`,
  sql`${webhooks.url} <> ${param('maskedUrl')}`,
)
/** Makes pending deliveries due when the statement before changed the endpoint. */
const due = statement<never, Values>(sql`UPDATE ${webhooks} SET due_at = ${caller.now}
  WHERE ${endpoint.addressed} AND ${webhooks.status} = 'active' AND ${webhooks.dueAt} IS NULL AND changes() > 0`)

/** A change of the target, the content or the status makes the endpoint deliver for the caller's key. */
const directs = ({ url, events, products, status }: z.output<typeof ModifyWebhook>) =>
  [url, events, products, status].some((one) => one !== undefined)

interface Retargeting {
  /** Patterns readable by the caller's key, as JSON. */
  allowed: string
  target: Target | undefined
  /** A masked URL must be the stored one. */
  unchanged: { url: string; refusal: string } | undefined
}

export function modifyWebhook(
  db: Database,
  key: WebhookKey,
  { products, ...rest }: Omit<z.output<typeof ModifyWebhook>, 'url'>,
  { allowed, target, unchanged }: Retargeting,
  ifMatch: string | null,
) {
  const body = { ...rest, ...(target && { url: target.url }) }
  const given = {
    ...key,
    allowed,
    ...(target && { hookTokenHash: target.hookTokenHash, sealedUrl: target.sealedUrl }),
    ...(products !== undefined && { '=products': keysOf(products) }),
    '=events': body.events ? JSON.stringify(body.events) : null,
  }
  const directed = directs({ products, ...body })
  const changed = [
    ...(target ? targetChanges : []),
    ...(products !== undefined ? [productsBecome] : []),
    ...(directed ? [worksFor, forgetsFirstKey] : []),
  ]
  const changing = modified(given, body, changed)
  const last = changing.at(-1)
  return endpoint.save(db, {
    guards: [
      ...endpoint.writable(key, ifMatch),
      ...(unchanged ? [hasOtherUrl({ ...key, maskedUrl: unchanged.url, refusal: unchanged.refusal })] : []),
      ...(directed ? [readsLess(given)] : []),
      ...(products !== undefined ? [namesBeyond(given)] : []),
    ],
    references: namingEach('product', '/products', products),
    statements: [
      ...(body.status === 'active' ? [taken(given)] : []),
      ...changing,
      ...(last && directed ? [directlyAfter(last, due(given)), feed({})] : []),
    ],
    answer: endpoint.reply(key),
  })
}

const { removal, restoration } = lifecycle(endpoint)

export const removeWebhook = (db: Database, key: WebhookKey, ifMatch: string | null) => db.write(removal(key, ifMatch))

// A restored endpoint resumes at the end of the log.
const goesOn = statement<never, Values>(sql`UPDATE ${webhooks} SET position = ${lastEvent} + 1, due_at = NULL
  WHERE ${endpoint.removed}`)

const restoresBeyond = readsLessThan(endpoint.removed)

export function restoreWebhook(db: Database, key: WebhookKey, allowed: string) {
  const { guards, statements, ...rest } = restoration(key)
  return endpoint.save(db, {
    ...rest,
    guards: [...guards, restoresBeyond({ ...key, allowed })],
    statements: [goesOn(key), ...statements, feed({})],
  })
}

const rotated = endpoint.event('secret_rotated', endpoint.addressed)
const rotate = rotates(endpoint)
const addressedWithSecret = withSecret(endpoint.addressed)

/** Rotates the secret. Deliveries carry signatures of both secrets for a day. */
export const rotateSecret = (db: Database, key: WebhookKey, sealed: Sealed, allowed: string) =>
  issue(db, endpoint, {
    guards: [...endpoint.writable(key), asksForMore({ ...key, allowed })],
    statements: [rotate({ ...key, ...sealed }), rotated(key)],
    answer: addressedWithSecret(key),
  })
