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

const weightByParameter = new WeakMap<z.ZodType, RateLimitWeight>()

export function declareWeight<S extends z.ZodType>(weight: RateLimitWeight, parameter: S): S {
  weightByParameter.set(parameter, weight)
  return parameter
}

export function rateLimitUnitsOf({ weight, streamedTypes, bulk, upload }: AnyOperation): number {
  const kind = streamedTypes ? 'export' : bulk ? 'bulk' : upload ? 'upload' : 'single'
  return Math.max(RATE_LIMIT_WEIGHTS[kind], RATE_LIMIT_WEIGHTS[weight ?? kind])
}

export function weightedParametersOf({ query }: AnyOperation): readonly (readonly [name: string, units: number])[] {
  if (!(query instanceof z.ZodObject)) return []
  return Object.entries(query.shape as Record<string, z.ZodType>).flatMap(([name, parameter]) => {
    const weight = weightByParameter.get(parameter)
    return weight ? [[name, RATE_LIMIT_WEIGHTS[weight]] as const] : []
  })
}

type SentQuery = Readonly<Record<string, string>>

export function makeRequestWeigher(op: AnyOperation): (sent: SentQuery) => number {
  const units = rateLimitUnitsOf(op)
  const weighted = weightedParametersOf(op).filter(([, more]) => more > units)
  if (!weighted.length) return () => units
  // A wait of zero seconds is not a wait. A parameter with names is sent as `attributes.plan`.
  const isSent = (sent: SentQuery, name: string) =>
    Object.entries(sent).some(([at, value]) => (at === name && value !== '0') || at.startsWith(`${name}.`))
  return (sent) => Math.max(units, ...weighted.filter(([name]) => isSent(sent, name)).map(([, more]) => more))
}
