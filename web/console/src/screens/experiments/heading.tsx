import { Icon } from '../../parts/icon'
import { InlineTitle } from '../../parts/inline-title'
import { BASE } from '../../state/place'
import { formatDay } from '../../texts/formats'
import { DETAIL_TITLE, pathOf, type View } from './place'
import type { Experiment } from './requests'
import { StatusBadge } from './status-badge'
import { texts } from './texts/texts'

export interface EditProps {
  experiment: Experiment
  may: boolean
  /** `base` is the experiment as it was when the person began. */
  save: (change: Partial<Experiment>, base?: Experiment) => void
}

interface HeadingProps extends EditProps {
  view: View
  onStart: () => void
  onStop: () => void
  onRemove: () => void
}

const MAX_TITLE = 500

/** The service starts only experiments with a hypothesis. */
export const mayStart = ({ status, hypothesis }: Experiment): boolean =>
  status === 'draft' && (hypothesis ?? '').trim() !== ''

export const Heading = ({ experiment, view, may, save, onStart, onStop, onRemove }: HeadingProps) => (
  <header class="stack tight">
    <div class="row wrap">
      <a
        class="btn ghost icon small back"
        href={BASE + pathOf({ ...view, experiment: undefined })}
        aria-label={texts.backToList}
      >
        <Icon name="back" />
      </a>
      <span class="key">{experiment.externalKey}</span>
      <StatusBadge status={experiment.status} />
      {may && (
        <div class="row wrap push">
          <button class="btn ghost small danger" type="button" onClick={onRemove}>
            <Icon name="remove" />
            {texts.remove}
          </button>
          {experiment.status === 'draft' && <StartButton experiment={experiment} onStart={onStart} />}
          {experiment.status === 'running' && (
            <button class="btn small primary" type="button" onClick={onStop}>
              {texts.stop}
            </button>
          )}
        </div>
      )}
    </div>
    <InlineTitle
      id={DETAIL_TITLE}
      name={texts.fields.title}
      record={experiment}
      value={experiment.title}
      maxLength={MAX_TITLE}
      mayChange={may}
      onSave={(title, base) => save({ title }, base)}
    />
    <p class="sm muted">{describeDates(experiment)}</p>
    {may && experiment.status === 'draft' && !mayStart(experiment) && (
      <p class="sm muted" id="start-reason">
        {texts.startNeedsHypothesis}
      </p>
    )}
  </header>
)

function StartButton({ experiment, onStart }: { experiment: Experiment; onStart: () => void }) {
  const isReady = mayStart(experiment)
  return (
    <button
      class="btn small primary"
      type="button"
      disabled={!isReady}
      aria-describedby={isReady ? undefined : 'start-reason'}
      onClick={onStart}
    >
      {texts.start}
    </button>
  )
}

function describeDates({ createdAt, startedAt, stoppedAt }: Experiment): string {
  const parts = [
    startedAt ? texts.startedAt(formatDay(startedAt)) : texts.createdAt(formatDay(createdAt)),
    ...(stoppedAt ? [texts.stoppedAt(formatDay(stoppedAt))] : []),
  ]
  return parts.join(' · ')
}
