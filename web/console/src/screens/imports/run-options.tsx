import { texts } from '../../texts/texts'
import type { ImportKind } from './requests'
import type { Settings } from './use-wizard'

type Missing = keyof typeof texts.imports.missing

/** What an import of each kind can create. */
const CREATABLE: Readonly<Record<ImportKind, readonly Missing[]>> = {
  backlog: ['tags', 'versions'],
  feedback: ['tags', 'statuses', 'categories'],
  changelog: [],
  people: ['segments'],
  suppressions: [],
}

interface RunOptionsProps {
  kind: ImportKind
  settings: Settings
  /** What the newest dry run would create. */
  created: readonly string[]
  onSet: (settings: Settings) => void
}

export const RunOptions = ({ kind, settings, created, onSet }: RunOptionsProps) => (
  <section class="card" aria-labelledby="options">
    <header>
      <h2 class="h3" id="options">
        {texts.imports.options}
      </h2>
    </header>
    <div class="body options">
      <fieldset class="stack tight">
        <legend class="label">{texts.imports.onConflict}</legend>
        {(['skip', 'update'] as const).map((choice) => (
          <label key={choice} class="check">
            <input
              type="radio"
              name="conflict"
              checked={settings.onConflict === choice}
              onChange={() => onSet({ ...settings, onConflict: choice })}
            />
            {texts.imports[choice]}
          </label>
        ))}
      </fieldset>
      {CREATABLE[kind].length > 0 && (
        <fieldset class="stack tight">
          <legend class="label">{texts.imports.createMissing}</legend>
          {CREATABLE[kind].map((name) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={created.includes(name)}
                onChange={(event) =>
                  onSet({ ...settings, createMissing: toggle(created, name, event.currentTarget.checked) })
                }
              />
              {texts.imports.missing[name]}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  </section>
)

const toggle = (names: readonly string[], name: string, isOn: boolean): string[] => [
  ...names.filter((other) => other !== name),
  ...(isOn ? [name] : []),
]
