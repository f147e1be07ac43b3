import { client } from '../../api/client'
import type { Me } from '../../api/me'
import { useQuery } from '../../api/queries'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { Skeleton } from '../../parts/skeleton'
import { formatBytes, formatMoment, formatNumber, formatPercent } from '../../texts/formats'
import { texts } from './texts/texts'

type Limits = Me['limits']

const BARS = ['rowsPerDay', 'bytes', 'mailingsPerHour'] as const
type BarName = (typeof BARS)[number]
const PER_MINUTE = ['unitsPerMinute', 'workspaceUnitsPerMinute', 'bulkOperationsPerMinute'] as const

export function Usage() {
  const { data, error, refetch, isFetching } = useQuery<Me>({
    queryKey: ['me', 'usage'],
    queryFn: () => client.getMe(),
    staleTime: 0,
  })
  return (
    <section class="card pad stack" aria-labelledby="workspace-usage">
      <div class="row wrap">
        <h2 class="h3 grow" id="workspace-usage">
          {texts.usage}
        </h2>
        <button class="btn small" type="button" aria-busy={isFetching} onClick={() => void refetch()}>
          {texts.readAgain}
        </button>
      </div>
      <p class="sm muted">{texts.usageHint}</p>
      {error && !data && <Failure title={texts.usageFailed} error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton />}
      {data && BARS.map((name) => <UsageBar key={name} name={name} limit={data.limits[name]} />)}
      {data && <PerMinute limits={data.limits} />}
    </section>
  )
}

interface UsageBarProps {
  name: BarName
  limit: Limits[BarName]
}

function UsageBar({ name, limit: { limit, used, resetsAt } }: UsageBarProps) {
  const format = name === 'bytes' ? formatBytes : formatNumber
  const title = texts.limits[name].title
  return (
    <div class="stack tight">
      <div class="row wrap">
        <h3 class="h4 grow">{title}</h3>
        <p class="sm">
          {limit === null
            ? texts.noLimit
            : `${texts.used(format(used ?? 0), format(limit))} · ${texts.percent(formatPercent((used ?? 0) / limit))}`}
        </p>
      </div>
      {limit !== null && <progress max={limit} value={Math.min(limit, used ?? 0)} aria-label={title} />}
      {limit !== null && (used ?? 0) >= limit && (
        <p class="error">
          <Icon name="warn" />
          {texts.full}
        </p>
      )}
      <p class="sm muted">
        {texts.limits[name].beyond} {resetsAt !== null && texts.resets(formatMoment(resetsAt))}
      </p>
    </div>
  )
}

const PerMinute = ({ limits }: { limits: Limits }) => (
  <div class="stack tight">
    <h3 class="h4">{texts.perMinute}</h3>
    <dl class="dl">
      {PER_MINUTE.map((name) => (
        <div key={name} class="limit-pair">
          <dt>{texts.perMinuteLimits[name]}</dt>
          <dd>{formatNumber(limits[name].limit)}</dd>
        </div>
      ))}
    </dl>
    <p class="sm muted">{texts.perMinuteHint}</p>
  </div>
)
