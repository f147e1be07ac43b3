import * as z from 'zod'
import { foldColumnName } from '../../workspace/imports/columns'
import type { CellProblemReporter } from '../../workspace/imports/kind'
import { parseJsonCell } from '../../workspace/imports/row-values'
import { ForeignKeyParams, JIRA_SOURCE } from '../external/schema'
import type { WorkItemType } from '../work-items/queries/record'

const TYPE_BY_FOREIGN_NAME: Record<string, WorkItemType | 'sub'> = {
  ...createEntries('epic', 'epic'),
  ...createEntries('feature', 'feature', 'new feature', 'subfeature', 'capability', 'impact map', 'component'),
  ...createEntries(
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
  ...createEntries('userstory', 'enhancement', 'change request', 'incident', 'service request', 'test', 'support'),
  ...createEntries('sub', 'sub-task', 'technical sub-task', 'sub-bug'),
}

const PROGRESS_BY_FOREIGN_STATUS: Record<string, string> = {
  ...createEntries(
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
  ...createEntries(
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
  ...createEntries(
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
  ...createEntries('in-progress', 'in testing', 'code review', 'in qa', 'active', 'wip', 'delivery'),
  ...createEntries(
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

function createEntries<T>(value: T, ...names: string[]): Record<string, T> {
  return Object.fromEntries(names.map((name) => [foldColumnName(name), value]))
}

const lookUpFoldedName = <T>(table: Record<string, T>, text: string): T | undefined => {
  const folded = foldColumnName(text)
  return Object.hasOwn(table, folded) ? table[folded] : undefined
}

export const parseItemType = (text: string) => lookUpFoldedName(TYPE_BY_FOREIGN_NAME, text)

export const parseProgress = (status: string): string => lookUpFoldedName(PROGRESS_BY_FOREIGN_STATUS, status) ?? 'to-do'

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

export type ImportedExternalId = [source: string, externalId: string]

const MAX_EXTERNAL_IDS_PER_ITEM = 100

const ExternalId = z
  .object({ source: ForeignKeyParams.shape.source, externalId: ForeignKeyParams.shape.external_id })
  .refine(
    ({ source }) => source !== JIRA_SOURCE,
    'Must be the name of another system than Jira. Send the id in Jira as `jiraId`',
  )

/** A JSON array of `{source, externalId}`. */
export function parseExternalIds(text: string, report: CellProblemReporter): ImportedExternalId[] {
  const list = parseJsonCell(text)
  const wrong = (value: string, reason: string) => report({ field: 'externalIds', value, reason })
  if (!Array.isArray(list) || list.length > MAX_EXTERNAL_IDS_PER_ITEM) {
    wrong(text, `Must be a JSON array of at most ${MAX_EXTERNAL_IDS_PER_ITEM} ids in other systems.`)
    return []
  }
  return list.flatMap((one): ImportedExternalId[] => {
    const { success, data, error } = ExternalId.safeParse(one)
    if (!success) wrong(JSON.stringify(one), `${error.issues[0]?.message}.`)
    return success ? [[data.source, data.externalId]] : []
  })
}
