import { expect, test } from 'vitest'
import { decodeCursor, encodeCursor } from '../../src/db/sql/cursor'
import type { AnyOperation } from '../../src/http/operation'
import { MAX_KEPT_EXPORTS } from '../../src/workspace/exports/schema'
import { MAX_INCOMING_WEBHOOKS } from '../../src/workspace/incoming-webhooks/schema'
import { MAX_WEBHOOKS_PER_WORKSPACE } from '../../src/workspace/webhooks/schema'
import { call } from '../client'
import { MAKERS, parameterFor, prepareRecords } from '../world'
import { copyNewestRow, readLayout } from './copy-rows'
import { filtersOf, type Item, knownRecords, nextPageUrl, type Query, sortQueriesOf } from './pages'
import {
  createScenario,
  eachOperation,
  insertSecondProduct,
  isList,
  operationTable,
  queryParametersOf,
  sendOperation,
  UNLIMITED,
} from './table'

// Rows that a page may read more among 2,000 records than among 60. Growth with the table exceeds this slack.
const SLACK = 4
const PAGE_SIZE = '5'

const NO_KEY_INDEX = 'Keys have no index by user, because a workspace has few keys.'
const MAP_COUNTS_STORIES = 'The map counts the stories that it leaves out, in an index.'
const RECENT_MAILINGS = 'The operation counts the mailings of the last hour, which have a maximum.'
const COUNTED_RECORDS = 'The operation counts the records of the workspace, which have a maximum.'
const PORTAL_PARTS = 'The response has up to a fixed number of records of each kind.'
const WHOLE_EXPORT = 'The export contains all records.'

/** Operations that read more rows in a larger workspace, with the reason. */
const EVERY_KEY = 'Each write reads in the row of its key that the workspace is erased, so every key changes.'
const GROWING_OPERATIONS: Record<string, string> = {
  getPortal: PORTAL_PARTS,
  listSimilarPortalIdeas: 'The newest matches are ranked.',
  getPortalRoadmap: PORTAL_PARTS,
  listPortalVersions: PORTAL_PARTS,
  listPortalChangelog: PORTAL_PARTS,
  getPortalAtomFeed: PORTAL_PARTS,
  getPortalJsonFeed: PORTAL_PARTS,
  getPortalPerson: PORTAL_PARTS,
  eraseWorkspace: EVERY_KEY,
  restoreWorkspace: EVERY_KEY,
  removeUser: NO_KEY_INDEX,
  removeMember: NO_KEY_INDEX,
  eraseMember: NO_KEY_INDEX,
  exportMembers: WHOLE_EXPORT,
  getBacklog: 'The response contains the whole backlog.',
  exportBacklog: WHOLE_EXPORT,
  exportKpiRecords: WHOLE_EXPORT,
  removeKpiRecord: 'Without the time of the record, the operation scans the records of the KPI.',
  exportFeedbackItems: WHOLE_EXPORT,
  exportSolutionVersions: WHOLE_EXPORT,
  exportSegments: WHOLE_EXPORT,
  exportSuppressions: WHOLE_EXPORT,
  exportKpis: WHOLE_EXPORT,
  exportPersonas: WHOLE_EXPORT,
  exportExperiments: WHOLE_EXPORT,
  exportChangelogEntries: WHOLE_EXPORT,
  exportDocuments: WHOLE_EXPORT,
  listApiKeys: 'For a limited key, the list scans the keys of the workspace, which are few.',
  listSegmentsWithUsers: 'The response contains up to a hundred members of each segment.',
  previewSegment: 'The rules are evaluated for all members of the workspace.',
  previewSegmentEmail: 'The operation counts up to 20,000 members of the segment.',
  sendSegmentEmail: RECENT_MAILINGS,
  sendMembersEmail: RECENT_MAILINGS,
  sendTestEmail: RECENT_MAILINGS,
  getMe: RECENT_MAILINGS,
  cancelEmail: 'The operation ends the chunks of the mailing, and a larger mailing has more chunks.',
  createWebhook: COUNTED_RECORDS,
  restoreWebhook: COUNTED_RECORDS,
  createIncomingWebhook: COUNTED_RECORDS,
  restoreIncomingWebhook: COUNTED_RECORDS,
  listWebhooks: 'For a limited key, the list scans the webhooks of the workspace, which are few.',
  replayWebhook: 'The operation delivers all events of the period.',
  createStoryMap: MAP_COUNTS_STORIES,
  getStoryMap: MAP_COUNTS_STORIES,
  modifyStoryMap: MAP_COUNTS_STORIES,
  removeStoryMap: MAP_COUNTS_STORIES,
  restoreStoryMap: MAP_COUNTS_STORIES,
  exportStoryMap: MAP_COUNTS_STORIES,
  importStoryMap: MAP_COUNTS_STORIES,
  listSimilarFeedbackItems: 'The list ranks the newest 10,000 items that contain words of the title.',
  searchRecords: 'The search ranks the newest 10,000 matches of each kind.',
  previewChangelogEntry: 'The operation counts up to 2,000 followers of the changelog.',
  getStatusUpdateAudience: 'The operation counts up to 2,000 followers of the item.',
  getReleaseAudience: 'The operation counts up to 1,000 pairs of an idea and a follower.',
  listEvents: 'A filter other than `key` scans up to 10,000 events.',
}
const isGrowing = (op: AnyOperation) => op.id in GROWING_OPERATIONS

