import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../../parts/icon'
import { Modal } from '../../parts/modal'
import { texts as shellTexts } from '../../texts/texts'

export interface Choice {
  id: string
  text: string
  isChosen?: boolean
}

interface ChooserProps {
  title: string
  /** What the choice changes. */
  hint: string
  choices: readonly Choice[]
  empty: string
  onChoose: (id: string) => void
  onClose: () => void
}

/** A short list to choose from. Arrow keys move, Enter chooses. */
export function ChooserDialog({ title, hint, choices, empty, onChoose, onClose }: ChooserProps) {
  const list = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    ;(buttons.find((button) => button.getAttribute('aria-pressed') === 'true') ?? buttons[0])?.focus()
  }, [choices.length])
  const move = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!by) return
    event.preventDefault()
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    buttons[(at + by + buttons.length) % buttons.length]?.focus()
  }
  return (
    <Modal label={title} onClose={onClose}>
      <header>
        <h2 class="h3">{title}</h2>
        <button class="btn ghost icon small push" type="button" aria-label={shellTexts.close} onClick={onClose}>
          <Icon name="x" />
        </button>
      </header>
      <div class="body stack tight">
        <p class="sm muted">{hint}</p>
        {!choices.length && <p>{empty}</p>}
        <fieldset ref={list} class="pick-list" aria-label={title} onKeyDown={move}>
          {choices.map(({ id, text, isChosen = false }) => (
            <button key={id} class="btn ghost" type="button" aria-pressed={isChosen} onClick={() => onChoose(id)}>
              {isChosen ? <Icon name="check" /> : <span class="i" />}
              <span class="truncate">{text}</span>
            </button>
          ))}
        </fieldset>
      </div>
    </Modal>
  )
}
