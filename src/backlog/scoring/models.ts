/** What a model is made from, and what divides: that must not be 0. */
const MODELS = {
  rice: { inputs: ['reach', 'impact', 'confidence', 'effort'], divisor: 'effort' },
  ice: { inputs: ['impact', 'confidence', 'ease'], divisor: undefined },
  wsjf: { inputs: ['businessValue', 'timeCriticality', 'riskReduction', 'jobSize'], divisor: 'jobSize' },
  'value-effort': { inputs: ['value', 'effort'], divisor: 'effort' },
  custom: { inputs: [], divisor: undefined },
} as const

export type Model = keyof typeof MODELS
export const MODEL_NAMES = Object.keys(MODELS) as [Model, ...Model[]]

type Numbers = Readonly<Record<string, number>>

/** An item is scored by it. */
export interface Scoring {
  model: Model
  inputs: Numbers
  weights?: Numbers | undefined
}

export interface Problem {
  path: string[]
  message: string
}

// That of an epic or a feature.
const MAX_SCORE = 1e12

const MUST = 'Must be a number that the model'

/** What keeps the inputs from being scored. */
export function problemsOf(scoring: Scoring): Problem[] {
  const { model, inputs, weights = {} } = scoring
  const { inputs: needed, divisor } = MODELS[model]
  const problems: Problem[] = needed.flatMap((name) =>
    inputs[name] === undefined ? [{ path: ['inputs', name], message: `${MUST} ${model} needs` }] : [],
  )
  if (divisor && inputs[divisor] === 0)
    problems.push({ path: ['inputs', divisor], message: 'Must not be 0: it divides' })
  if (model === 'custom') {
    if (!Object.keys(inputs).length) problems.push({ path: ['inputs'], message: 'Must hold at least one number' })
    for (const name of Object.keys(weights)) {
      if (inputs[name] === undefined)
        problems.push({ path: ['weights', name], message: 'Must be the weight of an input' })
    }
    if (!problems.length && sum(Object.keys(inputs).map((name) => weights[name] ?? 1)) === 0) {
      problems.push({ path: ['weights'], message: 'Must not be 0 together: their sum divides' })
    }
  }
  if (!problems.length && !(Math.abs(scoreOf(scoring).score) <= MAX_SCORE)) {
    problems.push({ path: ['inputs'], message: `Must make a score of at most ${MAX_SCORE}` })
  }
  return problems
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

/** What of the inputs the model takes: what else was sent is not kept. */
export function kept({ model, inputs, weights }: Scoring): Scoring {
  if (model === 'custom') return { model, inputs, ...(weights && { weights }) }
  return { model, inputs: Object.fromEntries(MODELS[model].inputs.map((name) => [name, inputs[name] ?? 0])) }
}

/** The score, not yet rounded, and how it was made. */
export function scoreOf({ model, inputs, weights = {} }: Scoring): { score: number; formula: string; values: string } {
  const of = (name: string) => inputs[name] ?? 0
  switch (model) {
    case 'rice':
      return {
        score: (of('reach') * of('impact') * of('confidence')) / of('effort'),
        formula: 'reach × impact × confidence / effort',
        values: `${of('reach')} × ${of('impact')} × ${of('confidence')} / ${of('effort')}`,
      }
    case 'ice':
      return {
        score: of('impact') * of('confidence') * of('ease'),
        formula: 'impact × confidence × ease',
        values: `${of('impact')} × ${of('confidence')} × ${of('ease')}`,
      }
    case 'wsjf':
      return {
        score: (of('businessValue') + of('timeCriticality') + of('riskReduction')) / of('jobSize'),
        formula: '(businessValue + timeCriticality + riskReduction) / jobSize',
        values: `(${of('businessValue')} + ${of('timeCriticality')} + ${of('riskReduction')}) / ${of('jobSize')}`,
      }
    case 'value-effort':
      return {
        score: of('value') / of('effort'),
        formula: 'value / effort',
        values: `${of('value')} / ${of('effort')}`,
      }
    case 'custom': {
      const names = Object.keys(inputs)
      const weightOf = (name: string) => weights[name] ?? 1
      return {
        score: sum(names.map((name) => weightOf(name) * of(name))) / sum(names.map(weightOf)),
        formula: 'Σ weight × input / Σ weight',
        values: `(${names.map((name) => `${weightOf(name)} × ${of(name)}`).join(' + ')}) / ${sum(names.map(weightOf))}`,
      }
    }
  }
}
