import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { covered } from '../../db/access'
import type { Database } from '../../db/client'
import { union } from '../../db/page'
import { documents } from '../../db/schema/documents'
import { feedbackItems } from '../../db/schema/feedback'
import { kpis } from '../../db/schema/kpis'
import { personas } from '../../db/schema/personas'
import { products } from '../../db/schema/tenancy'
import { workItems } from '../../db/schema/work-items'
import { ranked, rankedMatchOf } from '../../db/search'
import { boundLimit, caller, inline, param, type Statement, variants } from '../../db/statement'
import type { Area } from '../../http/token'
import { RESOURCES, type ResourceName } from '../../resources'
import { searchable } from '../ideas/statements'

export interface Found {
  type: string
  externalKey: string
  title: string
  text: string
  product: string | null
  /** 1 for a match of the external key. */
  exact: number
  score: number
}

type Columns = Readonly<Record<'id' | 'subscriptionId' | 'productId' | 'externalKey' | 'deletedAt', SQLiteColumn>>

interface Searched {
  resource: ResourceName
  table: SQLiteTable
  type: SQL
  title: SQL
  text: SQL
  only?: SQL
}

/** Searchable resources. Triggers on the tables maintain the search index. */
const SEARCHED: readonly Searched[] = [
  {
    ...{ resource: 'work_item', table: workItems, type: sql`${workItems.type}` },
    ...{ title: sql`${workItems.summary}`, text: sql`${workItems.description}` },
  },
  {
    ...{ resource: 'feedback', table: feedbackItems, type: sql`'feedback'`, title: sql`${feedbackItems.title}` },
    text: sql`${feedbackItems.valueProposition} || ' ' || ${feedbackItems.targetAudience} || ' ' || ${feedbackItems.longDescription}`,
    only: searchable,
  },
  {
    ...{ resource: 'persona', table: personas, type: sql`'persona'`, title: sql`${personas.name}` },
    text: sql`coalesce(${personas.occupation}, '') || ' ' || coalesce(${personas.quote}, '') || ' ' || coalesce(${personas.description}, '')
      || coalesce((SELECT group_concat(' ' || value, '') FROM (SELECT value FROM json_each(${personas.goals})
        UNION ALL SELECT value FROM json_each(${personas.pains}))), '')`,
  },
  {
    ...{ resource: 'kpi', table: kpis, type: sql`'kpi'`, title: sql`${kpis.title}` },
    text: sql`coalesce(${kpis.statement}, '')`,
  },
  {
    ...{ resource: 'document', table: documents, type: sql`'document'` },
    ...{ title: sql`${documents.title}`, text: sql`${documents.content}` },
  },
]

const AREAS = new Map<ResourceName, Area>(SEARCHED.map(({ resource }) => [resource, RESOURCES[resource].area]))

const TEXT = inline(5_000)

/** Best matches of a resource within the products of the key, without removed records and removed products. */
function foundIn({ resource, table, type, title, text, only = sql`true` }: Searched): SQL {
  const { id, subscriptionId, productId, externalKey, deletedAt } = getTableColumns(table) as Columns
  return sql`SELECT * FROM (SELECT ${type} AS "type", ${externalKey} AS "externalKey", ${title} AS "title",
      substr(${text}, 1, ${TEXT}) AS "text", ${products.externalKey} AS "product", matched.exact AS "exact", matched.score AS "score"
    FROM (SELECT k.id AS id, 1 AS exact, 0 AS score FROM ${table} k
        WHERE k.subscription_id = ${caller.subscription} AND k.external_key = ${param('key')}
      UNION ALL SELECT id, 0, score FROM ${ranked(resource, sql`${param('words')}`)}) matched CROSS JOIN ${table} ON ${id} = matched.id
      LEFT JOIN ${products} ON ${products.id} = ${productId} AND ${products.subscriptionId} = ${caller.subscription}
        AND ${products.deletedAt} IS NULL
    WHERE ${subscriptionId} = ${caller.subscription} AND ${deletedAt} IS NULL AND ${only}
      AND (${productId} IS NULL OR ${products.id} IS NOT NULL AND ${covered(sql`${productId}`)})
    ${boundLimit('limit')})`
}

const found = variants<Found, { words: string; key: string | null; limit: number }>((resources) => {
  const wanted = SEARCHED.filter(({ resource }) => resources.split(' ').includes(resource))
  return sql`SELECT * FROM (${union(wanted.map(foundIn))}) ORDER BY "exact" DESC, "score" DESC, "externalKey" ${boundLimit('limit')}`
})

const KEY = /^[A-Z]{2,5}-[1-9]\d{0,14}$/

/** Finds records with all words of a text, best first, in readable areas; a record with this key comes first. */
export async function findRecords(
  db: Database,
  { q, limit }: { q: string; limit: number },
  reads: (area: Area) => boolean,
): Promise<Found[]> {
  const words = rankedMatchOf(q)
  const resources = Array.from(AREAS, ([resource, area]) => (reads(area) ? [resource] : [])).flat()
  const name = q.toUpperCase()
  // Reads an extra row, because the record with the key can match the words too.
  const values = { words, key: KEY.test(name) ? name : null, limit: limit + 1 }
  const asked: Statement<Found>[] = words && resources.length ? [found(resources.join(' '), values)] : []
  const [rows = []] = await db.read(...asked)
  const called = new Set(rows.flatMap(({ exact, externalKey }) => (exact ? [externalKey] : [])))
  return rows.filter(({ exact, externalKey }) => exact || !called.has(externalKey)).slice(0, limit)
}
