import { fold } from '../../workspace/imports/columns'
import { jsonIn } from '../../workspace/imports/reading'
import type { WorkItemType } from '../work-items/queries/record'

/** What other products call an item. `sub` is one that they hang below a story. */
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

/** The type that a text means, in ours or another product's words. */
export const typeOf = (text: string) => found(TYPES, text)

/** How far an item is whose status elsewhere has this name; to-do where nobody knows. */
export const progressOf = (status: string): string => found(PROGRESS, status) ?? 'to-do'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAY = /^(\d{1,2})\/(\p{L}{3})\p{L}*\/(\d{4}|\d\d)(?: (\d{1,2}):(\d\d)(?: (AM|PM))?)?$/iu

const two = (number: number) => String(number).padStart(2, '0')

/** A date as Jira writes it where nobody has changed that, `03/Sep/26 9:05 AM`, as one that we read; any other as it is. */
export function dateOf(text: string): string {
  const [, day, month, year, hour, minute, half] = DAY.exec(text) ?? []
  const at = MONTHS.indexOf(month?.toLowerCase() ?? '')
  if (at < 0 || year === undefined) return text
  const date = `${year.length === 2 ? `20${year}` : year}-${two(at + 1)}-${two(Number(day))}`
  if (hour === undefined) return date
  const hours = half ? (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0) : Number(hour)
  return `${date}T${two(hours)}:${minute}:00Z`
}

/** Tags in one or more columns: each a serialized array, or names with commas between them. */
export function tagsOf(text: string): string {
  const tags = text.split('\n').flatMap((line) => {
    if (!line.startsWith('[')) return line.split(',').map((tag) => tag.trim())
    // Whether it is an array of texts is the schema's to say.
    return undefined
  })
  return tags.includes(undefined) ? text : JSON.stringify(tags.filter((tag) => tag))
}

/** Links: a JSON array of them, or addresses with line breaks or spaces between them. */
export const urlsOf = (text: string): unknown =>
  text.startsWith('[') ? jsonIn(text) : text.split(/\s+/).map((url) => ({ url }))
