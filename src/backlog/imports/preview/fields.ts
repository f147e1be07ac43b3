import { sql } from 'drizzle-orm'
import { valueOrDefault } from '../../../db/client/bulk'
import { workItems } from '../../../db/schema/work-items'
import { productId } from '../../../db/sql/access'
import { computedList, computedValue, toField } from '../../../db/sql/field'
import { selectPreview } from '../../../workspace/imports/preview/statements'
import { computeLeafPercentage } from '../../work-items/fields'
import { story } from '../../work-items/queries/record'
import {
  COLUMNS_SET_BY_IMPORT,
  commentsPath,
  importedAssignee,
  importedParentKey,
  importedParentRow,
  importedTimeOfCreation,
  importedType,
  importedValueOfNewItem,
  selectImportedIds,
  selectPreviewedVersions,
} from '../fields'

// The percentage of an epic or a feature follows from the items below.
const percentageOfStory = sql`iif(${workItems.type} = 'userstory',
  ${computeLeafPercentage(workItems.progress, workItems.progressPercentage)}, NULL)`

const SHOWN_MEMBERS = {
  type: workItems.type,
  ...Object.fromEntries(
    Object.entries(story.fields).filter(([, field]) =>
      COLUMNS_SET_BY_IMPORT.some(([, column]) => column === toField(field).column),
    ),
  ),
  progressPercentage: computedValue<number | null>(percentageOfStory),
  createdAt: story.fields.createdAt,
}

export const previewItem = selectPreview(
  SHOWN_MEMBERS,
  [
    [workItems.type, importedType],
    [workItems.createdAt, sql`coalesce(${workItems.createdAt}, ${importedTimeOfCreation})`],
    ...COLUMNS_SET_BY_IMPORT.map(([, column]) => {
      const value = sql`coalesce(${importedValueOfNewItem(column, productId)}, ${column})`
      return [column, valueOrDefault(column, value)] as const
    }),
  ],
  {
    externalKey: computedValue(sql`${workItems.externalKey}`),
    parent: computedValue(sql`${importedParentKey}`),
    parentRow: computedValue(importedParentRow),
    assignee: computedValue(importedAssignee),
    solutionVersions: computedList(selectPreviewedVersions(productId)),
    externalIds: computedList(selectImportedIds),
    comments: computedValue(
      sql`iif(${workItems.id} IS NULL, coalesce(json_array_length(p.value, ${commentsPath}), 0), 0)`,
    ),
  },
)
