import { ACTIONS, type Action, type Hook, type HookChange } from './requests'
import { texts } from './texts/texts'

/** What the fields hold. */
export interface Draft {
  action: Action
  /** `field = path`, one a line. */
  mapping: string
  type: '' | 'epic' | 'feature' | 'userstory'
  kpi: string
  /** Accounts, one a line. */
  exceptAuthors: string
}

export const EMPTY_DRAFT: Draft = { action: 'upsert_work_item', mapping: '', type: '', kpi: '', exceptAuthors: '' }

export const toDraft = ({ action, mapping, target, exceptAuthors }: Hook): Draft => ({
  action,
  mapping: Object.entries(mapping)
    .map(([field, from]) => `${field} = ${from}`)
    .join('\n'),
  type: target.type ?? '',
  kpi: target.kpi ?? '',
  exceptAuthors: exceptAuthors.join('\n'),
})

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** The first `=` of a line ends the name of the field: a source may begin with another. */
function toMapping(text: string): Record<string, string> {
  const pairs = linesOf(text).map((line) => {
    const [field = '', ...from] = line.split('=')
    return [field.trim(), from.join('=').trim()]
  })
  return Object.fromEntries(pairs)
}

export function toBody({ action, mapping, type, kpi, exceptAuthors }: Draft, source?: string): HookChange {
  return {
    action,
    mapping: toMapping(mapping),
    target: {
      ...(source && { source }),
      ...(action === 'upsert_work_item' && type && { type }),
      ...(action === 'insert_kpi_records' && kpi.trim() && { kpi: kpi.trim() }),
    },
    exceptAuthors: linesOf(exceptAuthors),
  }
}

interface HookFieldsProps {
  draft: Draft
  onChange: (draft: Draft) => void
}

export function HookFields({ draft, onChange }: HookFieldsProps) {
  const change = (part: Partial<Draft>) => onChange({ ...draft, ...part })
  return (
    <>
      <div class="field">
        <label for="hook-action">{texts.action}</label>
        <select
          class="select"
          id="hook-action"
          value={draft.action}
          onChange={({ currentTarget: { value } }) => change({ action: value as Action })}
        >
          {ACTIONS.map((action) => (
            <option key={action} value={action}>
              {texts.actions[action]}
            </option>
          ))}
        </select>
      </div>
      {draft.action === 'upsert_work_item' && (
        <div class="field">
          <label for="hook-type">{texts.type}</label>
          <select
            class="select"
            id="hook-type"
            value={draft.type}
            onChange={({ currentTarget: { value } }) => change({ type: value as Draft['type'] })}
          >
            {(['', 'epic', 'feature', 'userstory'] as const).map((type) => (
              <option key={type} value={type}>
                {texts.types[type || 'none']}
              </option>
            ))}
          </select>
        </div>
      )}
      {draft.action === 'insert_kpi_records' && (
        <div class="field">
          <label for="hook-kpi">{texts.kpi}</label>
          <input
            class="input"
            id="hook-kpi"
            required
            maxLength={30}
            placeholder="KPI-1"
            value={draft.kpi}
            onInput={({ currentTarget: { value } }) => change({ kpi: value })}
          />
        </div>
      )}
      <div class="field">
        <label for="hook-mapping">{texts.mapping}</label>
        <textarea
          class="textarea mono"
          id="hook-mapping"
          rows={4}
          value={draft.mapping}
          placeholder={texts.mappingPlaceholders[draft.action]}
          aria-describedby="hook-mapping-hint"
          onInput={({ currentTarget: { value } }) => change({ mapping: value })}
        />
        <p class="hint" id="hook-mapping-hint">
          {texts.mappingHint}
        </p>
      </div>
      <div class="field">
        <label for="hook-authors">{texts.exceptAuthors}</label>
        <textarea
          class="textarea"
          id="hook-authors"
          rows={2}
          value={draft.exceptAuthors}
          aria-describedby="hook-authors-hint"
          onInput={({ currentTarget: { value } }) => change({ exceptAuthors: value })}
        />
        <p class="hint" id="hook-authors-hint">
          {texts.exceptAuthorsHint}
        </p>
      </div>
    </>
  )
}
