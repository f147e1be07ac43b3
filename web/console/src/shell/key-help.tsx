import { Icon } from '../parts/icon'
import { Modal } from '../parts/modal'
import { hasLetterKeys, type KeyBinding, listBindings, setLetterKeys } from '../state/keys'
import { texts } from '../texts/texts'

const IS_MAC = /Mac|iP/.test(navigator.platform)
const NAMES: Readonly<Record<string, string>> = {
  ...texts.keys.names,
  mod: IS_MAC ? '⌘' : 'Ctrl',
  alt: IS_MAC ? '⌥' : 'Alt',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}

const nameKey = (key: string): string => NAMES[key] ?? key.toUpperCase()

/** A chord is split at each plus, apart from the key `+` itself. */
const showKey = (key: string): string => (key === '+' ? key : key.split('+').map(nameKey).join(' '))

/** What several keys do stands once. */
function groupByLabel(bindings: readonly KeyBinding[]): [string, string[]][] {
  const groups = new Map<string, string[]>()
  for (const { keys, label } of bindings) {
    const all = groups.get(label) ?? []
    if (!all.includes(keys)) groups.set(label, [...all, keys])
  }
  return [...groups]
}

export function KeyHelp({ onClose }: { onClose: () => void }) {
  const bindings = listBindings()
  const own = bindings.filter(({ isEverywhere }) => !isEverywhere)
  return (
    <Modal label={texts.keys.title} className="key-help" onClose={onClose}>
      <header>
        <h2 class="h3">{texts.keys.title}</h2>
        <button class="btn ghost icon small push" type="button" aria-label={texts.close} onClick={onClose}>
          <Icon name="x" />
        </button>
      </header>
      <div class="body stack">
        {own.length > 0 && <Keys title={texts.keys.onThisPage} bindings={own} />}
        <Keys title={texts.keys.everywhere} bindings={bindings.filter(({ isEverywhere }) => isEverywhere)} />
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
}

const Keys = ({ title, bindings }: { title: string; bindings: readonly KeyBinding[] }) => (
  <section>
    <h3 class="sm muted">{title}</h3>
    <dl class="keys">
      {groupByLabel(bindings).map(([label, all]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {all.map((keys) => (
              <span class="row" key={keys}>
                {keys.split(' ').map((key) => (
                  <kbd class="kbd" key={key}>
                    {showKey(key)}
                  </kbd>
                ))}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </section>
)
