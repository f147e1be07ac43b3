import * as z from 'zod'
import type { AnyOperation } from './operation'

/** Maximum cost of a call in a workspace of 20,000 records of each kind, with 20,000 more linked to one record. */
export interface CostCeiling {
  readonly rows: number
  /** Database time, as a multiple of the time for a plain list of 100 records. */
  readonly time: number
  readonly bytes: number
}

export interface DeclaredCeiling extends Partial<CostCeiling> {
  readonly rows: number
  readonly reason: string
}

const BYTES_PER_MEGABYTE = 1_000_000

export const CEILINGS_BY_KIND = {
  /** One record and the newest linked records. A value in D1 has at most 2 MB. */
  get: { rows: 500, time: 200, bytes: 3 * BYTES_PER_MEGABYTE },
  /** A page of 100 records, with a few rows for each. A page ends at 4 MB of stored text. */
  list: { rows: 1_000, time: 200, bytes: 6 * BYTES_PER_MEGABYTE },
  write: { rows: 1_200, time: 500, bytes: 3 * BYTES_PER_MEGABYTE },
  bulk: { rows: 50_000, time: 1_000, bytes: 6 * BYTES_PER_MEGABYTE },
} as const satisfies Record<string, CostCeiling>

type OperationKind = keyof typeof CEILINGS_BY_KIND

export function operationKindOf({ method, bulk, upload, data }: AnyOperation): OperationKind {
  if (bulk || upload) return 'bulk'
  if (method !== 'get') return 'write'
  return data instanceof z.ZodArray ? 'list' : 'get'
}

export const ceilingOf = (op: AnyOperation): CostCeiling => ({
  ...CEILINGS_BY_KIND[operationKindOf(op)],
  ...(op.ceiling && {
    time: Math.max(CEILINGS_BY_KIND[operationKindOf(op)].time, Math.ceil(op.ceiling.rows / ROWS_PER_TIME_UNIT)),
  }),
  ...op.ceiling,
})

export function ceilingWithScanOf(op: AnyOperation): CostCeiling {
  const { rows, time, bytes } = ceilingOf(op)
  return {
    rows: rows + SCAN_CEILING_ROWS,
    time: Math.max(time, Math.ceil((rows + SCAN_CEILING_ROWS) / ROWS_PER_TIME_UNIT)),
    bytes,
  }
}

/**
 * Rows of `count`, `updatedSince` and `removed` in a list: 10,000 entries of an index, read again for the end of the
 * scan, the row of each, and in a list of links the linked record.
 */
const SCAN_CEILING_ROWS = 39_100

// Rows that even a slow walk reads in the time of a plain list.
const ROWS_PER_TIME_UNIT = 50

export const describeCeiling = ({ rows, reason }: DeclaredCeiling): string =>
  `Reads at most ${rows.toLocaleString('en-US')} rows in a workspace of 20,000 records: ${reason}`

export const declareCeiling = (rows: number, reason: string, bytes?: number): DeclaredCeiling => ({
  rows,
  reason,
  ...(bytes !== undefined && { bytes }),
})

export const WHOLE_PRODUCT_COST_REASON = 'a filter looks at all items of the product.'
export const VERSION_ITEMS_COST_REASON = 'a version has up to 1,000 items.'
export const EVERY_MEMBER_COST_REASON = 'the response depends on all members of the segments.'
export const TRACED_LINKS_COST_REASON = 'a trace follows all links of the shown records.'
export const ALL_RECORDS_COST_REASON = 'an export contains all records.'
export const SEGMENT_MEMBERS_COST_REASON =
  '`segmentId` looks at the members of the segment, and the other filters at 10,000 people per page.'
export const ALL_LINKS_COST_REASON = 'the response contains all linked records.'
export const PARENT_ITEMS_COST_REASON =
  '`epicId` and `featureId` look at the items of the parent, and the other filters at 10,000 items per page.'
export const PAGE_RECORDS_COST_REASON = 'a filter without an index, or `q`, looks at 10,000 records per page.'
export const PRODUCT_STORIES_COST_REASON =
  'the response counts the stories of the product and contains all cards of the map.'
export const SCANNED_EVENTS_COST_REASON =
  'a filter other than `key`, or a key that is limited to products, looks at 10,000 events per page.'
export const NEWEST_MATCHES_COST_REASON = 'a search ranks the newest 10,000 matches of each kind.'
export const EACH_LINK_COST_REASON = 'every linked record changes too, with an event.'
export const EACH_FOLLOWER_COST_REASON = 'every follower is looked up with the choices about mail, up to 2,000.'
export const RELEASE_AUDIENCE_COST_REASON =
  'up to 5,000 items and 500 ideas are looked up, and 1,000 pairs of an idea and a follower with the choices about mail.'
export const CONTENT_COUNT_COST_REASON = 'the event counts the content, up to 10,000 records of each resource.'
export const EVERY_KEY_COST_REASON = 'every API key changes too.'
export const WHOLE_EVENT_COST_REASON = 'the event contains all linked records.'
export const KPI_RECORDS_COST_REASON = 'without the time of the record, the operation looks at all records of the KPI.'
export const RECORD_FILES_COST_REASON = '`artifactKey` looks at the files of the record.'
export const ALL_RECIPIENTS_COST_REASON = 'the operation reads all recipients, and the mailings of the last hour.'
export const HOURLY_MAILINGS_COST_REASON = 'the limits count the mailings of the last hour, up to the limit.'
export const RANGE_EVENTS_COST_REASON = 'a replay delivers up to 10,000 events.'
