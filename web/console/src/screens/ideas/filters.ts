import { goTo, place } from '../../state/place'

export const SORTS = ['newest', 'most-voted', 'trending', 'recently-updated', 'oldest'] as const
export type Sort = (typeof SORTS)[number]
export const LEVELS = ['pending', 'rejected', 'public'] as const
export type Level = (typeof LEVELS)[number]

/** What the address says about the list. */
export interface Filters {
  q: string
  /** Id of a status. */
  status: string
  /** Slug of a tag. */
  tag: string
  level: Level | ''
  sort: Sort
}

const NO_FILTERS: Filters = { q: '', status: '', tag: '', level: '', sort: 'newest' }
const PATH = '/ideas'
const SELECTED = 'idea'

const pick = <T extends string>(values: readonly T[], given: string | null): T | undefined =>
  values.find((value) => value === given)

export const readFilters = (): Filters => {
  const { query } = place.value
  return {
    q: query.get('q') ?? '',
    status: query.get('status') ?? '',
    tag: query.get('tag') ?? '',
    level: pick(LEVELS, query.get('level')) ?? '',
    sort: pick(SORTS, query.get('sort')) ?? 'newest',
  }
}

export const readSelected = (): string | undefined => place.value.query.get(SELECTED) ?? undefined

export const isFiltered = ({ q, status, tag, level }: Filters): boolean => [q, status, tag, level].some(Boolean)

/** The address of the list with the filters and a selected idea. */
export function pathOf(filters: Filters, selected?: string): string {
  const named = Object.entries(filters).filter(([name, value]) => value !== NO_FILTERS[name as keyof Filters])
  const query = new URLSearchParams([...named, ...(selected ? [[SELECTED, selected]] : [])] as string[][])
  return query.size ? `${PATH}?${query}` : PATH
}

export const filterBy = (change: Partial<Filters>): void =>
  goTo(pathOf({ ...readFilters(), ...change }, readSelected()), { replaces: true })

export const clearFilters = (): void => goTo(pathOf(NO_FILTERS, readSelected()), { replaces: true })

export const select = (key: string | undefined, { replaces = false } = {}): void =>
  goTo(pathOf(readFilters(), key), { replaces })
