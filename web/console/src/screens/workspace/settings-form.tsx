import { useDraft } from '../../api/draft'
import { ConflictBanner } from '../../parts/conflict-banner'
import { DraftFoot } from '../../parts/draft-foot'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { showToast } from '../../state/toast'
import { changeOfSettings, useSettings, type WorkspaceSettings } from '../settings/workspace-settings'
import { texts } from './texts/texts'

const showValue = (value: WorkspaceSettings[keyof WorkspaceSettings]): string =>
  Array.isArray(value) ? value.join(', ') : String(value ?? '')

export function SettingsForm({ may }: { may: boolean }) {
  const { data: current, error, refetch } = useSettings()
  const draft = useDraft<WorkspaceSettings>({
    ...{ ...changeOfSettings, current },
    send(change, etag) {
      const { cors } = change
      const body = cors ? { ...change, cors: cors.map((line) => line.trim()).filter(Boolean) } : change
      return changeOfSettings.send(body, etag).then((stored) => {
        showToast(texts.saved)
        return stored
      })
    },
  })
  const { value: settings, edit } = draft
  return (
    <form
      class="card pad stack"
      aria-labelledby="workspace-settings"
      onSubmit={(event) => {
        event.preventDefault()
        draft.submit()
      }}
    >
      <h2 class="h3" id="workspace-settings">
        {texts.settings}
      </h2>
      {!may && <p class="sm muted">{texts.readerHint}</p>}
      {error && !current && <Failure title={texts.settingsFailed} error={error} onRetry={() => refetch()} />}
      {draft.failure && <Failure title={texts.saveFailed} error={draft.failure.error} onRetry={draft.failure.retry} />}
      {draft.conflict && (
        <ConflictBanner
          conflict={draft.conflict}
          show={(_, value) => showValue(value)}
          name={(field) => texts.fields[field]}
        />
      )}
      {!settings && !error && <Skeleton />}
      {settings && (
        <fieldset class="stack" disabled={!may}>
          <div class="field">
            <label for="idea-url">{texts.ideaUrl}</label>
            <input
              class="input"
              id="idea-url"
              maxLength={500}
              autocomplete="off"
              spellcheck={false}
              aria-describedby="idea-url-hint"
              value={settings.ideaUrl ?? ''}
              onInput={({ currentTarget }) => edit({ ideaUrl: currentTarget.value.trim() || null })}
            />
            <p class="hint" id="idea-url-hint">
              {texts.ideaUrlHint}
            </p>
          </div>
          <div class="field">
            <label for="cors">{texts.cors}</label>
            <textarea
              class="textarea"
              id="cors"
              rows={3}
              spellcheck={false}
              aria-describedby="cors-hint"
              value={settings.cors.join('\n')}
              onInput={({ currentTarget }) => edit({ cors: currentTarget.value.split('\n') })}
            />
            <p class="hint" id="cors-hint">
              {texts.corsHint}
            </p>
          </div>
        </fieldset>
      )}
      {may && settings && (
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