/** Tables with a maximum number of rows per workspace. */
const MAX_ROWS: Record<string, number> = {
  webhooks: MAX_WEBHOOKS_PER_WORKSPACE,
  incoming_webhooks: MAX_INCOMING_WEBHOOKS,
  exports: MAX_KEPT_EXPORTS,
}

/** Creates a workspace with `count` records of each kind, most with the same creation time. */
async function createStock(count: number) {
  const { here, records } = await createScenario()
  const second = await insertSecondProduct(here)
  for (const [name, { table, list, path, copied }] of Object.entries(MAKERS)) {
    await records.value(name)
    const { columns } = await readLayout(table)
    const spread = columns.some((column) => column.name === 'product_id') && !(list ?? path)?.includes('{product_')
    const product = `CASE n % 2 WHEN 0 THEN ${here.product.id} ELSE ${second} END`
    // The tests create further records.
    const filled = Math.min(count, (MAX_ROWS[table] ?? Number.POSITIVE_INFINITY) - 20)
    await copyNewestRow(table, here.subscriptionId, filled, {
      ...(spread && { product_id: product }),
      ...copied,
    })
  }
  return {
    here,
    records,
    count,
    unlimited: await here.key(),
    limited: await here.key({ products: [here.product.id, second] }),
  }
}

type Stock = Awaited<ReturnType<typeof createStock>>

// More than the votes and comments in an item.
const smallStock = await createStock(60)
const largeStock = await createStock(2_000)

const orderOf = (cursor: string | null) => (cursor === null ? '' : String(JSON.parse(atob(cursor))[0]))

/** Parameters that keep nested lists short, because the rows of nested lists are bounded separately. */
const SHORT_NESTED_LISTS: Record<string, Query> = { listKpis: { revisions: '1' } }

/** The URL of a page that starts `records` further on among records of the same time. */
function skipRecords(next: string, records: number): string {
  const url = new URL(next)
  const { searchParams } = url
  // A list with a single order takes no `sort`.
  const sort = searchParams.get('sort') ?? orderOf(searchParams.get('cursor'))
  const place = decodeCursor(sort, searchParams.get('cursor') ?? undefined)
  const id = (place?.id ?? 0) + (sort.startsWith('-') ? -records : records)
  if (place) searchParams.set('cursor', encodeCursor(sort, { ...place, id }))
  else searchParams.set('after', String(Number(searchParams.get('after')) + records))
  return url.href
}

