import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { focusDetail } from '../../parts/list-keys'
import { NextSteps } from '../../parts/next-steps'
import { Skeleton } from '../../parts/skeleton'
import { BASE } from '../../state/place'
import { formatDay } from '../../texts/formats'
import { texts as shellTexts } from '../../texts/texts'
import { formatValue } from './formats'
import { pathOf, type View } from './place'
import type { ListedKpi } from './requests'
import { Sparkline } from './sparkline'
import { texts } from './texts/texts'
import { DETAIL_TITLE } from './use-keys'
import { nameTarget } from './words'

interface ListPaneProps {
  view: View
  kpis: readonly ListedKpi[] | undefined
  may: boolean
  error: unknown
  onRetry: () => void
  onCreate: () => void
}

export const ListPane = ({ view, kpis, may, error, onRetry, onCreate }: ListPaneProps) => (
  <section class="list" aria-label={texts.list}>
    <div class="tools">
      <span class="sm muted" role="status">
        {kpis && texts.found(kpis.length)}
      </span>
      {may && (
        <button class={view.kpi ? 'btn small push' : 'btn small primary push'} type="button" onClick={onCreate}>
          <Icon name="plus" />
          {texts.create}
        </button>
      )}
    </div>
    {error && !kpis && (
      <div class="pad">
        <Failure title={texts.listFailed} error={error} onRetry={onRetry} />
      </div>
    )}
    {!kpis && !error && (
      <div class="pad">
        <Skeleton lines={6} />
      </div>
    )}
    {kpis?.length === 0 && (
      <Empty icon="chart" title={texts.empty} hint={may ? texts.emptyHint : texts.emptyReadOnly}>
        {may && <NextSteps steps={[{ text: shellTexts.next.kpi, act: onCreate }]} />}
      </Empty>
    )}
    <ul>
      {kpis?.map((kpi) => (
        <Row key={kpi.externalKey} kpi={kpi} view={view} />
      ))}
    </ul>
  </section>
)

function Row({ kpi, view }: { kpi: ListedKpi; view: View }) {
  const { title, benchmarkUnit: unit, dueDate, kpi_revisions: records } = kpi
  const key = kpi.externalKey ?? ''
  const isCurrent = view.kpi === key
  return (
    <li class={isCurrent ? 'list-row current' : 'list-row'}>
      <div class="grow">
        <h2 class="truncate">
          <a
            class="stretch"
            href={BASE + pathOf({ ...view, kpi: key })}
            data-row={key}
            aria-current={isCurrent ? 'true' : undefined}
            onClick={() => isCurrent && focusDetail(DETAIL_TITLE)}
          >
            {title}
          </a>
        </h2>
        <p class="sm muted num">
          <strong>{records[0] ? formatValue(records[0].value, unit) : texts.noRecords}</strong>{' '}
          <span class="faint kpi-fact">{nameTarget(kpi)}</span>{' '}
          {dueDate && <span class="faint kpi-fact">{texts.by(formatDay(dueDate))}</span>}
        </p>
      </div>
      <Sparkline records={records} />
    </li>
  )
}
