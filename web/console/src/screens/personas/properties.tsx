import type { ComponentChildren } from 'preact'
import { useProducts } from '../../api/products'
import { None, Pair } from '../item/pair'
import type { EditProps } from './heading'
import { PictureField } from './picture-field'
import type { BoardSegment } from './requests'
import { texts } from './texts/texts'

/** A viewer sees the values, everybody else the fields. */
export function Properties({ persona, segments, may, save }: EditProps & { segments: readonly BoardSegment[] }) {
  const products = useProducts()
  return (
    <dl class="dl properties">
      <Choice
        id="persona-segment"
        name={texts.fields.boardSegmentId}
        value={String(persona.boardSegmentId ?? '')}
        none={texts.noSegment}
        options={segments.map(({ id, name }) => ({ value: String(id), name }))}
        may={may}
        onChoose={(value) => save({ boardSegmentId: value ? Number(value) : null })}
      />
      <Choice
        id="persona-product"
        name={texts.fields.product}
        value={persona.product ?? ''}
        none={texts.allProducts}
        options={products.map(({ externalKey, name }) => ({ value: externalKey ?? '', name }))}
        may={may}
        onChoose={(value) => save({ product: value || null })}
      />
      <Line field="color" {...{ persona, may, save }} />
      {persona.externalId && <Pair name={persona.source ?? texts.externalId}>{persona.externalId}</Pair>}
      <PictureField {...{ persona, may, save }} />
    </dl>
  )
}

interface ChoiceProps {
  id: string
  name: string
  value: string
  /** The choice that clears the field, if the field may be clear. */
  none?: string
  options: readonly { value: string; name: string }[]
  may: boolean
  onChoose: (value: string) => void
}

export function Choice({ id, name, value, none, options, may, onChoose }: ChoiceProps) {
  if (!may) return <Pair name={name}>{options.find((option) => option.value === value)?.name ?? none ?? <None />}</Pair>
  return (
    <Pair name={name} id={id}>
      <select
        class="select small"
        id={id}
        value={value}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        {none !== undefined && <option value="">{none}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.name}
          </option>
        ))}
      </select>
    </Pair>
  )
}

interface LineProps extends EditProps {
  field: 'avatar' | 'color'
  hint?: string | undefined
  children?: ComponentChildren
}

const MAX_LENGTHS = { avatar: 2_048, color: 50 }

export function Line({ persona, may, save, field, hint, children }: LineProps) {
  const value = persona[field] ?? ''
  const id = `persona-${field}`
  if (!may) return <Pair name={texts.fields[field]}>{value || <None />}</Pair>
  return (
    <Pair name={texts.fields[field]} id={id}>
      <input
        key={value}
        class="input small"
        id={id}
        inputMode={field === 'avatar' ? 'url' : 'text'}
        maxLength={MAX_LENGTHS[field]}
        defaultValue={value}
        placeholder={texts.placeholders[field]}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ currentTarget: { value: typed } }) => save({ [field]: typed.trim() || null })}
      />
      {children}
      {hint && (
        <span class="sm muted" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </Pair>
  )
}
