import { GroundworkError } from 'groundwork-client'
import { texts } from '../texts/texts'
import { Banner } from './banner'
import { Icon } from './icon'

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
  onClose?: () => void
}

export const Failure = ({ title, error, onRetry, onClose }: FailureProps) => (
  <Banner
    tone="red"
    icon="failed"
    title={title}
    isAlert
    action={
      <>
        {onRetry && (
          <button class="btn small" type="button" onClick={onRetry}>
            {texts.tryAgain}
          </button>
        )}
        {onClose && (
          <button class="btn ghost small icon" type="button" aria-label={texts.close} onClick={onClose}>
            <Icon name="x" />
          </button>
        )}
      </>
    }
  >
    {describe(error)}
  </Banner>
)
