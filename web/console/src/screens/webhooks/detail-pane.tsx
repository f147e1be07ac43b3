import { GroundworkError } from 'groundwork-client'
import type { Me } from '../../api/me'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { useWebhook } from './requests'
import { texts } from './texts/texts'
import { WebhookDetail } from './webhook-detail'

export function DetailPane({ me, id }: { me: Me; id: number | undefined }) {
  const { data, error, refetch } = useWebhook(id)
  const isMissing = error instanceof GroundworkError && error.status === 404
  return (
    <section class="pane" aria-label={texts.detail}>
      <div class="pane-body stack loose">
        {!id && <Empty icon="webhook" title={texts.none} hint={texts.noneHint} />}
        {isMissing && <Empty icon="info" title={texts.missing} hint={texts.missingHint} />}
        {error && !isMissing && !data && (
          <Failure title={texts.loadFailed} error={error} onRetry={() => void refetch()} />
        )}
        {id && !data && !error && <Skeleton lines={6} />}
        {data && !isMissing && <WebhookDetail me={me} current={data} />}
      </div>
    </section>
  )
}
