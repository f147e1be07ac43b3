import { Icon } from '../../parts/icon'
import { BASE } from '../../state/place'
import { formatMoment } from '../../texts/formats'
import { pathOf, type View } from './place'
import type { Entry } from './requests'
import { StatusBadge } from './status-badge'
import { texts } from './texts/texts'

interface HeadingProps {
  entry: Entry
  view: View
  /** Absent if the role or the status does not allow the action. */
  edit?: () => void
  publish?: () => void
  unschedule?: () => void
  takeBack?: () => void
  remove?: () => void
}

export const Heading = ({ entry, view, edit, publish, unschedule, takeBack, remove }: HeadingProps) => (
  <header class="stack tight">
    <div class="row wrap">
      <a
        class="btn ghost icon small back"
        href={BASE + pathOf({ ...view, entry: undefined })}
        aria-label={texts.backToList}
      >
        <Icon name="back" />
      </a>
      <span class="key">{entry.externalKey}</span>
      <StatusBadge status={entry.status} />
      <div class="row wrap push">
        {edit && (
          <button class="btn ghost small" type="button" onClick={edit}>
            <Icon name="pencil" />
            {texts.edit}
          </button>
        )}
        {remove && (
          <button class="btn ghost small danger" type="button" onClick={remove}>
            <Icon name="remove" />
            {texts.remove}
          </button>
        )}
        {takeBack && (
          <button class="btn small" type="button" onClick={takeBack}>
            {texts.takeBack}
          </button>
        )}
        {unschedule && (
          <button class="btn small" type="button" onClick={unschedule}>
            {texts.unschedule}
          </button>
        )}
        {publish && (
          <button class="btn small primary" type="button" onClick={publish}>
            <Icon name="news" />
            {texts.openPublish}
          </button>
        )}
      </div>
    </div>
    <p class="sm muted">{describeState(entry)}</p>
  </header>
)

function describeState({ publishAt, publishedAt, createdAt }: Entry): string {
  if (publishAt) return texts.willBePublished(formatMoment(publishAt))
  return publishedAt ? texts.publishedAt(formatMoment(publishedAt)) : texts.createdAt(formatMoment(createdAt))
}
