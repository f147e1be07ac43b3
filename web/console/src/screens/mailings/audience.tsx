import { Banner } from '../../parts/banner'
import { Failure } from '../../parts/failure'
import { BASE } from '../../state/place'
import { describeRefusals } from './refusals'
import type { MailPreview, Segment } from './requests'
import { texts } from './texts/texts'

interface SegmentFieldProps {
  segments: readonly Segment[]
  value: number | undefined
  onChange: (segmentId: number) => void
}

export const SegmentField = ({ segments, value, onChange }: SegmentFieldProps) => (
  <div class="field">
    <label for="mail-segment">{texts.to}</label>
    <select
      class="select"
      id="mail-segment"
      value={value ?? ''}
      aria-describedby="mail-audience"
      onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
    >
      {value === undefined && <option value="">{texts.chooseSegment}</option>}
      {segments.map(({ id, name, userCount }) => (
        <option key={id} value={id}>
          {texts.segmentOption(name, userCount)}
        </option>
      ))}
    </select>
  </div>
)

type Skip = keyof MailPreview['skipped']
const SKIPS = Object.keys(texts.skips) as Skip[]
export const countSkipped = ({ skipped }: MailPreview): number => SKIPS.reduce((sum, name) => sum + skipped[name], 0)

interface AudienceProps {
  preview: MailPreview | undefined
  error: unknown
  onRetry: () => void
}

/** Who gets the mail, and why others get none. */
export function Audience({ preview, error, onRetry }: AudienceProps) {
  if (error && !preview) return <Failure title={texts.countFailed} error={error} onRetry={onRetry} />
  const parts = preview ? SKIPS.filter((name) => preview.skipped[name] > 0) : []
  return (
    <>
      <p class="hint" id="mail-audience" role="status">
        {preview ? <strong>{texts.getsIt(preview.recipients, preview.isComplete)}</strong> : texts.counting}{' '}
        {preview && parts.map((name) => texts.skips[name](preview.skipped[name])).join(', ')}
        {parts.length > 0 && '.'}
      </p>
      {preview && <Refused preview={preview} />}
      {preview && parts.length > 0 && <Skipped preview={preview} />}
    </>
  )
}

/** Recipients who unsubscribed elsewhere, by import. */
export function Refused({ preview }: { preview: MailPreview }) {
  const lines = describeRefusals(texts, preview.refusedElsewhere)
  if (!lines.length) return null
  return (
    <Banner
      tone="amber"
      icon="warn"
      title={texts.refusedTitle}
      action={
        <a class="btn small" href={`${BASE}/suppressions`}>
          {texts.goToSuppressions}
        </a>
      }
    >
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Banner>
  )
}

function Skipped({ preview }: { preview: MailPreview }) {
  const rest = countSkipped(preview) - preview.skippedMembers.length
  return (
    <details class="sm">
      <summary>{texts.showSkipped}</summary>
      <ul class="mail-skipped">
        {preview.skippedMembers.map(({ userId, email, reason }) => (
          <li key={userId} class="row wrap">
            <span class="wrap-text">{email}</span>
            <span class="muted push">{texts.skipReasons[reason]}</span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p class="muted">{texts.moreSkipped(rest)}</p>}
      <p>
        <a href={`${BASE}/suppressions`}>{texts.goToSuppressions}</a>
      </p>
    </details>
  )
}
