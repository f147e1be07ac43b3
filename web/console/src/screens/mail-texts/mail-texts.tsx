import { useDraft } from '../../api/draft'
import { maySee } from '../../api/me'
import { ConflictBanner } from '../../parts/conflict-banner'
import { DraftFoot } from '../../parts/draft-foot'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { goTo, place } from '../../state/place'
import { showToast } from '../../state/toast'
import type { ScreenProps } from '../screens'
import { SettingsPage } from '../settings/settings-page'
import { changeOfSettings, useSettings, type WorkspaceSettings } from '../settings/workspace-settings'
import { KIND_NAMES, KINDS, type Kind, maxLengthOf, readText, withText } from './kinds'
import { Preview } from './preview'
import { texts } from './texts/texts'

const PATH = '/settings/mail'

const readKind = (): Kind => KIND_NAMES.find((kind) => kind === place.value.query.get('kind')) ?? 'status'

export default function MailTextsPage({ me, main }: ScreenProps) {
  const may = maySee(me, 'products:write')
  const { data: current, error, refetch } = useSettings()
  const draft = useDraft<WorkspaceSettings>({
    ...{ ...changeOfSettings, current },
    async send(change, etag) {
      const stored = await changeOfSettings.send(change, etag)
      showToast(texts.saved)
      return stored
    },
  })
  const { value, edit } = draft
  const kind = readKind()
  return (
    <SettingsPage me={me} main={main} path={PATH}>
      <p class="sm muted">{may ? texts.hint : texts.readerHint}</p>
      {error && !current && <Failure title={texts.loadFailed} error={error} onRetry={() => refetch()} />}
      {draft.failure && <Failure title={texts.saveFailed} error={draft.failure.error} onRetry={draft.failure.retry} />}
      {draft.conflict && (
        <ConflictBanner
          conflict={draft.conflict}
          show={(_, one) => JSON.stringify(one, null, 1)}
          name={(field) => texts.record[field]}
        />
      )}
      {!value && !error && <Skeleton />}
      {value && (
        <form
          class="card pad stack"
          onSubmit={(event) => {
            event.preventDefault()
            draft.submit()
          }}
        >
          <div class="field">
            <label for="mail-kind">{texts.kind}</label>
            <select
              class="select"
              id="mail-kind"
              value={kind}
              onChange={({ currentTarget }) => goTo(`${PATH}?kind=${currentTarget.value}`, { replaces: true })}
            >
              {KIND_NAMES.map((one) => (
                <option key={one} value={one}>
                  {texts.kinds[one]}
                </option>
              ))}
            </select>
          </div>
          <fieldset class="stack" disabled={!may}>
            {KINDS[kind].fields.map((field) => (
              <TextField
                key={`${kind}-${field}`}
                id={`mail-${field}`}
                label={texts.fields[field]}
                isLong={field === 'text'}
                maxLength={maxLengthOf(field)}
                value={readText(value.mailTemplates, kind, field)}
                onInput={(text) => edit({ mailTemplates: withText(value.mailTemplates, kind, field, text) })}
              />
            ))}
          </fieldset>
          <p class="hint">{texts.variables}</p>
          <Preview kind={kind} templates={value.mailTemplates} />
          {may && (
            <DraftFoot
              action={texts.save}
              isChanged={draft.isChanged}
              isSaving={draft.isSaving || draft.conflict !== undefined}
              onDiscard={draft.discard}
            />
          )}
        </form>
      )}
    </SettingsPage>
  )
}

interface TextFieldProps {
  id: string
  label: string
  isLong: boolean
  maxLength: number
  value: string
  onInput: (text: string) => void
}

const TextField = ({ id, label, isLong, maxLength, value, onInput }: TextFieldProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    {isLong ? (
      <textarea
        class="textarea"
        id={id}
        rows={4}
        maxLength={maxLength}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    ) : (
      <input
        class="input"
        id={id}
        maxLength={maxLength}
        autocomplete="off"
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    )}
  </div>
)
