import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Item } from './forest'
import type { ItemChange } from './requests'
import { texts } from './texts/texts'

interface EditFieldsProps {
  item: Item
  hasTitle?: boolean
  /** The points of an item with items below are their sum. */
  hasPoints: boolean
  onSave: (change: ItemChange) => void
  onClose: () => void
}

/** The title and the points of a row, or the points alone. Enter or leaving the row saves, Escape takes back. */
export function EditFields({ item, hasTitle = true, hasPoints, onSave, onClose }: EditFieldsProps) {
  const form = useRef<HTMLFieldSetElement>(null)
  const isClosed = useRef(false)
  useLayoutEffect(() => form.current?.querySelector('input')?.select(), [])
  const finish = (saves: boolean) => {
    if (isClosed.current) return
    isClosed.current = true
    const read = (name: string) => form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.value.trim()
    const [title = item.summary, points] = [read('title'), read('points')]
    if (saves && title) {
      const change: ItemChange = {
        ...(title !== item.summary && { summary: title }),
        ...(points !== undefined && points !== shownPoints(item) && { points: points.replace(',', '.') }),
      }
      if (Object.keys(change).length) onSave(change)
    }
    onClose()
  }
  return (
    <fieldset
      ref={form}
      aria-label={texts.keys.edit}
      class="row grow"
      onFocusOut={(event) => {
        const next = event.relatedTarget
        if (!(next instanceof Node && form.current?.contains(next))) finish(true)
      }}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        event.preventDefault()
        finish(event.key === 'Enter')
      }}
    >
      {hasTitle && (
        <input
          class="input inline"
          name="title"
          maxLength={500}
          aria-label={texts.summaryOf(item.key)}
          defaultValue={item.summary}
        />
      )}
      {hasPoints && (
        <input
          class="input inline points"
          name="points"
          inputMode="decimal"
          maxLength={30}
          aria-label={texts.pointsOf(item.key)}
          title={texts.points}
          defaultValue={shownPoints(item)}
        />
      )}
    </fieldset>
  )
}

const shownPoints = ({ points }: Item) => (points.total ? String(points.total) : '')
