import { useEffect } from 'preact/hooks'
import { importOf, listChanges, useFileOfImport } from '../../api/event-changes'
import { listenToChanges } from '../../api/live'
import { nameOf, type User, useUsers } from '../../api/users'
import { Avatar } from '../../parts/avatar'
import { ChangeLine, showValue } from '../../parts/change-line'
import { formatAge, formatMoment } from '../../texts/formats'
import { texts as shared } from '../../texts/texts'
import { NO_FILTERS } from '../backlog/filters'
import type { Forest } from '../backlog/forest'
import { labelOfProgress } from '../backlog/progress-badge'
import { readTags } from '../backlog/requests'
import { type ItemEvent, type ItemPlace, type Team, useForest, useHistory, useTeams } from './requests'
import { texts } from './texts/texts'

interface Names {
  users: readonly User[]
  teams: readonly Team[]
  forest: Forest | undefined
}

/** What has happened to the item, the newest first. */
export function History({ place }: { place: ItemPlace }) {
  const users = useUsers()
  const teams = useTeams()
  const { data: forest } = useForest(place.product, NO_FILTERS)
  const { data: events = [], refetch } = useHistory(place, true)
  useEffect(() => listenToChanges(({ key }) => key === place.key && void refetch()), [place.key])
  const nameOfActor = ({ actor }: ItemEvent): string => {
    const user = users.find(({ id }) => id === actor.userId)
    return user ? nameOf(user) : (actor.keyName ?? texts.somebody)
  }
  return (
    <ol class="stack tight" id="item-history">
      {events.map((event) => (
        <li key={event.id} class="row top sm">
          <Avatar name={nameOfActor(event)} />
          <span class="grow">
            <strong>{nameOfActor(event)}</strong> <Happening event={event} names={{ users, teams, forest }} />
          </span>
          <time class="muted" dateTime={event.createdAt} title={formatMoment(event.createdAt)}>
            {formatAge(event.createdAt)}
            <span class="for-touch xs block">{formatMoment(event.createdAt)}</span>
          </time>
        </li>
      ))}
    </ol>
  )
}

/** Fields that a move changes, and a field that follows others. */
const PARENT_FIELDS = ['epicId', 'featureId']
const FOLLOWING = 'progressPercentage'

function Happening({ event, names }: { event: ItemEvent; names: Names }) {
  const file = useFileOfImport(importOf(event))
  const act = event.type.split('.')[1] ?? ''
  const isImported = importOf(event) !== undefined
  const changes = listChanges(event)
  if (act === 'created' && isImported) return <>{shared.history.imported(file)}</>
  if (act !== 'updated' || changes.length === 0) return <>{texts.acts[act as keyof typeof texts.acts] ?? event.type}</>
  const own = changes.filter(({ field }) => !PARENT_FIELDS.includes(field))
  const shown = own.length > 1 ? own.filter(({ field }) => field !== FOLLOWING) : own
  return (
    <>
      {isImported ? shared.history.importedChange(file) : changes.length === own.length && texts.acts.updated}
      {changes.length > own.length && <span> {describeMove(event, names)}</span>}
      {shown.map((change) => (
        <ChangeLine
          key={change.field}
          change={change}
          nameOf={(field) => texts.fields[field as keyof typeof texts.fields] ?? field}
          show={(field, value) => showField(field, value, names)}
        />
      ))}
    </>
  )
}

interface Parents {
  epicId?: number | null
  featureId?: number | null
}

/** A story below a feature has the epic of the feature too. */
function describeMove({ previous, data }: ItemEvent, { forest }: Names): string {
  const after = (data ?? {}) as Parents
  const before: Parents = { ...after, ...previous }
  const nameOfParent = ({ epicId, featureId }: Parents): string => {
    const id = featureId || epicId
    const items = forest ? [...forest.items.values()] : []
    return id ? (items.find((item) => item.id === id)?.key ?? texts.removedParent) : texts.topLevel
  }
  return texts.moved(nameOfParent(before), nameOfParent(after))
}

function showField(field: string, value: unknown, { users, teams }: Names): string | undefined {
  if (field === 'progress') return labelOfProgress(String(value ?? ''))
  if (field === 'teamId') return showValue(teams.find(({ id }) => id === value)?.name ?? null)
  if (field === 'tags' && typeof value === 'string') return showValue(readTags(value))
  if (field === 'userId' && Array.isArray(value))
    return showValue(value.map((id) => nameOfUser(users.find((user) => user.id === id))))
  return showValue(value)
}

const nameOfUser = (user: User | undefined): string => (user ? nameOf(user) : texts.somebody)
