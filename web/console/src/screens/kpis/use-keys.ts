import { useMemo } from 'preact/hooks'
import { useKeys } from '../../state/keys'
import { select, type View } from './place'
import type { ListedKpi } from './requests'
import { texts } from './texts/texts'

export const DETAIL_TITLE = 'kpi-title'
export const focusDetail = () => document.getElementById(DETAIL_TITLE)?.focus()

const rowOf = (key: string) => document.querySelector<HTMLElement>(`[data-kpi="${CSS.escape(key)}"]`)

const focusRow = (key: string) =>
  requestAnimationFrame(() => {
    rowOf(key)?.focus()
    rowOf(key)?.scrollIntoView({ block: 'nearest' })
  })

/** The row `step` rows below the selected row. */
export function findRow(kpis: readonly ListedKpi[], selected: string | undefined, step: number): string | undefined {
  const keys = kpis.map(({ externalKey }) => externalKey ?? '')
  const at = keys.indexOf(selected ?? '')
  return at < 0 ? keys[0] : keys[Math.min(keys.length - 1, Math.max(0, at + step))]
}

export function goToRow(view: View, key: string | undefined): void {
  select(view, key)
  if (key) focusRow(key)
}

export function useListKeys(view: View, kpis: readonly ListedKpi[] | undefined): void {
  useKeys(
    useMemo(() => {
      const move = (step: number) => () => goToRow(view, findRow(kpis ?? [], view.kpi, step))
      const close = () => {
        if (!view.kpi) return
        select(view, undefined)
        focusRow(view.kpi)
      }
      return [
        { keys: 'j', label: texts.keys.next, run: move(1) },
        { keys: 'k', label: texts.keys.previous, run: move(-1) },
        { keys: 'ArrowDown', label: texts.keys.next, run: move(1) },
        { keys: 'ArrowUp', label: texts.keys.previous, run: move(-1) },
        { keys: 'Enter', label: texts.keys.open, run: focusDetail },
        { keys: 'Escape', label: texts.keys.close, run: close },
      ]
    }, [JSON.stringify(view), kpis]),
  )
}

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
