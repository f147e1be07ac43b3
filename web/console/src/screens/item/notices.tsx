import type { Conflict } from '../../api/change'
import { nameOf, useUsers } from '../../api/users'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Failure } from '../../parts/failure'
import { labelOfProgress } from '../backlog/progress-badge'
import { readTags } from '../backlog/requests'
import type { Parenting } from './parenting'
import { type ItemPlace, useTeams, type WorkItem } from './requests'
import { texts } from './texts/texts'

interface ItemNoticesProps {
  place: ItemPlace
  conflict: Conflict<WorkItem> | undefined
  failure: { error: unknown; retry: () => void } | undefined
  parenting: Parenting
}

/** What did not work, and the ways out. */
export const ItemNotices = ({ place, conflict, failure, parenting }: ItemNoticesProps) => (
  <>
    {conflict && <ItemConflict place={place} conflict={conflict} />}
    {failure && <Failure title={texts.notSaved} error={failure.error} onRetry={failure.retry} />}
    {parenting.failure && (
      <Failure title={texts.notMoved} error={parenting.failure.error} onRetry={parenting.failure.retry} />
    )}
  </>
)

interface ItemConflictProps {
  place: ItemPlace
  conflict: Conflict<WorkItem>
}

const readText = (html: string): string => new DOMParser().parseFromString(html, 'text/html').body.textContent ?? ''

const DAY_CHARACTERS = 10

export function ItemConflict({ place, conflict }: ItemConflictProps) {
  const users = useUsers()
  const teams = useTeams()
  const show = (field: keyof WorkItem, value: WorkItem[keyof WorkItem]): string => {
    if (field === 'progress') return labelOfProgress(String(value))
    if (field === 'description') return readText(String(value))
    if (field === 'tags') return readTags(String(value)).join(', ')
    if (field === 'teamId') return teams.find(({ id }) => id === value)?.name ?? texts.noTeam
    if (field === 'startDate' || field === 'endDate') return String(value ?? '').slice(0, DAY_CHARACTERS)
    if (field === 'files') return (value as WorkItem['files']).map(({ file }) => file.name).join(', ')
    if (field !== 'userId') return String(value ?? '')
    const ids = value as readonly number[]
    return users
      .filter(({ id }) => ids.includes(id))
      .map(nameOf)
      .join(', ')
  }
  const name = (field: keyof WorkItem): string => texts.fields[field as keyof typeof texts.fields] ?? field
  return <ConflictBanner {...{ conflict, show, name }} record={{ ...place, mark: conflict.theirs.updatedAt }} />
}
