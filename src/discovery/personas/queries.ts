import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { guard } from '../../db/client/refuse'
import { insertStatement, updateStatement, updateWhere } from '../../db/records/change'
import { makeExportReader } from '../../db/records/export'
import { type ExternalIdKey, hasInserted, makeExternalIdGuards, makeUpsertParts } from '../../db/records/external-id'
import { makeLifecycle } from '../../db/records/lifecycle'
import { makeListReader } from '../../db/records/list'
import { opportunities, personas } from '../../db/schema/personas'
import { equals, namesRecord, unindexedWithSort } from '../../db/sql/filter'
import { lastTakenKey, takeNumber, takeNumbers } from '../../db/sql/numbering'
import { referenceTo } from '../../db/sql/references'
import { caller, directlyAfter, param, type Statement, statement, type Values } from '../../db/sql/statement'
import {
  bindCustomValues,
  customFieldsDerivedField,
  customValuesInvalid,
  updateCustomValues,
} from './custom-values/statements'
import { type PersonaKey, persona, personaByExternalId } from './fields'
import { opportunity } from './opportunities/queries'
import { CreatePersona, ListPersonas, ModifyPersona, UpsertPersona } from './schema'

const referencesOfPersona = ({
  product,
  boardSegmentId,
}: Pick<z.output<typeof ModifyPersona>, 'product' | 'boardSegmentId'>) => [
  ...referenceTo('product', '/product', product),
  ...referenceTo('boardSegment', '/boardSegmentId', boardSegmentId),
]

const insertPersona = insertStatement(persona, CreatePersona, {
  values: { externalKey: lastTakenKey('PE') },
  returns: persona.inserted(),
})
const emitPersonaCreated = persona.emit('created')

const takenIdOptions = { record: persona, noun: 'persona', idName: 'externalId', holders: persona.notDeleted } as const
const newPersonaIdTaken = makeExternalIdGuards(takenIdOptions)
const personaIdTaken = makeExternalIdGuards({ ...takenIdOptions, own: persona.id })

// A conflict would reveal ids of personas of hidden products.
const keyCannotSetExternalId = guard<Values>(
  'insufficient_scope:/externalId: External ids of personas belong to the whole workspace, and this API key is limited to products. Use a key without that limit, or leave source and externalId out.',
  sql`${caller.products} IS NOT NULL AND (SELECT 1 FROM ${personas} WHERE ${persona.byKey}
    AND ${personas.source} = ${param('=source')} AND ${personas.externalId} = ${param('=externalId')}) IS NULL`,
)
const externalIdGuards = (taken: typeof personaIdTaken, key: Values, body: z.output<typeof ModifyPersona>) =>
  body.source == null
    ? []
    : [keyCannotSetExternalId({ ...key, '=source': body.source, '=externalId': body.externalId }), ...taken(key, body)]

export const createPersona = (db: Database, body: z.output<typeof CreatePersona>) =>
  persona.save(db, {
    guards: externalIdGuards(newPersonaIdTaken, { persona_external_key: null }, body),
    references: referencesOfPersona(body),
    statements: [takeNumber('PE'), insertPersona(body), emitPersonaCreated({})],
    returning: persona.inserted(),
  })

export const listPersonas = makeListReader(persona, ListPersonas, {
  sorts: { createdAt: personas.createdAt },
  filters: {
    boardSegmentId: namesRecord('boardSegment', unindexedWithSort(personas.updatedAt)(equals(personas.boardSegmentId))),
  },
}).page

export const exportPersonas = makeExportReader(persona, personas.createdAt)

export const getPersona = persona.get

const updatePersona = updateStatement(persona, ModifyPersona, { except: ['customFields'] })

function createOpportunityMove({ byKey, id }: typeof persona | typeof personaByExternalId) {
  const productId = sql`(SELECT ${personas.productId} FROM ${personas} WHERE ${byKey})`
  const isElsewhere = sql`${opportunities.subscriptionId} = ${caller.subscription} AND ${opportunities.personaId} = ${id}
    AND ${opportunities.productId} IS NOT ${productId}`
  const moveShown = updateWhere(opportunity, sql`${isElsewhere} AND ${opportunities.deletedAt} IS NULL`, {
    initiativeId: productId,
  })
  const moveRemoved = statement<never, Values>(
    sql`UPDATE ${opportunities} SET product_id = ${productId} WHERE ${isElsewhere}`,
  )
  return (values: Values) => [...moveShown(values), moveRemoved(values)]
}
const moveOpportunities = createOpportunityMove(persona)

export const modifyPersona = (
  db: Database,
  key: PersonaKey,
  { customFields, ...body }: z.output<typeof ModifyPersona>,
  ifMatch: string | null,
) => {
  const custom = customFields && { ...key, ...bindCustomValues(customFields) }
  return persona.save(db, {
    guards: [
      ...persona.writeGuards(key, ifMatch),
      ...(custom ? [customValuesInvalid(custom)] : []),
      ...externalIdGuards(personaIdTaken, key, body),
    ],
    references: referencesOfPersona(body),
    statements: [
      ...updatePersona(custom ?? key, body, custom ? [customFieldsDerivedField] : []),
      ...(body.product === undefined ? [] : moveOpportunities(key)),
      ...(custom ? [updateCustomValues(custom)] : []),
    ],
    returning: persona.returningByKey(key),
  })
}

const upsertParts = makeUpsertParts(personaByExternalId)
const updateUpsertedPersona = updateStatement(personaByExternalId, UpsertPersona)
const insertUpsertedPersona = insertStatement(personaByExternalId, UpsertPersona, {
  values: { externalKey: lastTakenKey('PE'), source: param('source'), externalId: param('externalId') },
  from: upsertParts.whereMissing,
  returns: upsertParts.returningId,
})
const takeNumberIfMissing = takeNumbers('PE', sql`(${upsertParts.isMissing})`)
const emitUpsertedPersonaCreated = upsertParts.emitCreated()
const moveUpsertedOpportunities = createOpportunityMove(personaByExternalId)

export async function upsertPersona(
  db: Database,
  { source, externalId }: ExternalIdKey,
  body: z.output<typeof UpsertPersona>,
) {
  const key = { source, externalId }
  const insertion = insertUpsertedPersona(body, key)
  const statements: Statement[] = [
    ...updateUpsertedPersona(key, body),
    ...(body.product === undefined ? [] : moveUpsertedOpportunities(key)),
    takeNumberIfMissing(key),
    insertion,
    directlyAfter(insertion, emitUpsertedPersonaCreated(key)),
  ]
  const { rows, results } = await db.write({
    references: referencesOfPersona(body),
    growth: upsertParts.growth,
    statements,
    returning: personaByExternalId.returningByKey(key),
  })
  return { ...persona.toReply(rows), isNew: hasInserted(results, statements, insertion) }
}

// Only the persona leads to the child records: a removed persona hides all child records.
export const { remove: removePersona, restore: restorePersona } = makeLifecycle(persona)
