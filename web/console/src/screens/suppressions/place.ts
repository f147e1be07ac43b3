import { goTo, place } from '../../state/place'
import type { Suppression } from './requests'
import { texts } from './texts/texts'

export const PATH = '/suppressions'

/** What the address says about the list. */
export interface Filters {
  email: string
  reason: Suppression['reason'] | ''
}

export const REASONS = Object.keys(texts.reasons) as Suppression['reason'][]

export function readFilters(): Filters {
  const { query } = place.value
  return {
    email: query.get('email') ?? '',
    reason: REASONS.find((reason) => reason === query.get('reason')) ?? '',
  }
}

export const isFiltered = ({ email, reason }: Filters): boolean => email !== '' || reason !== ''

export function filterBy(change: Partial<Filters>): void {
  const { email, reason } = { ...readFilters(), ...change }
  const query = new URLSearchParams({ ...(email && { email }), ...(reason && { reason }) })
  goTo(query.size ? `${PATH}?${query}` : PATH, { replaces: true })
}
