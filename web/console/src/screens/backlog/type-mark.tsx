import type { ItemType } from './forest'
import { texts } from './texts/texts'

const TONES: Readonly<Record<ItemType, string>> = { epic: 'pink', feature: 'violet', userstory: 'teal' }

/** The letter of a type, in its color. */
export const TypeMark = ({ type }: { type: ItemType }) => (
  <span class="type" data-tone={TONES[type]} role="img" aria-label={texts.types[type]}>
    {texts.types[type].slice(0, 1)}
  </span>
)
