import { fold } from '../../workspace/imports/columns'
import { jsonIn } from '../../workspace/imports/reading'
import type { WorkItemType } from '../work-items/queries/record'

/** Types by the words of foreign products; `sub` is an item below a story. */
const TYPES: Record<string, WorkItemType | 'sub'> = {
  ...of('epic', 'epic'),
  ...of('feature', 'feature', 'new feature', 'subfeature', 'capability', 'impact map', 'component'),
  ...of('userstory', 'userstory', 'story', 'task', 'bug', 'issue', 'card', 'improvement', 'spike', 'technical task'),
  ...of('userstory', 'enhancement', 'change request', 'incident', 'service request', 'test', 'support'),
  ...of('sub', 'sub-task', 'technical sub-task', 'sub-bug'),
}

const PROGRESS: Record<string, string> = {
  ...of('to-do', 'to do', 'todo', 'open', 'new', 'backlog', 'reopened', 'triage', 'planned', 'unstarted', 'candidate'),
  ...of('to-do', 'selected for development', 'ready', 'new idea', 'ideas', 'icebox', 'next', 'blocked', 'on hold'),
  ...of('in-progress', 'in progress', 'started', 'doing', 'in review', 'review', 'in development', 'testing', 'qa'),
  ...of('in-progress', 'in testing', 'code review', 'in qa', 'active', 'wip', 'delivery'),
  ...of('done', 'done', 'closed', 'resolved', 'completed', 'complete', 'released', 'shipped', 'finished', 'delivered'),
}

function of<T>(value: T, ...names: string[]): Record<string, T> {
  return Object.fromEntries(names.map((name) => [fold(name), value]))
}

const found = <T>(table: Record<string, T>, text: string): T | undefined => {
  const folded = fold(text)
  return Object.hasOwn(table, folded) ? table[folded] : undefined
}

export const typeOf = (text: string) => found(TYPES, text)

/** Progress by the name of a foreign status; to-do for an unknown name. */
export const progressOf = (status: string): string => found(PROGRESS, status) ?? 'to-do'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAY = /^(\d{1,2})\/(\p{L}{3})\p{L}*\/(\d{4}|\d\d)(?: (\d{1,2}):(\d\d)(?: (AM|PM))?)?$/iu

const two = (number: number) => String(number).padStart(2, '0')

/**
 * Converts a date in the default format of Jira, `03/Sep/26 9:05 AM`, to ISO 8601; any different text stays unchanged.
 */
export function dateOf(text: string): string {
  const [, day, month, year, hour, minute, half] = DAY.exec(text) ?? []
  const at = MONTHS.indexOf(month?.toLowerCase() ?? '')
  if (at < 0 || year === undefined) return text
  const date = `${year.length === 2 ? `20${year}` : year}-${two(at + 1)}-${two(Number(day))}`
  if (hour === undefined) return date
  const hours = half ? (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0) : Number(hour)
  return `${date}T${two(hours)}:${minute}:00Z`
}

/** Parses tags from several columns, each a serialized array or names separated by commas. */
export function tagsOf(text: string): string {
  const tags = text.split('\n').flatMap((line) => {
    if (!line.startsWith('[')) return line.split(',').map((tag) => tag.trim())
    // The schema validates the array.
    return undefined
  })
  return tags.includes(undefined) ? text : JSON.stringify(tags.filter((tag) => tag))
}

export const urlsOf = (text: string): unknown =>
  text.startsWith('[') ? jsonIn(text) : text.split(/\s+/).map((url) => ({ url }))
