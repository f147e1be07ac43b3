import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../db/client/client'
import { unionAll } from '../../db/records/page'
import { changelogEntries } from '../../db/schema/changelog'
import { documents } from '../../db/schema/documents'
import { feedbackItems } from '../../db/schema/feedback'
import { kpis } from '../../db/schema/kpis'
import { personas } from '../../db/schema/personas'
import { products } from '../../db/schema/tenancy'
import { workItemForeignIds, workItems } from '../../db/schema/work-items'
import { coversProduct } from '../../db/sql/access'
import { rankedSearchMatches, toRankedFtsQuery } from '../../db/sql/search'
import { boundLimit, caller, inline, makeStatementVariants, param, type Statement } from '../../db/sql/statement'
import type { Area } from '../../http/token'
import { RESOURCES, type ResourceName } from '../../resources'
import { itemIsSearchable } from '../ideas/statements'

export interface FoundRecord {
  type: string
  externalKey: string
  title: string
  text: string
  product: string | null
  exact: number
  score: number
}

type SearchableColumns = Readonly<
  Record<'id' | 'subscriptionId' | 'productId' | 'externalKey' | 'deletedAt', SQLiteColumn>
>

interface SearchableResource {
  resource: ResourceName
  table: SQLiteTable
  type: SQL
  title: SQL
  text: SQL
  condition?: SQL
  /** Selects the ids of records by a whole id in another system. */
  selectNamed?: SQL
}

const SEARCHABLE_RESOURCES: readonly SearchableResource[] = [
  {
    ...{ resource: 'work_item', table: workItems, type: sql`${workItems.type}` },
    ...{ title: sql`${workItems.summary}`, text: sql`${workItems.description}` },
    selectNamed: sql`SELECT x.work_item_id AS id FROM ${workItemForeignIds} x
      WHERE x.subscription_id = ${caller.subscription} AND x.foreign_id = ${param('name')}`,
  },
  {
    ...{ resource: 'feedback', table: feedbackItems, type: sql`'feedback'`, title: sql`${feedbackItems.title}` },
    text: sql`${feedbackItems.valueProposition} || ' ' || ${feedbackItems.targetAudience} || ' ' || ${feedbackItems.longDescription}`,
    condition: itemIsSearchable,
    selectNamed: sql`SELECT n.id FROM ${feedbackItems} n
      WHERE n.subscription_id = ${caller.subscription} AND n.external_id = ${param('name')}`,
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
  {
    ...{ resource: 'changelog_entry', table: changelogEntries, type: sql`'changelog_entry'` },
    ...{ title: sql`${changelogEntries.title}`, text: sql`${changelogEntries.content}` },
  },
]

const AREA_BY_RESOURCE = new Map<ResourceName, Area>(
  SEARCHABLE_RESOURCES.map(({ resource }) => [resource, RESOURCES[resource].area]),
)

const maxSearchedCharacters = inline(5_000)

function selectMatchesIn({
  resource,
  table,
  type,
  title,
  text,
  condition = sql`true`,
  selectNamed,
}: SearchableResource): SQL {
  const { id, subscriptionId, productId, externalKey, deletedAt } = getTableColumns(table) as SearchableColumns
  return sql`SELECT * FROM (SELECT ${type} AS "type", ${externalKey} AS "externalKey", ${title} AS "title",
      substr(${text}, 1, ${maxSearchedCharacters}) AS "text", ${products.externalKey} AS "product", matched.exact AS "exact", matched.score AS "score"
    FROM (SELECT k.id AS id, 1 AS exact, 0 AS score FROM ${table} k
        WHERE k.subscription_id = ${caller.subscription} AND k.external_key = ${param('key')}
      ${selectNamed ? sql`UNION ALL SELECT DISTINCT id, 1, 0 FROM (${selectNamed})` : sql``}
      UNION ALL SELECT id, 0, score FROM ${rankedSearchMatches(resource, sql`${param('words')}`)}) matched CROSS JOIN ${table} ON ${id} = matched.id
      LEFT JOIN ${products} ON ${products.id} = ${productId} AND ${products.subscriptionId} = ${caller.subscription}
        AND ${products.deletedAt} IS NULL
    WHERE ${subscriptionId} = ${caller.subscription} AND ${deletedAt} IS NULL AND ${condition}
      AND (${productId} IS NULL OR ${products.id} IS NOT NULL AND ${coversProduct(sql`${productId}`)})
    ${boundLimit('limit')})`
}

const selectMatches = makeStatementVariants<
  FoundRecord,
  {
    words: string
    name: string
    key: string | null
    limit: number
  }
>((resources) => {
  const wanted = SEARCHABLE_RESOURCES.filter(({ resource }) => resources.split(' ').includes(resource))
  return sql`SELECT * FROM (${unionAll(wanted.map(selectMatchesIn))}) ORDER BY "exact" DESC, "score" DESC, "externalKey" ${boundLimit('limit')}`
})

const EXTERNAL_KEY_PATTERN = /^[A-Z]{2,5}-[1-9]\d{0,14}$/

export async function findRecords(
  db: Database,
  { q, limit }: { q: string; limit: number },
  reads: (area: Area) => boolean,
): Promise<FoundRecord[]> {
  const words = toRankedFtsQuery(q)
  const resources = Array.from(AREA_BY_RESOURCE, ([resource, area]) => (reads(area) ? [resource] : [])).flat()
  const name = q.toUpperCase()
  // Reads an extra row, because the record with the key can match the words too.
  const values = { words, name: q.trim(), key: EXTERNAL_KEY_PATTERN.test(name) ? name : null, limit: limit + 1 }
  const statements: Statement<FoundRecord>[] =
    words && resources.length ? [selectMatches(resources.join(' '), values)] : []
  const [rows = []] = await db.read(...statements)
  const exactKeys = new Set(rows.flatMap(({ exact, externalKey }) => (exact ? [externalKey] : [])))
  return rows.filter(({ exact, externalKey }) => exact || !exactKeys.has(externalKey)).slice(0, limit)
}
