import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { RecordRow } from '../../../db/records/record'
import { workItems } from '../../../db/schema/work-items'
import { type Returning, returning } from '../../../db/sql/returning'
import { recordJson } from '../../../db/sql/selection'
import type { Values } from '../../../db/sql/statement'
import type { AnyWorkItem, WorkItemData } from './record'

/** Spec, "Feature metaData", in SQL: what `toFeatureResult` makes of the record. */
const featureMetaData = (record: SQL) => sql`json_set(${record}, '$.userId', ${record} ->> '$.userId',
  '$.initiativeId', ${record} ->> '$.initiativeId' || '', '$.teamId', coalesce(${record} ->> '$.teamId', 0),
  '$.score', printf('%.2f', ${record} ->> '$.score'), '$.startDate', coalesce(${record} ->> '$.startDate', ''),
  '$.endDate', coalesce(${record} ->> '$.endDate', ''), '$.timeBoxPlanningId', 0, '$.subTimeBoxPlanningId', 0,
  '$.swimlaneId', 0, '$.roadmapId', 0, '$.storyMapId', 0, '$.businessObjectiveId', 0, '$.jiraParentId', '')`

/** The result of a change, in SQL: what `toEpicResult`, `toFeatureResult` and `toStoryResult` make of the record. */
function resultJson(resource: AnyWorkItem['resource'], record: SQL): SQL {
  if (resource === 'userstory') return sql`json_set(${record}, '$.cardId', ${record} -> '$.id')`
  if (resource === 'epic')
    return sql`json_set(${record}, '$.cardId', 0, '$.epicId', ${record} -> '$.id', '$.featureId', 0)`
  return sql`json_set(${record}, '$.cardId', 0, '$.featureId', ${record} -> '$.id', '$.type', 'impact_map',
    '$.metaData', json(${featureMetaData(record)}))`
}

const RESULT_FIELDS = ['id', 'externalKey', 'summary', 'epicId', 'featureId'] as const

export type ResultRow = Pick<WorkItemData, (typeof RESULT_FIELDS)[number]> & RecordRow

export function createReturningResult(
  { items, from, resource, fields, detailFields }: AnyWorkItem,
  where: SQL,
): (values: Values) => Returning<ResultRow> {
  const names: readonly string[] = RESULT_FIELDS
  const some = resource === 'feature' ? items : items.filter(({ name }) => names.includes(name))
  const row: Record<string, SQLWrapper> = { version: workItems.version }
  for (const { name, field } of some) row[name] = field.sql
  const shown = () => [recordJson(detailFields, true), resultJson(resource, recordJson(fields, true))]
  return returning<ResultRow, Values>(row as Record<keyof ResultRow, SQLWrapper>, sql`${from} WHERE ${where}`, shown)
}
