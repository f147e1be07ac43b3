import type { RowList } from '../../parts/list-keys'
import { goTo, place } from '../../state/place'
import type { ListedExperiment, Status } from './requests'

export const PATH = '/experiments'
export const DETAIL_TITLE = 'experiment-title'
export const STATUSES: readonly Status[] = ['draft', 'running', 'stopped']

/** What the address says about the screen. */
export interface View {
  product: string
  experiment: string | undefined
  /** Without a status the list shows all experiments. */
  statuses: readonly Status[]
}

export function readView(product: string): View {
  const { query } = place.value
  const asked = query.get('status')?.split(',') ?? []
  return {
    product,
    experiment: query.get('experiment') ?? undefined,
    statuses: STATUSES.filter((status) => asked.includes(status)),
  }
}

export const pathOf = ({ product, experiment, statuses }: View): string =>
  `${PATH}?${new URLSearchParams({
    product,
    ...(statuses.length && { status: statuses.join(',') }),
    ...(experiment && { experiment }),
  })}`

export const select = (view: View, experiment: string | undefined): void =>
  goTo(pathOf({ ...view, experiment }), { replaces: true })

export const filterBy = (view: View, statuses: readonly Status[]): void =>
  goTo(pathOf({ ...view, statuses }), { replaces: true })

/** The experiments as the rows of the list. */
export const toRows = (view: View, experiments: readonly ListedExperiment[] | undefined): RowList => ({
  keys: (experiments ?? []).map(({ externalKey }) => externalKey),
  ...{ selected: view.experiment, detail: DETAIL_TITLE },
  select: (key) => select(view, key),
})
