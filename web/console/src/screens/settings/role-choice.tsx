import { type Me, maySee } from '../../api/me'
import { ROLES, type Role } from './people-requests'
import { texts } from './texts/texts'

/** The service lets nobody give a role with more scopes than the own scopes. */
export const mayGive = (me: Me, role: Role): boolean => role !== 'owner' || maySee(me, '*')

interface RoleChoiceProps {
  me: Me
  chosen: Role
  onChoose: (role: Role) => void
}

export const RoleChoice = ({ me, chosen, onChoose }: RoleChoiceProps) => (
  <fieldset>
    <legend class="label">{texts.people.role}</legend>
    <div class="stack tight">
      {ROLES.filter((role) => mayGive(me, role)).map((role) => (
        <label key={role} class="check">
          <input type="radio" name="role" checked={role === chosen} onChange={() => onChoose(role)} />
          <span>
            {texts.people.roles[role]}
            <span class="sm muted block">{texts.people.roleHints[role]}</span>
          </span>
        </label>
      ))}
    </div>
  </fieldset>
)
