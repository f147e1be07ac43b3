import { useEffect, useRef, useState } from 'preact/hooks'
import { client } from '../../api/client'
import { listenToChanges } from '../../api/live'
import { useQuery } from '../../api/queries'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { BASE } from '../../state/place'
import { formatAge, formatMoment } from '../../texts/formats'
import { texts as shared } from '../../texts/texts'
import { pathOf, readShown, STATUSES } from './place'
import { RECEIPTS_PAGE, type Receipt, type ReceiptPage, readAgain, readReceipts } from './requests'
import { texts } from './texts/texts'

const POLL_MS = 10_000
const WAITING_POLL_MS = 2_000

const LOOKS = {
  queued: ['amber', '2'],
  processed: ['green', 'full'],
  ignored: ['gray', 'off'],
  failed: ['red', 'off'],
} as const

const hasWaiting = ({ receipts }: ReceiptPage) => receipts.some(({ status }) => status === 'queued')

interface ReceiptsProps {
  hookId: number
  isEditor: boolean
}

/** What the webhook has received, with the reason of each failure. */
export function Receipts({ hookId, isEditor }: ReceiptsProps) {
  const { status } = readShown()
  const title = useRef<HTMLHeadingElement>(null)
  const [limit, setLimit] = useState(RECEIPTS_PAGE)
  const [failure, setFailure] = useState<{ error: unknown; retry: () => void }>()
  const { data, error, refetch } = useQuery<ReceiptPage>({
    queryKey: ['incoming_webhook', hookId, 'receipts', status, limit],
    queryFn: () => readReceipts(hookId, status, limit),
    refetchInterval: ({ state }) => (state.data && hasWaiting(state.data) ? WAITING_POLL_MS : POLL_MS),
  })
  useEffect(() => listenToChanges(() => void refetch()), [])
  function replay(receiptId: number): void {
    setFailure(undefined)
    // The row goes with its result.
    title.current?.focus()
    client
      .replayReceipt({ incomingWebhookId: hookId, receiptId })
      .then(readAgain)
      .catch((cause: unknown) => setFailure({ error: cause, retry: () => replay(receiptId) }))
  }
  return (
    <section class="card" aria-labelledby="hook-receipts">
      <header>
        <h3 id="hook-receipts" ref={title} tabIndex={-1}>
          {texts.receipts}
        </h3>
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
      {failure && (
        <div class="body">
          <Failure title={texts.notReplayed} error={failure.error} onRetry={failure.retry} />
        </div>
      )}
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
      {data && data.receipts.length > 0 && <Table receipts={data.receipts} {...(isEditor && { onReplay: replay })} />}
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

interface TableProps {
  receipts: readonly Receipt[]
  onReplay?: (receiptId: number) => void
}

const Table = ({ receipts, onReplay }: TableProps) => (
  <table class="table stack-table hook-receipts">
    <thead>
      <tr>
        <th scope="col">{texts.deliveryId}</th>
        <th scope="col">{texts.result}</th>
        <th scope="col">{texts.effect}</th>
        <th scope="col" class="n">
          {texts.at}
        </th>
        {onReplay && (
          <th scope="col">
            <span class="sr">{texts.replay}</span>
          </th>
        )}
      </tr>
    </thead>
    <tbody>
      {receipts.map((receipt) => (
        <Row key={receipt.id} receipt={receipt} {...(onReplay && { onReplay })} />
      ))}
    </tbody>
  </table>
)

interface RowProps {
  receipt: Receipt
  onReplay?: (receiptId: number) => void
}

const Row = ({ receipt: { id, deliveryId, status, outcome, error, createdAt, replayable }, onReplay }: RowProps) => (
  <tr>
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
    {onReplay && (
      <td class="n">
        {replayable && status !== 'queued' && (
          <button class="btn ghost small" type="button" onClick={() => onReplay(id)}>
            {texts.replay}
            <span class="sr"> {deliveryId}</span>
          </button>
        )}
      </td>
    )}
  </tr>
)
