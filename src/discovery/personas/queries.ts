import { sql } from 'drizzle-orm'
import { covered } from '../../db/access'
import { answer } from '../../db/answer'
import type { Database } from '../../db/client'
import { event, eventSql } from '../../db/events'
import {
  type Page,
  type PageValues,
  type PageVariant,
  pageAfter,
  pageValues,
  paginate,
  sortedBy,
} from '../../db/legacy'
import { currentKey, currentNumber, takeNumber } from '../../db/numbering'
import { type Fields, fieldColumns, fieldValues, present, previousSql } from '../../db/patch'
import type { Reference } from '../../db/references'
import { guard, versionGuard } from '../../db/refuse'
import { opportunities, personaDocumentation, personaSummaries, personas } from '../../db/schema/personas'
import { products } from '../../db/schema/tenancy'
import {
  assignments,
  caller,
  columns,
  insertInto,
  param,
  type Selected,
  statement,
  type Values,
  variants,
} from '../../db/statement'
import { notFound } from '../../text/errors'

const COLUMNS = [
  'id',
  'externalKey',
  'name',
  'occupation',
  'quote',
  'description',
  'color',
  'goals',
  'pains',
  'version',
  'createdAt',
  'updatedAt',
] as const

export interface PersonaRow extends Selected<typeof personas, (typeof COLUMNS)[number]> {
  /** External key of its product. */
  product: string | null
}

const selection = sql`${columns(personas, COLUMNS)}, ${products.externalKey} AS "product"`
const withProduct = sql`FROM ${personas} LEFT JOIN ${products} ON ${products.id} = ${personas.productId}`

const visible = sql`${personas.subscriptionId} = ${caller.subscription} AND ${personas.deletedAt} IS NULL
  AND (${personas.productId} IS NULL OR ${covered(sql`${personas.productId}`)})`

type Addressed = { personaKey: string }

const addressed = sql`${visible} AND ${personas.externalKey} = ${param('personaKey')}`

const missing = guard<Addressed>('persona_not_found', sql`NOT EXISTS (SELECT 1 FROM ${personas} WHERE ${addressed})`)

const ofAllProducts = guard<Addressed>(
  sql`'insufficient_scope:This API key is limited to products, but the persona belongs to the whole workspace. Use a key without that limit.'`,
  sql`${caller.products} IS NOT NULL
    AND EXISTS (SELECT 1 FROM ${personas} WHERE ${addressed} AND ${personas.productId} IS NULL)`,
)

/** Refuse a write to a persona that is not there, or that the key may only read. */
const writable = (of: Addressed) => [missing(of), ofAllProducts(of)]

export interface NewPersona {
  name: string
  occupation: string | null
  quote: string | null
  description: string | null
  color: string | null
  /** JSON arrays. */
  goals: string
  pains: string
  /** External key. */
  product: string | null
}

const insert = statement<never, { [K in keyof NewPersona]: NewPersona[K] }>(
  insertInto(personas, {
    subscriptionId: caller.subscription,
    productId: sql`(SELECT ${products.id} FROM ${products} WHERE ${products.subscriptionId} = ${caller.subscription}
      AND ${products.externalKey} = ${param('product')} AND ${products.deletedAt} IS NULL)`,
    externalKey: currentKey('PE'),
    name: param('name'),
    occupation: param('occupation'),
    quote: param('quote'),
    description: param('description'),
    color: param('color'),
    goals: param('goals'),
    pains: param('pains'),
    createdAt: caller.now,
    updatedAt: caller.now,
  }),
)

const newest = sql`${personas.subscriptionId} = ${caller.subscription} AND ${personas.externalKey} = ${currentKey('PE')}`

const created = event({
  type: 'persona.created',
  key: sql`${personas.externalKey}`,
  product: sql`${personas.productId}`,
  from: sql`FROM ${personas} WHERE ${newest}`,
})

const inserted = answer<Omit<PersonaRow, 'version'>>(
  {
    id: personas.id,
    externalKey: personas.externalKey,
    name: personas.name,
    occupation: personas.occupation,
    quote: personas.quote,
    description: personas.description,
    color: personas.color,
    goals: personas.goals,
    pains: personas.pains,
    product: products.externalKey,
    createdAt: personas.createdAt,
    updatedAt: personas.updatedAt,
  },
  sql`${withProduct} WHERE ${newest}`,
)

export async function createPersona(db: Database, persona: NewPersona, references: Reference[]) {
  const data = { ...persona, goals: JSON.parse(persona.goals), pains: JSON.parse(persona.pains) }
  const { answer } = await db.write({
    references,
    statements: [takeNumber('PE'), insert({ ...persona }), created(data, {})],
    answer: inserted({}),
  })
  return answer[0]
}

const list = variants<PersonaRow, PageValues, PageVariant>((variant) => {
  const after = pageAfter(sql`${personas.createdAt}`, sql`${personas.id}`, variant)
  return sql`SELECT ${selection} ${withProduct} WHERE ${visible} ${after}`
})

export async function listPersonas(db: Database, page: Page) {
  const [rows] = await db.read(list(sortedBy(page), pageValues(page)))
  return paginate(rows, page, (row) => [row.createdAt, row.id])
}

