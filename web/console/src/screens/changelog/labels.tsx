import { useRef, useState } from 'preact/hooks'
import { toneOfName } from '../../parts/avatar'
import { Icon } from '../../parts/icon'
import { texts } from './texts/texts'

interface LabelsProps {
  labels: readonly string[]
  /** Labels of other entries, to choose from. */
  known: readonly string[]
  may: boolean
  onChange: (labels: string[]) => void
}

/** Say of what kind the news is. Readers filter by them. */
export function Labels({ labels, known, may, onChange }: LabelsProps) {
  const [isAdding, setAdding] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setAdding(false)
    requestAnimationFrame(() => button.current?.focus())
  }
  const add = (name: string) => {
    if (name && !labels.includes(name)) onChange([...labels, name])
    close()
  }
  return (
    <>
      {labels.map((name) => (
        <span key={name} class={may ? 'tag toned removable' : 'tag toned'} data-tone={toneOfName(name)}>
          {name}
          {may && (
            <button
              type="button"
              aria-label={texts.removeLabel(name)}
              onClick={() => onChange(labels.filter((other) => other !== name))}
            >
              <Icon name="x" />
            </button>
          )}
        </span>
      ))}
      {!may && !labels.length && <span class="muted">—</span>}
      {may && isAdding && (
        <>
          <input
            class="input small tag-input"
            list="known-labels"
            aria-label={texts.newLabel}
            placeholder={texts.newLabel}
            maxLength={50}
            ref={(field) => field?.focus()}
            onKeyDown={(event) => {
              if (event.key === 'Escape') close()
              if (event.key !== 'Enter') return
              event.preventDefault()
              add(event.currentTarget.value.trim())
            }}
          />
          <datalist id="known-labels">
            {known.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
      {may && !isAdding && (
        <button
          ref={button}
          class="btn ghost icon small"
          type="button"
          aria-label={texts.addLabel}
          onClick={() => setAdding(true)}
        >
          <Icon name="plus" />
        </button>
      )}
    </>
  )
}
