import { Audience, SegmentField } from './audience'
import { changeDraft, type Draft } from './draft'
import { MessageField } from './message-field'
import type { MailPreview, Segment } from './requests'
import { SubjectField } from './subject-field'
import { texts } from './texts/texts'
import { WhenField } from './when-field'

interface ComposeFormProps {
  draft: Draft
  segments: readonly Segment[]
  segmentId: number | undefined
  preview: MailPreview | undefined
  attributes: readonly string[]
  problems: { subject: string | undefined; html: string | undefined }
  error: unknown
  onSegment: (segmentId: number) => void
  onRetry: () => void
}

export const ComposeForm = ({
  draft,
  segments,
  segmentId,
  preview,
  attributes,
  problems,
  ...rest
}: ComposeFormProps) => (
  <section class="card" aria-label={texts.form}>
    <div class="body stack">
      <SegmentField segments={segments} value={segmentId} onChange={rest.onSegment} />
      {segmentId !== undefined && <Audience preview={preview} error={rest.error} onRetry={rest.onRetry} />}
      <SubjectField
        value={draft.subject}
        attributes={attributes}
        problem={problems.subject}
        onChange={(subject) => changeDraft({ subject })}
      />
      <div class="field">
        <span class="label">{texts.message}</span>
        <MessageField html={draft.html} attributes={attributes} describedBy={problems.html && 'mail-message-problem'} />
        {problems.html && (
          <p class="error" id="mail-message-problem">
            {problems.html}
          </p>
        )}
      </div>
      <div class="field">
        <label for="mail-reply">{texts.replyField}</label>
        <input
          class="input"
          id="mail-reply"
          type="email"
          autocomplete="off"
          aria-describedby="mail-reply-hint"
          value={draft.replyTo}
          onInput={({ currentTarget }) => changeDraft({ replyTo: currentTarget.value })}
        />
        <p class="hint" id="mail-reply-hint">
          {texts.replyHint}
        </p>
      </div>
      <WhenField draft={draft} />
    </div>
  </section>
)
