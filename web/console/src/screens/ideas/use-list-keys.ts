import { useMemo } from 'preact/hooks'
import { useKeys } from '../../state/keys'
import { readSelected, select } from './filters'
import type { IdeaList } from './idea-list'
import { pick, togglePicked } from './picked'
import { texts } from './texts/texts'

export const DETAIL_TITLE = 'idea-title'
export const SEARCH_FIELD = 'idea-search'

const rowOf = (key: string) => document.querySelector<HTMLElement>(`[data-idea="${key}"]`)
export const focusDetail = () => document.getElementById(DETAIL_TITLE)?.focus()

/** The keyboard follows the selected row, so that a screen reader reads it. */
export function goToRow(key: string | undefined): void {
  select(key, { replaces: true })
  requestAnimationFrame(() => {
    const row = key ? rowOf(key) : undefined
    row?.focus()
    row?.scrollIntoView({ block: 'nearest' })
  })
}

/** The row `step` rows below the selected row. */
export function findRow(list: IdeaList, step: number): string | undefined {
  const keys = (list.ideas.value ?? []).map(({ external_key }) => external_key)
  const place = keys.indexOf(readSelected() ?? '')
  return place < 0 ? keys[0] : keys[Math.min(keys.length - 1, Math.max(0, place + step))]
}

function close(): void {
  const key = readSelected()
  if (!key) return
  select(undefined)
  requestAnimationFrame(() => rowOf(key)?.focus())
}

/** Selects the row, or the rows from this row to the next. */
function extend(list: IdeaList, step: number): void {
  const [here, next] = [readSelected(), findRow(list, step)]
  pick([here, next].filter((key) => key !== undefined))
  goToRow(next)
}

export function useListKeys(list: IdeaList, mayPick: boolean): void {
  useKeys(
    useMemo(() => {
      const move = (step: number) => () => goToRow(findRow(list, step))
      return [
        { keys: 'j', label: texts.keys.next, run: move(1) },
        { keys: 'k', label: texts.keys.previous, run: move(-1) },
        { keys: 'ArrowDown', label: texts.keys.next, run: move(1) },
        { keys: 'ArrowUp', label: texts.keys.previous, run: move(-1) },
        { keys: 'Enter', label: texts.keys.open, run: focusDetail },
        { keys: 'Escape', label: texts.keys.close, run: close },
        ...(mayPick
          ? [
              { keys: 'x', label: texts.keys.pick, run: () => togglePicked(readSelected() ?? findRow(list, 0) ?? '') },
              { keys: 'shift+ArrowDown', label: texts.keys.extend, run: () => extend(list, 1) },
              { keys: 'shift+ArrowUp', label: texts.keys.extend, run: () => extend(list, -1) },
            ]
          : []),
        { keys: '/', label: texts.keys.search, run: () => document.getElementById(SEARCH_FIELD)?.focus() },
      ]
    }, [list, mayPick]),
  )
}
