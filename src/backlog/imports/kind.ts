import { type Kind, type KindField, Refused, shown } from '../../workspace/imports/kind'
import { checked, clean, flagOf } from '../../workspace/imports/reading'
import type { WorkItemType } from '../work-items/queries/record'
import { backlogPresets } from './presets'
import { type Imported, ImportedWorkItem } from './schema'
import { dateOf, progressOf, tagsOf, typeOf, urlsOf } from './values'

export interface Item {
  /** Undefined if the children decide the type. */
  type: WorkItemType | undefined
  /** Sub-task, imported as a sibling of the parent story. */
  sub: boolean
  /** External key of this product, or a key known only in the file. */
  key: string
  names: string[]
  /** Names of the parent; the first known name counts. */
  parents: string[]
  given: Imported
  parent?: Parent | undefined
}

export interface Parent {
  row: number | null
  /** Keys of the parent, in this product and in Jira. */
  key: string
  jiraKey: string
  /** Record of the product that must exist, as the parent (`own`) or as an ancestor. */
  needs: { key: string; feature: boolean; own: boolean } | null
}

const MAX_NAMES = 10

const numberOf = (text: string): unknown => (/^[+-]?\d/.test(text) ? Number(text) : text)
const lines = (text = '') => text.split('\n').filter((line) => line !== '')

const FIELDS: readonly KindField[] = [
  { name: 'summary', aliases: ['title'], required: true },
  { name: 'type', aliases: ['issue type', 'item type'] },
  { name: 'externalKey', aliases: ['key'] },
  { name: 'name', aliases: ['id', 'identifier'], many: true },
  { name: 'parent', aliases: ['parent key', 'epic', 'feature', 'epic link'], many: true },
  { name: 'description', aliases: [] },
  { name: 'progress', aliases: [] },
  { name: 'status', aliases: ['state', 'list'] },
  { name: 'progressPercentage', aliases: [], json: true, read: numberOf },
  { name: 'tags', aliases: ['labels'], many: true, read: tagsOf },
  { name: 'startDate', aliases: ['start'], read: dateOf },
  { name: 'endDate', aliases: ['due date', 'due', 'end'], read: dateOf },
  { name: 'storyPoint', aliases: ['story points', 'points'], json: true },
  { name: 'estimate', aliases: [], json: true },
  { name: 'businessValue', aliases: ['value'], json: true },
  { name: 'remainingTime', aliases: [], json: true },
  { name: 'score', aliases: [], json: true, read: numberOf },
  { name: 'backlog', aliases: [], json: true, read: flagOf },
  { name: 'businessGoal', aliases: [] },
  { name: 'color', aliases: [] },
  { name: 'firstChild', aliases: [] },
  { name: 'urls', aliases: ['url', 'link', 'links'], json: true, read: urlsOf },
  { name: 'jiraId', aliases: [] },
  { name: 'jiraKey', aliases: [] },
  { name: 'externalProgress', aliases: [] },
]

export const backlog: Kind<Item> = {
  name: 'backlog',
  fields: FIELDS,
  presets: backlogPresets,
  // Bounded, because the names of all rows are held in memory.
  maxRows: 100_000,
  read(values, attributes) {
    if (values.summary === undefined) return new Refused('summary', 'Must not be empty. Every item has a title.')
    const type = values.type === undefined ? undefined : typeOf(values.type)
    if (values.type !== undefined && type === undefined) {
      const remedy = 'Map it by "values" to epic, feature or userstory.'
      return new Refused('type', `There is no type "${shown(values.type)}". ${remedy}`, values.type)
    }
    const { status } = values
    const otherwise = status === undefined ? {} : { progress: progressOf(status), externalProgress: status }
    const given = checked(ImportedWorkItem, FIELDS, { values, attributes, otherwise })
    if (given instanceof Refused) return given
    if (given.description) given.description = clean(given.description, 'description')
    const { externalKey = '', jiraKey = '', jiraId = '' } = values
    const names = [externalKey, jiraKey, jiraId, ...lines(values.name)].filter((name) => name !== '')
    const sub = type === 'sub'
    return {
      ...{ type: sub ? 'userstory' : type, sub, given },
      ...{ key: externalKey, names: names.slice(0, MAX_NAMES), parents: lines(values.parent).slice(0, MAX_NAMES) },
    }
  },
}
