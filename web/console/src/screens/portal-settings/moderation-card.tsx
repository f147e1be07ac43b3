import { useChange } from '../../api/change'
import { Failure } from '../../parts/failure'
import { showToast } from '../../state/toast'
import { changeOfSettings, useSettings } from '../settings/workspace-settings'
import { texts } from './texts/texts'

/** The switch belongs to the whole workspace. */
export function ModerationCard({ may }: { may: boolean }) {
  const { data: current, error, refetch } = useSettings()
  const { shown, save, failure } = useChange({
    ...{ ...changeOfSettings, current },
    async send(change, etag) {
      const stored = await changeOfSettings.send(change, etag)
      showToast(texts.moderation.saved(stored.record.feedback.moderation))
      return stored
    },
  })
  const isOn = shown?.feedback.moderation ?? false
  return (
    <section class="card pad stack" aria-labelledby="portal-moderation">
      <h2 class="h3" id="portal-moderation">
        {texts.moderation.title}
      </h2>
      {error && !current && <Failure title={texts.moderation.loadFailed} error={error} onRetry={() => refetch()} />}
      {failure && <Failure title={texts.moderation.failed} error={failure.error} onRetry={failure.retry} />}
      <label class="check">
        <input
          type="checkbox"
          class="switch"
          checked={isOn}
          disabled={!may || !shown}
          onChange={({ currentTarget }) => save({ feedback: { moderation: currentTarget.checked } })}
        />
        <span>
          {texts.moderation.label}
          <span class="sm muted block">{isOn ? texts.moderation.on : texts.moderation.off}</span>
        </span>
      </label>
    </section>
  )
}
