import { useMemo } from 'preact/hooks'
import type { Versioned } from '../../api/change'
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
import {
  KIND_NAMES,
  KINDS,
  type Kind,
  maxLengthOf,
  type NamedTexts,
  nameOfText,
  splitName,
  type TextName,
  toTemplates,
  toTexts,
} from './kinds'
import { Preview } from './preview'
import { texts } from './texts/texts'

const PATH = '/settings/mail'

interface StoredTexts extends Versioned<NamedTexts> {
  settings: Versioned<WorkspaceSettings>
}

const withNamedTexts = (settings: Versioned<WorkspaceSettings>): StoredTexts => ({
  ...{ record: toTexts(settings.record.mailTemplates), etag: settings.etag },
  settings,
})

function describeName(name: TextName): string {
  const [kind, field] = splitName(name)
  return `${texts.kinds[kind]}: ${texts.fields[field]}`
}

const readKind = (): Kind => KIND_NAMES.find((kind) => kind === place.value.query.get('kind')) ?? 'status'

export default function MailTextsPage({ me, main }: ScreenProps) {
  const may = maySee(me, 'products:write')
  const { data: current, error, refetch } = useSettings()
  const draft = useDraft<NamedTexts>({
    current: useMemo(() => current && withNamedTexts(current), [current]),
    read: async () => withNamedTexts(await changeOfSettings.read()),
    accept: (stored) => changeOfSettings.accept((stored as StoredTexts).settings),
    async send(change, etag) {
      const stored = await changeOfSettings.send({ mailTemplates: toTemplates(change) }, etag)
      showToast(texts.saved)
      return withNamedTexts(stored)
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
        <ConflictBanner conflict={draft.conflict} show={(_, text) => text || texts.ofService} name={describeName} />
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
                value={value[nameOfText(kind, field)] ?? ''}
                onInput={(text) => edit({ [nameOfText(kind, field)]: text })}
              />
            ))}
          </fieldset>
          <p class="hint">{texts.variables}</p>
          <Preview kind={kind} templates={toTemplates(value)} />
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
