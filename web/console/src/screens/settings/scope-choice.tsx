import type { Me } from '../../api/me'
import { AREAS, type KeyArea, type KeyScope, mayGrant, VERBS } from './key-requests'
import { texts } from './texts/texts'

interface ScopeChoiceProps {
  me: Me
  chosen: ReadonlySet<KeyScope>
  onToggle: (scope: KeyScope) => void
}

/** No operation needs the scope. */
const UNUSED: readonly KeyScope[] = ['events:write']

export function ScopeChoice({ me, chosen, onToggle }: ScopeChoiceProps) {
  const scopesOf = (area: KeyArea) =>
    VERBS.map((verb) => ({ verb, scope: `${area}:${verb}` as const })).filter(
      ({ scope }) => mayGrant(me, scope) && !UNUSED.includes(scope),
    )
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
      {!chosen.has('*') && <p class="hint">{texts.keys.readWrite}</p>}
      {!chosen.has('*') &&
        AREAS.filter((area) => scopesOf(area).length > 0).map((area) => (
          <div key={area} class="scope-line">
            <p class="grow">
              {texts.keys.areas[area]}
              <span class="sm muted block">{texts.keys.areaHints[area]}</span>
            </p>
            <div class="row">
              {scopesOf(area).map(({ verb, scope }) => (
                <label key={scope} class="check">
                  <input type="checkbox" checked={chosen.has(scope)} onChange={() => onToggle(scope)} />
                  <span>
                    <span class="sr">{texts.keys.areas[area]}: </span>
                    {texts.keys[verb]}
                  </span>
                </label>
              ))}
            </div>
          </div>
        ))}
    </fieldset>
  )
}
