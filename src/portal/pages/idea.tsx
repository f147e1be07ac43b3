import { Avatar } from '../components/avatar'
import { Banner } from '../components/banner'
import { type CommentEntry, Comments } from '../components/comments'
import { type Frame, pathOf } from '../components/frame'
import { Icon } from '../components/icon'
import { Layout } from '../components/layout'
import { Prose } from '../components/prose'
import { StatusBadge } from '../components/status-badge'
import { Time } from '../components/time'
import { VoteForm, type VoteState } from '../components/vote'

export interface IdeaUpdate {
  status: string
  /** Plain text; empty for none. */
  message: string
  author: string
  createdAt: string
}

export interface IdeaProps extends VoteState {
  /** Sanitized HTML. */
  html: string
  /** Plain text, for previews of a link. */
  summary: string
  status: string
  category: string | null
  author: string | null
  createdAt: string
  isPending: boolean
  isFollowed: boolean
  /** Newest first. */
  updates: readonly IdeaUpdate[]
  files: readonly { name: string; url: string; bytes: number }[]
  merged: readonly { title: string; votes: number }[]
  comments: readonly CommentEntry[]
  commentCount: number
  commentOrder: 'newest' | 'oldest'
  nextComments: string | null
}

const findStatus = ({ portal }: Frame, name: string) => portal.statuses.find((status) => status.name === name)

function IdeaHeader({ frame, idea, path }: { frame: Frame; idea: IdeaProps; path: string }) {
  const status = findStatus(frame, idea.status)
  return (
    <header class="row top idea-head">
      <VoteForm frame={frame} idea={idea} returnTo={path} />
      <div class="grow">
        <h1>{idea.title}</h1>
        <div class="meta">
          {status ? <StatusBadge status={status} statuses={frame.portal.statuses} /> : ''}
          {idea.category ? <span>{idea.category}</span> : ''}
          {idea.author ? <span>{idea.author}</span> : ''}
          <span class="faint">
            <Time moment={idea.createdAt}>{frame.formats.date(idea.createdAt)}</Time>
          </span>
        </div>
      </div>
    </header>
  )
}

function LatestAnswer({ frame, update }: { frame: Frame; update: IdeaUpdate }) {
  return (
    <section class="card answer pad" aria-labelledby="update">
      <div class="row wrap sm">
        <Avatar name={update.author} />
        <strong>{update.author}</strong>
        <span class="tag">{frame.texts.idea.team}</span>
        <span class="faint">
          <Time moment={update.createdAt}>{frame.formats.shortDate(update.createdAt)}</Time>
        </span>
      </div>
      <h2 id="update" class="h3">
        {frame.texts.idea.update(update.status)}
      </h2>
      <p class="body-lg lines">{update.message}</p>
    </section>
  )
}

function FollowCard({ frame, idea, path }: { frame: Frame; idea: IdeaProps; path: string }) {
  const { texts } = frame
  if (!frame.visitor)
    return (
      <section class="card pad stack tight">
        <p class="sm">{texts.idea.signInToFollow}</p>
        <a class="btn" href={pathOf(frame, `/sign-in?${new URLSearchParams({ return: path })}`)}>
          {texts.signIn}
        </a>
      </section>
    )
  return (
    <section class="card pad stack tight">
      <form class="stack tight" method="post" action={pathOf(frame, `/ideas/${encodeURIComponent(idea.key)}/follow`)}>
        <button
          type="submit"
          class="btn"
          name="follow"
          value={idea.isFollowed ? 'no' : 'yes'}
          aria-pressed={String(idea.isFollowed)}
        >
          <Icon name="bell" />
          {idea.isFollowed ? texts.idea.following : texts.idea.follow}
        </button>
      </form>
      <p class="hint">{texts.idea.followHint}</p>
    </section>
  )
}

function StatusHistory({ frame, updates }: { frame: Frame; updates: readonly IdeaUpdate[] }) {
  return (
    <section>
      <h2 class="label faint gap">{frame.texts.idea.status}</h2>
      <ol class="timeline">
        {updates.map((update) => {
          const status = findStatus(frame, update.status)
          return (
            <li>
              <span>{status ? <StatusBadge status={status} statuses={frame.portal.statuses} /> : update.status}</span>
              <span class="sm muted">
                <Time moment={update.createdAt}>{frame.formats.shortDate(update.createdAt)}</Time>
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

export function IdeaPage({ frame, idea }: { frame: Frame; idea: IdeaProps }) {
  const { texts, formats } = frame
  const path = pathOf(frame, `/ideas/${encodeURIComponent(idea.key)}`)
  const answer = idea.updates.find(({ message }) => message)
  return (
    <Layout
      frame={frame}
      title={idea.title}
      tab="ideas"
      description={idea.isPending ? undefined : idea.summary || idea.title}
    >
      <p class="back">
        <a class="quiet muted sm row" href={pathOf(frame, '')}>
          <Icon name="chevron-left" />
          {texts.idea.back}
        </a>
      </p>
      <div class="split">
        <article class="stack loose">
          {idea.isPending ? <Banner tone="amber" icon="clock" title={texts.idea.pending} /> : ''}
          <IdeaHeader frame={frame} idea={idea} path={path} />
          {idea.html ? <Prose html={idea.html} origin={frame.origin} /> : ''}
          {idea.files.length ? (
            <ul class="row wrap files" aria-label={texts.idea.files}>
              {idea.files.map(({ name, url, bytes }) => (
                <li>
                  <a class="btn small" href={url}>
                    <Icon name="file" />
                    <span class="truncate">{name}</span>
                    <span class="faint">{formats.bytes(bytes)}</span>
                  </a>
                </li>
              ))}
            </ul>
          ) : (
            ''
          )}
          {answer ? <LatestAnswer frame={frame} update={answer} /> : ''}
          <Comments
            frame={frame}
            {...{
              path,
              comments: idea.comments,
              count: idea.commentCount,
              order: idea.commentOrder,
              next: idea.nextComments,
            }}
          />
        </article>
        <aside class="rail stack loose" aria-label={texts.idea.about}>
          <FollowCard frame={frame} idea={idea} path={path} />
          {idea.updates.length ? <StatusHistory frame={frame} updates={idea.updates} /> : ''}
          {idea.merged.length ? (
            <section>
              <h2 class="label faint gap">{texts.idea.merged}</h2>
              <ul class="stack tight sm">
                {idea.merged.map(({ title, votes }) => (
                  <li>
                    {title} <span class="faint num">{texts.votes(votes)}</span>
                  </li>
                ))}
              </ul>
            </section>
          ) : (
            ''
          )}
        </aside>
      </div>
    </Layout>
  )
}
