import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { equals } from '../../db/filter'
import { lifecycle } from '../../db/lifecycle'
import { list } from '../../db/list'
import { currentKey, takeNumber } from '../../db/numbering'
import { naming } from '../../db/references'
import { opportunities, personas } from '../../db/schema/personas'
import { caller, statement, type Values } from '../../db/statement'
import { customChange, customFieldsFit, customValues, setCustomValues } from './custom-values/statements'
import { type PersonaKey, persona } from './fields'
import { CreatePersona, ListPersonas, ModifyPersona } from './schema'

const references = ({ product, boardSegmentId }: z.output<typeof ModifyPersona>) => [
  ...naming('product', '/product', product),
  ...naming('boardSegment', '/boardSegmentId', boardSegmentId),
]

const inserted = inserts(persona, CreatePersona, {
  values: { externalKey: currentKey('PE') },
  returns: persona.created(),
})
const created = persona.event('created')

export const createPersona = (db: Database, body: z.output<typeof CreatePersona>) =>
  persona.save(db, {
    references: references(body),
    statements: [takeNumber('PE'), inserted(body), created({})],
    answer: persona.created(),
  })

export const listPersonas = list(persona, ListPersonas, {
  sorts: { createdAt: personas.createdAt },
  filters: { boardSegmentId: equals(personas.boardSegmentId) },
}).page

export const getPersona = persona.get

const modified = modifies(persona, ModifyPersona, { except: ['customFields'] })

const own = sql`(SELECT ${personas.productId} FROM ${personas} WHERE ${persona.addressed})`

// Opportunities follow the persona into a product.
const followed = statement<never, Values>(sql`UPDATE ${opportunities} SET product_id = ${own}
  WHERE ${opportunities.subscriptionId} = ${caller.subscription} AND ${opportunities.personaId} = ${persona.id}
    AND ${opportunities.productId} IS NOT ${own}`)

export const modifyPersona = (
  db: Database,
  key: PersonaKey,
  { customFields, ...body }: z.output<typeof ModifyPersona>,
  ifMatch: string | null,
) => {
  const custom = customFields && { ...key, ...customValues(customFields) }
  return persona.save(db, {
    guards: [...persona.writable(key, ifMatch), ...(custom ? [customFieldsFit(custom)] : [])],
    references: references(body),
    statements: [
      ...modified(custom ?? key, body, custom ? [customChange] : []),
      ...(body.product === undefined ? [] : [followed(key)]),
      ...(custom ? [setCustomValues(custom)] : []),
    ],
    answer: persona.reply(key),
  })
}

// Only the persona leads to the child records: a removed persona hides all child records.
const { removal, restoration } = lifecycle(persona)

export const removePersona = (db: Database, key: PersonaKey, ifMatch: string | null) => db.write(removal(key, ifMatch))

export const restorePersona = (db: Database, key: PersonaKey) => persona.save(db, restoration(key))
