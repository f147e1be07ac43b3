import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database, DatabaseWrite } from '../../db/client/client'
import { guard } from '../../db/client/refuse'
import { type DerivedField, insertStatement, updateStatement } from '../../db/records/change'
import { makeLifecycle } from '../../db/records/lifecycle'
import { makeListReader } from '../../db/records/list'
import type { RecordRow } from '../../db/records/record'
import { makeWorkspaceLimitGuards } from '../../db/records/workspace-limit'
import { kpis } from '../../db/schema/kpis'
import { apiKeys, products } from '../../db/schema/tenancy'
import { incomingWebhooks } from '../../db/schema/webhooks'
import { isUsableKey } from '../../db/sql/access'
import { referenceTo } from '../../db/sql/references'
import { caller, inline, param, type Statement, statement, type Values } from '../../db/sql/statement'
import type { SealedSecret } from '../../http/sealed-secret'
import type { Scope } from '../../http/token'
import { workspaceEraseAt } from '../erasure/statements'
import type { KeyOfWebhook } from '../keys/creation/statements'
import {
  actingKeyIdOfNew,
  guardChosenKey,
  makeActingKeyId,
  makeChosenKeyField,
  makeKeyCannotWriteGuard,
} from '../webhooks/acting-key/statements'
import { createFirstKeyReset, createSecretUpdate } from '../webhooks/statements'
import {
  CreateIncomingWebhook,
  FIELD_UNMAPPED_MESSAGE,
  findMissingMappingField,
  isSyncAction,
  ListIncomingWebhooks,
  ModifyIncomingWebhook,
  SYNC_RULES_MESSAGE,
} from './schema'
import { type IncomingWebhookKey, incomingWebhook } from './statements'

export const getIncomingWebhook = incomingWebhook.get

export const listIncomingWebhooks = makeListReader(incomingWebhook, ListIncomingWebhooks, {
  sorts: { createdAt: incomingWebhooks.createdAt },
}).page

/** A retry with the same Idempotency-Key must return the same secret and token. */
const returningWebhookSecrets = (where: SQL) =>
  incomingWebhook.returningWhere<{ secret: string | null; apiKeyId: number; token: string }>(where, {
    secret: incomingWebhooks.secret,
    apiKeyId: incomingWebhooks.keyId,
    token: sql`${param('sealedToken')}`,
  })

async function writeAndReturnSecrets(
  db: Database,
  write: DatabaseWrite<readonly Statement[], RecordRow & { secret: string | null; apiKeyId: number; token: string }>,
) {
  const { rows } = await db.write(write)
  const [{ secret, token, apiKeyId, ...row }] = rows
  return { data: { ...incomingWebhook.toReply([row]).data, apiKeyId }, secret, token }
}

const createUnknownKpiGuard = (product: SQL) =>
  guard<Values>(
    'validation_failed:/target/kpi:The product does not have this KPI. Use the key of a KPI of the product.',
    sql`${param('kpi')} IS NOT NULL AND ${product} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${kpis}
      WHERE ${kpis.subscriptionId} = ${caller.subscription} AND ${kpis.productId} = ${product}
        AND ${kpis.externalKey} = ${param('kpi')} AND ${kpis.deletedAt} IS NULL)`,
  )
const productIdOfBody = sql`(SELECT ${products.id} FROM ${products}
  WHERE ${products.subscriptionId} = ${caller.subscription} AND ${products.externalKey} = ${param('=product')}
    AND ${products.deletedAt} IS NULL)`
const valueOfWebhook = (value: SQL) => sql`(SELECT ${value} FROM ${incomingWebhooks} WHERE ${incomingWebhook.byKey})`
const productIdOfWebhook = valueOfWebhook(sql`${incomingWebhooks.productId}`)
const unknownKpiOfBody = createUnknownKpiGuard(productIdOfBody)
const unknownKpiOfWebhook = createUnknownKpiGuard(productIdOfWebhook)
const newKeyCannotWrite = makeKeyCannotWriteGuard({
  keyId: actingKeyIdOfNew,
  products: sql`json_array(${productIdOfBody})`,
})
const actingKeyId = makeActingKeyId(incomingWebhooks)
const keyCannotWriteAfterChange = makeKeyCannotWriteGuard({
  keyId: valueOfWebhook(actingKeyId),
  products: sql`json_array(${productIdOfWebhook})`,
})

