import { client } from '../../api/client'
import { importOf, listChanges, useFileOfImport } from '../../api/event-changes'
import type { LoggedEvent } from '../../api/events'
import { mayFollowEvents, useMe } from '../../api/me'
import { useQuery } from '../../api/queries'
import { ChangeLine, showValue } from '../../parts/change-line'
import { texts as shared } from '../../texts/texts'
import { type Status, useStatuses } from './requests'
import { labelOf } from './status-badge'
import { texts } from './texts/texts'

const TYPES = ['created', 'updated', 'merged', 'unmerged', 'deleted', 'restored'] as const
const MAX_SHOWN = 50

/** Undefined until the events are read. A role that may not read events has none. */
export function useIdeaEvents(key: string): readonly LoggedEvent[] | undefined {
  const me = useMe().data
  const isAllowed = me !== undefined && mayFollowEvents(me)
  const { data, error } = useQuery<LoggedEvent[]>({
    queryKey: ['feedback', key, 'events'],
    queryFn: () =>
      client.listEvents({
        ...{ key, order: 'newest', limit: MAX_SHOWN },
        type: TYPES.map((type) => `feedback.${type}` as const),
      }),
    enabled: isAllowed,
  })
  return error || (me && !isAllowed) ? [] : data
}

/** A change of the status has the time of the message that explains it. */
export function findStatusBefore(events: readonly LoggedEvent[], at: string): number | null | undefined {
  const change = events.find(({ createdAt, previous }) => createdAt === at && previous && 'status_id' in previous)
  return change && ((change.previous?.status_id ?? null) as number | null)
}

/** Times of the changes of the status that stand in the list with their message. */
type Explained = ReadonlySet<string>

const actOf = ({ type }: LoggedEvent): string => type.slice(type.indexOf('.') + 1)

/** Fields that say the same as another field, for programs. */
const FOLLOWING = ['currentStatus', 'work_item_internal_id', 'work_item_type']

const listShown = (event: LoggedEvent, explained: Explained) =>
  listChanges(event).filter(
    ({ field }) => !FOLLOWING.includes(field) && (field !== 'status_id' || !explained.has(event.createdAt)),
  )

export function isShown(event: LoggedEvent, explained: Explained): boolean {
  const act = actOf(event)
  if (act === 'created') return importOf(event) !== undefined
  return act !== 'updated' || listShown(event, explained).length > 0
}

export function Happening({ event }: { event: LoggedEvent }) {
  const file = useFileOfImport(importOf(event))
  const { into, from, merged, unmerged } = (event.data ?? {}) as Readonly<Record<string, string | null>>
  switch (actOf(event)) {
    case 'created':
      return <>{shared.history.imported(file)}</>
    case 'merged':
      return <>{into === undefined ? texts.acts.merged(merged) : texts.acts.mergedInto(into)}</>
    case 'unmerged':
      return <>{from === undefined ? texts.acts.unmerged(unmerged) : texts.acts.unmergedFrom(from)}</>
    case 'deleted':
      return <>{texts.acts.deleted}</>
    case 'restored':
      return <>{texts.acts.restored}</>
    default:
      return <>{importOf(event) === undefined ? texts.acts.updated : shared.history.importedChange(file)}</>
  }
}

/** The fields that changed, with their former values. */
export function HappeningChanges({ event, explained }: { event: LoggedEvent; explained: Explained }) {
  const statuses = useStatuses()
  return (
    <>
      {listShown(event, explained).map((change) => (
        <ChangeLine
          key={change.field}
          change={change}
          nameOf={(field) => texts.fields[field] ?? field.replaceAll('_', ' ')}
          show={(field, value) => showField(field, value, statuses)}
        />
      ))}
    </>
  )
}

export function nameOfStatus(id: unknown, statuses: readonly Status[]): string {
  const status = statuses.find((one) => one.id === id)
  return status ? labelOf(status) : texts.noStatus
}

function showField(field: string, value: unknown, statuses: readonly Status[]): string | undefined {
  if (field === 'status_id') return nameOfStatus(value, statuses)
  if (field === 'visibility_level') return texts.levels[value as keyof typeof texts.levels] ?? showValue(value)
  if (field === 'is_pinned') return showValue(value === true)
  if (field === 'tags' && Array.isArray(value)) return showValue(value.map(({ key }: { key: string }) => key))
  return showValue(value)
}
