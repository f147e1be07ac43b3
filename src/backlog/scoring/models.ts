interface Range {
  min?: number
  max?: number
  /** Makes `min` an exclusive bound. */
  exclusive?: boolean
  message: string
}

const NOT_NEGATIVE: Range = { min: 0, message: 'Must be 0 or more' }
const DIVISOR: Range = { min: 0, exclusive: true, message: 'Must be more than 0: the input is a divisor' }
const TEN: Range = { min: 0, max: 10, message: 'Must be from 0 to 10' }
const CONFIDENCE: Range = {
  min: 0,
  max: 100,
  message: 'Must be from 0 to 100 percent, like 80, or a fraction from 0 to 1, like 0.8',
}
const ANY: Range = { message: '' }

const MODELS = {
  rice: {
    inputs: { reach: NOT_NEGATIVE, impact: NOT_NEGATIVE, confidence: CONFIDENCE, effort: DIVISOR },
    divisor: 'effort',
  },
  ice: { inputs: { impact: TEN, confidence: TEN, ease: TEN }, divisor: undefined },
  wsjf: {
    inputs: {
      businessValue: NOT_NEGATIVE,
      timeCriticality: NOT_NEGATIVE,
      riskReduction: NOT_NEGATIVE,
      jobSize: DIVISOR,
    },
    divisor: 'jobSize',
  },
  'value-effort': { inputs: { value: ANY, effort: DIVISOR }, divisor: 'effort' },
  custom: { inputs: {}, divisor: undefined },
} as const satisfies Record<string, { inputs: Record<string, Range>; divisor: string | undefined }>

export type Model = keyof typeof MODELS
export const MODEL_NAMES = Object.keys(MODELS) as [Model, ...Model[]]

type Numbers = Readonly<Record<string, number>>

export interface Scoring {
  model: Model
  inputs: Numbers
  weights?: Numbers | undefined
}

export interface Problem {
  path: string[]
  message: string
}

const MAX_SCORE = 1e12

const MUST_BE_NUMBER = 'Must be a number: model'

export function problemsOf(scoring: Scoring): Problem[] {
  const { model, inputs, weights = {} } = scoring
  const ranges = Object.entries<Range>(MODELS[model].inputs)
  const problems: Problem[] = ranges.flatMap(([name, range]) => {
    const value = inputs[name]
    if (value === undefined) return [{ path: ['inputs', name], message: `${MUST_BE_NUMBER} ${model} needs this input` }]
    return isWithin(range, value) ? [] : [{ path: ['inputs', name], message: range.message }]
  })
  if (model === 'custom') {
    if (!Object.keys(inputs).length) problems.push({ path: ['inputs'], message: 'Must hold at least one number' })
    for (const name of Object.keys(weights)) {
      if (inputs[name] === undefined)
        problems.push({ path: ['weights', name], message: 'Must have the name of an input' })
    }
    if (!problems.length && sum(Object.keys(inputs).map((name) => weights[name] ?? 1)) === 0) {
      problems.push({ path: ['weights'], message: 'Must not have the sum 0: the sum is a divisor' })
    }
  }
  if (!problems.length && !(Math.abs(scoreOf(scoring).score) <= MAX_SCORE)) {
    const name = strongestInput(scoring)
    problems.push({
      path: ['inputs', name],
      message: `Makes a score outside ±${MAX_SCORE}. Send a ${name === MODELS[model].divisor ? 'larger' : 'smaller'} ${name}`,
    })
  }
  return problems
}

const isWithin = ({ min = -Infinity, max = Infinity, exclusive = false }: Range, value: number) =>
  value <= max && (exclusive ? value > min : value >= min)

function strongestInput({ model, inputs }: Scoring): string {
  const effects = Object.entries(inputs).map(([name, value]) => ({
    name,
    effect: name === MODELS[model].divisor ? 1 / value : Math.abs(value),
  }))
  return effects.reduce((one, other) => (other.effect > one.effect ? other : one)).name
}

const fractionOf = (confidence: number) => (confidence > 1 ? confidence / 100 : confidence)

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

export function pickInputs({ model, inputs, weights }: Scoring): Scoring {
  if (model === 'custom') return { model, inputs, ...(weights && { weights }) }
  return {
    model,
    inputs: Object.fromEntries(Object.keys(MODELS[model].inputs).map((name) => [name, inputs[name] ?? 0])),
  }
}

export function scoreOf({ model, inputs, weights = {} }: Scoring): { score: number; formula: string; values: string } {
  const of = (name: string) => inputs[name] ?? 0
  switch (model) {
    case 'rice':
      return {
        score: (of('reach') * of('impact') * fractionOf(of('confidence'))) / of('effort'),
        formula: 'reach × impact × confidence / effort',
        values: `${of('reach')} × ${of('impact')} × ${fractionOf(of('confidence'))} / ${of('effort')}`,
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
