import { formatNumber } from '../../texts/formats'
import type { Delivery } from './requests'
import { texts } from './texts/texts'

function medianOf(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)]
}

/** What the shown deliveries say about the endpoint. */
export function Statistics({ deliveries }: { deliveries: readonly Delivery[] }) {
  const countOf = (status: Delivery['status']) => deliveries.filter((delivery) => delivery.status === status).length
  const median = medianOf(deliveries.flatMap(({ attempts }) => attempts.map(({ durationMs }) => durationMs)))
  const values = [
    [texts.deliveredOf(deliveries.length), formatNumber(countOf('delivered'))],
    [texts.results.failed, formatNumber(countOf('failed'))],
    [texts.results.pending, formatNumber(countOf('pending'))],
    [texts.median, median === undefined ? '–' : texts.milliseconds(median)],
  ]
  return (
    <dl class="hook-stats">
      {values.map(([name, value]) => (
        <div key={name} class="hook-stat">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
