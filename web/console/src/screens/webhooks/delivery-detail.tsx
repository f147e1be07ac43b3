import { GroundworkError } from 'groundwork-client'
import { useEffect, useRef } from 'preact/hooks'
import { client } from '../../api/client'
import { type LoggedEvent, readEvent } from '../../api/events'
import { useQuery } from '../../api/queries'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { Skeleton } from '../../parts/skeleton'
import { BASE } from '../../state/place'
import { formatMoment } from '../../texts/formats'
import { texts as shellTexts } from '../../texts/texts'
import { answerOf } from './delivery-row'
import { pathOf, readShown } from './paths'
import type { Attempt, Delivery, Webhook } from './requests'
import { DeliveryBadge } from './state-badge'
import { texts } from './texts/texts'

const POLL_MS = 2_000

interface DeliveryDetailProps {
  webhook: Webhook
  deliveryId: number
  mayReadEvents: boolean
}

/** A delivery with the event and each attempt in full. */
export function DeliveryDetail({ webhook, deliveryId, mayReadEvents }: DeliveryDetailProps) {
  const card = useRef<HTMLElement>(null)
  const { data, error, refetch } = useQuery<Delivery>({
    queryKey: ['webhook', webhook.id, 'delivery', deliveryId],
    queryFn: () => client.getWebhookDelivery({ webhookId: webhook.id, deliveryId }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? POLL_MS : false),
  })
  const isMissing = error instanceof GroundworkError && error.status === 404
  useEffect(() => {
    card.current?.focus({ preventScroll: true })
    card.current?.scrollIntoView({ block: 'nearest' })
  }, [data !== undefined])
  return (
    <section class="card" aria-labelledby="delivery" ref={card} tabIndex={-1}>
      <header>
        <h3 id="delivery" class="wrap-anywhere">
          {data ? texts.deliveryTitle(data.type, deliveryId) : texts.delivery}
        </h3>
        {data && <DeliveryBadge status={data.status} />}
        <span class="sm muted" role="status">
          {data?.nextAttemptAt && texts.nextAttempt(formatMoment(data.nextAttemptAt))}
        </span>
        <a
          class="btn ghost icon small push"
          href={BASE + pathOf({ ...readShown(), delivery: undefined })}
          aria-label={shellTexts.close}
        >
          <Icon name="x" />
        </a>
      </header>
      <div class="body cols2">
        {isMissing && <p class="muted">{texts.deliveryMissing}</p>}
        {error && !isMissing && !data && (
          <Failure title={texts.deliveryFailed} error={error} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton />}
        {data && <Sent webhook={webhook} delivery={data} mayReadEvents={mayReadEvents} />}
        {data && <Attempts attempts={data.attempts} />}
      </div>
    </section>
  )
}

interface SentProps {
  webhook: Webhook
  delivery: Delivery
  mayReadEvents: boolean
}

/** The members that the body of a delivery has. */
const toSent = ({ type, createdAt, actor, origin, data, previous, cascade }: LoggedEvent): object => ({
  ...{ type, timestamp: createdAt, actor, origin, data },
  ...(previous && { previous }),
  ...(cascade && { cascade }),
})

function Sent({ webhook, delivery, mayReadEvents }: SentProps) {
  const { data, error } = useQuery<LoggedEvent | null>({
    queryKey: ['logged-event', delivery.eventId],
    queryFn: () => readEvent(delivery.eventId),
    enabled: mayReadEvents,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <section class="stack tight" aria-labelledby="sent">
      <h4 id="sent">{texts.request}</h4>
      <pre class="code">
        {`POST ${webhook.url}\n`}
        {data && `\n${JSON.stringify(toSent(data), null, 2)}`}
      </pre>
      <p class="hint">{data ? texts.requestHint : null}</p>
      {(data === null || error || !mayReadEvents) && <p class="hint">{texts.eventMissing}</p>}
    </section>
  )
}

const Attempts = ({ attempts }: { attempts: readonly Attempt[] }) => (
  <section class="stack tight" aria-labelledby="attempts">
    <h4 id="attempts">{texts.attempts(attempts.length)}</h4>
    {attempts.length === 0 && <p class="muted">{texts.noAttempt}</p>}
    {attempts.toReversed().map((attempt, place) => (
      <details key={attempt.at} open={place === 0}>
        <summary class="sm">
          {texts.attempt(attempts.length - place, formatMoment(attempt.at))}{' '}
          <span class="num muted">
            {answerOf(attempt)}, {texts.milliseconds(attempt.durationMs)}
          </span>
        </summary>
        {attempt.error && <p class="sm">{attempt.error}</p>}
        <pre class="code">{attempt.response || texts.emptyAnswer}</pre>
      </details>
    ))}
    <p class="hint">{texts.retryHint}</p>
  </section>
)
