import { Banner } from '../../parts/banner'
import { Failure } from '../../parts/failure'
import { nameOf } from '../../parts/person'
import { Skeleton } from '../../parts/skeleton'
import { Paper } from './paper'
import type { MailPreview, Member } from './requests'
import { texts } from './texts/texts'

interface PreviewPaneProps {
  preview: MailPreview | undefined
  error: unknown
  readers: readonly Member[]
  reader: number | undefined
  /** Whether there is a segment, a subject and a message. */
  isWritten: boolean
  /** Variables of names that the text uses. */
  usesName: { firstName: boolean; lastName: boolean }
  onChoose: (userId: number | undefined) => void
  onRetry: () => void
}

export function PreviewPane(props: PreviewPaneProps) {
  const { preview, error, isWritten, usesName, onRetry } = props
  const { firstName = 0, lastName = 0 } = preview?.withoutName ?? {}
  return (
    <aside class="stack" aria-label={texts.preview}>
      <ReaderChoice {...props} />
      {error && isWritten && !preview?.message && (
        <Failure title={texts.previewFailed} error={error} onRetry={onRetry} />
      )}
      {!isWritten && <p class="muted">{texts.previewEmpty}</p>}
      {isWritten && !preview && !error && <Skeleton lines={6} />}
      {isWritten && preview && !preview.message && !error && <p class="muted">{texts.noReader}</p>}
      {preview?.member?.skipReason && (
        <Banner
          tone="amber"
          icon="warn"
          title={texts.nothingArrives(preview.member.email, texts.skipReasons[preview.member.skipReason])}
        >
          {texts.nothingArrivesHint}
        </Banner>
      )}
      {isWritten && preview?.message && <Paper message={preview.message} />}
      {usesName.firstName && firstName > 0 && (
        <Banner tone="amber" icon="warn" title={texts.noFirstName(firstName)}>
          {texts.noNameHint}
        </Banner>
      )}
      {usesName.lastName && lastName > 0 && (
        <Banner tone="amber" icon="warn" title={texts.noLastName(lastName)}>
          {texts.noNameHint}
        </Banner>
      )}
    </aside>
  )
}

function ReaderChoice({ preview, readers, reader, onChoose }: PreviewPaneProps) {
  const skipped = preview?.skippedMembers ?? []
  const isSkipped = new Set(skipped.map(({ userId }) => userId))
  return (
    <div class="row">
      <label class="sm muted" for="mail-reader">
        {texts.seenBy}
      </label>
      <select
        class="select grow"
        id="mail-reader"
        value={reader ?? ''}
        onChange={({ currentTarget }) => onChoose(Number(currentTarget.value) || undefined)}
      >
        <option value="">{texts.firstRecipient}</option>
        {readers
          .filter(({ id }) => !isSkipped.has(id))
          .map((person) => (
            <option key={person.id} value={person.id}>
              {nameOf(person)}
            </option>
          ))}
        {skipped.map(({ userId, email }) => (
          <option key={userId} value={userId}>
            {texts.skippedPerson(email)}
          </option>
        ))}
      </select>
    </div>
  )
}
