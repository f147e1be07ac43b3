import { Icon } from '../../parts/icon'
import { BASE } from '../../state/place'
import { formatDay } from '../../texts/formats'
import { pathOfItem } from '../backlog/paths'
import { formatChange, formatValue } from './formats'
import { pathOf, type View } from './place'
import { exportAddress, type Kpi, type KpiPlace, type Trend } from './requests'
import { judgeChange } from './standing'
import { texts } from './texts/texts'
import { DETAIL_TITLE } from './use-keys'

interface HeadingProps {
  kpi: Kpi
  place: KpiPlace
  view: View
  trend: Trend | undefined
  may: boolean
  edit: () => void
  record: () => void
  remove: () => void
}

export function Heading({ kpi, place, view, trend, may, edit, record, remove }: HeadingProps) {
  const verdict =
    trend?.first && trend.latest && judgeChange(kpi, Number(trend.first.value), Number(trend.latest.value))
  return (
    <header class="stack tight">
      <div class="row wrap">
        <a
          class="btn ghost icon small back"
          href={BASE + pathOf({ ...view, kpi: undefined })}
          aria-label={texts.backToList}
        >
          <Icon name="back" />
        </a>
        <span class="key">{place.key}</span>
        <span class="sm muted">
          {texts.directions[(kpi.benchmarkType ?? 'none') as keyof typeof texts.directions]},{' '}
          {texts.aggregates[kpi.aggregate]}
        </span>
        <div class="row wrap push">
          <a class="btn ghost small" href={exportAddress(place)} download>
            {texts.export}
          </a>
          {may && (
            <>
              <button class="btn ghost small" type="button" onClick={edit}>
                <Icon name="pencil" />
                {texts.edit}
              </button>
              <button class="btn ghost small danger" type="button" onClick={remove}>
                <Icon name="remove" />
                {texts.remove}
              </button>
              <button class="btn small primary" type="button" onClick={record}>
                <Icon name="plus" />
                {texts.record}
              </button>
            </>
          )}
        </div>
      </div>
      <h2 id={DETAIL_TITLE} tabIndex={-1}>
        {kpi.title}
      </h2>
      {trend?.latest && (
        <p class="row wrap base">
          <span class="big">{formatValue(trend.latest.value, kpi.benchmarkUnit)}</span>
          {trend.change && trend.first && (
            <span class="sm muted">
              {texts.since(formatChange(trend.change.absolute, kpi.benchmarkUnit), formatDay(trend.first.createdAt))}
              {verdict && ` (${texts.verdicts[verdict]})`}
            </span>
          )}
        </p>
      )}
      {kpi.workItems.length > 0 && (
        <p class="row wrap">
          <span class="sm muted">{texts.linked}</span>
          {kpi.workItems.map((key) => (
            <a key={key} class="tag" href={BASE + pathOfItem(place.product, { key })}>
              {key}
            </a>
          ))}
        </p>
      )}
    </header>
  )
}
