import type { KpiRecord } from './requests'

const WIDTH = 72
const HEIGHT = 24
const MARGIN = 2

/** Path through the records, which come newest first. */
export function drawSparkline(records: readonly KpiRecord[]): string {
  const values = records.map(({ value }) => Number(value)).reverse()
  if (values.length < 2) return ''
  const [least, greatest] = [Math.min(...values), Math.max(...values)]
  const step = (WIDTH - 2 * MARGIN) / (values.length - 1)
  const heightOf = (value: number) =>
    greatest === least ? HEIGHT / 2 : MARGIN + ((greatest - value) / (greatest - least)) * (HEIGHT - 2 * MARGIN)
  return values
    .map((value, n) => `${n ? 'L' : 'M'}${(MARGIN + n * step).toFixed(1)} ${heightOf(value).toFixed(1)}`)
    .join('')
}

export const Sparkline = ({ records }: { records: readonly KpiRecord[] }) => (
  <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
    <path d={drawSparkline(records)} />
  </svg>
)
