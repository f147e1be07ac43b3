import { Choices } from '../../parts/choices'
import { addressOf, type PartProps } from './portal-form'
import { useSegments } from './requests'
import { texts } from './texts/texts'

const VISIBILITIES = ['public', 'private'] as const
const SIGN_UPS = ['anyone', 'members'] as const
const FIRST_SLUG = 'ideas'

export function AccessCard({ portal, edit }: PartProps) {
  const segments = useSegments()
  const isOpen = portal.slug !== null
  return (
    <section class="card pad stack" aria-labelledby="portal-access">
      <h2 class="h3" id="portal-access">
        {texts.access.title}
      </h2>
      <label class="check">
        <input
          type="checkbox"
          class="switch"
          checked={isOpen}
          onChange={({ currentTarget }) => edit({ slug: currentTarget.checked ? FIRST_SLUG : null })}
        />
        <span>
          {texts.access.isOpen}
          {!isOpen && <span class="sm muted block">{texts.access.closedHint}</span>}
        </span>
      </label>
      {portal.slug !== null && (
        <div class="field">
          <label for="portal-slug">{texts.access.slug}</label>
          <input
            class="input"
            id="portal-slug"
            required
            maxLength={60}
            pattern="[a-z0-9](?:-?[a-z0-9])+"
            autocomplete="off"
            spellcheck={false}
            aria-describedby="portal-slug-hint"
            value={portal.slug}
            onInput={({ currentTarget }) => edit({ slug: currentTarget.value })}
          />
          <p class="hint wrap-text" id="portal-slug-hint">
            {addressOf(portal.slug)}. {texts.access.slugHint}
          </p>
        </div>
      )}
      <fieldset class="stack tight">
        <legend class="label">{texts.access.visibility}</legend>
        {VISIBILITIES.map((one) => (
          <label key={one} class="check">
            <input
              type="radio"
              name="visibility"
              checked={portal.visibility === one}
              onChange={() => edit({ visibility: one })}
            />
            {texts.access.visibilities[one]}
          </label>
        ))}
      </fieldset>
      {portal.visibility === 'private' && (
        <Choices
          title={texts.access.segments}
          hint={segments.length ? texts.access.segmentsHint : texts.access.noSegments}
          choices={segments}
          chosen={portal.segments}
          onChange={(ids) => edit({ segments: ids })}
        />
      )}
      <fieldset class="stack tight">
        <legend class="label">{texts.access.signUp}</legend>
        {SIGN_UPS.map((one) => (
          <label key={one} class="check">
            <input type="radio" name="signUp" checked={portal.signUp === one} onChange={() => edit({ signUp: one })} />
            {texts.access.signUps[one]}
          </label>
        ))}
      </fieldset>
    </section>
  )
}
