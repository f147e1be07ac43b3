import type { Experiment, Status } from './requests'
import { texts } from './texts/texts'

/** Color and shape of each status. */
const LOOKS: Readonly<Record<Status, readonly [tone: string, shape: string]>> = {
  draft: ['gray', '0'],
  running: ['violet', '3'],
  stopped: ['teal', 'full'],
}

export function StatusBadge({ status }: { status: Status }) {
  const [tone, shape] = LOOKS[status]
  return (
    <span class="badge" data-tone={tone} data-state={shape}>
      {texts.statuses[status]}
    </span>
  )
}

const TONES: Readonly<Record<NonNullable<Experiment['result']>, string>> = {
  validated: 'green',
  invalidated: 'red',
  inconclusive: 'amber',
}

export const ResultTag = ({ result }: { result: NonNullable<Experiment['result']> }) => (
  <span class="tag" data-tone={TONES[result]}>
    {texts.results[result]}
  </span>
)