const { onCreate: tooManyIncomingWebhooks } = makeWorkspaceLimitGuards(incomingWebhook)
const insertIncomingWebhook = insertStatement(incomingWebhook, CreateIncomingWebhook, {
  except: ['secret', 'apiKeyId', 'apiKey'],
  values: {
    keyId: actingKeyIdOfNew,
    tokenHash: param('tokenHash'),
    baseUrl: param('baseUrl'),
    secret: param('secret'),
    sealedBy: param('sealer'),
  },
})
const emitIncomingWebhookCreated = incomingWebhook.emit('created')
const returningInsertedWebhook = returningWebhookSecrets(incomingWebhook.justInserted)

export interface IssuedWebhookToken {
  tokenHash: string
  sealedToken: string
}

interface IssuedWebhookValues {
  token: IssuedWebhookToken
  baseUrl: string
  sealed: SealedSecret | undefined
  /** Needed by the action. */
  scope: Scope
  key: KeyOfWebhook
}

export function createIncomingWebhook(
  db: Database,
  { secret: _, apiKeyId, apiKey: __, ...body }: z.output<typeof CreateIncomingWebhook>,
  { token, baseUrl, sealed, scope, key: { newKeyJti, keyStatements } }: IssuedWebhookValues,
) {
  const values = {
    ...{ ...token, baseUrl, apiKeyId: apiKeyId ?? null, newKeyJti },
    ...{ secret: sealed?.secret ?? null, sealer: sealed?.sealer ?? null },
  }
  return writeAndReturnSecrets(db, {
    guards: [
      unknownKpiOfBody({ ...values, kpi: body.target.kpi ?? null, '=product': body.product }),
      ...guardChosenKey(apiKeyId),
      ...(apiKeyId === undefined ? [] : [newKeyCannotWrite({ ...values, scope, '=product': body.product })]),
      ...tooManyIncomingWebhooks(),
    ],
    references: referenceTo('product', '/product', body.product),
    statements: [...keyStatements, insertIncomingWebhook(body, values), emitIncomingWebhookCreated({})],
    returning: returningInsertedWebhook(values),
  })
}

const updateIncomingWebhook = updateStatement(incomingWebhook, ModifyIncomingWebhook, { except: ['apiKeyId'] })
// The acting key replaces an ended key, even if nothing else changes.
const webhookKeyField: DerivedField = {
  name: 'key',
  json: sql`NULL`,
  differs: sql`NOT EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${apiKeys.id} = ${incomingWebhooks.keyId} AND ${isUsableKey})`,
  source: { column: incomingWebhooks.keyId, value: actingKeyId },
}
const chosenKeyField = makeChosenKeyField(incomingWebhooks)
const firstKeyResetField = createFirstKeyReset(incomingWebhooks)

// Only a generic sender needs the required fields in the mapping, because known providers have a default mapping.
const mappingIncomplete = guard<Values>(
  sql`'validation_failed:/mapping/' || ${param('lacking')} || ${inline(`:${FIELD_UNMAPPED_MESSAGE}`)}`,
  sql`${param('lacking')} IS NOT NULL AND EXISTS (SELECT 1 FROM ${incomingWebhooks}
    WHERE ${incomingWebhook.byKey} AND ${incomingWebhooks.provider} = 'generic')`,
)

const breaksSyncRules = guard<Values>(
  `validation_failed:/mapping:${SYNC_RULES_MESSAGE}`,
  sql`${param('isOtherAction')} AND EXISTS (SELECT 1 FROM ${incomingWebhooks}
    WHERE ${incomingWebhook.byKey} AND ${incomingWebhooks.provider} = 'groundwork')`,
)