const select = statement<PersonaRow, Addressed>(sql`SELECT ${selection} ${withProduct} WHERE ${addressed}`)

export async function getPersona(db: Database, personaKey: string): Promise<PersonaRow> {
  const [rows] = await db.read(select({ personaKey }))
  const row = rows[0]
  if (!row) throw notFound('persona_not_found')
  return row
}

const SUMMARY_COLUMNS = ['id', 'type', 'text', 'createdAt', 'updatedAt'] as const

export type SummaryRow = Selected<typeof personaSummaries, (typeof SUMMARY_COLUMNS)[number]>

const insertSummary = statement<never, Addressed & { type: string; text: string }>(
  insertInto(
    personaSummaries,
    {
      subscriptionId: caller.subscription,
      personaId: personas.id,
      type: param('type'),
      text: param('text'),
      createdAt: caller.now,
      updatedAt: caller.now,
    },
    sql`FROM ${personas} WHERE ${addressed}`,
  ),
)

const summaryCreated = event<Addressed>({
  type: 'summary.created',
  key: sql`${personas.externalKey}`,
  product: sql`${personas.productId}`,
  from: sql`FROM ${personas} WHERE ${addressed}`,
})

// Tables without rowids, like that of the events, leave last_insert_rowid() as it is.
const insertedSummary = answer<SummaryRow>(
  {
    id: personaSummaries.id,
    type: personaSummaries.type,
    text: personaSummaries.text,
    createdAt: personaSummaries.createdAt,
    updatedAt: personaSummaries.updatedAt,
  },
  sql`FROM ${personaSummaries} WHERE ${personaSummaries.id} = last_insert_rowid()`,
)

export async function createSummary(db: Database, personaKey: string, summary: { type: string; text: string }) {
  const { answer } = await db.write({
    guards: writable({ personaKey }),
    statements: [insertSummary({ personaKey, ...summary }), summaryCreated(summary, { personaKey })],
    answer: insertedSummary({}),
  })
  return answer[0]
}

const exists = statement<{ id: number }, Addressed>(
  sql`SELECT ${columns(personas, ['id'])} FROM ${personas} WHERE ${addressed}`,
)

const listOfSummaries = variants<SummaryRow, Addressed & PageValues, PageVariant>((variant) => {
  const after = pageAfter(sql`${personaSummaries.createdAt}`, sql`${personaSummaries.id}`, variant)
  return sql`SELECT ${columns(personaSummaries, SUMMARY_COLUMNS)} FROM ${personaSummaries}
    WHERE ${personaSummaries.subscriptionId} = ${caller.subscription} AND ${personaSummaries.deletedAt} IS NULL
      AND ${personaSummaries.personaId} = (SELECT ${personas.id} FROM ${personas} WHERE ${addressed}) ${after}`
})

export async function listSummaries(db: Database, personaKey: string, page: Page) {
  const [persona, rows] = await db.read(
    exists({ personaKey }),
    listOfSummaries(sortedBy(page), { personaKey, ...pageValues(page) }),
  )
  if (!persona[0]) throw notFound('persona_not_found')
  return paginate(rows, page, (row) => [row.createdAt, row.id])
}

type OfSummary = Addressed & { summaryId: number }

const fromSummary = sql`FROM ${personaSummaries} CROSS JOIN ${personas} ON ${personas.id} = ${personaSummaries.personaId}
  WHERE ${personaSummaries.id} = ${param('summaryId')} AND ${personaSummaries.subscriptionId} = ${caller.subscription}
    AND ${personaSummaries.deletedAt} IS NULL AND ${addressed}`

const summaryMissing = guard<OfSummary>('summary_not_found', sql`NOT EXISTS (SELECT 1 ${fromSummary})`)

const insertOpportunity = statement<never, OfSummary & { name: string }>(
  insertInto(
    opportunities,
    {
      subscriptionId: caller.subscription,
      productId: personas.productId,
      personaId: personas.id,
      summaryId: personaSummaries.id,
      externalKey: currentKey('OP'),
      summary: param('name'),
      description: personaSummaries.text,
      order: currentNumber('OP'),
      planOrder: currentNumber('OP'),
      createdAt: caller.now,
      updatedAt: caller.now,
    },
    fromSummary,
  ),
)

export type OpportunityRow = Selected<
  typeof opportunities,
  | 'id'
  | 'summary'
  | 'description'
  | 'externalKey'
  | 'color'
  | 'spread'
  | 'intensity'
  | 'progress'
  | 'status'
  | 'teamId'
  | 'subscriptionId'
  | 'productId'
  | 'order'
  | 'planOrder'
  | 'createdAt'
  | 'updatedAt'
>

const newestOpportunity = sql`FROM ${opportunities}
  WHERE ${opportunities.subscriptionId} = ${caller.subscription} AND ${opportunities.externalKey} = ${currentKey('OP')}`

const opportunityCreated = event({
  type: 'opportunity.created',
  key: sql`${opportunities.externalKey}`,
  product: sql`${opportunities.productId}`,
  from: newestOpportunity,
})

