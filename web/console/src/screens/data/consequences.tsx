interface ConsequencesProps {
  lines: readonly string[]
}

/** What happens after the click. */
export const Consequences = ({ lines }: ConsequencesProps) => (
  <ul class="consequences stack tight">
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
)

interface ConfirmFieldProps {
  id: string
  label: string
  value: string
  onInput: (value: string) => void
}

export const ConfirmField = ({ id, label, value, onInput }: ConfirmFieldProps) => (
  <div class="field">
    <label for={id} class="wrap-text">
      {label}
    </label>
    <input
      class="input"
      id={id}
      autocomplete="off"
      spellcheck={false}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  </div>
)
