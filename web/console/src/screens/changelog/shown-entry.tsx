import { toneOfName } from '../../parts/avatar'
import { Prose } from '../../parts/prose'
import { formatDay, formatNumber } from '../../texts/formats'
import { DETAIL_TITLE } from './place'
import type { Entry, Preview } from './requests'
import { texts } from './texts/texts'

interface ShownEntryProps {
  entry: Entry
  /** Absent until the service has answered. */
  preview: Preview | undefined
}

/** The entry as readers of the portal see it. */
export function ShownEntry({ entry, preview }: ShownEntryProps) {
  const date = entry.publishedAt ?? entry.publishAt
  return (
    <article class="news" aria-labelledby={DETAIL_TITLE}>
      <header class="row wrap">
        <span class="label muted">{date ? formatDay(date) : texts.notPublished}</span>
        {entry.labels.map((name) => (
          <span key={name} class="tag toned" data-tone={toneOfName(name)}>
            {name}
          </span>
        ))}
        {preview?.versions.map((name) => (
          <span key={name} class="tag">
            {texts.version(name)}
          </span>
        ))}
      </header>
      <h2 id={DETAIL_TITLE} tabIndex={-1}>
        {entry.title}
      </h2>
      {preview?.coverUrl && <img class="news-cover" src={preview.coverUrl} alt="" />}
      {entry.content ? <Prose html={entry.content} /> : <p class="muted">{texts.noText}</p>}
      {preview?.ideas.map(({ key, title, votes, comments }) => (
        <p key={key} class="news-idea">
          <span>{texts.asked}</span>
          <strong>{title}</strong>
          <span class="muted num push">
            {texts.interest(formatNumber(votes), votes, formatNumber(comments), comments)}
          </span>
        </p>
      ))}
    </article>
  )
}
