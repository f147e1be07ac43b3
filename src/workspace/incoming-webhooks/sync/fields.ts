export type ItemType = 'epic' | 'feature' | 'userstory'
export type Happening = 'created' | 'updated' | 'deleted' | 'restored'
export type Members = Readonly<Record<string, unknown>>

/** Fields that two workspaces keep equal, with their members of the item. Members that depend on each other are one field. */
const MEMBERS_BY_FIELD = {
  summary: ['summary'],
  description: ['description'],
  businessGoal: ['businessGoal'],
  color: ['color'],
  progress: ['progress', 'progressPercentage'],
  dates: ['startDate', 'endDate'],
  tags: ['tags'],
  urls: ['urls'],
  attributes: ['attributes'],
  jira: ['jiraId', 'jiraKey'],
  externalProgress: ['externalProgress'],
  backlog: ['backlog'],
  points: ['estimate', 'storyPoint'],
  businessValue: ['businessValue'],
  score: ['score'],
  remainingTime: ['remainingTime'],
  firstChild: ['firstChild'],
  assignees: ['userId'],
} as const

type MemberField = keyof typeof MEMBERS_BY_FIELD
/** `life`: whether the item exists. */
export type SyncField = MemberField | 'parent' | 'type' | 'life'

export const MEMBER_FIELDS = Object.keys(MEMBERS_BY_FIELD) as MemberField[]
export const ALL_FIELDS: readonly SyncField[] = [...MEMBER_FIELDS, 'parent', 'type', 'life']
/** A conversion moves points, ends the parent, and shows members that only the new type has. */
const FIELDS_OF_CONVERSION: readonly SyncField[] = [
  ...(['type', 'parent', 'points', 'progress', 'businessValue', 'score', 'remainingTime', 'firstChild'] as const),
]

const FIELD_BY_MEMBER = new Map<string, MemberField>(
  MEMBER_FIELDS.flatMap((field) => MEMBERS_BY_FIELD[field].map((member) => [member, field] as const)),
)
/** Names of fields in a mapping. */
export const FIELD_BY_MAPPED_NAME: ReadonlyMap<string, SyncField> = new Map<string, SyncField>([
  ...FIELD_BY_MEMBER,
  ['assignees', 'assignees'],
  ['parent', 'parent'],
])

/** An event of an item, as far as it says which fields it changed. */
export interface ItemEvent {
  happening: Happening
  /** The event reports the item under the key of another type. */
  isConversion: boolean
  /** Names of changed members. */
  changed: readonly string[]
  epicId: number
  featureId: number
  previousEpicId: number | null
  previousFeatureId: number | null
}

/** A story below a feature is below its epic too, so the feature is the parent. */
export const parentOf = (epicId: number, featureId: number): number => featureId || epicId

export function listChangedFields(event: ItemEvent): readonly SyncField[] {
  if (event.happening === 'deleted') return event.isConversion ? [] : ['life']
  if (event.happening === 'restored') return ALL_FIELDS
  if (event.happening === 'created') return event.isConversion ? FIELDS_OF_CONVERSION : ALL_FIELDS
  const fields = event.changed.flatMap((member): SyncField[] => {
    const field = FIELD_BY_MEMBER.get(member)
    return field ? [field] : []
  })
  const before = parentOf(
    event.changed.includes('epicId') ? (event.previousEpicId ?? 0) : event.epicId,
    event.changed.includes('featureId') ? (event.previousFeatureId ?? 0) : event.featureId,
  )
  const hasMoved = before !== parentOf(event.epicId, event.featureId)
  return [...new Set([...fields, ...(hasMoved ? (['parent'] as const) : [])])]
}

const CUT_TEXT_PATTERN = /…$/

/** Whether a delivery of limited size has the whole value. */
const isWhole = (value: unknown): boolean =>
  typeof value === 'string'
    ? !CUT_TEXT_PATTERN.test(value)
    : value === null || typeof value !== 'object' || (!Array.isArray(value) && Object.values(value).every(isWhole))

/** The values of the fields of an event. A value that the delivery has cut is left out. */
export function readFieldValues(data: Members): { values: Record<string, Members>; cut: SyncField[] } {
  const values: Record<string, Members> = {}
  const cut: SyncField[] = []
  for (const field of MEMBER_FIELDS) {
    const members = MEMBERS_BY_FIELD[field].filter((member) => Object.hasOwn(data, member))
    if (members.length < MEMBERS_BY_FIELD[field].length) continue
    if (data.truncated === true && field !== 'assignees' && !members.every((member) => isWhole(data[member])))
      cut.push(field)
    else values[field] = readMembers(field, members, data)
  }
  return { values, cut }
}

const readMembers = (field: SyncField, members: readonly string[], data: Members): Members =>
  field === 'points'
    ? { points: data.type === 'userstory' ? data.storyPoint : data.estimate }
    : Object.fromEntries(members.map((member) => [member, data[member]]))

/** An item as stored here. Dates are in milliseconds, and the score is in hundredths. */
export interface StoredMembers {
  type: ItemType
  summary: string
  description: string
  businessGoal: string
  color: string
  progress: string
  progressPercentage: number
  startDate: number | null
  endDate: number | null
  tags: string
  urls: string
  attributes: string
  jiraId: string
  jiraKey: string
  externalProgress: string
  backlog: number
  estimate: string
  storyPoint: string
  businessValue: string
  score: number
  remainingTime: string
  firstChild: string
}

const STORY_FIELDS = new Set<SyncField>(['remainingTime', 'firstChild'])
const PLAN_FIELDS = new Set<SyncField>(['businessValue', 'score'])
const ESTIMATE_PATTERN = /^\d+(?:\.\d+)?$/
const MAX_ESTIMATE_LENGTH = 30

const toMilliseconds = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : null)

/** Members of a request that give the field its value; undefined for a field that only other types have. */
export function toRequestMembers(field: SyncField, value: Members, type: ItemType): Members | undefined {
  const isStory = type === 'userstory'
  if (isStory ? PLAN_FIELDS.has(field) : STORY_FIELDS.has(field)) return undefined
  if (field === 'progress') return isStory ? value : { progress: value.progress }
  if (field !== 'points') return value
  const points = String(value.points)
  if (isStory) return { storyPoint: points }
  return { estimate: points.length <= MAX_ESTIMATE_LENGTH && ESTIMATE_PATTERN.test(points) ? points : '' }
}

/** Members that depend on each other are sent together. */
export const isStoredValue = (members: Members, stored: StoredMembers): boolean =>
  Object.entries(members).every(([name, value]) => {
    if (name === 'startDate' || name === 'endDate') return toMilliseconds(value) === stored[name]
    if (name === 'urls' || name === 'attributes') return JSON.stringify(value) === stored[name]
    if (name === 'score') return Math.round(Number(value) * 100) === stored.score
    if (name === 'backlog') return (value === true) === (stored.backlog === 1)
    // A story that is done has 100 percent.
    if (name === 'progressPercentage') return members.progress === 'done' || value === stored.progressPercentage
    return value === stored[name as keyof StoredMembers]
  })
