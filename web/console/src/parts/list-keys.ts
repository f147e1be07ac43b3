import { useMemo } from 'preact/hooks'
import { useKeys } from '../state/keys'

/** A list beside its detail. Rows have `data-row`, and the title of the detail has the id of `detail`. */
export interface RowList {
  /** Keys in the order of the page. */
  keys: readonly string[]
  selected: string | undefined
  select: (key: string | undefined) => void
  detail: string
}

interface RowTexts {
  next: string
  previous: string
  open: string
  close: string
}

export const focusDetail = (id: string): void => document.getElementById(id)?.focus()

const rowOf = (key: string) => document.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`)

const focusRow = (key: string) =>
  requestAnimationFrame(() => {
    rowOf(key)?.focus()
    rowOf(key)?.scrollIntoView({ block: 'nearest' })
  })

/** The row `step` rows below the row. */
function findRow({ keys }: RowList, from: string | undefined, step: number): string | undefined {
  const at = keys.indexOf(from ?? '')
  return at < 0 ? keys[0] : keys[Math.min(keys.length - 1, Math.max(0, at + step))]
}

function goToRow({ select }: RowList, key: string | undefined): void {
  select(key)
  if (key) focusRow(key)
}

/** After a removal the next row gets the focus, or the row before. */
export function leaveRow(list: RowList, key: string): void {
  const next = findRow(list, key, 1)
  const other = next === key ? findRow(list, key, -1) : next
  goToRow(list, other === key ? undefined : other)
}

export function useListKeys(list: RowList, texts: RowTexts): void {
  const { keys, selected, select, detail } = list
  useKeys(
    useMemo(() => {
      const move = (step: number) => () => goToRow(list, findRow(list, selected, step))
      const close = () => {
        if (!selected) return
        select(undefined)
        focusRow(selected)
      }
      return [
        { keys: 'j', label: texts.next, run: move(1) },
        { keys: 'k', label: texts.previous, run: move(-1) },
        { keys: 'ArrowDown', label: texts.next, run: move(1) },
        { keys: 'ArrowUp', label: texts.previous, run: move(-1) },
        { keys: 'Enter', label: texts.open, run: () => focusDetail(detail) },
        { keys: 'Escape', label: texts.close, run: close },
      ]
    }, [JSON.stringify([keys, selected]), location.search]),
  )
}
