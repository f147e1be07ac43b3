import { useState } from 'preact/hooks'
import { Banner } from '../../parts/banner'
import { FormDialog } from '../../parts/form-dialog'
import { describeMail, NO_MAIL, nameWithMail } from '../../parts/mail-count'
import { showToast } from '../../state/toast'
import { formatMoment } from '../../texts/formats'
import {
  type Entry,
  NOTIFY_CHOICES,
  type Notify,
  readAgain,
  sendPublication,
  sendSchedule,
  takeBack,
  usePreview,
} from './requests'
import { texts } from './texts/texts'

interface PublishDialogProps {
  entry: Entry
  onClose: () => void
}

type When = 'now' | 'later'
const MORNING = 9
const MINUTES_LENGTH = 16

/** Local time of the field, such as `2026-11-28T09:00`. */
function toFieldValue(moment: Date): string {
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, MINUTES_LENGTH)
}

function nextMorning(): Date {
  const morning = new Date()
  morning.setDate(morning.getDate() + 1)
  morning.setHours(MORNING, 0, 0, 0)
  return morning
}

/** Says before the click who is mailed, and publishes now or at a time. */
export function PublishDialog({ entry, onClose }: PublishDialogProps) {
  const { externalKey: key, publishAt } = entry
  const { data: preview } = usePreview(key)
  const [when, setWhen] = useState<When>(publishAt ? 'later' : 'now')
  const [time, setTime] = useState(toFieldValue(publishAt ? new Date(publishAt) : nextMorning()))
  const [notify, setNotify] = useState<Notify>(entry.notify)
  const mail = notify === 'none' || preview?.mail.wasMailed ? NO_MAIL : preview?.mail

  async function publish(): Promise<void> {
    if (when === 'later') {
      const moment = new Date(time).toISOString()
      await sendSchedule(key, moment, notify)
      showToast(`${texts.wasScheduled(key, formatMoment(moment))} ${describeMail(mail)}`)
    } else {
      await sendPublication(key, notify)
      const isFinal = notify === 'now' && mail?.recipients !== 0
      showToast(
        `${texts.wasPublished(key)} ${describeMail(mail)}`,
        isFinal ? undefined : () => takeBack(key).then(readAgain),
      )
    }
    await readAgain()
  }

  return (
    <FormDialog
      title={texts.publishTitle(entry.title)}
      action={nameWithMail(when === 'later' ? texts.schedule : texts.publish, mail)}
      failed={texts.notPublishedError}
      onSubmit={publish}
      onClose={onClose}
    >
      {preview?.isShown === false && (
        <Banner tone="amber" icon="warn" title={texts.hiddenInPortal}>
          {texts.hiddenInPortalHint}
        </Banner>
      )}
      <fieldset class="stack tight">
        <legend class="label">{texts.when}</legend>
        {(['now', 'later'] as const).map((choice) => (
          <label key={choice} class="check">
            <input type="radio" name="when" checked={when === choice} onChange={() => setWhen(choice)} />
            {texts.whens[choice]}
          </label>
        ))}
        {when === 'later' && (
          <label class="field">
            <span class="label">{texts.time}</span>
            <input
              class="input"
              type="datetime-local"
              required
              min={toFieldValue(new Date())}
              value={time}
              onInput={({ currentTarget }) => setTime(currentTarget.value)}
            />
          </label>
        )}
      </fieldset>
      <fieldset class="stack tight">
        <legend class="label">{texts.mail}</legend>
        {NOTIFY_CHOICES.map((choice) => (
          <label key={choice} class="check">
            <input type="radio" name="notify" checked={notify === choice} onChange={() => setNotify(choice)} />
            {texts.notifies[choice]}
          </label>
        ))}
      </fieldset>
      <p class="sm" role="status">
        {preview && <strong>{preview.mail.wasMailed ? texts.mailedBefore : describeMail(mail)}</strong>}
        {preview && notify !== 'none' && !preview.mail.wasMailed && (
          <span class="muted block">{texts.followers(preview.mail)}</span>
        )}
      </p>
    </FormDialog>
  )
}
