import type { RowList } from '../../parts/list-keys'
import { goTo, place } from '../../state/place'
import type { ListedVersion } from './requests'

export const PATH = '/versions'
export const DETAIL_TITLE = 'version-title'

/** What the address says about the screen. */
export interface View {
  product: string
  version: string | undefined
}

export const readView = (product: string): View => ({
  product,
  version: place.value.query.get('version') ?? undefined,
})

export const pathOf = ({ product, version }: View): string =>
  `${PATH}?${new URLSearchParams({ product, ...(version && { version }) })}`

export const select = (view: View, version: string | undefined): void =>
  goTo(pathOf({ ...view, version }), { replaces: true })

/** The versions as the rows of the list. */
export const toRows = (view: View, versions: readonly ListedVersion[] | undefined): RowList => ({
  ...{ keys: (versions ?? []).map(({ externalKey }) => externalKey), selected: view.version, detail: DETAIL_TITLE },
  select: (key) => select(view, key),
})
