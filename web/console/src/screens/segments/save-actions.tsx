import { useMemo } from 'preact/hooks'
import { Icon } from '../../parts/icon'
import { useKeys } from '../../state/keys'
import { texts } from './texts/texts'

const REASON = 'segment-reason'

interface SaveActionsProps {
  action: string
  isDirty: boolean
  isReady?: boolean
  /** Why the segment cannot be saved. */
  reason: string | undefined
  isSaving: boolean
  onSave: () => void
  /** Absent for a new segment. */
  onDiscard?: () => void
}

export function SaveActions({
  action,
  isDirty,
  isReady = true,
  reason,
  isSaving,
  onSave,
  onDiscard,
}: SaveActionsProps) {
  useKeys(useMemo(() => [{ keys: 'mod+s', label: texts.keys.save, run: onSave }], [onSave]))
  return (
    <>
      {isDirty && (
        <span class="sm muted only-wide" id={REASON}>
          {reason ?? texts.notStored}
        </span>
      )}
      {isDirty && onDiscard && (
        <button class="btn small ghost" type="button" aria-label={texts.discard} onClick={onDiscard}>
          <Icon name="undo" />
          <span class="only-wide">{texts.discard}</span>
        </button>
      )}
      <button
        class="btn small primary"
        type="button"
        disabled={!isDirty || !isReady || reason !== undefined || isSaving}
        title={reason}
        {...(isDirty && { 'aria-describedby': REASON })}
        aria-busy={isSaving}
        onClick={onSave}
      >
        <span class="row only-wide">
          <Icon name="check" />
        </span>
        {action}
      </button>
    </>
  )
}
