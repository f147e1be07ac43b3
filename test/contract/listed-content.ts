import { expect } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import type { Workspace } from '../factories'
import type { PathValues } from '../world'
import { eventsDuring, type LoggedEvent } from './log'
import { operationTable, queryParametersOf } from './table'

/** The resource of the items in each list of content; a list of work items has items of each type. */
export const RESOURCE_BY_LIST: Record<string, string> = {
  listEpics: 'epic',
  listFeatures: 'feature',
  listUserStories: 'userstory',
  listAllWorkItems: '',
  listLinks: 'work_item_link',
  listItemComments: 'work_item_comment',
  listStoryMaps: 'story_map',
  listSolutionVersions: 'solution_version',
  listTags: 'tag',
  listAssets: 'asset',
  listFeedbackItems: 'feedback',
  listVoters: 'vote',
  listAllVotes: 'vote',
  listStatusUpdates: 'status_update',
  listComments: 'comment',
  listAllComments: 'comment',
  listChangelogEntries: 'changelog_entry',
  listKpis: 'kpi',
  listKpiRecords: 'kpi_record',
  listPersonas: 'persona',
  listSummaries: 'summary',
  listOpportunities: 'opportunity',
  listExperiments: 'experiment',
  listDocuments: 'document',
}
export const contentLists = operationTable.filter(({ id }) => id in RESOURCE_BY_LIST)

/** Lists of the whole workspace. A list below a merged idea is the list of the other idea. */
export const workspaceLists = contentLists.filter(({ path }) => !path.includes('{'))

export type Counts = Record<string, number>
type ListedItem = { type?: string; deleted?: boolean }
interface MapParts {
  activities: { steps: object[] }[]
  swimlanes: object[]
}

interface Target {
  here: Workspace
  of: { path(template: string, given?: PathValues): Promise<string> }
  /** Path parameters of content that the records of the test do not know. */
  given?: PathValues
  lists?: readonly AnyOperation[]
}

async function countList({ client }: Workspace, op: AnyOperation, path: string): Promise<Counts> {
  const query = new URLSearchParams({
    ...('limit' in queryParametersOf(op) && { limit: '100' }),
    ...('linked' in queryParametersOf(op) && { linked: 'all' }),
  })
  const { status, body } = await client<ListedItem[]>('GET', `${path}?${query}`)
  const resource = RESOURCE_BY_LIST[op.id] ?? ''
  const counts: Counts = resource ? { [resource]: 0 } : { epic: 0, feature: 0, userstory: 0 }
  if (status === 404) return counts
  expect(body.data.length).toBeLessThan(100)
  for (const { type, deleted } of body.data) {
    const name = resource || String(type)
    counts[name] = (counts[name] ?? 0) + (deleted ? 0 : 1)
  }
  return counts
}

async function countParts({ client }: Workspace, path: string): Promise<Counts> {
  const { status, body } = await client<MapParts>('GET', path)
  const { activities, swimlanes } = status === 404 ? { activities: [], swimlanes: [] } : body.data
  return {
    story_map_activity: activities.length,
    story_map_step: activities.flatMap(({ steps }) => steps).length,
    story_map_swimlane: swimlanes.length,
  }
}

/** Records per list. */
async function countListed({ here, of, given = {}, lists = contentLists }: Target): Promise<Counts[]> {
  const counts = lists.map(async (op) => countList(here, op, await of.path(op.path, given)))
  const map = await of.path('/api/initiatives/{product_external_key}/storyMap/{storyMapId}', given)
  return Promise.all([...counts, countParts(here, map)])
}

/** A resource with several lists changes where all of them change. */
function compareCounts(before: Counts[], after: Counts[]): Counts {
  const changes: Record<string, number[]> = {}
  before.forEach((counts, n) => {
    for (const [resource, count] of Object.entries(counts)) {
      changes[resource] = [...(changes[resource] ?? []), (after[n]?.[resource] ?? 0) - count]
    }
  })
  return Object.fromEntries(
    Object.entries(changes).map(([resource, found]) => [
      resource,
      found.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0] ?? 0,
    ]),
  )
}

const SIGN_BY_HAPPENING: Record<string, number> = { created: 1, restored: 1, deleted: -1 }

/** Changes of the lists, by the events. */
function countByEvents(events: readonly LoggedEvent[]): Counts {
  const counts: Counts = {}
  for (const { type, cascade } of events) {
    const [resource = '', happening = ''] = type.split('.')
    const sign = SIGN_BY_HAPPENING[happening] ?? 0
    for (const [name, count] of [[resource, 1] as const, ...Object.entries(cascade ?? {})]) {
      counts[name] = (counts[name] ?? 0) + sign * count
    }
  }
  return counts
}

/** Compares the lists before and after a write with the events of the write. */
export async function expectCascades(target: Target, act: () => Promise<{ status: number }>): Promise<LoggedEvent[]> {
  const before = await countListed(target)
  const [{ status }, events] = await eventsDuring(target.here, act)
  expect(status).toBe(200)
  const changes = compareCounts(before, await countListed(target))
  const counted = countByEvents(events)
  expect(Object.fromEntries(Object.keys(changes).map((name) => [name, counted[name] ?? 0]))).toEqual(changes)
  for (const { type, cascade } of events) if (!/\.(deleted|restored)$/.test(type)) expect(cascade).toBeNull()
  return events
}
