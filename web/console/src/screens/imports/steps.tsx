import { texts } from '../../texts/texts'

/** From the choice of the file to the result. */
export const Steps = ({ at }: { at: number }) => (
  <ol class="steps" aria-label={texts.imports.stepsLabel}>
    {texts.imports.steps.map((name, n) => (
      <li key={name} class={n < at ? 'done' : undefined} aria-current={n === at ? 'step' : undefined}>
        {name}
      </li>
    ))}
  </ol>
)

/** Places of the last two steps. */
export const IMPORT_STEP = 3
export const RESULT_STEP = 4
