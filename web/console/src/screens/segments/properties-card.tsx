import { texts } from './texts/texts'
import type { SegmentDraft } from './use-draft'

export const NAME_FIELD = 'segment-name'

const TYPES = ['dynamic', 'manual'] as const

interface PropertiesCardProps {
  edit: SegmentDraft
  isNew: boolean
}

export function PropertiesCard({ edit: { draft, change, ...edit }, isNew }: PropertiesCardProps) {
  // What the rules lack stands beside the button.
  const reason = draft.name.trim() === '' ? edit.reason : undefined
  return (
    <section class="card pad stack" aria-label={texts.properties}>
      <div class="field">
        <label for={NAME_FIELD}>{texts.name}</label>
        <input
          class="input"
          id={NAME_FIELD}
          required
          maxLength={200}
          autocomplete="off"
          aria-describedby={reason && `${NAME_FIELD}-hint`}
          value={draft.name}
          onInput={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        {reason && (
          <p class="hint" id={`${NAME_FIELD}-hint`}>
            {reason}
          </p>
        )}
      </div>
      <div class="field">
        <label for="segment-description">{texts.description}</label>
        <textarea
          class="textarea"
          id="segment-description"
          maxLength={10_000}
          value={draft.description}
          onInput={({ currentTarget }) => change({ description: currentTarget.value })}
        />
      </div>
      {isNew && (
        <fieldset class="stack tight">
          <legend class="label">{texts.type}</legend>
          {TYPES.map((type) => (
            <label key={type} class="check">
              <input type="radio" name="type" checked={draft.type === type} onChange={() => change({ type })} />
              <span>
                {texts.types[type]}
                <span class="sm muted block">{texts.typeHints[type]}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {draft.type === 'manual' && (
        <label class="check">
          <input
            type="checkbox"
            checked={draft.doubleOptIn}
            onChange={({ currentTarget }) => change({ doubleOptIn: currentTarget.checked })}
          />
          <span>
            {texts.doubleOptIn}
            <span class="sm muted block">{texts.doubleOptInHint}</span>
          </span>
        </label>
      )}
    </section>
  )
}

export const PropertiesText = ({ edit: { draft } }: { edit: SegmentDraft }) => (
  <section class="card pad stack tight" aria-label={texts.properties}>
    <p class="b wrap-text">{draft.name}</p>
    <p class={draft.description ? 'wrap-text' : 'muted'}>{draft.description || texts.noDescription}</p>
    <p class="sm muted">{texts.typeHints[draft.type]}</p>
    {draft.doubleOptIn && <p class="sm muted">{texts.doubleOptIn}</p>}
  </section>
)
