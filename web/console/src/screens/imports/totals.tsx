import { texts } from '../../texts/texts'
import type { ImportRun } from './requests'

const SHOWN = ['created', 'updated', 'skipped', 'rejected', 'kept'] as const

/** How many rows became what; zeros are left out, except for the created records. */
export const Totals = ({ totals }: Pick<ImportRun, 'totals'>) => (
  <ul class="totals">
    {SHOWN.filter((name) => name === 'created' || totals[name] > 0).map((name) => (
      <li key={name} class={name === 'rejected' ? 'danger' : undefined}>
        {texts.imports.totals[name](totals[name])}
      </li>
    ))}
  </ul>
)
