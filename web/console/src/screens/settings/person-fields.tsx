import type { Me } from '../../api/me'
import type { PersonFields } from './people-requests'
import { RoleChoice } from './role-choice'
import { texts } from './texts/texts'

interface PersonFieldsProps {
  me: Me
  value: PersonFields
  onChange: (change: Partial<PersonFields>) => void
}

export const PersonForm = ({ me, value, onChange }: PersonFieldsProps) => (
  <>
    <div class="field">
      <label for="person-email">{texts.people.email}</label>
      <input
        class="input"
        id="person-email"
        type="email"
        required
        maxLength={254}
        autocomplete="off"
        value={value.email}
        onInput={({ currentTarget }) => onChange({ email: currentTarget.value })}
        autofocus
      />
    </div>
    <div class="two-names">
      {(['firstName', 'lastName'] as const).map((name) => (
        <div key={name} class="field">
          <label for={`person-${name}`}>{texts.people[name]}</label>
          <input
            class="input"
            id={`person-${name}`}
            maxLength={200}
            autocomplete="off"
            value={value[name]}
            onInput={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
          />
        </div>
      ))}
    </div>
    <RoleChoice me={me} chosen={value.role} onChoose={(role) => onChange({ role })} />
  </>
)
