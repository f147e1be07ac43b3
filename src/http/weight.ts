import * as z from 'zod'
import type { AnyOperation } from './operation'

/** Units a request takes from the rate limits of the key and the workspace. A query parameter can add to the weight. */
export const RATE_LIMIT_WEIGHTS = {
  single: 1,
  walk: 5,
  upload: 5,
  bulk: 10,
  /** Evaluates a rule or a change over all records, without storing. */
  preview: 10,
  wait: 10,
  /** Calls another service, or handles a received hook again. */
  replay: 10,
  export: 50,
} as const

export type RateLimitWeight = keyof typeof RATE_LIMIT_WEIGHTS

interface ParameterWeight {
  weight: RateLimitWeight
  /** True if the sent value has the weight. */
  applies(sent: string): boolean
}

const weightByParameter = new WeakMap<z.ZodType, ParameterWeight>()

export function declareWeight<S extends z.ZodType>(
  weight: RateLimitWeight,
  parameter: S,
  // A wait of zero seconds is not a wait.
  applies = (sent: string) => sent !== '0',
): S {
  weightByParameter.set(parameter, { weight, applies })
  return parameter
}

export function rateLimitUnitsOf({ weight, streamedTypes, bulk, upload }: AnyOperation): number {
  const kind = streamedTypes ? 'export' : bulk ? 'bulk' : upload ? 'upload' : 'single'
  return Math.max(RATE_LIMIT_WEIGHTS[kind], RATE_LIMIT_WEIGHTS[weight ?? kind])
}

type WeightedParameter = readonly [name: string, units: number, applies: ParameterWeight['applies']]

export const weightedParametersOf = (op: AnyOperation): (readonly [name: string, units: number])[] =>
  listWeightedParameters(op).map(([name, units]) => [name, units])

function listWeightedParameters({ query }: AnyOperation): readonly WeightedParameter[] {
  if (!(query instanceof z.ZodObject)) return []
  return Object.entries(query.shape as Record<string, z.ZodType>).flatMap(([name, parameter]): WeightedParameter[] => {
    const declared = weightByParameter.get(parameter)
    return declared ? [[name, RATE_LIMIT_WEIGHTS[declared.weight], declared.applies]] : []
  })
}

type SentQuery = Readonly<Record<string, string>>

export function makeRequestWeigher(op: AnyOperation): (sent: SentQuery) => number {
  const units = rateLimitUnitsOf(op)
  const weighted = listWeightedParameters(op).filter(([, more]) => more > units)
  if (!weighted.length) return () => units
  // A parameter with names is sent as `attributes.plan`.
  const isSent = (sent: SentQuery, [name, , applies]: WeightedParameter) =>
    Object.entries(sent).some(([at, value]) => (at === name && applies(value)) || at.startsWith(`${name}.`))
  return (sent) => Math.max(units, ...weighted.filter((one) => isSent(sent, one)).map(([, more]) => more))
}
