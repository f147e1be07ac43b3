import { changeDraft, type Draft } from './draft'
import { texts } from './texts/texts'

const YEAR_MS = 365 * 86_400_000

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The moment of a scheduled mailing; undefined if the time is missing, over, or more than a year ahead. */
export function momentOf({ at }: Draft, now = Date.now()): string | undefined {
  const moment = Date.parse(at)
  return moment > now && moment <= now + YEAR_MS ? new Date(moment).toISOString() : undefined
}

const MORNING_HOUR = 9

/** Local date and time, as the field has it. */
function tomorrowMorning(): string {
  const at = new Date()
  at.setDate(at.getDate() + 1)
  const [month, day] = [at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${at.getFullYear()}-${month}-${day}T0${MORNING_HOUR}:00`
}

export const WhenField = ({ draft }: { draft: Draft }) => {
  const choose = (when: Draft['when']) =>
    changeDraft({ when, ...(when === 'later' && draft.at === '' && { at: tomorrowMorning() }) })
  const isWrong = draft.when === 'later' && draft.at !== '' && momentOf(draft) === undefined
  return (
    <fieldset class="field">
      <legend class="label">{texts.when}</legend>
      <div class="row wrap">
        <div class="segmented">
          {(['now', 'later'] as const).map((when) => (
            <label key={when}>
              <input type="radio" name="when" checked={draft.when === when} onChange={() => choose(when)} />
              {texts[when]}
            </label>
          ))}
        </div>
        {draft.when === 'later' && (
          <input
            class="input mail-moment"
            type="datetime-local"
            aria-label={texts.moment}
            aria-invalid={isWrong}
            aria-describedby="mail-when-hint"
            value={draft.at}
            onInput={({ currentTarget }) => changeDraft({ at: currentTarget.value })}
          />
        )}
      </div>
      {draft.when === 'later' && (
        <p class={isWrong ? 'error' : 'hint'} id="mail-when-hint">
          {isWrong ? texts.pastMoment : texts.zone(zone)}
        </p>
      )}
    </fieldset>
  )
}
