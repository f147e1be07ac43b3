import { goTo, place } from '../../state/place'

export const PATH = '/events'
export const DETAIL_TITLE = 'event-title'

/** Names of the filters in the address. */
export const FILTERS = ['type', 'key', 'person', 'from', 'to'] as const
type FilterName = (typeof FILTERS)[number]

/** `type` is a pattern, `person` an id, `from` and `to` are days. Empty for no filter. */
export type Filters = Readonly<Record<FilterName, string>>

export const NO_FILTERS: Filters = { type: '', key: '', person: '', from: '', to: '' }

export const readFilters = (): Filters =>
  Object.fromEntries(FILTERS.map((name) => [name, place.value.query.get(name) ?? ''])) as Filters

export const readSelected = (): number | undefined => Number(place.value.query.get('event')) || undefined

export const isFiltered = (filters: Filters): boolean => FILTERS.some((name) => filters[name] !== '')

export function pathOf(filters: Filters, event?: number): string {
  const query = new URLSearchParams({
    ...Object.fromEntries(FILTERS.flatMap((name) => (filters[name] ? [[name, filters[name]]] : []))),
    ...(event && { event: String(event) }),
  })
  return query.size ? `${PATH}?${query}` : PATH
}

/** Another filter may hide the selected event. */
export const filterBy = (change: Partial<Filters>): void =>
  goTo(pathOf({ ...readFilters(), ...change }), { replaces: true })

export const select = (event: number | undefined): void => goTo(pathOf(readFilters(), event), { replaces: true })
