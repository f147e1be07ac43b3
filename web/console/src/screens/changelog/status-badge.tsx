import type { Entry } from './requests'
import { texts } from './texts/texts'

/** Color and shape of each status. */
const LOOKS: Readonly<Record<Entry['status'], readonly [tone: string, shape: string]>> = {
  draft: ['gray', '0'],
  scheduled: ['amber', '2'],
  published: ['green', 'full'],
}

export function StatusBadge({ status }: Pick<Entry, 'status'>) {
  const [tone, shape] = LOOKS[status]
  return (
    <span class="badge" data-tone={tone} data-state={shape}>
      {texts.statuses[status]}
    </span>
  )
}