/** Counts the rows read for two pages of each order, and for a page of each indexed filter and of removed records. */
async function countRowsRead(
  op: AnyOperation,
  { records, count, unlimited, limited }: Stock,
): Promise<Record<string, number>> {
  const path = await records.path(op.path)
  const found: Record<string, number> = {}
  for (const [whose, apiKey] of Object.entries({ unlimited, limited })) {
    const read = async (name: string, at: string) => {
      const answer = await call<Item[]>('GET', at, { apiKey, env: UNLIMITED })
      expect({ page: name, status: answer.status }).toEqual({ page: name, status: 200 })
      found[`${whose} ${name}`] = answer.cost.rowsRead
      return answer
    }
    const page = (query: Query) =>
      `${path}?${new URLSearchParams({ ...SHORT_NESTED_LISTS[op.id], ...query, limit: PAGE_SIZE })}`
    const known = await knownRecords(op, records)
    const first = await read('default', page({}))
    for (const query of sortQueriesOf(op)) {
      const { headers } = await read(`${query.sort}`, page(query))
      const next = nextPageUrl(headers)
      const isLast = next === undefined
      expect({ whose, sort: query.sort, isLast }).toEqual({
        whose,
        sort: query.sort,
        isLast: whose === 'limited' && isLast,
      })
      if (!next) continue
      await read(`${query.sort}, second page`, next)
      await read(`${query.sort}, far behind`, skipRecords(next, count / 2))
    }
    // With removed records too, a limited key looks at 10,000 records of all products.
    const removals = whose === 'unlimited' ? ['include', 'only'] : ['only']
    for (const removed of 'removed' in queryParametersOf(op) ? removals : [])
      await read(`removed=${removed}`, page({ removed }))
    for (const { query, findsItem, isUnindexed } of filtersOf(op, first.body.data.at(-1) ?? {}, known)) {
      const [[name, value] = []] = Object.entries(query)
      if (!isUnindexed || (isUnindexed === 'limited' && whose === 'unlimited'))
        await read(`${name}=${findsItem || known[name ?? ''] === value ? 'its own' : value}`, page(query))
    }
  }
  return found
}

test.each(eachOperation((op) => isList(op) && !isGrowing(op)))(
  '%s reads as many rows for a page of 2,000 records as of 60',
  async (_, op) => {
    const small = await countRowsRead(op, smallStock)
    const large = await countRowsRead(op, largeStock)
    const more = Object.entries(large).filter(([name, rows]) => rows > (small[name] ?? 0) + SLACK)
    const remedy = `Add an index for the sort or filter, or declare the filter \`unindexed\`. \`npm run sql -- ${op.id}\` prints the query plan.`
    expect(
      more.map(([name, rows]) => `${name}: ${small[name]} → ${rows}`),
      remedy,
    ).toEqual([])
  },
)

test.each(eachOperation((op) => !isList(op) && !isGrowing(op)))(
  '%s reads and writes as many rows with 2,000 records as with 60',
  async (_, op) => {
    const cost = async ({ records }: Stock) => {
      // An own record has few children. A created record joins the many records.
      const own = await prepareRecords(op, records, parameterFor(op.path) === undefined)
      const { cost, response } = await sendOperation(op, own, { path: await own.path(op.path) })
      expect(response.status).toBe(op.status ?? 200)
      await response.arrayBuffer()
      return cost
    }
    const small = await cost(smallStock)
    const large = await cost(largeStock)
    const more = { rowsRead: large.rowsRead - small.rowsRead, rowsWritten: large.rowsWritten - small.rowsWritten }
    const isWithinSlack = Math.max(more.rowsRead, more.rowsWritten) <= SLACK
    const remedy = `Add an index that begins with the tenant. \`npm run sql -- ${op.id}\` prints the query plans. If the growth is right, add a line to GROWING_OPERATIONS.`
    expect({ ...more, isWithinSlack }, remedy).toEqual({ ...more, isWithinSlack: true })
  },
)

test('every operation in GROWING_OPERATIONS exists', () => {
  const unknown = Object.keys(GROWING_OPERATIONS).filter((id) => !operationTable.some((op) => op.id === id))
  expect(unknown, 'Remove or rename the line in GROWING_OPERATIONS.').toEqual([])
})
