import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Store } from '../../db/client/client'
import { MEASURE_INTERVAL_MS } from '../../db/client/quota'
import { changelogEntries } from '../../db/schema/changelog'
import { documents } from '../../db/schema/documents'
import { experiments } from '../../db/schema/experiments'
import { feedbackComments, feedbackItems, feedbackSubscriptions, feedbackVotes } from '../../db/schema/feedback'
import { importRows, importWarnings } from '../../db/schema/imports'
import { kpiRecords } from '../../db/schema/kpis'
import { opportunities, personaDocumentation, personaSummaries, personas } from '../../db/schema/personas'
import { emailRecipients, emails, segmentMembers } from '../../db/schema/segments-and-mail'
import { feedbackStatusUpdates } from '../../db/schema/status-updates'
import { storyMapCards } from '../../db/schema/story-maps'
import { idempotencyKeys, log, users, writtenRows } from '../../db/schema/tenancy'
import { incomingReceipts, webhookDeliveries } from '../../db/schema/webhooks'
import { workItemComments, workItemLinks, workItems, workItemTags } from '../../db/schema/work-items'
import { isInThisHome, oneOrSeveralHomes } from '../../db/sql/fence'
import { isEventOfWorkspace, lastEventId } from '../../db/sql/log'
import { caller, inline, statement } from '../../db/sql/statement'
import { WORKSPACES_PER_HOME } from '../../home-list'

// A sample keeps the measurement of a large workspace short; the rows are counted in an index.
const SAMPLED_ROWS = inline(200)
const MEASURED_WORKSPACES_PER_RUN = inline(5)
// A column without its text, and an index row.
const BYTES_PER_COLUMN = 3
const BYTES_PER_INDEX_ROW = 25

/** Tables with nearly all bytes of a workspace, beside the log. */
const MEASURED_TABLES: readonly (SQLiteTable & { subscriptionId: SQLiteColumn })[] = [
  ...[workItems, workItemComments, workItemLinks, workItemTags, storyMapCards, importRows, importWarnings],
  ...[feedbackItems, feedbackComments, feedbackVotes, feedbackSubscriptions, feedbackStatusUpdates],
  changelogEntries,
  ...[users, segmentMembers, emails, emailRecipients],
  ...[kpiRecords, personas, personaSummaries, personaDocumentation, opportunities, experiments, documents],
  ...[idempotencyKeys, incomingReceipts, webhookDeliveries],
]

function averageRowBytes(table: SQLiteTable, sample: SQL): SQL {
  const columns = Object.values(getTableColumns(table))
  const texts = columns.filter(({ dataType }) => dataType === 'string').map((column) => sql.identifier(column.name))
  const lengths = texts.map((text) => sql`coalesce(octet_length(${text}), 0)`)
  const fixed = columns.length * BYTES_PER_COLUMN + getTableConfig(table).indexes.length * BYTES_PER_INDEX_ROW
  const selected = sql.join(texts.length ? texts : [sql`1`], sql`, `)
  return sql`(SELECT avg(${inline(fixed)} + ${sql.join([inline(0), ...lengths], sql` + `)}) FROM (SELECT ${selected} ${sample} LIMIT ${SAMPLED_ROWS}))`
}

const estimates = MEASURED_TABLES.map((table) => {
  const rows = sql`FROM ${table} WHERE ${table.subscriptionId} = ${caller.subscription}`
  return sql`coalesce((SELECT count(*) ${rows}) * ${averageRowBytes(table, rows)}, 0)`
})
const newestEvents = sql`FROM ${log} WHERE ${isEventOfWorkspace} ORDER BY ${log.place} DESC`
const eventCount = sql`(${lastEventId} - (SELECT min(${log.place}) & 4294967295 FROM ${log} WHERE ${isEventOfWorkspace}) + 1)`
const logEstimate = sql`coalesce(${eventCount} * ${averageRowBytes(log, newestEvents)}, 0)`

// Each minute takes the next workspaces by id, so that no index and no position is needed.
const minuteOfRun = sql`(CAST(${caller.now} AS INTEGER) / 60000 * ${MEASURED_WORKSPACES_PER_RUN})`
const firstOfRun = sql`(${minuteOfRun}
  % (SELECT max(${writtenRows.subscriptionId}) + 1 FROM ${writtenRows}))`

// The ids of a home are far from the ids of another home. The walk leaves out the numbers between.
const numberOfSpan = inline(WORKSPACES_PER_HOME)
const sizeOfSpan = (number: SQL) => sql`(SELECT max(subscription_id) FROM ${writtenRows}
  WHERE subscription_id < (${number} + 1) * ${numberOfSpan}) - ${number} * ${numberOfSpan} + 1`
const spans = sql`WITH RECURSIVE numbers(number) AS (
    SELECT min(subscription_id) / ${numberOfSpan} FROM ${writtenRows}
    UNION ALL
    SELECT (SELECT min(subscription_id) FROM ${writtenRows} WHERE subscription_id >= (number + 1) * ${numberOfSpan}) / ${numberOfSpan}
    FROM numbers WHERE number IS NOT NULL),
  sizes AS (SELECT number, ${sizeOfSpan(sql`number`)} AS size FROM numbers WHERE number IS NOT NULL),
  spans AS (SELECT number, size, sum(size) OVER (ORDER BY number) - size AS start FROM sizes)`
const firstOfRunOfHomes = sql`(SELECT number * ${numberOfSpan} + place - start
  FROM spans CROSS JOIN (SELECT ${minuteOfRun} % sum(size) AS place FROM sizes)
  WHERE place >= start AND place < start + size)`

const createSelectDue = (first: SQL, begin: SQL = sql``) =>
  statement<{ subscriptionId: number }>(sql`${begin}
  SELECT id AS "subscriptionId" FROM (
    SELECT ${writtenRows.subscriptionId} AS id, ${writtenRows.measuredAt} AS at FROM ${writtenRows}
    WHERE ${writtenRows.subscriptionId} >= ${first} ORDER BY ${writtenRows.subscriptionId} LIMIT ${MEASURED_WORKSPACES_PER_RUN})
  WHERE at <= ${caller.now} - ${inline(MEASURE_INTERVAL_MS)} AND ${isInThisHome(sql.raw('id'))}`)

const selectDueWorkspaces = oneOrSeveralHomes(createSelectDue(firstOfRun), createSelectDue(firstOfRunOfHomes, spans))

/** The workspace is a parameter, because the batch belongs to no workspace and uses no quota. */
const updateMeasuredBytes = statement<never, { '@subscription': number }>(sql`
  UPDATE ${writtenRows} SET bytes = CAST(${sql.join([logEstimate, ...estimates], sql` + `)} AS INTEGER),
    measured_at = ${caller.now}, counted_event = ${lastEventId} WHERE ${writtenRows.subscriptionId} = ${caller.subscription}`)

export const listDueWorkspaces = async (store: Store): Promise<number[]> =>
  (await store.batch(null, selectDueWorkspaces({})))[0].map(({ subscriptionId }) => subscriptionId)

export const measureWorkspace = (store: Store, subscriptionId: number) =>
  store.batch(null, updateMeasuredBytes({ '@subscription': subscriptionId }))
