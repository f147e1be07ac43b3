import type { Mailing, Recipient } from './requests'
import { texts } from './texts/texts'

type Look = readonly [tone: string, shape: string]

/** Color and shape of each status. */
const LOOKS: Readonly<Record<Mailing['status'], Look>> = {
  scheduled: ['violet', '1'],
  queued: ['amber', '2'],
  sending: ['amber', '3'],
  completed: ['green', 'full'],
  canceled: ['gray', 'off'],
}

const RECIPIENT_LOOKS: Readonly<Record<Recipient['status'], Look>> = {
  queued: ['amber', '2'],
  sending: ['amber', '3'],
  sent: ['green', '3'],
  delivered: ['green', 'full'],
  bounced: ['red', 'off'],
  complained: ['red', 'off'],
  failed: ['red', 'off'],
  suppressed: ['gray', 'off'],
  canceled: ['gray', 'off'],
}

const Badge = ({ look: [tone, shape], text }: { look: Look; text: string }) => (
  <span class="badge" data-tone={tone} data-state={shape}>
    {text}
  </span>
)

export const StatusBadge = ({ status }: Pick<Mailing, 'status'>) => (
  <Badge look={LOOKS[status]} text={texts.statuses[status]} />
)

export const RecipientBadge = ({ status }: Pick<Recipient, 'status'>) => (
  <Badge look={RECIPIENT_LOOKS[status]} text={texts.recipientStatuses[status]} />
)
