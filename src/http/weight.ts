import * as z from 'zod'
import type { AnyOperation } from './operation'

/**
 * Units a request takes from the rate limits of the key and the workspace. An operation has a kind or declares
 * `weight`, and a query parameter may have a weight when sent; the highest counts.
 */
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

const heavyParameters = new WeakMap<z.ZodType, Weight>()

export function weighs<S extends z.ZodType>(weight: Weight, parameter: S): S {
  heavyParameters.set(parameter, weight)
  return parameter
}

/** Units of a request without weighted parameters. */
export function unitsOf({ weight, streams, bulk, upload }: AnyOperation): number {
  const kind = streams ? 'export' : bulk ? 'bulk' : upload ? 'upload' : 'single'
  return Math.max(WEIGHTS[kind], WEIGHTS[weight ?? kind])
}

export function heavyParametersOf({ query }: AnyOperation): readonly (readonly [name: string, units: number])[] {
  if (!(query instanceof z.ZodObject)) return []
  return Object.entries(query.shape as Record<string, z.ZodType>).flatMap(([name, parameter]) => {
    const weight = heavyParameters.get(parameter)
    return weight ? [[name, WEIGHTS[weight]] as const] : []
  })
}

/** Makes the function to weigh a request by the sent query parameters. */
export function scale(op: AnyOperation): (sent: (name: string) => string | undefined) => number {
  const units = unitsOf(op)
  const heavy = heavyParametersOf(op).filter(([, more]) => more > units)
  if (!heavy.length) return () => units
  // A wait of zero seconds is not a wait.
  const isSent = (value: string | undefined) => value !== undefined && value !== '0'
  return (sent) => Math.max(units, ...heavy.filter(([name]) => isSent(sent(name))).map(([, more]) => more))
}
