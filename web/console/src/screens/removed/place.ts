import { goTo, place } from '../../state/place'
import type { Kind } from './kinds'

const PATH = '/removed'

/** Days back by the name in the address. The service keeps removed records for 30 days. */
export const PERIODS = { day: 1, week: 7, all: undefined } as const
export type Period = keyof typeof PERIODS

/** Undefined if the address names none. */
export function readKind(kinds: readonly Kind[]): Kind | undefined {
  const asked = place.value.query.get('kind')
  return kinds.find(({ id }) => id === asked)
}

export function readPeriod(): Period {
  const asked = place.value.query.get('since')
  return asked === 'day' || asked === 'week' ? asked : 'all'
}

export function pathOf(kind: string, period: Period, product?: string | null): string {
  const query = new URLSearchParams({
    kind,
    ...(period !== 'all' && { since: period }),
    ...(product && { product }),
  })
  return `${PATH}?${query}`
}

export const go = (kind: string, period: Period, product?: string | null): void =>
  goTo(pathOf(kind, period, product), { replaces: true })
