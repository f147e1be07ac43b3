import { useMemo } from 'preact/hooks'
import { useKeys } from '../../state/keys'
import { readShown, select, show } from './paths'
import { readListed } from './requests'
import { texts } from './texts/texts'

export const DETAIL_TITLE = 'webhook-title'
export const focusDetail = () => document.getElementById(DETAIL_TITLE)?.focus()

const focusRow = (id: number | undefined): void => {
  requestAnimationFrame(() => {
    const row = document.querySelector<HTMLElement>(`[data-webhook="${id}"]`)
    row?.focus()
    row?.scrollIntoView({ block: 'nearest' })
  })
}

/** The keyboard follows the selected row, so that a screen reader reads it. */
export function goToRow(id: number | undefined): void {
  select(id, { replaces: true })
  focusRow(id)
}

/** The row `step` rows below the selected row. */
export function findRow(step: number): number | undefined {
  const ids = readListed().map(({ id }) => id)
  const at = ids.indexOf(readShown().webhook ?? 0)
  return at < 0 ? ids[0] : ids[Math.min(ids.length - 1, Math.max(0, at + step))]
}

/** Closes the delivery, then the webhook. */
function close(): void {
  const { webhook, delivery } = readShown()
  if (delivery) {
    show({ delivery: undefined })
    requestAnimationFrame(() => document.getElementById(`delivery-${delivery}`)?.focus())
  } else {
    select(undefined)
    focusRow(webhook)
  }
}

export function useListKeys(create: (() => void) | undefined): void {
  const mayCreate = create !== undefined
  useKeys(
    useMemo(() => {
      const move = (step: number) => () => goToRow(findRow(step))
      return [
        { keys: 'j', label: texts.keys.next, run: move(1) },
        { keys: 'k', label: texts.keys.previous, run: move(-1) },
        { keys: 'ArrowDown', label: texts.keys.next, run: move(1) },
        { keys: 'ArrowUp', label: texts.keys.previous, run: move(-1) },
        { keys: 'Enter', label: texts.keys.open, run: focusDetail },
        { keys: 'Escape', label: texts.keys.close, run: close },
        ...(create ? [{ keys: 'c', label: texts.keys.create, run: create }] : []),
      ]
    }, [mayCreate]),
  )
}
