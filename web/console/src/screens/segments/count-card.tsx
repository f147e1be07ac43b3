import { Failure } from '../../parts/failure'
import { formatNumber } from '../../texts/formats'
import { texts } from './texts/texts'
import type { LiveCount } from './use-preview'

const showDifference = (difference: number) =>
  difference > 0 ? `+${formatNumber(difference)}` : formatNumber(difference)

interface CountCardProps {
  live: LiveCount
  /** All people of the workspace. */
  total: string | undefined
  isComplete: boolean
}

export function CountCard({ live, total, isComplete }: CountCardProps) {
  const { counted, error, isCounting, retry } = live
  const isCurrent = counted !== undefined && !isCounting && isComplete && error === undefined
  return (
    <section class="card pad stack tight" aria-labelledby="segment-count">
      <h2 class="label muted" id="segment-count">
        {texts.matching}
      </h2>
      <p class="row base" role="status">
        <span class={isCurrent ? 'big' : 'big muted'}>{counted ? formatNumber(counted.preview.userCount) : '–'}</span>
        {isCounting && isComplete && <span class="sm muted">{texts.counting}</span>}
        {isCurrent && counted.difference !== 0 && (
          <span class="sm muted">{texts.byLastChange(showDifference(counted.difference))}</span>
        )}
      </p>
      {error !== undefined && <Failure title={texts.countFailed} error={error} onRetry={retry} />}
      {!isComplete && <p class="hint">{texts.incomplete}</p>}
      {isCurrent && total && <p class="hint">{texts.countedOf(total)}</p>}
    </section>
  )
}
