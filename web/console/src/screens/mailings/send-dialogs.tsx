import { AskDialog } from '../../parts/ask-dialog'
import { FormDialog } from '../../parts/form-dialog'
import { goTo } from '../../state/place'
import { showToast } from '../../state/toast'
import { formatMoment } from '../../texts/formats'
import { countSkipped, Refused } from './audience'
import { type Draft, discardDraft } from './draft'
import { pathOf } from './place'
import { type MailPreview, sendMail, sendTest } from './requests'
import { texts } from './texts/texts'

export const bodyOf = ({ subject, html, replyTo }: Draft) => ({
  ...{ subject: subject.trim(), html },
  ...(replyTo.trim() && { replyTo: replyTo.trim() }),
})

interface ReviewDialogProps {
  draft: Draft & { segmentId: number }
  segmentName: string
  preview: MailPreview
  /** Absent for a mailing that leaves at once. */
  scheduledAt: string | undefined
  onClose: () => void
}

/** Names the consequence. The focus starts on the safe choice. */
export function ReviewDialog({ draft, segmentName, preview, scheduledAt, onClose }: ReviewDialogProps) {
  const who = (preview.isComplete ? texts.people : texts.atLeast)(preview.recipients)
  let mailing: number | undefined
  return (
    <AskDialog
      title={texts.reviewTitle(who)}
      action={scheduledAt ? texts.schedule(who) : texts.sendNow(who)}
      failed={texts.notSent}
      onClose={onClose}
      onAct={async () => {
        mailing = await sendMail(draft.segmentId, { ...bodyOf(draft), ...(scheduledAt && { scheduledAt }) })
      }}
      onDone={() => {
        discardDraft()
        goTo(pathOf({ group: 'own', mailing }), { replaces: true })
        showToast(scheduledAt ? texts.wasScheduled : texts.wasSent)
      }}
    >
      <dl class="dl">
        <Pair name={texts.reviewSubject} text={draft.subject} />
        <Pair name={texts.reviewTo} text={`${segmentName} · ${who}`} />
        <Pair name={texts.reviewSkipped} text={texts.skippedPeople(countSkipped(preview))} />
        <Pair name={texts.reviewWhen} text={scheduledAt ? texts.atMoment(formatMoment(scheduledAt)) : texts.atOnce} />
      </dl>
      <Refused preview={preview} />
    </AskDialog>
  )
}

const Pair = ({ name, text }: { name: string; text: string }) => (
  <div class="pair">
    <dt>{name}</dt>
    <dd>{text}</dd>
  </div>
)

interface TestDialogProps {
  draft: Draft
  /** Address of the person who tests. */
  email: string
  onClose: () => void
}

export const TestDialog = ({ draft, email, onClose }: TestDialogProps) => (
  <FormDialog
    title={texts.testTitle}
    action={texts.sendTest}
    failed={texts.testFailed}
    onClose={onClose}
    onSubmit={async (form) => {
      const to = String(form.get('to')).trim()
      await sendTest(to, bodyOf(draft))
      showToast(texts.testSent(to))
    }}
  >
    <label class="field">
      <span class="label">{texts.testTo}</span>
      <input class="input" name="to" type="email" required defaultValue={email} autofocus />
    </label>
    <p class="hint">{texts.testHint}</p>
  </FormDialog>
)
