import { useMemo } from 'preact/hooks'
import type { RowList } from '../../parts/list-keys'
import { useKeys } from '../../state/keys'
import { select, type View } from './place'
import type { ListedKpi } from './requests'
import { texts } from './texts/texts'

export const DETAIL_TITLE = 'kpi-title'
/** The KPIs as the rows of the list. */
export const toRows = (view: View, kpis: readonly ListedKpi[] | undefined): RowList => ({
  ...{ keys: (kpis ?? []).map(({ externalKey }) => externalKey ?? ''), selected: view.kpi, detail: DETAIL_TITLE },
  select: (key) => select(view, key),
})

export function useCreateKey(may: boolean, create: () => void): void {
  useKeys(useMemo(() => (may ? [{ keys: 'c', label: texts.keys.create, run: create }] : []), [may]))
}

interface DetailActions {
  edit: () => void
  record: () => void
  remove: () => void
}

export function useDetailKeys(may: boolean, { edit, record, remove }: DetailActions, when: readonly unknown[]): void {
  useKeys(
    useMemo(
      () =>
        may
          ? [
              { keys: 'e', label: texts.keys.edit, run: edit },
              { keys: 'r', label: texts.keys.record, run: record },
              { keys: 'Backspace', label: texts.keys.remove, run: remove },
            ]
          : [],
      [may, ...when],
    ),
  )
}
