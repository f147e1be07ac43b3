import { Icon } from '../parts/icon'
import { Modal } from '../parts/modal'
import { hasLetterKeys, listBindings, setLetterKeys } from '../state/keys'
import { texts } from '../texts/texts'

const NAMES: Readonly<Record<string, string>> = { mod: /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl' }

const showKey = (key: string) =>
  key
    .split('+')
    .map((part) => NAMES[part] ?? part.toUpperCase())
    .join(' ')

export const KeyHelp = ({ onClose }: { onClose: () => void }) => (
  <Modal label={texts.keys.title} onClose={onClose}>
    <header>
      <h2 class="h3">{texts.keys.title}</h2>
      <button class="btn ghost icon small push" type="button" aria-label={texts.close} onClick={onClose}>
        <Icon name="x" />
      </button>
    </header>
    <div class="body stack">
      <dl class="keys">
        {listBindings().map(({ keys, label }) => (
          <div key={keys}>
            <dt>{label}</dt>
            <dd>
              {keys.split(' ').map((key) => (
                <kbd class="kbd" key={key}>
                  {showKey(key)}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={hasLetterKeys.value}
          onChange={(event) => setLetterKeys(event.currentTarget.checked)}
        />
        <span>
          {texts.keys.letters} <span class="sm muted">{texts.keys.hint}</span>
        </span>
      </label>
    </div>
  </Modal>
)
