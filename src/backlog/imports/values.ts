import { foldColumnName } from '../../workspace/imports/columns'
import { parseJsonCell } from '../../workspace/imports/row-values'
import type { WorkItemType } from '../work-items/queries/record'

const TYPES: Record<string, WorkItemType | 'sub'> = {
  ...entriesOf('epic', 'epic'),
  ...entriesOf('feature', 'feature', 'new feature', 'subfeature', 'capability', 'impact map', 'component'),
  ...entriesOf(
    'userstory',
    'userstory',
    'story',
    'task',
    'bug',
    'issue',
    'card',
    'improvement',
    'spike',
    'technical task',
  ),
  ...entriesOf('userstory', 'enhancement', 'change request', 'incident', 'service request', 'test', 'support'),
  ...entriesOf('sub', 'sub-task', 'technical sub-task', 'sub-bug'),
}

const PROGRESS: Record<string, string> = {
  ...entriesOf(
    'to-do',
    'to do',
    'todo',
    'open',
    'new',
    'backlog',
    'reopened',
    'triage',
    'planned',
    'unstarted',
    'candidate',
  ),
  ...entriesOf(
    'to-do',
    'selected for development',
    'ready',
    'new idea',
    'ideas',
    'icebox',
    'next',
    'blocked',
    'on hold',
  ),
  ...entriesOf(
    'in-progress',
    'in progress',
    'started',
    'doing',
    'in review',
    'review',
    'in development',
    'testing',
    'qa',
  ),
  ...entriesOf('in-progress', 'in testing', 'code review', 'in qa', 'active', 'wip', 'delivery'),
  ...entriesOf(
    'done',
    'done',
    'closed',
    'resolved',
    'completed',
    'complete',
    'released',
    'shipped',
    'finished',
    'delivered',
  ),
}

function entriesOf<T>(value: T, ...names: string[]): Record<string, T> {
  return Object.fromEntries(names.map((name) => [foldColumnName(name), value]))
}

const lookUp = <T>(table: Record<string, T>, text: string): T | undefined => {
  const folded = foldColumnName(text)
  return Object.hasOwn(table, folded) ? table[folded] : undefined
}

export const parseType = (text: string) => lookUp(TYPES, text)

export const progressOf = (status: string): string => lookUp(PROGRESS, status) ?? 'to-do'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const JIRA_DATE = /^(\d{1,2})\/(\p{L}{3})\p{L}*\/(\d{4}|\d\d)(?: (\d{1,2}):(\d\d)(?: (AM|PM))?)?$/iu

const padTwo = (number: number) => String(number).padStart(2, '0')

/** The default format of Jira is `03/Sep/26 9:05 AM`. Other texts stay unchanged. */
export function parseJiraDate(text: string): string {
  const [, day, month, year, hour, minute, half] = JIRA_DATE.exec(text) ?? []
  const at = MONTHS.indexOf(month?.toLowerCase() ?? '')
  if (at < 0 || year === undefined) return text
  const date = `${year.length === 2 ? `20${year}` : year}-${padTwo(at + 1)}-${padTwo(Number(day))}`
  if (hour === undefined) return date
  const hours = half ? (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0) : Number(hour)
  return `${date}T${padTwo(hours)}:${minute}:00Z`
}

/** Parses tags from several columns, each a serialized array or names separated by commas. */
export function parseTags(text: string): string {
  const tags = text.split('\n').flatMap((line) => {
    if (!line.startsWith('[')) return line.split(',').map((tag) => tag.trim())
    return undefined
  })
  return tags.includes(undefined) ? text : JSON.stringify(tags.filter((tag) => tag))
}

export const parseUrls = (text: string): unknown =>
  text.startsWith('[') ? parseJsonCell(text) : text.split(/\s+/).map((url) => ({ url }))
