import * as z from 'zod'
import type { AnyOperation } from './operation'

/**
 * Units that a request takes from the limits of its key and of its workspace. An operation has a kind,
 * or declares `weight`; a parameter of a query may weigh more where it is sent. The heaviest counts.
 */
export const WEIGHTS = {
  /** One record, or a page that an index serves. */
  single: 1,
  /** Looks at up to 10,000 rows for its answer. */
  walk: 5,
  /** Receives a file. */
  upload: 5,
  /** Reads or writes many records at once. */
  bulk: 10,
  /** Evaluates what would be, for as many records as there are. */
  preview: 10,
  /** Keeps a connection open. */
  wait: 10,
  /** Makes the service call another one, or handle again what it has received. */
  replay: 10,
  /** Reads all that there is. */
  export: 50,
} as const

export type Weight = keyof typeof WEIGHTS

const heavyParameters = new WeakMap<z.ZodType, Weight>()

/** Gives a query parameter the weight of the requests that send it. */
export function weighs<S extends z.ZodType>(weight: Weight, parameter: S): S {
  heavyParameters.set(parameter, weight)
  return parameter
}

/** The units of an operation that is sent without a parameter that weighs. */
export function unitsOf({ weight, streams, bulk, upload }: AnyOperation): number {
  const kind = streams ? 'export' : bulk ? 'bulk' : upload ? 'upload' : 'single'
  return Math.max(WEIGHTS[kind], WEIGHTS[weight ?? kind])
}

/** The parameters of an operation's query that weigh, each with its units. */
export function heavyParametersOf({ query }: AnyOperation): readonly (readonly [name: string, units: number])[] {
  if (!(query instanceof z.ZodObject)) return []
  return Object.entries(query.shape as Record<string, z.ZodType>).flatMap(([name, parameter]) => {
    const weight = heavyParameters.get(parameter)
    return weight ? [[name, WEIGHTS[weight]] as const] : []
  })
}

/** Weighs the requests of an operation, by the parameters of the query that a request sends. */
export function scale(op: AnyOperation): (sent: (name: string) => string | undefined) => number {
  const units = unitsOf(op)
  const heavy = heavyParametersOf(op).filter(([, more]) => more > units)
  if (!heavy.length) return () => units
  // Zero seconds are no wait.
  const isSent = (value: string | undefined) => value !== undefined && value !== '0'
  return (sent) => Math.max(units, ...heavy.filter(([name]) => isSent(sent(name))).map(([, more]) => more))
}
