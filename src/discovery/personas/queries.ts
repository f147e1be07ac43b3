import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { linked, longJson, longText, moment } from '../../db/field'
import { lifecycle } from '../../db/lifecycle'
import { list } from '../../db/list'
import { currentKey, takeNumber } from '../../db/numbering'
import { type Key, record } from '../../db/record'
import type { Reference } from '../../db/references'
import { guard } from '../../db/refuse'
import { opportunities, personas } from '../../db/schema/personas'
import { products } from '../../db/schema/tenancy'
import { caller, statement, type Values } from '../../db/statement'
import { CreatePersona, ListPersonas, ModifyPersona } from './schema'

const key = { persona_external_key: personas.externalKey }
export type PersonaKey = Key<typeof key>

/** Where a persona is found, and its notes with it. */
export const place = { table: personas, within: { product: personas.productId, shared: true }, key } as const

export const persona = record('persona', {
  ...place,
  fields: {
    id: personas.id,
    externalKey: personas.externalKey,
    name: personas.name,
    occupation: personas.occupation,
    quote: personas.quote,
    description: longText(personas.description),
    color: personas.color,
    goals: longJson<string[]>(personas.goals),
    pains: longJson<string[]>(personas.pains),
    product: linked(personas.productId, products.externalKey),
    createdAt: moment(personas.createdAt),
    updatedAt: moment(personas.updatedAt),
  },
})

const productOf = ({ product }: { product?: string | null | undefined }): Reference[] =>
  typeof product === 'string' ? [{ kind: 'product', path: '/product', value: product }] : []

const inserted = inserts(persona, CreatePersona, {
  values: { externalKey: currentKey('PE') },
  returns: persona.created(),
})
const created = persona.event('created')

export const createPersona = (db: Database, body: z.output<typeof CreatePersona>) =>
  persona.save(db, {
    references: productOf(body),
    statements: [takeNumber('PE'), inserted(body), created({})],
    answer: persona.created(),
  })

export const listPersonas = list(persona, ListPersonas, { sorts: { createdAt: personas.createdAt } }).page

export const getPersona = persona.get

const modified = modifies(persona, ModifyPersona)

const own = sql`(SELECT ${personas.productId} FROM ${personas} WHERE ${persona.addressed})`

// An opportunity lies in the product of its persona.
const followed = statement<never, Values>(sql`UPDATE ${opportunities} SET product_id = ${own}
  WHERE ${opportunities.subscriptionId} = ${caller.subscription} AND ${opportunities.personaId} = ${persona.id}
    AND ${opportunities.productId} IS NOT ${own}`)

export const modifyPersona = (
  db: Database,
  key: PersonaKey,
  body: z.output<typeof ModifyPersona>,
  ifMatch: string | null,
) =>
  persona.save(db, {
    guards: persona.writable(key, ifMatch),
    references: productOf(body),
    statements: [...modified(key, body), ...(body.product === undefined ? [] : [followed(key)])],
    answer: persona.reply(key),
  })

// What a persona has is found below it alone: with it, it is out of reach.
const { removal, restoration } = lifecycle(persona)

export const removePersona = (db: Database, key: PersonaKey, ifMatch: string | null) => db.write(removal(key, ifMatch))

const productRemoved = guard<Values>(
  sql`'conflict:The product of this persona is removed. Restore the product first.'`,
  sql`EXISTS (SELECT 1 FROM ${personas} CROSS JOIN ${products} ON ${products.id} = ${personas.productId}
    WHERE ${persona.removed} AND ${products.subscriptionId} = ${caller.subscription}
      AND ${products.deletedAt} IS NOT NULL)`,
)

export function restorePersona(db: Database, key: PersonaKey) {
  const { guards, ...rest } = restoration(key)
  return persona.save(db, { guards: [...guards, productRemoved(key)], ...rest })
}
