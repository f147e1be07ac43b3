import { GroundworkError } from 'groundwork-client'
import { Icon } from '../../parts/icon'
import { ConditionRow, idOfCondition } from './condition-row'
import type { KnownPeople } from './requests'
import { type DraftRules, MAX_CONDITIONS, newCondition } from './rules'
import { texts } from './texts/texts'

interface RulesCardProps {
  rules: DraftRules
  people: KnownPeople | undefined
  /** Why the service did not take the rules. */
  error: unknown
  /** For each condition, if the shown rules are counted. */
  unsetCounts: readonly (number | null)[]
  onChange: (rules: DraftRules) => void
}

const MATCHES = ['all', 'any'] as const
const ADD = 'add-condition'

const focusLater = (id: string) => requestAnimationFrame(() => document.getElementById(id)?.focus())

function problemAt(error: unknown, at: number): string | undefined {
  if (!(error instanceof GroundworkError)) return undefined
  const path = `/rules/conditions/${at}`
  return error.issues.find((issue) => issue.path === path || issue.path.startsWith(`${path}/`))?.message
}

export function RulesCard({ rules, people, error, unsetCounts, onChange }: RulesCardProps) {
  const { match, conditions } = rules
  const [firstAttribute = 'createdAt'] = [...(people?.attributes.keys() ?? [])].map((name) => `attributes.${name}`)
  const add = () => {
    const condition = newCondition(firstAttribute)
    onChange({ ...rules, conditions: [...conditions, condition] })
    focusLater(idOfCondition(condition.id))
  }
  const remove = (at: number) => {
    const next = conditions[at + 1] ?? conditions[at - 1]
    onChange({ ...rules, conditions: conditions.filter((_, n) => n !== at) })
    focusLater(next ? idOfCondition(next.id) : ADD)
  }
  return (
    <section class="card" aria-labelledby="segment-rules">
      <header>
        <h2 class="h3" id="segment-rules">
          {texts.rules}
        </h2>
        <div class="push sm muted row">
          {texts.match}
          <div class="segmented" role="radiogroup" aria-label={texts.match}>
            {MATCHES.map((one) => (
              <label key={one}>
                <input
                  type="radio"
                  name="match"
                  checked={match === one}
                  onChange={() => onChange({ ...rules, match: one })}
                />
                {texts[one]}
              </label>
            ))}
          </div>
        </div>
      </header>
      <div class="body">
        {conditions.map((condition, at) => (
          <ConditionRow
            key={condition.id}
            condition={condition}
            position={at + 1}
            join={at === 0 ? texts.where : match === 'all' ? texts.and : texts.or}
            people={people}
            problem={problemAt(error, at)}
            unsetCount={unsetCounts[at] ?? 0}
            onChange={(changed) =>
              onChange({ ...rules, conditions: conditions.map((one, n) => (n === at ? changed : one)) })
            }
            onRemove={() => remove(at)}
          />
        ))}
      </div>
      <footer>
        <button
          class="btn small ghost"
          type="button"
          id={ADD}
          disabled={conditions.length >= MAX_CONDITIONS}
          onClick={add}
        >
          <Icon name="plus" />
          {texts.addCondition}
        </button>
        <span class="hint push">{texts.conditionCount(conditions.length, MAX_CONDITIONS)}</span>
      </footer>
    </section>
  )
}

export const RulesText = ({ text }: { text: string }) => (
  <section class="card pad stack tight" aria-labelledby="segment-rules">
    <h2 class="h3" id="segment-rules">
      {texts.rules}
    </h2>
    <p class="wrap-text">{text}</p>
  </section>
)
