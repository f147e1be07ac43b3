import { showToast } from '../../state/toast'
import { listWithout, readAgain, readListAgain, type Segment, sendRemoval, sendRestore } from './requests'
import { texts } from './texts/texts'

export interface FailedAct {
  title: string
  error: unknown
  onRetry: () => void
}

type Removed = Pick<Segment, 'id' | 'name'>

/** The row goes at once. `leave` closes a page that only shows the segment. */
export async function removeWithUndo(
  segment: Removed,
  fail: (failed: FailedAct | undefined) => void,
  leave?: () => void,
): Promise<void> {
  fail(undefined)
  listWithout(segment.id)
  try {
    await sendRemoval(segment.id)
    leave?.()
    showToast(texts.wasRemoved(segment.name), () => sendRestore(segment.id).then(readAgain))
  } catch (error) {
    fail({ title: texts.notRemoved, error, onRetry: () => void removeWithUndo(segment, fail, leave) })
  } finally {
    // The page of the segment may still be open.
    void readListAgain()
  }
}
