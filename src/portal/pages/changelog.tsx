import { toneOfName } from '../components/avatar'
import { EmptyState } from '../components/empty'
import { type Frame, feedPathOf, pathOf, withQuery } from '../components/frame'
import { Icon } from '../components/icon'
import { Layout } from '../components/layout'
import { Prose } from '../components/prose'
import { Time } from '../components/time'

export interface ChangelogEntry {
  key: string
  title: string
  /** Sanitized HTML. */
  html: string
  /** Plain text, for previews of a link. */
  summary: string
  labels: readonly string[]
  versions: readonly string[]
  /** Path of the picture. */
  cover: string | null
  ideas: readonly { key: string; title: string; votes: number; comments: number }[]
  publishedAt: string
}

export interface ChangelogProps {
  entries: readonly ChangelogEntry[]
  labels: readonly string[]
  label: string
  cursor: string
  next: string | null
}

const entryPath = (key: string) => `/changelog/${encodeURIComponent(key)}`

/** The title of an entry that stands alone is the heading of the page. */
function Entry({ frame, entry, isAlone = false }: { frame: Frame; entry: ChangelogEntry; isAlone?: boolean }) {
  const { texts, formats } = frame
  return (
    <article class="entry">
      <header class="stack tight">
        <span class="label">
          <Time moment={entry.publishedAt}>{formats.date(entry.publishedAt)}</Time>
        </span>
        <div class="row wrap">
          {entry.labels.map((name) => (
            <span class="tag toned" data-tone={toneOfName(name)}>
              {name}
            </span>
          ))}
          {entry.versions.map((name) => (
            <span class="tag">{texts.changelogPage.version(name)}</span>
          ))}
        </div>
      </header>
      <div>
        {isAlone ? (
          <h1>{entry.title}</h1>
        ) : (
          <h2>
            <a href={pathOf(frame, entryPath(entry.key))}>{entry.title}</a>
          </h2>
        )}
        {entry.cover ? <img class="cover" src={entry.cover} alt="" loading={isAlone ? undefined : 'lazy'} /> : ''}
        {entry.html ? <Prose html={entry.html} origin={frame.origin} level={isAlone ? 2 : 3} /> : ''}
        {entry.ideas.map((idea) => (
          <p class="asked">
            <span>{texts.changelogPage.asked}</span>
            <a href={pathOf(frame, `/ideas/${encodeURIComponent(idea.key)}`)}>{idea.title}</a>
            <span class="muted num push">
              {texts.votes(idea.votes)} · {texts.idea.comments(idea.comments)}
            </span>
          </p>
        ))}
      </div>
    </article>
  )
}

function Labels({ frame, labels, label }: { frame: Frame; labels: readonly string[]; label: string }) {
  const { texts } = frame
  return (
    <div class="segmented gap-top" role="group" aria-label={texts.changelogPage.kind}>
      {['', ...labels].map((name) => (
        <a
          href={pathOf(frame, withQuery('/changelog', { label: name }))}
          aria-current={name === label ? 'true' : undefined}
        >
          {name || texts.changelogPage.all}
        </a>
      ))}
    </div>
  )
}

function FollowForm({ frame }: { frame: Frame }) {
  const { changelogPage } = frame.texts
  const follows = frame.visitor?.followsChangelog ?? false
  return (
    <form method="post" action={pathOf(frame, '/changelog/follow')}>
      <button type="submit" class="btn" name="follow" value={follows ? 'no' : 'yes'}>
        <Icon name="mail" />
        {follows ? changelogPage.stopMail : changelogPage.byMail}
      </button>
    </form>
  )
}

export function ChangelogPage({ frame, changelog }: { frame: Frame; changelog: ChangelogProps }) {
  const { texts } = frame
  const { entries, labels, label, cursor, next } = changelog
  return (
    <Layout
      frame={frame}
      title={texts.changelog}
      tab="changelog"
      description={label || cursor ? undefined : texts.changelogPage.lede}
    >
      <div class="row wrap heading">
        <div class="grow">
          <h1>{texts.changelog}</h1>
          <p class="lede">{texts.changelogPage.lede}</p>
        </div>
        <div class="row wrap">
          <FollowForm frame={frame} />
          <a class="btn ghost" href={feedPathOf(frame, 'atom')}>
            <Icon name="rss" />
            Atom
          </a>
          <a class="btn ghost" href={feedPathOf(frame, 'json')}>
            JSON
          </a>
        </div>
      </div>
      {labels.length > 1 ? <Labels frame={frame} labels={labels} label={label} /> : ''}
      {entries.length ? (
        entries.map((entry) => <Entry frame={frame} entry={entry} />)
      ) : (
        <div class="gap-top">
          <EmptyState icon="inbox" title={texts.changelogPage.empty} hint={texts.changelogPage.emptyHint} />
        </div>
      )}
      {next || cursor ? (
        <p class="pager row">
          {cursor ? (
            <a class="btn ghost" href={pathOf(frame, withQuery('/changelog', { label }))}>
              {texts.changelogPage.first}
            </a>
          ) : (
            ''
          )}
          {next ? (
            <a class="btn" rel="next" href={pathOf(frame, withQuery('/changelog', { label, cursor: next }))}>
              {texts.changelogPage.older}
            </a>
          ) : (
            ''
          )}
        </p>
      ) : (
        ''
      )}
    </Layout>
  )
}

export function ChangelogEntryPage({ frame, entry }: { frame: Frame; entry: ChangelogEntry }) {
  return (
    <Layout
      frame={frame}
      title={entry.title}
      tab="changelog"
      description={entry.summary || entry.title}
      picture={entry.cover}
    >
      <p class="back">
        <a class="quiet muted sm row" href={pathOf(frame, '/changelog')}>
          <Icon name="chevron-left" />
          {frame.texts.changelog}
        </a>
      </p>
      <Entry frame={frame} entry={entry} isAlone />
    </Layout>
  )
}
