import type { FieldChange } from '../api/event-changes'
import { formatStored } from '../texts/formats'
import { texts } from '../texts/texts'

const NONE = '–'
/** Longer texts are named without their values. */
const MAX_SHOWN = 80

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

/** Undefined for a value that a line cannot show. */
export function showValue(value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return NONE
  if (typeof value === 'boolean') return value ? texts.history.yes : texts.history.no
  if (Array.isArray(value)) return value.every(isPlain) ? showValue(value.join(', ')) : undefined
  if (typeof value === 'object') return undefined
  const text = String(value)
  return text.length > MAX_SHOWN || text.startsWith('<') ? undefined : formatStored(text)
}

interface ChangeLineProps {
  change: FieldChange
  nameOf: (field: string) => string
  /** The value as the page shows it. */
  show?: (field: string, value: unknown) => string | undefined
}

/** A field with its former and its new value: "Progress: To do → In progress". */
export function ChangeLine({
  change: { field, before, after },
  nameOf,
  show = (_, value) => showValue(value),
}: ChangeLineProps) {
  const [from, to] = [show(field, before), show(field, after)]
  const name = nameOf(field)
  if (from === undefined || to === undefined) return <span class="block">{texts.history.changed(name)}</span>
  return (
    <span class="block wrap-text">
      {name}: <span class="muted">{from}</span> <span aria-hidden="true">→</span>
      <span class="sr">{texts.history.to}</span> {to}
    </span>
  )
}
