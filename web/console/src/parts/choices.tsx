interface ChoicesProps<Id> {
  title: string
  hint?: string
  choices: readonly { id: Id; name: string }[]
  chosen: readonly Id[]
  onChange: (chosen: Id[]) => void
}

/** Any number of records. */
export const Choices = <Id extends string | number>({ title, hint, choices, chosen, onChange }: ChoicesProps<Id>) => (
  <fieldset class="stack tight">
    <legend class="label">{title}</legend>
    {hint && <p class="hint">{hint}</p>}
    <div class="choice-columns">
      {choices.map(({ id, name }) => (
        <label key={id} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={() => onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])}
          />
          <span class="wrap-text">{name}</span>
        </label>
      ))}
    </div>
  </fieldset>
)
