import { texts } from './texts/texts'

export const PROGRESSES = ['to-do', 'in-progress', 'done'] as const

export const labelOfProgress = (progress: string): string =>
  texts.progresses[progress as keyof typeof texts.progresses] ?? progress

const LOOKS: Readonly<Record<string, { tone: string; state?: string }>> = {
  'to-do': { tone: 'gray' },
  'in-progress': { tone: 'violet', state: '3' },
  done: { tone: 'green', state: 'full' },
}

/** Other systems have further words for progress. */
export const ProgressBadge = ({ progress }: { progress: string }) => {
  const { tone, state } = LOOKS[progress] ?? { tone: 'blue', state: '1' }
  return (
    <span class="badge" data-tone={tone} data-state={state}>
      {labelOfProgress(progress)}
    </span>
  )
}

/** The shape alone, where many stand side by side. */
export const ProgressPie = ({ progress }: { progress: string }) => {
  const { tone, state } = LOOKS[progress] ?? { tone: 'blue', state: '1' }
  return <span class="pie push" data-tone={tone} data-state={state} role="img" aria-label={labelOfProgress(progress)} />
}
