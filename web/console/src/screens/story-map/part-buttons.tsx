import { Icon } from '../../parts/icon'
import type { MapProps } from './card-list'
import type { EditedPart } from './map-view'
import { texts } from './texts/texts'

type PartTitleProps = MapProps & { kind: EditedPart['kind']; id: number; title: string }

/** The title of a part, which opens its form. */
export const PartTitle = ({ kind, id, title, view, mayChange }: PartTitleProps) =>
  mayChange ? (
    <button
      class="part"
      type="button"
      title={texts.edit[kind](title)}
      onClick={() => {
        view.editedPart.value = { kind, id }
      }}
    >
      {title}
    </button>
  ) : (
    <span>{title}</span>
  )

type AddButtonProps = MapProps & { part: EditedPart; label: string; text?: string }

export const AddButton = ({ part, label, text, view }: AddButtonProps) => (
  <button
    class={text ? 'btn ghost small' : 'btn ghost icon small push'}
    type="button"
    aria-label={label}
    onClick={() => {
      view.editedPart.value = part
    }}
  >
    <Icon name="plus" />
    {text}
  </button>
)
