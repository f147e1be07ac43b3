import { texts } from '../../texts/texts'
import type { Import } from './requests'

/** Color and shape of each state. */
const LOOKS: Readonly<Record<Import['status'], readonly [tone: string, shape: string]>> = {
  pending: ['gray', '0'],
  running: ['blue', '2'],
  completed: ['green', 'full'],
  partial: ['amber', '3'],
  failed: ['red', 'off'],
  canceled: ['gray', 'off'],
  undoing: ['blue', '1'],
  undone: ['gray', 'off'],
}

export function StateBadge({ run: { status } }: { run: Import }) {
  const [tone, shape] = LOOKS[status]
  return (
    <span class="badge" data-tone={tone} data-state={shape}>
      {texts.imports.states[status]}
    </span>
  )
}
