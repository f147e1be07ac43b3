import { texts } from '../../texts/texts'
import type { ImportRun } from './requests'
import { importTexts } from './texts/texts'

const SHOWN = ['created', 'updated', 'skipped', 'rejected', 'suppressed', 'kept'] as const

interface TotalsProps extends Pick<ImportRun, 'totals'> {
  /** Nothing is stored yet. */
  isDryRun?: boolean
}

/** How many rows became what; zeros are left out, except for the created records. */
export const Totals = ({ totals, isDryRun = false }: TotalsProps) => (
  <ul class="totals">
    {SHOWN.filter((name) => name === 'created' || totals[name] > 0).map((name) => (
      <li key={name} class={name === 'rejected' ? 'danger' : undefined}>
        {(isDryRun ? importTexts.wouldBe : texts.imports.totals)[name](totals[name])}
      </li>
    ))}
  </ul>
)
