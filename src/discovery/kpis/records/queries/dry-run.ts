import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../../db/client/client'
import { kpiRecords } from '../../../../db/schema/kpis'
import { caller, inline, param, statement, type Values } from '../../../../db/sql/statement'
import { toDecimalText } from '../../../../text/decimals'
import { toIso } from '../../../../text/moments'
import { bindRevisions, type KpiKey, kpi } from '../../fields'
import { MAX_REVISIONS_PER_KPI } from '../../schema'
import type { FileRecords } from '../collect'
import { keepLastRecordPerMoment } from '../days'
import { toJsonMembers } from '../members'
import type { DryRunOfInsert, INSERT_MODES } from '../schema'
import { recordTimeOfJsonKey, storedRecordDiffers } from './insert'

const MAX_PREVIEWED_RECORDS = 10
const MAX_FORMER_RECORDS = 1_000

const fromRecordsToReplace = sql`FROM json_each(${param('records')}) f CROSS JOIN ${kpiRecords} r
  ON r.subscription_id = ${caller.subscription} AND r.kpi_id = ${kpi.id} AND r.created_at = ${recordTimeOfJsonKey}
  WHERE ${storedRecordDiffers}`

const compareWithStoredRecords = statement<{ added: number; replaced: number; former: string }, Values>(
  sql`SELECT (SELECT count(*) FROM json_each(${param('records')}) f WHERE ${storedRecordDiffers}) AS "added",
    (SELECT count(*) ${fromRecordsToReplace}) AS "replaced",
    (SELECT json_group_array(json_array(id, value, created_at)) FROM (SELECT r.id, r.value, r.created_at
      ${fromRecordsToReplace} LIMIT ${inline(MAX_FORMER_RECORDS)})) AS "former"`,
)

const toRecord = (value: number, at: number) => ({ value: toDecimalText(value), createdAt: toIso(at) })

/** The KPI as it is stored, and the result of an insert. */
export async function checkKpiRecords(
  db: Database,
  { kpi_external_key }: KpiKey,
  { valid, rejected, total }: FileRecords,
  mode: (typeof INSERT_MODES)[number],
) {
  const key = { kpi_external_key }
  const chunks = mode === 'upsert' ? toJsonMembers(keepLastRecordPerMoment(valid)) : []
  const [stored, ...compared] = await db.read(
    kpi.select(bindRevisions(key, MAX_REVISIONS_PER_KPI)),
    ...chunks.map((records) => compareWithStoredRecords({ ...key, records })),
  )
  const { data } = kpi.toReply(stored)
  const found = compared.flat()
  const sum = (name: 'added' | 'replaced') => found.reduce((all, one) => all + one[name], 0)
  const former = found.flatMap((one) => JSON.parse(one.former) as [id: number, value: number, at: number][])
  const dryRun: z.input<typeof DryRunOfInsert> = {
    ...{ total, valid: valid.values.length },
    added: mode === 'upsert' ? sum('added') : valid.values.length,
    replaced: sum('replaced'),
    records: valid.values
      .slice(0, MAX_PREVIEWED_RECORDS)
      .map((value, place) => toRecord(value, valid.times[place] as number)),
    ...{ rejected: rejected.rows, rejectedCount: rejected.count },
    former: former.slice(0, MAX_FORMER_RECORDS).map(([id, value, at]) => ({ id, ...toRecord(value, at) })),
  }
  return { ...data, dryRun }
}
