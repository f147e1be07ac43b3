import * as z from 'zod'
import type { AnyOperation } from './operation'

/** Units a request takes from the rate limits of the key and the workspace. A query parameter can add to the weight. */
export const WEIGHTS = {
  /** A single record, or a page served by an index. */
  single: 1,
  /** Scans up to 10,000 rows. */
  walk: 5,
  upload: 5,
  bulk: 10,
  /** Evaluates a rule or a change over all records, without storing. */
  preview: 10,
  /** Keeps a connection open. */
  wait: 10,
  /** Calls another service, or handles a received hook again. */
  replay: 10,
  export: 50,
} as const

export type Weight = keyof typeof WEIGHTS

const weightedParameters = new WeakMap<z.ZodType, Weight>()

export function withWeight<S extends z.ZodType>(weight: Weight, parameter: S): S {
  weightedParameters.set(parameter, weight)
  return parameter
}

export function unitsOf({ weight, streamedTypes, bulk, upload }: AnyOperation): number {
  const kind = streamedTypes ? 'export' : bulk ? 'bulk' : upload ? 'upload' : 'single'
  return Math.max(WEIGHTS[kind], WEIGHTS[weight ?? kind])
}

export function weightedParametersOf({ query }: AnyOperation): readonly (readonly [name: string, units: number])[] {
  if (!(query instanceof z.ZodObject)) return []
  return Object.entries(query.shape as Record<string, z.ZodType>).flatMap(([name, parameter]) => {
    const weight = weightedParameters.get(parameter)
    return weight ? [[name, WEIGHTS[weight]] as const] : []
  })
}

export function makeWeigher(op: AnyOperation): (sent: (name: string) => string | undefined) => number {
  const units = unitsOf(op)
  const weighted = weightedParametersOf(op).filter(([, more]) => more > units)
  if (!weighted.length) return () => units
  // A wait of zero seconds is not a wait.
  const isSent = (value: string | undefined) => value !== undefined && value !== '0'
  return (sent) => Math.max(units, ...weighted.filter(([name]) => isSent(sent(name))).map(([, more]) => more))
}
