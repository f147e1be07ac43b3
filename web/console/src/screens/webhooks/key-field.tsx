import type { Me } from '../../api/me'
import { formatMoment } from '../../texts/formats'
import { type KeyChoice, mayCreateKey, useOwnKeys } from './acting-key'
import { texts } from './texts/texts'

interface KeyFieldProps {
  me: Me
  choice: KeyChoice
  onChoose: (choice: KeyChoice) => void
  /** Offers to keep the key of the webhook. */
  isChange?: boolean
}

const toChoice = (value: string): KeyChoice => Number(value) || (value as KeyChoice)

/** The key with which the webhook works: it stops when the key ends. */
export function KeyField({ me, choice, onChoose, isChange = false }: KeyFieldProps) {
  const keys = useOwnKeys(me)
  return (
    <div class="field">
      <label for="webhook-key">{texts.key.label}</label>
      <select
        class="select"
        id="webhook-key"
        value={choice}
        aria-describedby="webhook-key-hint"
        onChange={({ currentTarget: { value } }) => onChoose(toChoice(value))}
      >
        {isChange && <option value="same">{texts.key.same}</option>}
        {mayCreateKey(me) && <option value="new">{texts.key.new}</option>}
        {keys.map(({ id, name, expiresAt }) => (
          <option key={id} value={id}>
            {texts.key.until(name, formatMoment(expiresAt))}
          </option>
        ))}
        {!isChange && <option value="session">{texts.key.session}</option>}
      </select>
      <p class="hint" id="webhook-key-hint">
        {texts.key.hints[typeof choice === 'number' ? 'key' : choice]}
      </p>
    </div>
  )
}
