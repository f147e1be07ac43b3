import type { RowList } from '../../parts/list-keys'
import { goTo, place } from '../../state/place'
import { type ListedEntry, STATUSES, type Status } from './requests'

export const PATH = '/changelog'
export const DETAIL_TITLE = 'entry-title'

/** What the address says about the screen. */
export interface View {
  q: string
  status: Status | ''
  entry: string | undefined
}

export const readView = (): View => {
  const { query } = place.value
  return {
    q: query.get('q') ?? '',
    status: STATUSES.find((status) => status === query.get('status')) ?? '',
    entry: query.get('entry') ?? undefined,
  }
}

export function pathOf(view: View): string {
  const given = Object.entries(view).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return given.length ? `${PATH}?${new URLSearchParams(given)}` : PATH
}

export const select = (entry: string | undefined): void => goTo(pathOf({ ...readView(), entry }), { replaces: true })

export const filterBy = (change: Partial<View>): void => goTo(pathOf({ ...readView(), ...change }), { replaces: true })

/** The entries as the rows of the list. */
export const toRows = (view: View, entries: readonly ListedEntry[] | undefined): RowList => ({
  ...{ keys: (entries ?? []).map(({ externalKey }) => externalKey), selected: view.entry, detail: DETAIL_TITLE },
  select,
})
