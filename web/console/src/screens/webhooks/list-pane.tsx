import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { NextSteps } from '../../parts/next-steps'
import { Skeleton } from '../../parts/skeleton'
import { BASE } from '../../state/place'
import { texts as shellTexts } from '../../texts/texts'
import { Direction } from './direction'
import { pathOf, readShown } from './paths'
import { useWebhooks, type Webhook } from './requests'
import { WebhookBadge } from './state-badge'
import { texts } from './texts/texts'
import { focusDetail } from './use-list-keys'

export function ListPane({ isEditor, onCreate }: { isEditor: boolean; onCreate: () => void }) {
  const { data, error, refetch } = useWebhooks()
  return (
    <section id="list" class="list" aria-label={texts.list}>
      <div class="tools only-narrow">
        <Direction current="outgoing" class="only-narrow" />
      </div>
      {error && !data && (
        <div class="pad">
          <Failure title={texts.listFailed} error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {!data && !error && (
        <div class="pad">
          <Skeleton lines={6} />
        </div>
      )}
      {data?.length === 0 && (
        <Empty icon="webhook" title={texts.empty} hint={isEditor ? texts.emptyHint : texts.readOnlyHint}>
          {isEditor && <NextSteps steps={[{ text: shellTexts.next.endpoint, act: onCreate }]} />}
        </Empty>
      )}
      <ul class="inbox">
        {data?.map((webhook) => (
          <Row key={webhook.id} webhook={webhook} />
        ))}
      </ul>
    </section>
  )
}

export const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '')

export const describeHealth = ({ failures, lastError }: Webhook): string =>
  failures ? texts.failures(failures, lastError) : texts.healthy

function Row({ webhook }: { webhook: Webhook }) {
  const isCurrent = readShown().webhook === webhook.id
  return (
    <li class={isCurrent ? 'list-row current' : 'list-row'}>
      <div class="grow">
        <div class="row">
          <h2 class="truncate">
            <a
              class="stretch"
              href={BASE + pathOf({ webhook: webhook.id })}
              data-webhook={webhook.id}
              aria-current={isCurrent ? 'true' : undefined}
              onClick={() => isCurrent && focusDetail()}
            >
              {webhook.name}
            </a>
          </h2>
          <span class="push">
            <WebhookBadge status={webhook.status} />
          </span>
        </div>
        <p class="sm muted truncate">{withoutScheme(webhook.url)}</p>
        <p class="sm muted truncate">{describeHealth(webhook)}</p>
      </div>
    </li>
  )
}
