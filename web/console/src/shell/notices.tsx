import { Failure } from '../parts/failure'
import { failedUndo } from '../state/toast'
import { texts } from '../texts/texts'
import { ConnectionBanner } from './connection-banner'

/** What concerns no screen alone: above every page. */
export const Notices = () => (
  <div class="notices">
    <ConnectionBanner />
    <FailedUndo />
  </div>
)

function FailedUndo() {
  const failed = failedUndo.value
  return (
    failed && (
      <Failure
        title={texts.undoFailed(failed.text)}
        error={failed.error}
        onRetry={failed.retry}
        onClose={() => {
          failedUndo.value = null
        }}
      />
    )
  )
}
