import type { Version } from './requests'
import { texts } from './texts/texts'

/** Color and shape of each status. */
const LOOKS: Readonly<Record<Version['status'], readonly [tone: string, shape: string]>> = {
  planned: ['gray', '0'],
  'in-progress': ['violet', '3'],
  released: ['green', 'full'],
  archived: ['gray', 'off'],
}

export function StatusBadge({ status }: Pick<Version, 'status'>) {
  const [tone, shape] = LOOKS[status]
  return (
    <span class="badge" data-tone={tone} data-state={shape}>
      {texts.statuses[status]}
    </span>
  )
}
