import type { Attributes } from '../../text/attributes'
import { ApiError } from '../../text/errors'
import { sanitizer } from '../../text/html'
import { parseJsonText } from '../../text/json'
import { type Kind, Refused, shown } from '../../workspace/imports/kind'
import type { WorkItemType } from '../work-items/queries/record'
import { backlogPresets } from './presets'
import { type Imported, ImportedWorkItem } from './schema'
import { dateOf, progressOf, tagsOf, typeOf, urlsOf } from './values'

/** A row of a backlog. */
export interface Item {
  /** Undefined: what hangs on it says so. */
  type: WorkItemType | undefined
  /** Hangs below a story elsewhere; here it stands beside it. */
  sub: boolean
  /** Its key: of this product, or in the file alone. */
  key: string
  /** What other rows may call it. */
  names: string[]
  /** What its parent may be called: the first that there is counts. */
  parents: string[]
  /** The fields that the row gives. */
  given: Imported
  /** What it hangs on, once all rows are known. */
  parent?: Parent | undefined
}

export interface Parent {
  /** The row of the file that it hangs on. */
  row: number | null
  /** What that, or the record, is called, here and in Jira. */
  key: string
  jiraKey: string
  /** Of an item of the product, on which it or one of those that it hangs on hangs: it must be there. */
  needs: { key: string; feature: boolean; own: boolean } | null
}

let clean: Awaited<ReturnType<typeof sanitizer>>

/** Must be over before the first row is read. */
export const ready = async () => {
  clean ??= await sanitizer()
}

const JSON_FIELDS = ['urls'] as const
const NAMES = ['summary', 'description', 'progress', 'color', 'businessGoal', 'firstChild'] as const
const TEXTS = [
  'jiraId',
  'jiraKey',
  'externalProgress',
  'estimate',
  'businessValue',
  'storyPoint',
  'remainingTime',
] as const

const MAX_NAMES = 10

/** What of a row the schema reads, by its field. */
function fieldsOf(values: Readonly<Record<string, string>>, attributes: Attributes): Record<string, unknown> {
  const { status, startDate, endDate, tags, score, backlog, progressPercentage } = values
  const given: Record<string, unknown> = Object.keys(attributes).length ? { attributes } : {}
  for (const name of [...NAMES, ...TEXTS]) if (values[name] !== undefined) given[name] = values[name]
  for (const name of JSON_FIELDS) if (values[name] !== undefined) given[name] = jsonOf(urlsOf(values[name]))
  if (status !== undefined) {
    given.progress ??= progressOf(status)
    given.externalProgress ??= status
  }
  if (startDate !== undefined) given.startDate = dateOf(startDate)
  if (endDate !== undefined) given.endDate = dateOf(endDate)
  if (tags !== undefined) given.tags = tagsOf(tags)
  if (score !== undefined) given.score = numberOf(score)
  if (progressPercentage !== undefined) given.progressPercentage = numberOf(progressPercentage)
  if (backlog !== undefined) given.backlog = { true: true, false: false }[backlog.toLowerCase()] ?? backlog
  return given
}

const numberOf = (text: string): unknown => (/^[+-]?\d/.test(text) ? Number(text) : text)

function jsonOf(given: unknown): unknown {
  if (typeof given !== 'string') return given
  try {
    return parseJsonText(given, 'The cell')
  } catch (cause) {
    if (cause instanceof ApiError) return given
    throw cause
  }
}

const lines = (text = '') => text.split('\n').filter((line) => line !== '')

export const backlog: Kind<Item> = {
  name: 'backlog',
  fields: [
    { name: 'summary', aliases: ['title'], required: true },
    { name: 'type', aliases: ['issue type', 'item type'] },
    { name: 'externalKey', aliases: ['key'] },
    { name: 'name', aliases: ['id', 'identifier'], many: true },
    { name: 'parent', aliases: ['parent key', 'epic', 'feature', 'epic link'], many: true },
    { name: 'description', aliases: [] },
    { name: 'progress', aliases: [] },
    { name: 'status', aliases: ['state', 'list'] },
    { name: 'progressPercentage', aliases: [], json: true },
    { name: 'tags', aliases: ['labels'], many: true },
    { name: 'startDate', aliases: ['start'] },
    { name: 'endDate', aliases: ['due date', 'due', 'end'] },
    { name: 'storyPoint', aliases: ['story points', 'points'], json: true },
    { name: 'estimate', aliases: [], json: true },
    { name: 'businessValue', aliases: ['value'], json: true },
    { name: 'remainingTime', aliases: [], json: true },
    { name: 'score', aliases: [], json: true },
    { name: 'backlog', aliases: [], json: true },
    { name: 'businessGoal', aliases: [] },
    { name: 'color', aliases: [] },
    { name: 'firstChild', aliases: [] },
    { name: 'urls', aliases: ['url', 'link', 'links'], json: true },
    { name: 'jiraId', aliases: [] },
    { name: 'jiraKey', aliases: [] },
    { name: 'externalProgress', aliases: [] },
  ],
  presets: backlogPresets,
  // What they are called is known by heart.
  maxRows: 100_000,
  read(values, attributes) {
    if (values.summary === undefined) return new Refused('summary', 'Must not be empty. Every item has a title.')
    const type = values.type === undefined ? undefined : typeOf(values.type)
    if (values.type !== undefined && type === undefined) {
      const remedy = 'Map it by "values" to epic, feature or userstory.'
      return new Refused('type', `There is no type "${shown(values.type)}". ${remedy}`, values.type)
    }
    const read = ImportedWorkItem.safeParse(fieldsOf(values, attributes))
    if (!read.success) {
      const [issue] = read.error.issues
      const field = String(issue?.path[0] ?? 'summary')
      return new Refused(field, `${issue?.message}.`.replace(/\.\.$/, '.'), values[field] ?? null)
    }
    const given = read.data
    try {
      if (given.description) given.description = clean(given.description, '/description')
    } catch (cause) {
      if (cause instanceof ApiError) return new Refused('description', cause.message.replace(/^\/description: /, ''))
      throw cause
    }
    const { externalKey = '', jiraKey = '', jiraId = '' } = values
    const names = [externalKey, jiraKey, jiraId, ...lines(values.name)].filter((name) => name !== '')
    const sub = type === 'sub'
    return {
      ...{ type: sub ? 'userstory' : type, sub, given },
      ...{ key: externalKey, names: names.slice(0, MAX_NAMES), parents: lines(values.parent).slice(0, MAX_NAMES) },
    }
  },
}
