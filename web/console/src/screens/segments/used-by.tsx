import { Failure } from '../../parts/failure'
import { formatDay } from '../../texts/formats'
import { type Mailing, useMailings } from './requests'
import { texts } from './texts/texts'

const describe = ({ status, scheduledAt, createdAt }: Mailing): string =>
  `${texts.mailing}, ${texts.mailingStates[status]}, ${formatDay(scheduledAt ?? createdAt)}`

/** The newest mailings to the segment. */
export function UsedBy({ segmentId }: { segmentId: number }) {
  const { data, error, refetch } = useMailings(segmentId)
  return (
    <section class="card pad stack tight" aria-labelledby="segment-uses">
      <h2 class="h4" id="segment-uses">
        {texts.usedBy}
      </h2>
      {error && !data && <Failure title={texts.usedByFailed} error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p class="sm muted">{texts.notUsed}</p>}
      {data?.map((mailing) => (
        <p key={mailing.id} class="sm">
          <span class="b wrap-text">{mailing.subject}</span> <span class="muted">{describe(mailing)}</span>
        </p>
      ))}
    </section>
  )
}
