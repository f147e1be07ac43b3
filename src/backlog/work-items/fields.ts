import type { Fields } from '../../db/patch'
import type { workItems } from '../../db/schema/work-items'
import { toHundredths } from '../../text/decimals'

export type WorkItemType = 'epic' | 'feature' | 'userstory'

/** The fields of a body that are columns of the work item itself, and how each is stored. */
export const FIELDS = {
  summary: { column: 'summary', kind: 'text' },
  color: { column: 'color', kind: 'text' },
  progress: { column: 'progress', kind: 'text' },
  progressPercentage: { column: 'progressPercentage', kind: 'number' },
  firstChild: { column: 'firstChild', kind: 'text' },
  backlog: { column: 'backlog', kind: 'flag' },
  description: { column: 'description', kind: 'text' },
  businessGoal: { column: 'businessGoal', kind: 'text' },
  persona: { column: 'personas', kind: 'json' },
  teamId: { column: 'teamId', kind: 'number' },
  userId: { column: 'userIds', kind: 'json' },
  startDate: { column: 'startDate', kind: 'moment' },
  endDate: { column: 'endDate', kind: 'moment' },
  tags: { column: 'tags', kind: 'text' },
  urls: { column: 'urls', kind: 'json' },
  jiraId: { column: 'jiraId', kind: 'text' },
  jiraKey: { column: 'jiraKey', kind: 'text' },
  externalProgress: { column: 'externalProgress', kind: 'text' },
  estimate: { column: 'estimate', kind: 'text' },
  businessValue: { column: 'businessValue', kind: 'text' },
  storyPoint: { column: 'storyPoint', kind: 'text' },
  remainingTime: { column: 'remainingTime', kind: 'text' },
  score: { column: 'score', kind: 'hundredths' },
} as const satisfies Fields<typeof workItems>

const NULLABLE = new Set(['teamId', 'startDate', 'endDate'])

/** The fields of a body as they are stored: null is empty text where the column has no null, the score hundredths. */
export function storable(body: object): Record<string, unknown> {
  const stored: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(body)) {
    if (!Object.hasOwn(FIELDS, name) || value === undefined) continue
    if (name === 'score') stored[name] = toHundredths(value as number)
    else stored[name] = value === null && !NULLABLE.has(name) ? '' : value
  }
  return stored
}
