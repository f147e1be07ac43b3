import type { ComponentChildren } from 'preact'
import { texts } from '../texts/texts'

interface DraftFootProps {
  /** The button, which names what happens. */
  action: string
  isChanged: boolean
  isSaving: boolean
  onDiscard: () => void
  /** What the change brings. */
  children?: ComponentChildren
}

/** The end of a form that is sent as a whole. */
export const DraftFoot = ({ action, isChanged, isSaving, onDiscard, children }: DraftFootProps) => (
  <div class="draft-foot row wrap">
    <button class="btn primary" type="submit" disabled={!isChanged || isSaving} aria-busy={isSaving}>
      {action}
    </button>
    {isChanged && (
      <button class="btn ghost" type="button" onClick={onDiscard}>
        {texts.discard}
      </button>
    )}
    <p class="sm muted grow" role="status">
      {isChanged && children}
    </p>
  </div>
)
