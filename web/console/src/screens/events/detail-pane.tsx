import { type LoggedEvent, readEvent } from '../../api/events'
import { useProducts } from '../../api/products'
import { useQuery } from '../../api/queries'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { Skeleton } from '../../parts/skeleton'
import { BASE } from '../../state/place'
import { pathOfRecord } from '../../state/record-path'
import { formatMoment } from '../../texts/formats'
import { Changes } from './changes'
import { DETAIL_TITLE, NO_FILTERS, pathOf, readFilters } from './place'
import { usePeople } from './requests'
import { texts } from './texts/texts'
import { nameOfActor, nameOfOrigin, nameOfType, resourceOf } from './types'

interface DetailPaneProps {
  id: number
  /** The event, if the list has it. */
  listed: LoggedEvent | undefined
}

/** Events never change. */
export function DetailPane({ id, listed }: DetailPaneProps) {
  const { data, error, refetch } = useQuery<LoggedEvent | null>({
    queryKey: ['logged-event', id],
    queryFn: () => readEvent(id),
    enabled: listed === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const event = listed ?? data
  return (
    <div class="pane-body stack loose">
      {event === null && <Empty icon="info" title={texts.missing} hint={texts.missingHint} />}
      {error && !event && <Failure title={texts.loadFailed} error={error} onRetry={() => void refetch()} />}
      {event === undefined && !error && <Skeleton lines={6} />}
      {event && <Details event={event} />}
    </div>
  )
}

function Details({ event }: { event: LoggedEvent }) {
  const products = useProducts()
  const people = usePeople()
  const { id, type, resourceKey, productId, createdAt, origin } = event
  const product = products.find((one) => one.id === productId)
  const path = pathOfRecord({ type: resourceOf(type), externalKey: resourceKey, product: product?.externalKey })
  const facts = [
    [texts.at, formatMoment(createdAt)],
    [texts.by, nameOfActor(event, people)],
    [texts.apiKey, event.actor.keyName],
    [texts.via, origin && nameOfOrigin(origin)],
    [texts.product, product?.name],
    [texts.number, String(id)],
  ].filter((fact) => fact[1])
  return (
    <>
      <header class="stack tight">
        <div class="row wrap">
          <a class="btn ghost icon small back" href={BASE + pathOf(readFilters())} aria-label={texts.backToList}>
            <Icon name="back" />
          </a>
          <h2 id={DETAIL_TITLE} tabIndex={-1}>
            {nameOfType(type)} <span class="key">{resourceKey}</span>
          </h2>
          <code class="sm muted">{type}</code>
        </div>
        <div class="row wrap">
          {path && (
            <a class="btn small" href={BASE + path}>
              <Icon name="link" />
              {texts.openRecord}
            </a>
          )}
          <a class="btn small" href={`${BASE}${pathOf({ ...NO_FILTERS, key: resourceKey }, id)}`}>
            <Icon name="filter" />
            {texts.eventsOfRecord}
          </a>
        </div>
      </header>
      <dl class="log-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Changes event={event} />
    </>
  )
}
