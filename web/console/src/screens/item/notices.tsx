import type { Conflict } from '../../api/change'
import { useChanger } from '../../api/changer'
import { type Me, mayFollowEvents } from '../../api/me'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Failure } from '../../parts/failure'
import { labelOfProgress } from '../backlog/progress-badge'
import { nameOf, readTags, useUsers } from '../backlog/requests'
import type { Parenting } from './parenting'
import { type ItemPlace, useTeams, type WorkItem } from './requests'
import { texts } from './texts/texts'

interface ItemNoticesProps {
  me: Me
  place: ItemPlace
  conflict: Conflict<WorkItem> | undefined
  failure: { error: unknown; retry: () => void } | undefined
  parenting: Parenting
}

/** What did not work, and the ways out. */
export const ItemNotices = ({ me, place, conflict, failure, parenting }: ItemNoticesProps) => (
  <>
    {conflict && <ItemConflict me={me} place={place} conflict={conflict} />}
    {failure && <Failure title={texts.notSaved} error={failure.error} onRetry={failure.retry} />}
    {parenting.failure && (
      <Failure title={texts.notMoved} error={parenting.failure.error} onRetry={parenting.failure.retry} />
    )}
  </>
)

interface ItemConflictProps {
  me: Me
  place: ItemPlace
  conflict: Conflict<WorkItem>
}

/** Names the other person where the role may read events. */
export function ItemConflict(props: ItemConflictProps) {
  return mayFollowEvents(props.me) ? <NamedConflict {...props} /> : <ShownConflict {...props} />
}

function NamedConflict(props: ItemConflictProps) {
  const users = useUsers()
  const { fields, theirs } = props.conflict
  const actor = useChanger(props.place, fields, theirs.updatedAt)
  const user = users.find(({ id }) => id === actor?.userId)
  return <ShownConflict {...props} by={user ? nameOf(user) : (actor?.keyName ?? undefined)} />
}

const readText = (html: string): string => new DOMParser().parseFromString(html, 'text/html').body.textContent ?? ''

const DAY_CHARACTERS = 10

function ShownConflict({ conflict, by }: ItemConflictProps & { by?: string | undefined }) {
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
  return <ConflictBanner conflict={conflict} show={show} name={name} by={by} />
}
