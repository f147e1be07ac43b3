interface InputRange {
  min?: number
  max?: number
  /** Makes `min` an exclusive bound. */
  exclusive?: boolean
  message: string
}

const NOT_NEGATIVE_RANGE: InputRange = { min: 0, message: 'Must be 0 or more' }
const DIVISOR_RANGE: InputRange = { min: 0, exclusive: true, message: 'Must be more than 0: the input is a divisor' }
const ZERO_TO_TEN_RANGE: InputRange = { min: 0, max: 10, message: 'Must be from 0 to 10' }
const CONFIDENCE_RANGE: InputRange = {
  min: 0,
  max: 100,
  message: 'Must be from 0 to 100 percent, like 80, or a fraction from 0 to 1, like 0.8',
}
const ANY_NUMBER_RANGE: InputRange = { message: '' }

const SCORING_MODELS = {
  rice: {
    inputs: {
      reach: NOT_NEGATIVE_RANGE,
      impact: NOT_NEGATIVE_RANGE,
      confidence: CONFIDENCE_RANGE,
      effort: DIVISOR_RANGE,
    },
    divisor: 'effort',
  },
  ice: {
    inputs: { impact: ZERO_TO_TEN_RANGE, confidence: ZERO_TO_TEN_RANGE, ease: ZERO_TO_TEN_RANGE },
    divisor: undefined,
  },
  wsjf: {
    inputs: {
      businessValue: NOT_NEGATIVE_RANGE,
      timeCriticality: NOT_NEGATIVE_RANGE,
      riskReduction: NOT_NEGATIVE_RANGE,
      jobSize: DIVISOR_RANGE,
    },
    divisor: 'jobSize',
  },
  'value-effort': { inputs: { value: ANY_NUMBER_RANGE, effort: DIVISOR_RANGE }, divisor: 'effort' },
  custom: { inputs: {}, divisor: undefined },
} as const satisfies Record<string, { inputs: Record<string, InputRange>; divisor: string | undefined }>

export type ScoringModel = keyof typeof SCORING_MODELS
export const SCORING_MODEL_NAMES = Object.keys(SCORING_MODELS) as [ScoringModel, ...ScoringModel[]]

type NumbersByName = Readonly<Record<string, number>>

export interface Scoring {
  model: ScoringModel
  inputs: NumbersByName
  weights?: NumbersByName | undefined
}

export interface ScoringProblem {
  path: string[]
  message: string
}

const MAX_SCORE = 1e12

const MUST_BE_NUMBER_MESSAGE = 'Must be a number: model'

export function findScoringProblems(scoring: Scoring): ScoringProblem[] {
  const { model, inputs, weights = {} } = scoring
  const ranges = Object.entries<InputRange>(SCORING_MODELS[model].inputs)
  const problems: ScoringProblem[] = ranges.flatMap(([name, range]) => {
    const value = inputs[name]
    if (value === undefined)
      return [{ path: ['inputs', name], message: `${MUST_BE_NUMBER_MESSAGE} ${model} needs this input` }]
    return isWithinRange(range, value) ? [] : [{ path: ['inputs', name], message: range.message }]
  })
  if (model === 'custom') {
    if (!Object.keys(inputs).length) problems.push({ path: ['inputs'], message: 'Must hold at least one number' })
    for (const name of Object.keys(weights)) {
      if (inputs[name] === undefined)
        problems.push({ path: ['weights', name], message: 'Must have the name of an input' })
    }
    if (!problems.length && sumNumbers(Object.keys(inputs).map((name) => weights[name] ?? 1)) === 0) {
      problems.push({ path: ['weights'], message: 'Must not have the sum 0: the sum is a divisor' })
    }
  }
  if (!problems.length && !(Math.abs(computeScore(scoring).score) <= MAX_SCORE)) {
    const name = findStrongestInput(scoring)
    problems.push({
      path: ['inputs', name],
      message: `Makes a score outside ±${MAX_SCORE}. Send a ${name === SCORING_MODELS[model].divisor ? 'larger' : 'smaller'} ${name}`,
    })
  }
  return problems
}

const isWithinRange = ({ min = -Infinity, max = Infinity, exclusive = false }: InputRange, value: number) =>
  value <= max && (exclusive ? value > min : value >= min)

function findStrongestInput({ model, inputs }: Scoring): string {
  const effects = Object.entries(inputs).map(([name, value]) => ({
    name,
    effect: name === SCORING_MODELS[model].divisor ? 1 / value : Math.abs(value),
  }))
  return effects.reduce((one, other) => (other.effect > one.effect ? other : one)).name
}

const toFraction = (confidence: number) => (confidence > 1 ? confidence / 100 : confidence)

const sumNumbers = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

export function pickModelInputs({ model, inputs, weights }: Scoring): Scoring {
  if (model === 'custom') return { model, inputs, ...(weights && { weights }) }
  return {
    model,
    inputs: Object.fromEntries(Object.keys(SCORING_MODELS[model].inputs).map((name) => [name, inputs[name] ?? 0])),
  }
}

export function computeScore({ model, inputs, weights = {} }: Scoring): {
  score: number
  formula: string
  values: string
} {
  const of = (name: string) => inputs[name] ?? 0
  switch (model) {
    case 'rice':
      return {
        score: (of('reach') * of('impact') * toFraction(of('confidence'))) / of('effort'),
        formula: 'reach × impact × confidence / effort',
        values: `${of('reach')} × ${of('impact')} × ${toFraction(of('confidence'))} / ${of('effort')}`,
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
        score: sumNumbers(names.map((name) => weightOf(name) * of(name))) / sumNumbers(names.map(weightOf)),
        formula: 'Σ weight × input / Σ weight',
        values: `(${names.map((name) => `${weightOf(name)} × ${of(name)}`).join(' + ')}) / ${sumNumbers(names.map(weightOf))}`,
      }
    }
  }
}
