import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/client/client'
import { countFittingRows, rowFitsPage } from '../../db/records/page'
import { apiKeys, log, users } from '../../db/schema/tenancy'
import { coversProduct } from '../../db/sql/access'
import { isEventAfter, isEventOfWorkspace, lastEventId, logPlaceOf } from '../../db/sql/log'
import {
  boundLimit,
  caller,
  columnList,
  inline,
  makeStatementCache,
  param,
  type SelectedRow,
  type Statement,
  statement,
} from '../../db/sql/statement'
import type { ResourceName } from '../../resources'
import type { EventKey } from './actor'
import type { EventPerson } from './people'
import {
  type ArchivedEvent,
  EVENT_COLUMNS,
  eventKeyColumns,
  eventPersonColumns,
  joinEventKey,
  joinEventPerson,
} from './statements'

export interface EventRow extends SelectedRow<typeof log, (typeof EVENT_COLUMNS)[number]>, EventPerson, EventKey {
  /** JSON; null if the resource is not in `readable`. */
  data: string | null
  previous: string | null
}

export interface EventFilter {
  limit: number
  after: number
  type?: string | undefined
  key?: string | undefined
  readable: readonly ResourceName[]
}

/** Each combination of values has a separate SQL text. */
interface EventPageShape {
  type: boolean
  key: boolean
  limited: boolean
}

const eventIsReadable = sql`instr(${param('readable')}, ',' || substr(${log.type}, 1, instr(${log.type}, '.') - 1) || ',')`
const valueIfReadable = (column: SQL) => sql`CASE WHEN ${eventIsReadable} THEN ${column} END`

const eventSelectList = sql`${columnList(log, EVENT_COLUMNS)}, ${valueIfReadable(sql`${log.data}`)} AS "data",
  ${valueIfReadable(sql`${log.previous}`)} AS "previous", ${eventPersonColumns}, ${eventKeyColumns}`

/** Events per page that are compared with a type or with the products of the key, because no index serves these. */
const MAX_SCANNED_EVENTS = 10_000
const firstEventId = sql`(SELECT min(${log.place}) & 4294967295 FROM ${log} WHERE ${isEventOfWorkspace})`
// A second upper bound, at the end of the workspace, would replace this bound in SQLite's search.
const eventIsScanned = sql`${log.place} > ${logPlaceOf(param('after'))} AND ${log.place}
  <= ${logPlaceOf(sql`max(${param('after')}, coalesce(${firstEventId}, 1) - 1) + ${inline(MAX_SCANNED_EVENTS)}`)}`

function buildEventPlacesSql({ type, key, limited }: EventPageShape): SQL {
  // SQLite would scan the whole log in page order without a forced index. A record has few events.
  const index = key ? sql`INDEXED BY log_resource` : sql`NOT INDEXED`
  const range = !key && (type || limited) ? eventIsScanned : isEventAfter(param('after'))
  const ofKey = key ? sql`AND ${log.resourceKey} = ${param('key')}` : sql``
  const ofType = type ? sql`AND ${log.type} = ${param('type')}` : sql``
  const ofProducts = limited ? sql`AND ${coversProduct(sql`${log.productId}`)}` : sql``
  return sql`SELECT ${log.place} AS place FROM ${log} ${index} WHERE ${log.subscriptionId} = ${caller.subscription}
    AND ${range} ${ofKey} ${ofType} ${ofProducts} ORDER BY place ${boundLimit('limit')}`
}

// SQLite reads the lengths from row headers, without reading the texts.
const visibleEventBytes = sql`CASE WHEN ${eventIsReadable} THEN octet_length(${log.data}) + coalesce(octet_length(${log.previous}), 0)
  ELSE 0 END`

const joinLogAtPlace = sql`CROSS JOIN ${log} ON ${log.place} = page.place`

function buildEventPageSql(shape: EventPageShape): SQL {
  const places = buildEventPlacesSql(shape)
  const fits = rowFitsPage(
    sql`page.place`,
    visibleEventBytes,
    sql`SELECT page.place AS place, ${visibleEventBytes} AS bytes FROM (${places}) page ${joinLogAtPlace}`,
  )
  return sql`SELECT ${eventSelectList} FROM (${places}) page ${joinLogAtPlace} ${joinEventPerson} ${joinEventKey}
    WHERE ${fits} ORDER BY page.place`
}

const getEventPageTemplate = makeStatementCache(buildEventPageSql)

