import { GroundworkError } from 'groundwork-client'
import { useState } from 'preact/hooks'
import { Banner } from '../../parts/banner'
import { FormDialog, STAYS_OPEN } from '../../parts/form-dialog'
import { describeMail, NO_MAIL, nameWithMail } from '../../parts/mail-count'
import { showToast } from '../../state/toast'
import { ProgressBadge } from '../backlog/progress-badge'
import {
  type Notify,
  readAgain,
  sendRelease,
  takeReleaseBack,
  useAudience,
  type Version,
  type VersionItem,
  type VersionPlace,
} from './requests'
import { texts } from './texts/texts'

interface ReleaseDialogProps {
  place: VersionPlace
  version: Version
  onClose: () => void
}

const NOTIFIES: readonly Notify[] = ['later', 'now', 'none']

/** The items that the service names by their place in the version. */
function listNamedItems({ itemDetails = [] }: Version, { issues }: GroundworkError): VersionItem[] {
  const places = new Set(issues.map(({ path }) => path))
  return itemDetails.filter((_, place) => places.has(`/items/${place}`))
}

/** Says before the click who is mailed, and until when the release can be taken back. */
export function ReleaseDialog({ place, version, onClose }: ReleaseDialogProps) {
  const { name } = version
  const [notify, setNotify] = useState<Notify>('later')
  const { data: audience } = useAudience(place)
  const mail = notify === 'none' ? NO_MAIL : audience
  const [open, setOpen] = useState<readonly VersionItem[]>([])
  async function release(form: FormData): Promise<typeof STAYS_OPEN | undefined> {
    try {
      await sendRelease(place, { notify, draftChangelog: form.has('draft'), force: open.length > 0 })
    } catch (error) {
      if (!(error instanceof GroundworkError) || error.code !== 'unfinished_items') throw error
      setOpen(listNamedItems(version, error))
      return STAYS_OPEN
    }
    await readAgain()
    const text = `${texts.wasReleased(name)} ${describeMail(mail)}`
    showToast(text, notify === 'now' ? undefined : () => takeReleaseBack(place).then(readAgain))
    return undefined
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
        <Banner tone="amber" icon="warn" title={texts.openItems} isAlert>
          <p>{texts.openItemsHint}</p>
          <ul>
            {open.map(({ externalKey, summary, progress }) => (
              <li key={externalKey} class="row">
                <span class="key">{externalKey}</span>
                <span class="truncate grow">{summary}</span>
                <ProgressBadge progress={progress} />
              </li>
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
