import { useRef } from 'preact/hooks'
import { texts } from './texts/texts'
import { VariableMenu } from './variable-menu'

const MAX_CHARACTERS = 998

interface SubjectFieldProps {
  value: string
  attributes: readonly string[]
  problem: string | undefined
  onChange: (subject: string) => void
}

export function SubjectField({ value, attributes, problem, onChange }: SubjectFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  function insert(variable: string): void {
    const input = field.current
    if (!input) return
    input.focus()
    input.setRangeText(variable, input.selectionStart ?? value.length, input.selectionEnd ?? value.length, 'end')
    onChange(input.value)
  }
  return (
    <div class="field">
      <div class="row">
        <label class="label" for="mail-subject">
          {texts.subject}
        </label>
        <VariableMenu id="subject-variables" attributes={attributes} onChoose={insert} />
      </div>
      <input
        ref={field}
        class="input"
        id="mail-subject"
        maxLength={MAX_CHARACTERS}
        autocomplete="off"
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby="mail-subject-hint"
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <p class={problem ? 'error' : 'hint num'} id="mail-subject-hint">
        {problem ?? texts.characters(value.length)}
      </p>
    </div>
  )
}
