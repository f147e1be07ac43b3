import { Icon } from '../../parts/icon'
import { goTo } from '../../state/place'
import { showToast } from '../../state/toast'
import { changeDraft, type Draft, discardDraft, isEmptyDraft } from './draft'
import { PATH } from './place'
import { texts } from './texts/texts'

interface ComposeActionsProps {
  draft: Draft
  /** Whether there is a subject and a message. */
  isWritten: boolean
  /** Whether the mailing can be sent. */
  isReady: boolean
  onTest: () => void
  onReview: () => void
}

export function ComposeActions({ draft, isWritten, isReady, onTest, onReview }: ComposeActionsProps) {
  function discard(): void {
    const former = draft
    discardDraft()
    goTo(PATH)
    showToast(texts.discarded, () => changeDraft(former))
  }
  const review = draft.when === 'later' ? texts.reviewLater : texts.review
  return (
    <>
      {!isEmptyDraft(draft) && (
        <button class="btn ghost icon small danger" type="button" aria-label={texts.discard} onClick={discard}>
          <Icon name="remove" />
        </button>
      )}
      <button class="btn small ghost" type="button" aria-label={texts.sendTest} disabled={!isWritten} onClick={onTest}>
        <Icon name="mail" />
        <span class="only-wide">{texts.sendTest}</span>
      </button>
      <button
        class="btn small primary"
        type="button"
        disabled={!isReady}
        aria-label={review}
        title={isReady ? undefined : texts.notReady}
        onClick={onReview}
      >
        <span class="only-wide">{review}</span>
        <span class="only-narrow">{texts.reviewShort}</span>
      </button>
    </>
  )
}
