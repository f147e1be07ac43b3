import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { focusDetail } from '../../parts/list-keys'
import { NextSteps } from '../../parts/next-steps'
import { Skeleton } from '../../parts/skeleton'
import { BASE } from '../../state/place'
import { formatDay } from '../../texts/formats'
import { texts as shellTexts } from '../../texts/texts'
import { DETAIL_TITLE, filterBy, pathOf, STATUSES, type View } from './place'
import type { ListedExperiment } from './requests'
import { ResultTag, StatusBadge } from './status-badge'
import { texts } from './texts/texts'

interface ListPaneProps {
  view: View
  experiments: readonly ListedExperiment[] | undefined
  may: boolean
  error: unknown
  onRetry: () => void
  onCreate: () => void
}

export const ListPane = ({ view, experiments, may, error, onRetry, onCreate }: ListPaneProps) => (
  <section class="list" aria-label={texts.list}>
    <div class="tools">
      <StatusFilter view={view} />
      <span class="sm muted push" role="status">
        {experiments && texts.found(experiments.length)}
      </span>
    </div>
    {error !== null && !experiments && (
      <div class="pad">
        <Failure title={texts.listFailed} error={error} onRetry={onRetry} />
      </div>
    )}
    {!experiments && error === null && (
      <div class="pad">
        <Skeleton lines={6} />
      </div>
    )}
    {experiments?.length === 0 && <NoExperiments {...{ view, may, onCreate }} />}
    <ul>
      {experiments?.map((experiment) => (
        <Row key={experiment.externalKey} experiment={experiment} view={view} />
      ))}
    </ul>
  </section>
)

const StatusFilter = ({ view }: { view: View }) => (
  <fieldset class="row">
    <legend class="sr">{texts.statusFilter}</legend>
    {STATUSES.map((status) => {
      const isOn = view.statuses.includes(status)
      return (
        <button
          key={status}
          class="btn small"
          type="button"
          aria-pressed={isOn}
          onClick={() =>
            filterBy(view, isOn ? view.statuses.filter((other) => other !== status) : [...view.statuses, status])
          }
        >
          {texts.statuses[status]}
        </button>
      )
    })}
  </fieldset>
)

const NoExperiments = ({ view, may, onCreate }: Pick<ListPaneProps, 'view' | 'may' | 'onCreate'>) =>
  view.statuses.length ? (
    <Empty icon="experiment" title={texts.emptyFiltered} hint={texts.emptyFilteredHint}>
      <button class="btn" type="button" onClick={() => filterBy(view, [])}>
        {texts.clearFilter}
      </button>
    </Empty>
  ) : (
    <Empty icon="experiment" title={texts.empty} hint={may ? texts.emptyHint : texts.emptyReadOnly}>
      {may && <NextSteps steps={[{ text: shellTexts.next.experiment, act: onCreate }]} />}
    </Empty>
  )

function Row({ experiment, view }: { experiment: ListedExperiment; view: View }) {
  const { externalKey: key, title, status, result, startedAt, stoppedAt } = experiment
  const isCurrent = view.experiment === key
  const date = stoppedAt ?? startedAt
  return (
    <li class={isCurrent ? 'list-row current' : 'list-row'}>
      <div class="grow">
        <h2 class="truncate">
          <a
            class="stretch"
            href={BASE + pathOf({ ...view, experiment: key })}
            data-row={key}
            aria-current={isCurrent ? 'true' : undefined}
            onClick={() => isCurrent && focusDetail(DETAIL_TITLE)}
          >
            {title}
          </a>
        </h2>
        <p class="row sm muted">
          <StatusBadge status={status} />
          {result && <ResultTag result={result} />}
          {date && <span class="push">{formatDay(date)}</span>}
        </p>
      </div>
    </li>
  )
}
