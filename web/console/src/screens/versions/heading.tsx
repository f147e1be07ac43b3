import { Icon } from '../../parts/icon'
import { BASE } from '../../state/place'
import { formatDay } from '../../texts/formats'
import { DETAIL_TITLE, pathOf, type View } from './place'
import type { Version } from './requests'
import { StatusBadge } from './status-badge'
import { texts } from './texts/texts'

interface HeadingProps {
  version: Version
  view: View
  /** Absent if the role or the status does not allow the action. */
  edit?: () => void
  start?: () => void
  release?: () => void
  archive?: () => void
  /** The service refuses once the mail has left. */
  takeBack?: () => void
  remove?: () => void
}

export const Heading = ({ version, view, edit, start, release, archive, takeBack, remove }: HeadingProps) => (
  <header class="stack tight">
    <div class="row wrap">
      <a
        class="btn ghost icon small back"
        href={BASE + pathOf({ ...view, version: undefined })}
        aria-label={texts.backToList}
      >
        <Icon name="back" />
      </a>
      <span class="key">{version.externalKey}</span>
      <StatusBadge status={version.status} />
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
          <button class="btn ghost small" type="button" onClick={takeBack}>
            <Icon name="undo" />
            {texts.takeBack}
          </button>
        )}
        {archive && (
          <button class="btn small" type="button" onClick={archive}>
            {texts.archive}
          </button>
        )}
        {start && (
          <button class="btn small" type="button" onClick={start}>
            {texts.start}
          </button>
        )}
        {release && (
          <button class="btn small primary" type="button" onClick={release}>
            <Icon name="release" />
            {texts.openRelease}
          </button>
        )}
      </div>
    </div>
    <h2 id={DETAIL_TITLE} tabIndex={-1}>
      {version.name}
    </h2>
    <p class="sm muted">{describeDates(version)}</p>
  </header>
)

function describeDates({ startDate, releaseDate, releasedAt }: Version): string {
  const parts = [
    startDate && texts.startsAt(formatDay(startDate)),
    releasedAt ? texts.releasedAt(formatDay(releasedAt)) : releaseDate && texts.plannedFor(formatDay(releaseDate)),
  ].filter(Boolean)
  return parts.length ? parts.join(' · ') : texts.noDates
}
