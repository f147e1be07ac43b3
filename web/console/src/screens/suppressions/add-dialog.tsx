import { useState } from 'preact/hooks'
import { FormDialog } from '../../parts/form-dialog'
import { showToast } from '../../state/toast'
import { sendSuppression, useSegments } from './requests'
import { texts } from './texts/texts'

/** Says what stops before the click. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const segments = useSegments()
  const [segmentId, choose] = useState<number | null>(null)
  const segment = segments.find(({ id }) => id === segmentId)
  return (
    <FormDialog
      title={texts.add}
      action={texts.addAction}
      failed={texts.notAdded}
      onClose={onClose}
      onSubmit={async (form) => {
        const email = String(form.get('email')).trim()
        await sendSuppression(email, segmentId)
        showToast(texts.wasAdded(email))
      }}
    >
      <label class="field">
        <span class="label">{texts.email}</span>
        <input
          class="input"
          name="email"
          type="email"
          required
          autocomplete="off"
          aria-describedby="suppression-email-hint"
          autofocus
        />
        <span class="hint" id="suppression-email-hint">
          {texts.scopeHint}
        </span>
      </label>
      <label class="field">
        <span class="label">{texts.scope}</span>
        <select
          class="select"
          value={segmentId ?? ''}
          onChange={({ currentTarget }) => choose(Number(currentTarget.value) || null)}
        >
          <option value="">{texts.allMail}</option>
          {segments.map(({ id, name }) => (
            <option key={id} value={id}>
              {texts.mailOf(name)}
            </option>
          ))}
        </select>
      </label>
      <p role="status">{segment ? texts.addMeansSegment(segment.name) : texts.addMeansAll}</p>
    </FormDialog>
  )
}
