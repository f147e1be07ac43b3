import { Banner } from '../../parts/banner'
import type { Idea } from './requests'
import { texts } from './texts/texts'

interface ModerationProps {
  idea: Idea
  mayChange: boolean
  onDecide: (level: 'approved' | 'rejected') => void
}

/** Readers of the portal see a pending idea only after the approval. */
export function Moderation({ idea: { visibility_level: level }, mayChange, onDecide }: ModerationProps) {
  if (level !== 'pending' && level !== 'rejected') return null
  return (
    <Banner
      tone="amber"
      icon="clock"
      title={texts.moderation[level]}
      action={
        mayChange && (
          <div class="row">
            <button class="btn small" type="button" onClick={() => onDecide('approved')}>
              {texts.approve}
            </button>
            {level === 'pending' && (
              <button class="btn small ghost danger" type="button" onClick={() => onDecide('rejected')}>
                {texts.reject}
              </button>
            )}
          </div>
        )
      }
    >
      {texts.moderationHints[level]}
    </Banner>
  )
}
