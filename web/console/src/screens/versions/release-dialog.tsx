import { GroundworkError } from 'groundwork-client'
import { useState } from 'preact/hooks'
import { Banner } from '../../parts/banner'
import { FormDialog } from '../../parts/form-dialog'
import { describeMail, NO_MAIL, nameWithMail } from '../../parts/mail-count'
import { showToast } from '../../state/toast'
import { type Notify, readAgain, sendRelease, takeReleaseBack, useAudience, type VersionPlace } from './requests'
import { texts } from './texts/texts'

interface ReleaseDialogProps {
  place: VersionPlace
  name: string
  onClose: () => void
}

const NOTIFIES: readonly Notify[] = ['later', 'now', 'none']

/** Says before the click who is mailed, and until when the release can be taken back. */
export function ReleaseDialog({ place, name, onClose }: ReleaseDialogProps) {
  const [notify, setNotify] = useState<Notify>('later')
  const { data: audience } = useAudience(place)
  const mail = notify === 'none' ? NO_MAIL : audience
  const [open, setOpen] = useState<readonly string[]>([])
  async function release(form: FormData): Promise<void> {
    try {
      await sendRelease(place, { notify, draftChangelog: form.has('draft'), force: open.length > 0 })
    } catch (error) {
      if (!(error instanceof GroundworkError) || error.code !== 'unfinished_items') throw error
      setOpen(error.issues.map(({ message }) => message))
      throw error
    }
    await readAgain()
    const text = `${texts.wasReleased(name)} ${describeMail(mail)}`
    showToast(text, notify === 'now' ? undefined : () => takeReleaseBack(place).then(readAgain))
  }
  return (
    <FormDialog
      title={texts.releaseTitle(name)}
      action={nameWithMail(open.length ? texts.releaseAnyway : texts.release, mail)}
      failed={texts.notReleased}
      onSubmit={release}
      onClose={onClose}
    >
      {open.length > 0 && (
        <Banner tone="amber" icon="warn" title={texts.openItems}>
          <ul>
            {open.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </Banner>
      )}
      <fieldset class="stack tight">
        <legend class="label">{texts.mail}</legend>
        {NOTIFIES.map((choice) => (
          <label key={choice} class="check">
            <input
              type="radio"
              name="notify"
              value={choice}
              checked={notify === choice}
              onChange={() => setNotify(choice)}
            />
            {texts.notifies[choice]}
          </label>
        ))}
        {audience && notify !== 'none' && (
          <p class="sm">
            <strong>{texts.recipients(audience.recipients, audience.isComplete)}</strong>
            <br />
            <span class="muted">{texts.followers(audience)}</span>
          </p>
        )}
      </fieldset>
      <label class="check">
        <input type="checkbox" name="draft" defaultChecked />
        {texts.draft}
      </label>
    </FormDialog>
  )
}
