import type { ComponentChildren } from 'preact'
import { client } from '../../api/client'
import type { LoggedEvent } from '../../api/events'
import { useQuery } from '../../api/queries'
import { type User, useUsers } from '../../api/users'
import { Avatar } from '../../parts/avatar'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { Skeleton } from '../../parts/skeleton'
import { formatAge, formatMoment } from '../../texts/formats'
import { findStatusBefore, Happening, HappeningChanges, isShown, nameOfStatus, useIdeaEvents } from './history'
import { type Comment, type Idea, nameOf, type Status, type StatusUpdate, useStatuses } from './requests'
import { labelOf } from './status-badge'
import { texts } from './texts/texts'

const MAX_SHOWN = 50

/** What the team and the customers have said, the newest first. */
export function Activity({ idea: { external_key: key } }: { idea: Idea }) {
  const newest = { feedback_external_key: key, limit: MAX_SHOWN, sort: '-createdAt' } as const
  const comments = useQuery<Comment[]>({ queryKey: ['comment', key], queryFn: () => client.listComments(newest) })
  const updates = useQuery<StatusUpdate[]>({
    queryKey: ['feedback', key, 'updates'],
    queryFn: () => client.listStatusUpdates(newest),
  })
  const statuses = useStatuses()
  const users = useUsers()
  const events = useIdeaEvents(key)
  const explained = new Set((updates.data ?? []).map(({ createdAt }) => createdAt))
  const error = comments.error ?? updates.error
  const entries = [
    ...(comments.data ?? []).map((comment) => ({
      at: comment.createdAt,
      node: <Said key={`c${comment.id}`} comment={comment} />,
    })),
    ...(updates.data ?? []).map((update) => ({
      at: update.createdAt,
      node: <Updated key={`u${update.id}`} update={update} from={nameOfStatusBefore(events, update, statuses)} />,
    })),
    ...(events ?? [])
      .filter((event) => isShown(event, explained))
      .map((event) => ({
        at: event.createdAt,
        node: <Happened key={`e${event.id}`} event={event} explained={explained} users={users} />,
      })),
  ].sort((one, other) => other.at.localeCompare(one.at))
  const isLoaded = comments.data !== undefined && updates.data !== undefined && events !== undefined
  return (
    <section aria-labelledby="idea-activity">
      <h3 id="idea-activity" class="gap-b">
        {texts.activity}
      </h3>
      {error && !isLoaded && (
        <Failure
          title={texts.activityFailed}
          error={error}
          onRetry={() => {
            void comments.refetch()
            void updates.refetch()
          }}
        />
      )}
      {!isLoaded && !error && <Skeleton lines={3} />}
      {isLoaded && entries.length === 0 && <p class="muted">{texts.noActivity}</p>}
      <ol class="activity">{entries.map(({ node }) => node)}</ol>
    </section>
  )
}

interface EntryProps {
  name: string
  at: string
  what: ComponentChildren
  children?: ComponentChildren
  isNote?: boolean
}

const Entry = ({ name, at, what, children, isNote = false }: EntryProps) => (
  <li class={isNote ? 'row top note' : 'row top'}>
    <Avatar name={name} />
    <div class="grow">
      <p class="sm">
        <strong>{name}</strong> <span class="muted">{what}</span>
        {isNote && (
          <span class="lock" title={texts.onlyTeam}>
            <Icon name="lock" />
            <span class="sr">{texts.onlyTeam}</span>
          </span>
        )}
      </p>
      {children}
    </div>
    <time class="sm faint" dateTime={at} title={formatMoment(at)}>
      {formatAge(at)}
    </time>
  </li>
)

const Said = ({ comment: { user, createdAt, text, isPrivate, deleted } }: { comment: Comment }) => (
  <Entry
    name={nameOf(user) || texts.somebody}
    at={createdAt}
    what={isPrivate ? texts.noted : texts.wrote}
    isNote={isPrivate}
  >
    {deleted ? (
      <p class="sm faint">{texts.removedComment}</p>
    ) : (
      <div class="prose md" dangerouslySetInnerHTML={{ __html: text }} />
    )}
  </Entry>
)

/** Undefined for a first status, and where the role may not read events. */
function nameOfStatusBefore(
  events: readonly LoggedEvent[] | undefined,
  { createdAt }: StatusUpdate,
  statuses: readonly Status[],
): string | undefined {
  const before = findStatusBefore(events ?? [], createdAt)
  return before ? nameOfStatus(before, statuses) : undefined
}

interface UpdatedProps {
  update: StatusUpdate
  /** The former status. */
  from: string | undefined
}

const Updated = ({ update: { user, createdAt, status, message }, from }: UpdatedProps) => (
  <Entry
    name={nameOf(user) || texts.somebody}
    at={createdAt}
    what={from ? texts.changedStatus(from, labelOf({ name: status })) : texts.setStatus(labelOf({ name: status }))}
  >
    {message && <p>{message}</p>}
  </Entry>
)

interface HappenedProps {
  event: LoggedEvent
  explained: ReadonlySet<string>
  users: readonly User[]
}

function Happened({ event, explained, users }: HappenedProps) {
  const { actor, createdAt } = event
  const user = users.find(({ id }) => id === actor.userId)
  const name = user ? nameOf(user) || user.email : (actor.keyName ?? texts.somebody)
  return (
    <Entry name={name} at={createdAt} what={<Happening event={event} />}>
      <p class="sm">
        <HappeningChanges event={event} explained={explained} />
      </p>
    </Entry>
  )
}
