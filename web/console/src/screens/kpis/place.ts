import { goTo, place } from '../../state/place'

export const INTERVALS = ['day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]
/** Days until today. */
export const RANGES = [30, 112, 365, 1_826] as const
export type Range = (typeof RANGES)[number]

export const PATH = '/kpis'
const DEFAULT_INTERVAL: Interval = 'week'
const DEFAULT_RANGE: Range = 112

/** What the address says about the screen. */
export interface View {
  product: string
  kpi: string | undefined
  interval: Interval
  range: Range
}

export function readView(product: string): View {
  const { query } = place.value
  return {
    product,
    kpi: query.get('kpi') ?? undefined,
    interval: INTERVALS.find((name) => name === query.get('interval')) ?? DEFAULT_INTERVAL,
    range: RANGES.find((days) => String(days) === query.get('range')) ?? DEFAULT_RANGE,
  }
}

export function pathOf({ product, kpi, interval, range }: View): string {
  const query = new URLSearchParams({ product })
  if (kpi) query.set('kpi', kpi)
  if (interval !== DEFAULT_INTERVAL) query.set('interval', interval)
  if (range !== DEFAULT_RANGE) query.set('range', String(range))
  return `${PATH}?${query}`
}

export const select = (view: View, kpi: string | undefined): void => goTo(pathOf({ ...view, kpi }), { replaces: true })
