import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database, DatabaseWrite } from '../../../db/client/client'
import { guard } from '../../../db/client/refuse'
import { type DerivedField, insertStatement, updateStatement } from '../../../db/records/change'
import { makeLifecycle } from '../../../db/records/lifecycle'
import { makeListReader } from '../../../db/records/list'
import type { RecordRow } from '../../../db/records/record'
import { makeWorkspaceLimitGuards } from '../../../db/records/workspace-limit'
import { products } from '../../../db/schema/tenancy'
import { webhooks } from '../../../db/schema/webhooks'
import { lastEventId } from '../../../db/sql/log'
import { referencesTo } from '../../../db/sql/references'
import { caller, directlyAfter, param, type Statement, statement, type Values } from '../../../db/sql/statement'
import type { SealedSecret } from '../../../http/sealed-secret'
import type { KeyOfWebhook } from '../../keys/creation/statements'
import {
  actingKeyIdOfNew,
  guardChosenKey,
  makeActingKeyId,
  makeChosenKeyField,
  makeKeyCannotReadGuard,
  READ_AREAS_BINDING,
} from '../acting-key/statements'
import { CreateWebhook, ListWebhooks, ModifyWebhook } from '../schema'
import {
  createFirstKeyReset,
  createSecretUpdate,
  productLimitField,
  shownWebhookStatus,
  type WebhookKey,
  webhookKeyIsActive,
} from '../statements'
import {
  callerCannotReadEvents,
  createUnreadableEventsGuard,
  patternsExceedCallerScopes,
  patternsOfEndpoint,
} from './allowed-patterns'
import { insertWebhookFeed } from './feed'
import { endpoint, productIdsOfBody } from './record'

export const getWebhook = endpoint.get

export const listWebhooks = makeListReader(endpoint, ListWebhooks, {
  sorts: { createdAt: webhooks.createdAt, name: webhooks.name },
}).page

const PRODUCTS_UNCOVERED_REASON =
  "'insufficient_scope:This API key is limited to products. Send products of the key, or use a key without this limit.'"
/** A caller's key with a product limit must name products, and only covered products. */
const hasUncoveredProducts = (given: SQL) => sql`${caller.products} IS NOT NULL AND (${given} IS NULL
  OR EXISTS (SELECT 1 FROM json_each(${given}) g CROSS JOIN ${products} ON ${products.subscriptionId} = ${caller.subscription}
    AND ${products.externalKey} = g.value AND ${products.deletedAt} IS NULL
    AND ${products.id} NOT IN (SELECT value FROM json_each(${caller.products}))))`
const productsUncovered = guard<Values>(
  sql.raw(PRODUCTS_UNCOVERED_REASON),
  hasUncoveredProducts(sql`${param('=products')}`),
)

const toSortedJson = (keys: readonly string[] | null) => keys && JSON.stringify([...new Set(keys)].sort())

// A reply with a secret has no ETag, and the plain version column saves the lookup of the key.
const returningWebhookSecret = (where: SQL) =>
  endpoint.returningWhere<{ secret: string; apiKeyId: number } & RecordRow>(where, {
    ...{ secret: webhooks.secret, apiKeyId: webhooks.keyId, version: webhooks.version },
  })

/** A retry must return the same secret. */
async function writeAndReturnSecret(
  db: Database,
  write: DatabaseWrite<readonly Statement[], RecordRow & { secret: string; apiKeyId: number }>,
) {
  const { rows } = await db.write(write)
  const [{ secret, apiKeyId, ...row }] = rows
  return { data: { ...endpoint.toReply([row]).data, apiKeyId }, sealed: secret }
}

const { onCreate: tooManyWebhooks } = makeWorkspaceLimitGuards(endpoint)
const insertWebhook = insertStatement(endpoint, CreateWebhook, {
  except: ['products', 'secret', 'apiKeyId', 'apiKey'],
  values: {
    products: productIdsOfBody,
    keyId: actingKeyIdOfNew,
    hookTokenHash: param('hookTokenHash'),
    sealedUrl: param('sealedUrl'),
    secret: param('secret'),
    sealedBy: param('sealer'),
    position: sql`${lastEventId} + 1`,
  },
})
const emitWebhookCreated = endpoint.emit('created')
const returningInsertedWebhook = returningWebhookSecret(endpoint.justInserted)

