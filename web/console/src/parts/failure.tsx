import { GroundworkError } from 'groundwork-client'
import { texts } from '../texts/texts'
import { Banner } from './banner'

const describe = (error: unknown): string => {
  if (!(error instanceof GroundworkError)) return texts.failure.unexpected
  if (error.status === 0) return texts.failure.unreachable
  return error.issues[0]?.message ?? error.message
}

interface FailureProps {
  /** What did not happen. */
  title: string
  error: unknown
  onRetry?: () => void
}

export const Failure = ({ title, error, onRetry }: FailureProps) => (
  <Banner
    tone="red"
    icon="failed"
    title={title}
    isAlert
    action={
      onRetry && (
        <button class="btn small" type="button" onClick={onRetry}>
          {texts.tryAgain}
        </button>
      )
    }
  >
    {describe(error)}
  </Banner>
)
