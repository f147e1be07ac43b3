import { texts } from './texts/texts'

export interface Names {
  firstName: string
  lastName: string
}

interface NameFieldsProps {
  names: Names
  onChange: (names: Names) => void
}

export const NameFields = ({ names, onChange }: NameFieldsProps) => (
  <div class="two-names">
    {(['firstName', 'lastName'] as const).map((name) => (
      <div key={name} class="field">
        <label for={`member-${name}`}>{texts[name]}</label>
        <input
          class="input"
          id={`member-${name}`}
          maxLength={200}
          autocomplete="off"
          value={names[name]}
          onInput={({ currentTarget }) => onChange({ ...names, [name]: currentTarget.value })}
        />
      </div>
    ))}
  </div>
)
