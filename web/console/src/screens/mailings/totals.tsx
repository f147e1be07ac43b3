import { formatNumber } from '../../texts/formats'
import type { Mailing } from './requests'
import { texts } from './texts/texts'

type Total = keyof typeof texts.totals

/** Always shown; the others if somebody is counted. */
const MAIN_TOTALS: readonly Total[] = ['sent', 'delivered', 'failed', 'suppressed']
const TOTALS = Object.keys(texts.totals) as Total[]

export function Totals({ mailing: { totals, progress } }: { mailing: Mailing }) {
  const done = totals.recipients - totals.waiting
  return (
    <section class="stack tight" aria-label={texts.totalsLabel}>
      <dl class="mail-totals">
        {TOTALS.filter((name) => MAIN_TOTALS.includes(name) || totals[name] > 0).map((name) => (
          <div key={name}>
            <dt>{texts.totals[name]}</dt>
            <dd>{formatNumber(totals[name])}</dd>
          </div>
        ))}
      </dl>
      <progress
        max={100}
        value={progress}
        aria-label={texts.progress(formatNumber(done), formatNumber(totals.recipients))}
      />
      <p class="sm muted">{texts.sentHint}</p>
      <p class="sr" role="status">
        {texts.progress(formatNumber(done), formatNumber(totals.recipients))}
      </p>
    </section>
  )
}
