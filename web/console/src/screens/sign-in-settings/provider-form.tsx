import type { TargetedInputEvent } from 'preact'
import type { Versioned } from '../../api/change'
import { useDraft } from '../../api/draft'
import { ConflictBanner } from '../../parts/conflict-banner'
import { DraftFoot } from '../../parts/draft-foot'
import { Failure } from '../../parts/failure'
import { showToast } from '../../state/toast'
import { acceptSignIn, readSignIn, type SignIn, sendSignIn } from './requests'
import { texts } from './texts/texts'

interface ProviderFormProps {
  stored: Versioned<SignIn>
  may: boolean
}

const ROLES = ['member', 'viewer'] as const
const CALLBACK = '/sign-in/oidc/callback'
const TEXT_FIELDS = [
  { name: 'issuer', maxLength: 500 },
  { name: 'clientId', maxLength: 300 },
  { name: 'clientSecret', maxLength: 1_000 },
] as const

export function ProviderForm({ stored, may }: ProviderFormProps) {
  const draft = useDraft<SignIn>({
    current: stored,
    read: readSignIn,
    accept: acceptSignIn,
    async send(change, etag) {
      const sent = await sendSignIn(change, etag)
      showToast(texts.saved)
      return sent
    },
  })
  const { value: settings, edit } = draft
  if (!settings) return null
  const hints = {
    issuer: texts.provider.issuerHint,
    clientId: '',
    clientSecret: settings.hasClientSecret ? texts.provider.hasSecret : texts.provider.noSecret,
  }
  return (
    <form
      class="card pad stack"
      aria-labelledby="provider"
      onSubmit={(event) => {
        event.preventDefault()
        draft.submit()
      }}
    >
      <h2 class="h3" id="provider">
        {texts.provider.title}
      </h2>
      <p class="sm muted wrap-text">{texts.provider.hint(location.origin + CALLBACK)}</p>
      {draft.failure && <Failure title={texts.saveFailed} error={draft.failure.error} onRetry={draft.failure.retry} />}
      {draft.conflict && (
        <ConflictBanner
          conflict={draft.conflict}
          show={(_, value) => String(value ?? '')}
          name={(field) => texts.fields[field]}
        />
      )}
      <fieldset class="stack" disabled={!may}>
        {TEXT_FIELDS.map(({ name, maxLength }) => {
          const id = `provider-${name}`
          const field = {
            ...{ id, class: 'input', maxLength, autocomplete: 'off', spellcheck: false, value: settings[name] ?? '' },
            'aria-describedby': `${id}-hint`,
            onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) =>
              edit({ [name]: currentTarget.value.trim() || null }),
          }
          return (
            <div key={name} class="field">
              <label for={id}>{texts.provider[name]}</label>
              {name === 'clientSecret' ? <input {...field} type="password" /> : <input {...field} type="text" />}
              <p class="hint" id={`${id}-hint`}>
                {hints[name]}
              </p>
            </div>
          )
        })}
        <div class="field">
          <label for="provider-role">{texts.provider.role}</label>
          <select
            class="select"
            id="provider-role"
            value={settings.role}
            onChange={({ currentTarget }) => edit({ role: currentTarget.value as SignIn['role'] })}
          >
            {ROLES.map((role) => (
              <option key={role} value={role}>
                {texts.provider.roles[role]}
              </option>
            ))}
          </select>
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={settings.onlyProvider}
            onChange={({ currentTarget }) => edit({ onlyProvider: currentTarget.checked })}
          />
          <span>
            {texts.provider.onlyProvider}
            <span class="sm muted block">{texts.provider.onlyProviderHint}</span>
          </span>
        </label>
      </fieldset>
      {may && (
        <DraftFoot
          action={texts.save}
          isChanged={draft.isChanged}
          isSaving={draft.isSaving || draft.conflict !== undefined}
          onDiscard={draft.discard}
        />
      )}
    </form>
  )
}
