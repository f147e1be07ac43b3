import { useEffect, useMemo, useState } from 'preact/hooks'
import { Icon } from '../parts/icon'
import { useKeys } from '../state/keys'
import { BASE } from '../state/place'
import { closeToast, toast, undo } from '../state/toast'
import { texts } from '../texts/texts'

const SHOWN_MS = 8_000

/** A toast stays while it has the focus or the pointer. */
export function ToastArea() {
  const [isHeld, hold] = useState(false)
  const shown = toast.value
  useEffect(() => {
    if (!shown || isHeld) return
    const timer = setTimeout(closeToast, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown, isHeld])
  useKeys(useMemo(() => (shown?.undo ? [{ keys: 'z', label: texts.undo, run: () => undo(shown) }] : []), [shown]))
  return (
    <div role="status">
      {shown && (
        <div
          class="toast"
          onFocusIn={() => hold(true)}
          onFocusOut={() => hold(false)}
          onPointerEnter={() => hold(true)}
          onPointerLeave={() => hold(false)}
        >
          <span class="sm">{shown.text}</span>
          {shown.link && (
            <a class="btn small" href={BASE + shown.link.path} onClick={closeToast}>
              {shown.link.text}
            </a>
          )}
          {shown.undo && (
            <button class="btn small" type="button" onClick={() => undo(shown)}>
              <Icon name="undo" />
              {texts.undo}
              <span class="sr"> (Z)</span>
            </button>
          )}
          <button class="btn small icon" type="button" aria-label={texts.close} onClick={closeToast}>
            <Icon name="x" />
          </button>
        </div>
      )}
    </div>
  )
}
