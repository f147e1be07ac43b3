import { useChange, type Versioned } from '../../api/change'
import { type Me, mayChange, mayFollowEvents } from '../../api/me'
import { useProducts } from '../../api/products'
import { Banner } from '../../parts/banner'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { BASE } from '../../state/place'
import { Deliveries } from './deliveries'
import { DeliveryDetail } from './delivery-detail'
import { describeHealth } from './list-pane'
import { pathOf, readShown } from './paths'
import { changeOptionsOf, type Webhook } from './requests'
import { WebhookBadge } from './state-badge'
import { texts } from './texts/texts'
import { DETAIL_TITLE } from './use-list-keys'
import { WebhookActions } from './webhook-actions'

export function WebhookDetail({ me, current }: { me: Me; current: Versioned<Webhook> }) {
  const { shown = current.record, save, conflict, failure } = useChange(changeOptionsOf(current))
  const isEditor = mayChange(me, 'webhooks')
  const { delivery } = readShown()
  return (
    <>
      {conflict && (
        <ConflictBanner
          conflict={conflict}
          name={(field) => texts.fields[field] ?? field}
          show={(_, value) => showValue(value)}
        />
      )}
      {failure && <Failure title={texts.notSaved} error={failure.error} onRetry={failure.retry} />}
      <header class="stack tight">
        <div class="row wrap">
          <a class="btn ghost icon small back" href={BASE + pathOf({})} aria-label={texts.backToList}>
            <Icon name="back" />
          </a>
          <h2 id={DETAIL_TITLE} tabIndex={-1} class="wrap-anywhere">
            {shown.name}
          </h2>
          <WebhookBadge status={shown.status} />
          {isEditor && <WebhookActions me={me} webhook={shown} onChange={save} />}
        </div>
        <p class="sm muted wrap-anywhere">
          <code>{shown.url}</code>
        </p>
        <Subscribed webhook={shown} />
      </header>
      <Trouble webhook={shown} isEditor={isEditor} onResume={() => save({ status: 'active' })} />
      <Deliveries webhook={shown} isEditor={isEditor} />
      {delivery && (
        <DeliveryDetail key={delivery} webhook={shown} deliveryId={delivery} mayReadEvents={mayFollowEvents(me)} />
      )}
    </>
  )
}

function Subscribed({ webhook }: { webhook: Webhook }) {
  const products = useProducts()
  const nameOf = (key: string) => products.find(({ externalKey }) => externalKey === key)?.name ?? key
  const tags = (values: readonly string[]) =>
    values.map((value) => (
      <span key={value} class="tag">
        {value}
      </span>
    ))
  return (
    <div class="row wrap sm">
      <span class="muted">{texts.events}</span>
      {tags(webhook.events.map((pattern) => (pattern === '*' ? texts.allEvents : pattern)))}
      <span class="muted">{texts.products}</span>
      {tags(webhook.products?.map(nameOf) ?? [texts.allProducts])}
      {webhook.except.length > 0 && <span class="muted">{texts.except}</span>}
      {tags(webhook.except.map((origin) => texts.origins[origin] ?? origin))}
    </div>
  )
}

interface TroubleProps {
  webhook: Webhook
  isEditor: boolean
  onResume: () => void
}

/** Why nothing arrives, and the way out. */
function Trouble({ webhook, isEditor, onResume }: TroubleProps) {
  const { status, failures } = webhook
  if (status === 'active' && !failures) return null
  return (
    <Banner
      tone={status === 'disabled' ? 'red' : 'amber'}
      icon={status === 'disabled' ? 'failed' : 'warn'}
      title={status === 'active' ? describeHealth(webhook) : texts.trouble[status]}
      action={
        isEditor &&
        status !== 'active' && (
          <button class="btn small" type="button" onClick={onResume}>
            {texts.resume}
          </button>
        )
      }
    >
      <p>{texts.troubleHints[status]}</p>
      {status !== 'active' && failures > 0 && <p>{describeHealth(webhook)}</p>}
    </Banner>
  )
}

/** How a conflict shows a value. */
const showValue = (value: Webhook[keyof Webhook]): string =>
  Array.isArray(value) ? value.join(', ') : String(value ?? texts.allProducts)