export const modifyIncomingWebhook = (
  db: Database,
  key: IncomingWebhookKey,
  { apiKeyId, ...body }: z.output<typeof ModifyIncomingWebhook>,
  { scope, ifMatch }: { scope: Scope; ifMatch: string | null },
) =>
  incomingWebhook.save(db, {
    guards: [
      ...incomingWebhook.writeGuards(key, ifMatch),
      ...guardChosenKey(apiKeyId),
      keyCannotWriteAfterChange({ ...key, apiKeyId: apiKeyId ?? null, scope }),
      mappingIncomplete({ ...key, lacking: findMissingMappingField(body) ?? null }),
      breaksSyncRules({ ...key, isOtherAction: !isSyncAction(body) }),
      unknownKpiOfWebhook({ ...key, kpi: body.target.kpi ?? null }),
    ],
    statements: updateIncomingWebhook({ ...key, apiKeyId: apiKeyId ?? null }, body, [
      webhookKeyField,
      chosenKeyField,
      firstKeyResetField,
    ]),
    returning: incomingWebhook.returningByKey(key),
  })

const incomingWebhookLifecycle = makeLifecycle(incomingWebhook)

export const removeIncomingWebhook = incomingWebhookLifecycle.remove

/** A restored or rotated webhook acts for the caller. */
function createActionScopeGuard(where: SQL) {
  const needed = sql`${param('scopes')} ->> ${incomingWebhooks.action}`
  return guard<Values>(
    sql`(SELECT 'insufficient_scope:This API key lacks the scope ' || (${needed})
      || ' of the webhook. Use a key with this scope.' FROM ${incomingWebhooks} WHERE ${where})`,
    sql`EXISTS (SELECT 1 FROM ${incomingWebhooks} WHERE ${where}
      AND NOT EXISTS (SELECT 1 FROM json_each(${caller.scopes}) s WHERE s.value IN ('*', ${needed})))`,
  )
}
const lacksScopeToRestore = createActionScopeGuard(incomingWebhook.deletedByKey)

export function restoreIncomingWebhook(db: Database, key: IncomingWebhookKey, scopes: string) {
  const { guards, ...rest } = incomingWebhookLifecycle.restoration(key)
  return incomingWebhook.save(db, { ...rest, guards: [...guards, lacksScopeToRestore({ ...key, scopes })] })
}

const lacksScopeToRotate = createActionScopeGuard(incomingWebhook.byKey)
const emitIncomingSecretRotated = incomingWebhook.emit('secret_rotated', incomingWebhook.byKey)
const updateWebhookToken = statement<never, Values>(sql`UPDATE ${incomingWebhooks}
  SET previous_token_hash = token_hash, token_hash = ${param('tokenHash')} WHERE ${incomingWebhook.byKey}`)
const updateIncomingSecret = createSecretUpdate(incomingWebhook)
const returningWebhookByKey = returningWebhookSecrets(incomingWebhook.byKey)

export function rotateIncomingWebhookSecret(
  db: Database,
  key: IncomingWebhookKey,
  { sealed, token, scopes }: { sealed: SealedSecret; token: IssuedWebhookToken; scopes: string },
) {
  return writeAndReturnSecrets(db, {
    guards: [...incomingWebhook.writeGuards(key), lacksScopeToRotate({ ...key, scopes })],
    statements: [
      updateWebhookToken({ ...key, ...token }),
      updateIncomingSecret({ ...key, ...sealed }),
      emitIncomingSecretRotated(key),
    ],
    returning: returningWebhookByKey({ ...key, ...token }),
  })
}

interface IncomingWebhookByToken {
  id: number
  provider: string
  secret: string | null
  previousSecret: string | null
  deletedAt: number | null
  isRotated: number
  eraseAt: number | null
}

export const selectIncomingWebhookByToken = statement<
  IncomingWebhookByToken,
  { tokenHash: string }
>(sql`SELECT ${incomingWebhooks.id} AS "id",
    ${incomingWebhooks.provider} AS "provider", ${incomingWebhooks.secret} AS "secret",
    iif(${incomingWebhooks.previousUntil} > ${caller.now}, ${incomingWebhooks.previousSecret}, NULL) AS "previousSecret",
    ${incomingWebhooks.deletedAt} AS "deletedAt",
    ${incomingWebhooks.tokenHash} <> ${param('tokenHash')} AND ${incomingWebhooks.previousUntil} <= ${caller.now} AS "isRotated",
    ${workspaceEraseAt} AS "eraseAt"
  FROM ${incomingWebhooks}
  WHERE ${incomingWebhooks.subscriptionId} = ${caller.subscription}
    AND (${incomingWebhooks.tokenHash} = ${param('tokenHash')} OR ${incomingWebhooks.previousTokenHash} = ${param('tokenHash')})`)
