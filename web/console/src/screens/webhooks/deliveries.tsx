import { useEffect, useState } from 'preact/hooks'
import { client } from '../../api/client'
import { listenToChanges } from '../../api/live'
import { useQuery } from '../../api/queries'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { BASE } from '../../state/place'
import { showToast } from '../../state/toast'
import { texts as shellTexts } from '../../texts/texts'
import { DeliveryRow } from './delivery-row'
import { pathOf, RESULTS, readShown } from './paths'
import { DELIVERIES_PAGE, type Delivery, type DeliveryPage, readAgain, readDeliveries, type Webhook } from './requests'
import { Statistics } from './statistics'
import { texts } from './texts/texts'

const WAITING_POLL_MS = 3_000
const POLL_MS = 15_000
/** The service delivers an event a moment after the event. */
const DELIVERY_MS = 1_500

interface DeliveriesProps {
  webhook: Webhook
  isEditor: boolean
}

const hasWaiting = ({ deliveries }: DeliveryPage) => deliveries.some(({ status }) => status === 'pending')

export function Deliveries({ webhook, isEditor }: DeliveriesProps) {
  const { result } = readShown()
  const [limit, setLimit] = useState(DELIVERIES_PAGE)
  const [failure, setFailure] = useState<{ error: unknown; retry: () => void }>()
  const { data, error, refetch } = useQuery<DeliveryPage>({
    queryKey: ['webhook', webhook.id, 'deliveries', result, limit],
    queryFn: () => readDeliveries(webhook.id, result, limit),
    refetchInterval: ({ state }) => (state.data && hasWaiting(state.data) ? WAITING_POLL_MS : POLL_MS),
  })
  useEffect(() => followDeliveries(() => void refetch()), [])
  function replay(delivery: Delivery): void {
    setFailure(undefined)
    client
      .replayWebhookDelivery({ webhookId: webhook.id, deliveryId: delivery.id })
      .then(() => {
        showToast(texts.wasReplayed(delivery.type))
        return readAgain()
      })
      .catch((cause: unknown) => setFailure({ error: cause, retry: () => replay(delivery) }))
  }
  return (
    <>
      {data && data.deliveries.length > 0 && result === 'all' && <Statistics deliveries={data.deliveries} />}
      {failure && <Failure title={texts.notReplayed} error={failure.error} onRetry={failure.retry} />}
      <section class="card" aria-labelledby="deliveries">
        <header>
          <h3 id="deliveries">{texts.deliveries}</h3>
          <span class="row sm muted">
            <span class="pulse" aria-hidden="true" />
            {texts.live}
          </span>
          <Results webhook={webhook} />
        </header>
        {error && !data && (
          <div class="body">
            <Failure title={texts.deliveriesFailed} error={error} onRetry={() => void refetch()} />
          </div>
        )}
        {!data && !error && (
          <div class="body">
            <Skeleton />
          </div>
        )}
        {data?.deliveries.length === 0 && <p class="body muted">{texts.noDeliveries[result]}</p>}
        {data && data.deliveries.length > 0 && (
          <Table deliveries={data.deliveries} isEditor={isEditor && webhook.status !== 'disabled'} onReplay={replay} />
        )}
        {data?.hasMore && (
          <footer>
            <button class="btn small" type="button" onClick={() => setLimit(limit + DELIVERIES_PAGE)}>
              {shellTexts.showMore}
            </button>
          </footer>
        )}
      </section>
    </>
  )
}

/** Deliveries emit no events of their own, but each event may become a delivery. Returns the end of the listening. */
function followDeliveries(read: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = listenToChanges(() => {
    clearTimeout(timer)
    timer = setTimeout(read, DELIVERY_MS)
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}

const Results = ({ webhook }: { webhook: Webhook }) => (
  <div class="segmented push hook-results" role="group" aria-label={texts.result}>
    {RESULTS.map((result) => (
      <a
        key={result}
        href={BASE + pathOf({ webhook: webhook.id, result })}
        aria-current={readShown().result === result ? 'true' : undefined}
      >
        {texts.resultFilters[result]}
      </a>
    ))}
  </div>
)

interface TableProps {
  deliveries: readonly Delivery[]
  isEditor: boolean
  onReplay: (delivery: Delivery) => void
}

const Table = ({ deliveries, isEditor, onReplay }: TableProps) => (
  <table class="table stack-table">
    <thead>
      <tr>
        <th scope="col">{texts.event}</th>
        <th scope="col">{texts.result}</th>
        <th scope="col" class="n">
          {texts.answer}
        </th>
        <th scope="col" class="n">
          {texts.duration}
        </th>
        <th scope="col" class="n">
          {texts.at}
        </th>
        {isEditor && (
          <th scope="col">
            <span class="sr">{texts.action}</span>
          </th>
        )}
      </tr>
    </thead>
    <tbody>
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} onReplay={isEditor ? onReplay : undefined} />
      ))}
    </tbody>
  </table>
)
