import { useState } from 'preact/hooks'
import { AskDialog } from '../../parts/ask-dialog'
import { showToast } from '../../state/toast'
import { readAgain, type Segment, sendRequests } from './requests'
import { texts } from './texts/texts'

interface PendingProps {
  segment: Segment
  /** Members who have not confirmed. */
  userIds: readonly number[]
  may: boolean
}

/** Who has not confirmed, and the mail that asks again. */
export function Pending({ segment, userIds, may }: PendingProps) {
  const [isAsking, ask] = useState(false)
  async function send(): Promise<void> {
    const { requested } = await sendRequests(segment.id, [...userIds])
    await readAgain()
    showToast(texts.wereAsked(requested))
  }
  return (
    <footer>
      <span class="sm muted">{texts.pendingCount(userIds.length)}</span>
      {may && (
        <button class="btn small push" type="button" onClick={() => ask(true)}>
          {texts.askAgain}
        </button>
      )}
      {isAsking && (
        <AskDialog
          title={texts.askAgainTitle}
          action={texts.sendRequest}
          failed={texts.notAsked}
          onAct={send}
          onClose={() => ask(false)}
        >
          <p>{texts.askAgainHint(userIds.length)}</p>
        </AskDialog>
      )}
    </footer>
  )
}
