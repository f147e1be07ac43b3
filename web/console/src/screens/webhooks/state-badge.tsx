import type { Delivery, Webhook } from './requests'
import { texts } from './texts/texts'

const WEBHOOK_LOOKS = {
  active: ['green', 'full'],
  paused: ['amber', '2'],
  disabled: ['red', 'off'],
} as const

export function WebhookBadge({ status }: { status: Webhook['status'] }) {
  const [tone, state] = WEBHOOK_LOOKS[status]
  return (
    <span class="badge" data-tone={tone} data-state={state}>
      {texts.statuses[status]}
    </span>
  )
}

const DELIVERY_LOOKS = {
  pending: ['amber', '2'],
  delivered: ['green', 'full'],
  failed: ['red', 'off'],
  discarded: ['gray', 'off'],
} as const

export function DeliveryBadge({ status }: { status: Delivery['status'] }) {
  const [tone, state] = DELIVERY_LOOKS[status]
  return (
    <span class="badge" data-tone={tone} data-state={state}>
      {texts.results[status]}
    </span>
  )
}