const selectLogEdges = statement<{ first: number | null; newest: number }>(
  sql`SELECT ${firstEventId} AS "first", ${lastEventId} AS "newest"`,
)

export interface EventPage {
  rows: EventRow[]
  /** `after` of the next page; undefined at the end of the log. */
  next: number | undefined
  /** First event of the log, if events after `after` are no longer in the log. */
  firstKept: number | undefined
  newest: number
}

/** Ids have no gaps and the newest event always stays, so an unfiltered page reveals deleted events by itself. */
export async function listEvents(
  db: Database,
  { type, key, limit, after, readable }: EventFilter,
  { follows = false } = {},
): Promise<EventPage> {
  const shape = { type: type !== undefined, key: key !== undefined, limited: db.products !== null }
  const page: Statement<EventRow> = {
    template: getEventPageTemplate(`${shape.type} ${shape.key} ${shape.limited}`, shape),
    values: { after, limit: limit + 1, type, key, readable: `,${readable.join()},` },
  }
  const isNarrowed = shape.type || shape.key || shape.limited
  const needsEdges = follows || isNarrowed
  const [found, [known]] = needsEdges ? await db.read(page, selectLogEdges({})) : [...(await db.read(page)), []]
  const first = isNarrowed ? known?.first : found[0]?.id
  const end = Math.min(limit, countFittingRows(found, ['data', 'previous']))
  const rows = found.slice(0, end)
  const scannedTo = Math.max(after, (first ?? 1) - 1) + MAX_SCANNED_EVENTS
  const scanEnded = isNarrowed && !shape.key && scannedTo < (known?.newest ?? 0)
  return {
    rows,
    next: found.length > end ? rows.at(-1)?.id : scanEnded ? scannedTo : undefined,
    firstKept: first && first > after + 1 ? first : undefined,
    newest: known?.newest ?? 0,
  }
}

type EventPersonRow = EventPerson & { id: number }

const selectEventPeople = statement<
  EventPersonRow,
  { ids: string }
>(sql`SELECT ${users.id} AS "id", ${eventPersonColumns}
  FROM json_each(${param('ids')}) p CROSS JOIN ${users} ON ${users.id} = p.value
    AND ${users.subscriptionId} = ${caller.subscription} AND ${users.deletedAt} IS NULL`)

type EventKeyRow = { jti: string; keyId: number; keyName: string }

const selectEventKeys = statement<EventKeyRow, { keys: string }>(sql`SELECT ${apiKeys.jti} AS "jti",
    ${apiKeys.id} AS "keyId", ${apiKeys.name} AS "keyName"
  FROM json_each(${param('keys')}) k CROSS JOIN ${apiKeys} ON ${apiKeys.subscriptionId} = ${caller.subscription}
    AND ${apiKeys.jti} = k.value`)

/** Current names of the people and of the API keys of archived events. */
export interface EventNames {
  people: readonly EventPersonRow[]
  keys: readonly EventKeyRow[]
}

export async function listEventNames(db: Database, events: readonly ArchivedEvent[]): Promise<EventNames> {
  const ids = [...new Set(events.flatMap(({ personId }) => personId ?? []))]
  const jtis = [...new Set(events.flatMap(({ actorKey }) => actorKey ?? []))]
  if (!ids.length && !jtis.length) return { people: [], keys: [] }
  const [people, keys] = await db.read(
    selectEventPeople({ ids: JSON.stringify(ids) }),
    selectEventKeys({ keys: JSON.stringify(jtis) }),
  )
  return { people, keys }
}

const REMOVED_PERSON = { firstName: '', lastName: '', email: '' }
const REMOVED_KEY = { keyId: null, keyName: null }

/** Hides the data of resources that are not `readable`, as `listEvents` does in SQL. */
export function toEventRows(
  events: readonly ArchivedEvent[],
  { people, keys }: EventNames,
  readable: readonly ResourceName[],
): EventRow[] {
  const personById = new Map(people.map((person) => [person.id, person]))
  const keyByJti = new Map(keys.map((key) => [key.jti, key]))
  return events.map(({ personId, ...event }) => {
    const isReadable = readable.some((resource) => event.type.startsWith(`${resource}.`))
    const { firstName, lastName, email } = (personId !== null && personById.get(personId)) || REMOVED_PERSON
    const { keyId, keyName } = (event.actorKey !== null && keyByJti.get(event.actorKey)) || REMOVED_KEY
    const hidden = isReadable ? {} : { data: null, previous: null }
    return { ...event, ...hidden, ...{ firstName, lastName, email, keyId, keyName } }
  })
}
