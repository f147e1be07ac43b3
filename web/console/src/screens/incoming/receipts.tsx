import { useEffect, useState } from 'preact/hooks'
import { listenToChanges } from '../../api/live'
import { useQuery } from '../../api/queries'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { BASE } from '../../state/place'
import { formatAge, formatMoment } from '../../texts/formats'
import { texts as shared } from '../../texts/texts'
import { pathOf, readShown, STATUSES } from './place'
import { RECEIPTS_PAGE, type Receipt, type ReceiptPage, readReceipts } from './requests'
import { texts } from './texts/texts'

const POLL_MS = 10_000

const LOOKS = {
  queued: ['amber', '2'],
  processed: ['green', 'full'],
  ignored: ['gray', 'off'],
  failed: ['red', 'off'],
} as const

/** What the webhook has received, with the reason of each failure. */
export function Receipts({ hookId }: { hookId: number }) {
  const { status } = readShown()
  const [limit, setLimit] = useState(RECEIPTS_PAGE)
  const { data, error, refetch } = useQuery<ReceiptPage>({
    queryKey: ['incoming_webhook', hookId, 'receipts', status, limit],
    queryFn: () => readReceipts(hookId, status, limit),
    refetchInterval: POLL_MS,
  })
  useEffect(() => listenToChanges(() => void refetch()), [])
  return (
    <section class="card" aria-labelledby="hook-receipts">
      <header>
        <h3 id="hook-receipts">{texts.receipts}</h3>
        <nav class="segmented push hook-results" aria-label={texts.result}>
          {STATUSES.map((one) => (
            <a
              key={one}
              href={BASE + pathOf({ hook: hookId, status: one })}
              aria-current={one === status ? 'true' : undefined}
            >
              {texts.filters[one]}
            </a>
          ))}
        </nav>
      </header>
      {error && !data && (
        <div class="body">
          <Failure title={texts.receiptsFailed} error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {!data && !error && (
        <div class="body">
          <Skeleton />
        </div>
      )}
      {data?.receipts.length === 0 && <p class="body muted">{status === 'all' ? texts.noReceipts : texts.noMatch}</p>}
      {data && data.receipts.length > 0 && <Table receipts={data.receipts} />}
      <footer class="stack tight">
        {data?.hasMore && (
          <div>
            <button class="btn small" type="button" onClick={() => setLimit(limit + RECEIPTS_PAGE)}>
              {shared.showMore}
            </button>
          </div>
        )}
        <p class="hint">{texts.receiptsHint}</p>
      </footer>
    </section>
  )
}

const Table = ({ receipts }: { receipts: readonly Receipt[] }) => (
  <table class="table stack-table hook-receipts">
    <thead>
      <tr>
        <th scope="col">{texts.deliveryId}</th>
        <th scope="col">{texts.result}</th>
        <th scope="col">{texts.effect}</th>
        <th scope="col" class="n">
          {texts.at}
        </th>
      </tr>
    </thead>
    <tbody>
      {receipts.map(({ id, deliveryId, status, outcome, error, createdAt }) => (
        <tr key={id}>
          <th scope="row">
            <code>{deliveryId}</code>
          </th>
          <td data-th={texts.result}>
            <span class="badge" data-tone={LOOKS[status][0]} data-state={LOOKS[status][1]}>
              {texts.statuses[status]}
            </span>
          </td>
          <td data-th={texts.effect}>{error ?? outcome ?? '–'}</td>
          <td data-th={texts.at} class="n muted">
            <time dateTime={createdAt} title={formatMoment(createdAt)}>
              {formatAge(createdAt)}
            </time>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
