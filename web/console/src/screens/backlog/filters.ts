import { goTo, place } from '../../state/place'
import type { Forest } from './forest'

/** What the address says about the list. */
export interface Filters {
  q: string
  progress: string
  /** Id of a user. */
  owner: string
  tag: string
  /** Key of a version. */
  version: string
}

export const NO_FILTERS: Filters = { q: '', progress: '', owner: '', tag: '', version: '' }
const FILTER_NAMES = ['q', 'progress', 'owner', 'tag', 'version'] as const

export function readFilters(): Filters {
  const read = (name: keyof Filters) => place.value.query.get(name) ?? ''
  return { q: read('q'), progress: read('progress'), owner: read('owner'), tag: read('tag'), version: read('version') }
}

export const isFiltered = (filters: Filters): boolean => FILTER_NAMES.some((name) => filters[name] !== '')

/** A larger backlog begins with closed branches. */
const MAX_OPEN_AT_FIRST = 200
const ALL = 'all'

/** The branches that differ from the rest: all are open, or all are closed. */
export interface Branches {
  areOpen: boolean
  except: ReadonlySet<string>
}

export function readBranches(forest: Forest | undefined): Branches {
  const { query } = place.value
  const open = query.get('open')
  const listKeys = (text: string | null) => new Set(text?.split(',').filter(Boolean))
  if (open === ALL) return { areOpen: true, except: listKeys(query.get('closed')) }
  if (open !== null) return { areOpen: false, except: listKeys(open) }
  return { areOpen: isFiltered(readFilters()) || (forest?.items.size ?? 0) <= MAX_OPEN_AT_FIRST, except: new Set() }
}

export const isBranchOpen = ({ areOpen, except }: Branches, key: string): boolean => areOpen !== except.has(key)

const PATHS = ['/backlog', '/board', '/story-map']

/** Writes the parameters beside the present parameters; an empty value takes a parameter away. */
export function setQuery(change: Readonly<Record<string, string | undefined>>): void {
  const query = new URLSearchParams(place.value.query)
  for (const [name, value] of Object.entries(change)) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  const { path } = place.value
  if (PATHS.includes(path)) goTo(query.size ? `${path}?${query}` : path, { replaces: true })
}

export const filterBy = (change: Partial<Filters>): void => setQuery({ ...change, open: undefined, closed: undefined })

export const clearFilters = (): void => filterBy(NO_FILTERS)

export const setAllBranches = (areOpen: boolean): void => setQuery({ open: areOpen ? ALL : ',', closed: undefined })

export function setBranch({ areOpen, except }: Branches, key: string, opens: boolean): void {
  const next = new Set(except)
  if (opens === areOpen) next.delete(key)
  else next.add(key)
  const keys = [...next].join(',')
  setQuery(areOpen ? { open: ALL, closed: keys } : { open: keys || ',', closed: undefined })
}
