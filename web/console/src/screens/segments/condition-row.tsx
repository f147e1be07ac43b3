import { Icon } from '../../parts/icon'
import type { KnownPeople } from './requests'
import {
  BUILT_INS,
  type DraftCondition,
  isBuiltIn,
  labelOf,
  nameOfCustom,
  nameOfOperator,
  type Operator,
  operatorsOf,
  toAttribute,
  withAttribute,
  withOperator,
} from './rules'
import { texts } from './texts/texts'
import { ValueField } from './value-field'

interface ConditionRowProps {
  condition: DraftCondition
  /** From 1. */
  position: number
  join: string
  people: KnownPeople | undefined
  /** What the service says about the condition. */
  problem: string | undefined
  /** How many people without the attribute meet the condition. */
  unsetCount: number
  onChange: (condition: DraftCondition) => void
  onRemove: () => void
}

const OTHER = 'other'

export const idOfCondition = (id: number): string => `condition-${id}`

export function ConditionRow(props: ConditionRowProps) {
  const { condition, position, join, people, problem, unsetCount, onChange, onRemove } = props
  const { id, attribute, operator } = condition
  const known = people?.attributes.get(nameOfCustom(attribute))
  return (
    <div class="rule" role="group" aria-label={texts.condition(position)}>
      <span class="join">{join}</span>
      <AttributeField condition={condition} people={people} onChange={onChange} />
      <select
        class="select"
        aria-label={texts.operator}
        value={operator}
        onChange={({ currentTarget }) => onChange(withOperator(condition, currentTarget.value as Operator))}
      >
        {operatorsOf(attribute).map((one) => (
          <option key={one} value={one}>
            {nameOfOperator(attribute, one)}
          </option>
        ))}
      </select>
      <ValueField
        key={`${attribute} ${operator}`}
        condition={condition}
        known={isBuiltIn(attribute) ? [] : [...(known ?? [])]}
        isInvalid={problem !== undefined}
        onChange={(value) => onChange({ ...condition, value })}
      />
      <button
        class="btn ghost icon rm"
        type="button"
        aria-label={texts.removeCondition(position)}
        aria-describedby={problem ? `${idOfCondition(id)}-problem` : undefined}
        onClick={onRemove}
      >
        <Icon name="x" />
      </button>
      {!problem && unsetCount > 0 && <p class="hint note">{texts.unset(unsetCount, labelOf(attribute))}</p>}
      {problem && (
        <p class="error note" id={`${idOfCondition(id)}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

type AttributeFieldProps = Pick<ConditionRowProps, 'condition' | 'people' | 'onChange'>

/** The attributes of people are not declared anywhere, so a person may name another one. */
function AttributeField({ condition, people, onChange }: AttributeFieldProps) {
  const { id, attribute, isNamed } = condition
  const names = new Set([
    ...(people?.attributes.keys() ?? []),
    ...(isNamed || isBuiltIn(attribute) ? [] : [nameOfCustom(attribute)]),
  ])
  return (
    <span class="attribute-field">
      <select
        class="select"
        id={idOfCondition(id)}
        aria-label={texts.attribute}
        value={isNamed ? OTHER : attribute}
        onChange={({ currentTarget: { value } }) =>
          onChange(value === OTHER ? withAttribute(condition, toAttribute(''), true) : withAttribute(condition, value))
        }
      >
        <optgroup label={texts.attributes}>
          {[...names].sort().map((name) => (
            <option key={name} value={toAttribute(name)}>
              {name}
            </option>
          ))}
          <option value={OTHER}>{texts.otherAttribute}</option>
        </optgroup>
        <optgroup label={texts.builtIn}>
          {BUILT_INS.map((name) => (
            <option key={name} value={name}>
              {texts.builtIns[name]}
            </option>
          ))}
        </optgroup>
      </select>
      {isNamed && (
        <input
          class="input"
          aria-label={texts.attributeName}
          placeholder={texts.attributeName}
          maxLength={100}
          autocomplete="off"
          value={nameOfCustom(attribute)}
          onInput={({ currentTarget }) =>
            onChange({ ...condition, attribute: toAttribute(currentTarget.value.trimStart()) })
          }
        />
      )}
    </span>
  )
}
