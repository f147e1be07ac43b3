import type { ComponentChildren } from 'preact'
import { client } from '../../api/client'
import { useQuery } from '../../api/queries'
import { Avatar } from '../../parts/avatar'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { Skeleton } from '../../parts/skeleton'
import { formatAge, formatMoment } from '../../texts/formats'
import { type Comment, type Idea, nameOf, type StatusUpdate } from './requests'
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
  const error = comments.error ?? updates.error
  const entries = [
    ...(comments.data ?? []).map((comment) => ({
      at: comment.createdAt,
      node: <Said key={`c${comment.id}`} comment={comment} />,
    })),
    ...(updates.data ?? []).map((update) => ({
      at: update.createdAt,
      node: <Updated key={`u${update.id}`} update={update} />,
    })),
  ].sort((one, other) => other.at.localeCompare(one.at))
  const isLoaded = comments.data !== undefined && updates.data !== undefined
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
  what: string
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

const Updated = ({ update: { user, createdAt, status, message } }: { update: StatusUpdate }) => (
  <Entry name={nameOf(user) || texts.somebody} at={createdAt} what={texts.setStatus(labelOf({ name: status }))}>
    {message && <p>{message}</p>}
  </Entry>
)
