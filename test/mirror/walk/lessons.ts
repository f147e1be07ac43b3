import { listParameters, type WalkedOperation } from './document.ts'
import type { Parameters, Places } from './places.ts'

/** A read that shows records of a parameter. */
export interface Lesson {
  operation: WalkedOperation
  kind: string
  isList: boolean
}

/** Lists whose path is not the path of the record without its parameter. */
const OTHER_LISTS: Record<string, string> = {
  listKpis: 'kpi_external_key',
  listComments: 'commentId',
  listItemComments: 'itemCommentId',
  listOpportunities: 'opportunity_external_key',
  listLinks: 'linkId',
  listKpiRecords: 'recordId',
}

/** The walk ends no key and no user that it did not create. */
const UNREAD = ['apiKeyId', 'userId', 'memberId', 'eventId', 'exportId']

export function listLists(operations: readonly WalkedOperation[]): Lesson[] {
  const reads = operations.filter(({ method }) => method === 'GET')
  return reads.flatMap((operation): Lesson[] => {
    if (operation.id === 'getStoryMap') return [{ operation, kind: 'storyMapId', isList: false }]
    const record = operations.find(
      ({ path }) => path.replace(/\/\{\w+\}$/, '') === operation.path && path.endsWith('}'),
    )
    const kind = OTHER_LISTS[operation.id] ?? record?.parameters.at(-1)
    return kind && !UNREAD.includes(kind) ? [{ operation, kind, isList: operation.queryNames.includes('limit') }] : []
  })
}

interface Listed {
  id?: number
  externalKey?: string
  external_key?: string
  steps?: Listed[]
}

export function learnFromMap(places: Places, parameters: Parameters, data: unknown): void {
  const map = data as { activities?: Listed[]; swimlanes?: Listed[] }
  const learn = (kind: string, { id = 0 }: Listed) => places.add(kind, { ...parameters, [kind]: id }, { id })
  for (const activity of map.activities ?? []) {
    learn('activityId', activity)
    for (const step of activity.steps ?? []) learn('stepId', step)
  }
  for (const swimlane of map.swimlanes ?? []) learn('swimlaneId', swimlane)
}

export function learnFromList(places: Places, { kind, isList }: Lesson, parameters: Parameters, data: unknown): void {
  if (kind === 'storyMapId' && !isList) learnFromMap(places, parameters, data)
  for (const record of Array.isArray(data) ? (data as Listed[]) : []) {
    const value = kind.endsWith('_external_key') ? (record.externalKey ?? record.external_key) : record.id
    if (value !== undefined) places.add(kind, { ...parameters, [kind]: value }, record as Record<string, unknown>)
  }
}

/** The parameters of a path, such as a Location, of a record. */
export function matchPath(
  operations: readonly WalkedOperation[],
  location: string,
): { kind: string; parameters: Parameters } | undefined {
  const { pathname } = new URL(location, 'https://groundwork.test')
  const parts = pathname.split('/')
  const fitting = operations.filter(({ path }) => {
    const wanted = path.split('/')
    return (
      path.endsWith('}') &&
      wanted.length === parts.length &&
      wanted.every((part, n) => part.startsWith('{') || part === parts[n])
    )
  })
  const [found] = fitting.toSorted((a, b) => a.parameters.length - b.parameters.length)
  if (!found) return
  const names = listParameters(found.path)
  const values = found.path
    .split('/')
    .flatMap((part, n) => (part.startsWith('{') ? [decodeURIComponent(parts[n] ?? '')] : []))
  const parameters = Object.fromEntries(
    names.map((name, n) => [name, name.endsWith('Id') ? Number(values[n]) : (values[n] ?? '')]),
  )
  return { kind: names.at(-1) ?? '', parameters }
}