const insertedOpportunity = answer<OpportunityRow>(
  {
    id: opportunities.id,
    summary: opportunities.summary,
    description: opportunities.description,
    externalKey: opportunities.externalKey,
    color: opportunities.color,
    spread: opportunities.spread,
    intensity: opportunities.intensity,
    progress: opportunities.progress,
    status: opportunities.status,
    teamId: opportunities.teamId,
    subscriptionId: opportunities.subscriptionId,
    productId: opportunities.productId,
    order: opportunities.order,
    planOrder: opportunities.planOrder,
    createdAt: opportunities.createdAt,
    updatedAt: opportunities.updatedAt,
  },
  newestOpportunity,
)

export async function createOpportunity(db: Database, from: OfSummary, name: string) {
  const { personaKey, summaryId } = from
  const { answer } = await db.write({
    guards: [...writable({ personaKey }), summaryMissing({ personaKey, summaryId })],
    statements: [
      takeNumber('OP'),
      insertOpportunity({ personaKey, summaryId, name }),
      opportunityCreated({ summary: name, persona: personaKey, summaryId }, {}),
    ],
    answer: insertedOpportunity({}),
  })
  return answer[0]
}

/** A persona's notes, empty ones where nothing has been written. */
export interface DocumentationRow {
  personaId: number
  personaKey: string
  productId: number | null
  subscriptionId: number
  title: string
  content: string
  version: number
  createdAt: number
  updatedAt: number
}

const documentationVersion = sql`coalesce(${personaDocumentation.version}, 1)`

const DOCUMENTATION = {
  personaId: personas.id,
  personaKey: personas.externalKey,
  productId: personas.productId,
  subscriptionId: personas.subscriptionId,
  title: sql`coalesce(${personaDocumentation.title}, '')`,
  content: sql`coalesce(${personaDocumentation.content}, '')`,
  version: documentationVersion,
  createdAt: sql`coalesce(${personaDocumentation.createdAt}, ${personas.createdAt})`,
  updatedAt: sql`coalesce(${personaDocumentation.updatedAt}, ${personas.createdAt})`,
}

const fromDocumentation = sql`FROM ${personas}
  LEFT JOIN ${personaDocumentation} ON ${personaDocumentation.subscriptionId} = ${personas.subscriptionId}
    AND ${personaDocumentation.personaId} = ${personas.id}
  WHERE ${addressed}`

const selectDocumentation = statement<DocumentationRow, Addressed>(
  sql`SELECT ${sql.join(
    Object.entries(DOCUMENTATION).map(([name, value]) => sql`${value} AS ${sql.identifier(name)}`),
    sql`, `,
  )} ${fromDocumentation}`,
)

export async function getDocumentation(db: Database, personaKey: string): Promise<DocumentationRow> {
  const [rows] = await db.read(selectDocumentation({ personaKey }))
  const row = rows[0]
  if (!row) throw notFound('persona_not_found')
  return row
}

const FIELDS = {
  title: { column: 'title', kind: 'text' },
  content: { column: 'content', kind: 'text' },
} as const satisfies Fields<typeof personaDocumentation>

const named = (variant: string) => variant.split(' ')

const documented = variants<never, Values>((variant) =>
  eventSql({
    type: 'persona.updated',
    key: sql`${personas.externalKey}`,
    product: sql`${personas.productId}`,
    previous: previousSql(personaDocumentation, FIELDS, named(variant)),
    from: fromDocumentation,
  }),
)

// A persona's empty notes are version 1.
const writeDocumentation = variants<never, Values>((variant) => {
  const names = named(variant)
  return insertInto(
    personaDocumentation,
    {
      subscriptionId: caller.subscription,
      personaId: personas.id,
      ...fieldColumns(names, FIELDS),
      version: sql`2`,
      createdAt: caller.now,
      updatedAt: caller.now,
    },
    sql`FROM ${personas} WHERE ${addressed} ON CONFLICT (subscription_id, persona_id) DO UPDATE SET
      ${assignments(personaDocumentation, {
        ...fieldColumns(names, FIELDS),
        version: sql`${personaDocumentation.version} + 1`,
        updatedAt: caller.now,
      })}`,
  )
})

const documentationUnchanged = versionGuard(sql`(SELECT ${documentationVersion} ${fromDocumentation})`)

const documentation = answer<DocumentationRow, Addressed>(DOCUMENTATION, fromDocumentation)

export interface DocumentationChange {
  title?: string | undefined
  content?: string | undefined
}

export async function modifyDocumentation(
  db: Database,
  personaKey: string,
  change: DocumentationChange,
  ifMatch: string | null,
) {
  const names = present(change, FIELDS)
  const values = { personaKey, ...fieldValues(change, names, FIELDS) }
  const variant = names.join(' ')
  const data = JSON.stringify({ documentation: change })
  const { answer } = await db.write({
    guards: [...writable({ personaKey }), documentationUnchanged({ ifMatch })],
    statements: [
      ...(names.length ? [documented(variant, { ...values, '@data': data }), writeDocumentation(variant, values)] : []),
    ],
    answer: documentation({ personaKey }),
  })
  return answer[0]
}
