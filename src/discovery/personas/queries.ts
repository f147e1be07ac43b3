import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { referenceTo } from '../../db/client/references'
import { insertStatement, updateStatement } from '../../db/records/change'
import { makeExportReader } from '../../db/records/export'
import { makeLifecycle } from '../../db/records/lifecycle'
import { makeListReader } from '../../db/records/list'
import { opportunities, personas } from '../../db/schema/personas'
import { equals } from '../../db/sql/filter'
import { lastTakenKey, takeNumber } from '../../db/sql/numbering'
import { caller, statement, type Values } from '../../db/sql/statement'
import {
  bindCustomValues,
  customFieldsDerivedField,
  customValuesInvalid,
  updateCustomValues,
} from './custom-values/statements'
import { type PersonaKey, persona } from './fields'
import { CreatePersona, ListPersonas, ModifyPersona } from './schema'

const referencesOfPersona = ({ product, boardSegmentId }: z.output<typeof ModifyPersona>) => [
  ...referenceTo('product', '/product', product),
  ...referenceTo('boardSegment', '/boardSegmentId', boardSegmentId),
]

const insertPersona = insertStatement(persona, CreatePersona, {
  values: { externalKey: lastTakenKey('PE') },
  returns: persona.inserted(),
})
const emitPersonaCreated = persona.emit('created')

export const createPersona = (db: Database, body: z.output<typeof CreatePersona>) =>
  persona.save(db, {
    references: referencesOfPersona(body),
    statements: [takeNumber('PE'), insertPersona(body), emitPersonaCreated({})],
    returning: persona.inserted(),
  })

export const listPersonas = makeListReader(persona, ListPersonas, {
  sorts: { createdAt: personas.createdAt },
  filters: { boardSegmentId: equals(personas.boardSegmentId) },
}).page

export const exportPersonas = makeExportReader(persona, personas.createdAt)

export const getPersona = persona.get

const updatePersona = updateStatement(persona, ModifyPersona, { except: ['customFields'] })

const productIdOfPersona = sql`(SELECT ${personas.productId} FROM ${personas} WHERE ${persona.byKey})`

const moveOpportunities = statement<never, Values>(sql`UPDATE ${opportunities} SET product_id = ${productIdOfPersona}
  WHERE ${opportunities.subscriptionId} = ${caller.subscription} AND ${opportunities.personaId} = ${persona.id}
    AND ${opportunities.productId} IS NOT ${productIdOfPersona}`)

export const modifyPersona = (
  db: Database,
  key: PersonaKey,
  { customFields, ...body }: z.output<typeof ModifyPersona>,
  ifMatch: string | null,
) => {
  const custom = customFields && { ...key, ...bindCustomValues(customFields) }
  return persona.save(db, {
    guards: [...persona.writeGuards(key, ifMatch), ...(custom ? [customValuesInvalid(custom)] : [])],
    references: referencesOfPersona(body),
    statements: [
      ...updatePersona(custom ?? key, body, custom ? [customFieldsDerivedField] : []),
      ...(body.product === undefined ? [] : [moveOpportunities(key)]),
      ...(custom ? [updateCustomValues(custom)] : []),
    ],
    returning: persona.returningByKey(key),
  })
}

// Only the persona leads to the child records: a removed persona hides all child records.
export const { remove: removePersona, restore: restorePersona } = makeLifecycle(persona)