const newKeyCannotRead = makeKeyCannotReadGuard({
  keyId: actingKeyIdOfNew,
  products: productIdsOfBody,
  events: sql`${param('=events')}`,
})

type NewWebhookBody = Omit<z.output<typeof CreateWebhook>, 'products' | 'secret' | 'apiKey'> & {
  name: string
  events: string[]
  products: string[] | null
}

/** A URL with the token of an incoming webhook is masked, and has the hash and the sealed URL. */
export interface StoredTarget {
  url: string
  hookTokenHash: string | null
  sealedUrl: string | null
}

export function createWebhook(
  db: Database,
  { products, apiKeyId, ...body }: NewWebhookBody,
  { url, ...target }: StoredTarget,
  sealed: SealedSecret,
  { newKeyJti, keyStatements }: KeyOfWebhook,
) {
  const values = { '=products': toSortedJson(products), apiKeyId: apiKeyId ?? null, newKeyJti, ...target, ...sealed }
  const readValues = { ...values, ...READ_AREAS_BINDING, '=events': JSON.stringify(body.events) }
  return writeAndReturnSecret(db, {
    guards: [
      productsUncovered(values),
      ...guardChosenKey(apiKeyId),
      ...(apiKeyId === undefined ? [] : [newKeyCannotRead(readValues)]),
      ...tooManyWebhooks(),
    ],
    references: referencesTo('product', '/products', products),
    statements: [
      ...keyStatements,
      insertWebhook({ ...body, url }, values),
      emitWebhookCreated(values),
      insertWebhookFeed({}),
    ],
    returning: returningInsertedWebhook(values),
  })
}

const patternsAfterChange = sql`coalesce(${param('=events')}, ${patternsOfEndpoint(endpoint.byKey)})`
const cannotReadNewEvents = guard<Values>(
  'insufficient_scope:This API key cannot read all events of the webhook. Send other events, or use a key with all required scopes.',
  patternsExceedCallerScopes(patternsAfterChange),
)
const actingKeyId = makeActingKeyId(webhooks)
const valueOfEndpoint = (value: SQL) => sql`(SELECT ${value} FROM ${webhooks} WHERE ${endpoint.byKey})`
const keyCannotReadAfterChange = makeKeyCannotReadGuard({
  keyId: valueOfEndpoint(actingKeyId),
  products: sql`iif(${param('changesProducts')}, ${productIdsOfBody}, ${valueOfEndpoint(sql`${webhooks.products}`)})`,
  events: patternsAfterChange,
})

const updateWebhook = updateStatement(endpoint, ModifyWebhook, { except: ['products', 'apiKeyId'] })
const webhookKeyField: DerivedField = {
  name: 'status',
  json: sql`json_quote(${shownWebhookStatus})`,
  differs: sql`NOT ${webhookKeyIsActive}`,
  source: { column: webhooks.keyId, value: actingKeyId },
}
const chosenKeyField = makeChosenKeyField(webhooks)
const firstKeyResetField = createFirstKeyReset(webhooks)
const webhookProductsField: DerivedField = {
  name: 'products',
  json: productLimitField.json(),
  differs: sql`${webhooks.products} IS NOT ${productIdsOfBody}`,
  newValue: sql`${param('=products')}`,
  source: { column: webhooks.products, value: productIdsOfBody },
}

const restartDisabledWebhook = statement<
  never,
  Values
>(sql`UPDATE ${webhooks} SET position = ${lastEventId} + 1, failures = 0,
    failing_since = NULL, last_error = NULL, due_at = NULL
  WHERE ${endpoint.byKey} AND ${webhooks.status} = 'disabled'`)
/** Two URLs that differ in the token have the same mask. */
const targetDerivedFields: readonly DerivedField[] = [
  {
    name: 'url',
    json: sql`json_quote(${webhooks.url})`,
    differs: sql`(${webhooks.url} = ${param('=url')} AND ${webhooks.hookTokenHash} IS NOT ${param('hookTokenHash')})`,
    source: { column: webhooks.hookTokenHash, value: sql`${param('hookTokenHash')}` },
  },
  {
    name: 'sealedUrl',
    json: sql`NULL`,
    differs: sql`false`,
    source: { column: webhooks.sealedUrl, value: sql`${param('sealedUrl')}` },
  },
]
const maskedUrlDiffers = endpoint.refuseIf(
  sql`'validation_failed:/url:' || ${param('refusal')}`,
  sql`${webhooks.url} <> ${param('maskedUrl')}`,
)
const markChangedEndpointDue = statement<never, Values>(sql`UPDATE ${webhooks} SET due_at = ${caller.now}
  WHERE ${endpoint.byKey} AND ${webhooks.status} = 'active' AND ${webhooks.dueAt} IS NULL AND changes() > 0`)

