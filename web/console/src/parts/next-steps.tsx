import { BASE } from '../state/place'

interface NextStep {
  text: string
  /** Page below the base, or else an action of this page. */
  path?: string
  act?: () => void
}

/** What a person does first in a workspace without such records. */
export const NextSteps = ({ steps }: { steps: readonly NextStep[] }) => (
  <p class="next-steps">
    {steps.map(({ text, path, act }) =>
      path ? (
        <a key={text} class="btn" href={BASE + path}>
          {text}
        </a>
      ) : (
        <button key={text} class="btn" type="button" onClick={act}>
          {text}
        </button>
      ),
    )}
  </p>
)
