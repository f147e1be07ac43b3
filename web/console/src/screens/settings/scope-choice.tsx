import type { Me } from '../../api/me'
import { AREAS, type KeyScope, mayGrant, nameOfScope, VERBS } from './key-requests'
import { texts } from './texts/texts'

interface ScopeChoiceProps {
  me: Me
  chosen: ReadonlySet<KeyScope>
  onToggle: (scope: KeyScope) => void
}

export function ScopeChoice({ me, chosen, onToggle }: ScopeChoiceProps) {
  const scopes = AREAS.flatMap((area) => VERBS.map((verb): KeyScope => `${area}:${verb}`))
  return (
    <fieldset>
      <legend class="label">{texts.keys.scopes}</legend>
      {mayGrant(me, '*') && (
        <label class="check">
          <input type="checkbox" checked={chosen.has('*')} onChange={() => onToggle('*')} />
          <span>
            {texts.keys.everything}
            <span class="sm muted block">{texts.keys.everythingHint}</span>
          </span>
        </label>
      )}
      {!chosen.has('*') && (
        <div class="two-names">
          {scopes
            .filter((scope) => mayGrant(me, scope))
            .map((scope) => (
              <label key={scope} class="check">
                <input type="checkbox" checked={chosen.has(scope)} onChange={() => onToggle(scope)} />
                <span>{nameOfScope(scope)}</span>
              </label>
            ))}
        </div>
      )}
    </fieldset>
  )
}