const bodyChangesDelivery = ({ url, events, products, status, apiKeyId }: z.output<typeof ModifyWebhook>) =>
  [url, events, products, status, apiKeyId].some((one) => one !== undefined)

interface WebhookRetargeting {
  allowed: string
  target: StoredTarget | undefined
  /** A masked URL must be the stored one. */
  unchanged: { url: string; refusal: string } | undefined
}

export function modifyWebhook(
  db: Database,
  key: WebhookKey,
  { products, ...rest }: Omit<z.output<typeof ModifyWebhook>, 'url'>,
  { allowed, target, unchanged }: WebhookRetargeting,
  ifMatch: string | null,
) {
  const body = { ...rest, ...(target && { url: target.url }) }
  const values = {
    ...key,
    allowed,
    ...(target && { hookTokenHash: target.hookTokenHash, sealedUrl: target.sealedUrl }),
    '=products': products === undefined ? null : toSortedJson(products),
    changesProducts: products !== undefined,
    '=events': body.events ? JSON.stringify(body.events) : null,
    apiKeyId: body.apiKeyId ?? null,
    ...READ_AREAS_BINDING,
  }
  const changesRecipient = bodyChangesDelivery({ products, ...body })
  const changed = [
    ...(target ? targetDerivedFields : []),
    ...(products !== undefined ? [webhookProductsField] : []),
    ...(changesRecipient ? [webhookKeyField, chosenKeyField, firstKeyResetField] : []),
  ]
  const changing = updateWebhook(values, body, changed)
  const last = changing.at(-1)
  return endpoint.save(db, {
    guards: [
      ...endpoint.writeGuards(key, ifMatch),
      ...(unchanged ? [maskedUrlDiffers({ ...key, maskedUrl: unchanged.url, refusal: unchanged.refusal })] : []),
      ...guardChosenKey(body.apiKeyId),
      ...(changesRecipient ? [cannotReadNewEvents(values), keyCannotReadAfterChange(values)] : []),
      ...(products !== undefined ? [productsUncovered(values)] : []),
    ],
    references: referencesTo('product', '/products', products),
    statements: [
      ...(body.status === 'active' ? [restartDisabledWebhook(values)] : []),
      ...changing,
      ...(last && changesRecipient ? [directlyAfter(last, markChangedEndpointDue(values)), insertWebhookFeed({})] : []),
    ],
    returning: endpoint.returningByKey(key),
  })
}

const endpointLifecycle = makeLifecycle(endpoint)

export const removeWebhook = endpointLifecycle.remove

// A restored endpoint resumes at the end of the log.
const moveEndpointToLogEnd = statement<
  never,
  Values
>(sql`UPDATE ${webhooks} SET position = ${lastEventId} + 1, due_at = NULL
  WHERE ${endpoint.deletedByKey}`)

const cannotReadEventsOfRemoved = createUnreadableEventsGuard(endpoint.deletedByKey)

export function restoreWebhook(db: Database, key: WebhookKey, allowed: string) {
  const { guards, statements, ...rest } = endpointLifecycle.restoration(key)
  return endpoint.save(db, {
    ...rest,
    guards: [...guards, cannotReadEventsOfRemoved({ ...key, allowed })],
    statements: [moveEndpointToLogEnd(key), ...statements, insertWebhookFeed({})],
  })
}

const emitWebhookSecretRotated = endpoint.emit('secret_rotated', endpoint.byKey)
const updateWebhookSecret = createSecretUpdate(endpoint)
const returningWebhookByKey = returningWebhookSecret(endpoint.byKey)

export const rotateWebhookSecret = (db: Database, key: WebhookKey, sealed: SealedSecret, allowed: string) =>
  writeAndReturnSecret(db, {
    guards: [...endpoint.writeGuards(key), callerCannotReadEvents({ ...key, allowed })],
    statements: [updateWebhookSecret({ ...key, ...sealed }), emitWebhookSecretRotated(key)],
    returning: returningWebhookByKey(key),
  })
