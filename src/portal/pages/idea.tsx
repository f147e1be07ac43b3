import { Avatar } from '../components/avatar'
import { Banner } from '../components/banner'
import type { CommentDraft } from '../components/comment-form'
import { type CommentEntry, Comments } from '../components/comments'
import { type Frame, findStatus, nameOfCategory, pathOf, signInPathOf } from '../components/frame'
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
  createdAt: string
}

export interface StatusChange {
  statusId: number | null
  status: string | null
  createdAt: string
}

export interface IdeaProps extends VoteState {
  /** Sanitized HTML. */
  html: string
  /** Plain text, for previews of a link. */
  summary: string
  statusId: number | null
  categoryId: number | null
  author: string | null
  createdAt: string
  isPending: boolean
  isRejected: boolean
  isFollowed: boolean
  /** Newest first. */
  updates: readonly IdeaUpdate[]
  /** Newest first. */
  history: readonly StatusChange[]
  files: readonly { name: string; url: string; bytes: number }[]
  merged: readonly { key: string; title: string }[]
  comments: readonly CommentEntry[]
  commentCount: number
  nextComments: string | null
  draft?: CommentDraft | null
  /** What the visitor has just done. */
  done?: 'submitted' | 'saved' | null
}

/** News for the author alone. */
function IdeaNews({ frame, idea, path }: { frame: Frame; idea: IdeaProps; path: string }) {
  const { texts } = frame
  return (
    <>
      {idea.done === 'submitted' ? (
        <Banner tone="green" icon="check" title={texts.submitPage.thanks}>
          {texts.submitPage.thanksHint}
        </Banner>
      ) : (
        ''
      )}
      {idea.done === 'saved' ? <Banner tone="green" icon="check" title={texts.editPage.saved} /> : ''}
      {idea.isPending ? (
        <Banner tone="amber" icon="clock" title={texts.idea.pending}>
          <a href={`${path}/edit`}>{texts.editPage.heading}</a>
        </Banner>
      ) : (
        ''
      )}
      {idea.isRejected ? <Banner tone="gray" icon="lock" title={texts.idea.rejected} /> : ''}
    </>
  )
}

function IdeaHeader({ frame, idea, path }: { frame: Frame; idea: IdeaProps; path: string }) {
  const status = findStatus(frame, idea.statusId)
  const category = nameOfCategory(frame, idea.categoryId)
  return (
    <header class="row top idea-head">
      <VoteForm frame={frame} idea={idea} returnTo={path} />
      <div class="grow">
        <h1>{idea.title}</h1>
        <div class="meta">
          {status ? <StatusBadge status={status} statuses={frame.portal.statuses} /> : ''}
          {category ? <span>{category}</span> : ''}
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
        <Avatar name={frame.portal.name} />
        <strong>{frame.portal.name}</strong>
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
        <a class="btn" href={signInPathOf(frame, path)}>
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

function StatusHistory({ frame, history }: { frame: Frame; history: readonly StatusChange[] }) {
  return (
    <section>
      <h2 class="label faint gap">{frame.texts.idea.status}</h2>
      <ol class="timeline">
        {history.map((change) => {
          const status = findStatus(frame, change.statusId)
          return (
            <li>
              <span>{status ? <StatusBadge status={status} statuses={frame.portal.statuses} /> : change.status}</span>
              <span class="sm muted">
                <Time moment={change.createdAt}>{frame.formats.shortDate(change.createdAt)}</Time>
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
          <IdeaNews frame={frame} idea={idea} path={path} />
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
              next: idea.nextComments,
              draft: idea.draft,
            }}
          />
        </article>
        <aside class="rail stack loose" aria-label={texts.idea.about}>
          <FollowCard frame={frame} idea={idea} path={path} />
          {idea.history.length ? <StatusHistory frame={frame} history={idea.history} /> : ''}
          {idea.merged.length ? (
            <section>
              <h2 class="label faint gap">{texts.idea.merged}</h2>
              <ul class="stack tight sm">
                {idea.merged.map(({ title }) => (
                  <li>{title}</li>
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
