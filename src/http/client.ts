import type { Hono } from 'hono'
import { hc } from 'hono/client'
import type { BlankEnv } from 'hono/types'
import type * as z from 'zod'
import type { operations } from '../operations'
import type { Method, Operation } from './operation'

type RoutePath<P extends string> = P extends `${infer Before}{${infer Name}}${infer After}`
  ? `${Before}:${Name}${RoutePath<After>}`
  : P

type RequestInputPart<Key extends string, S> = S extends z.ZodType
  ? unknown extends z.input<S>
    ? unknown
    : { [K in Key]: TextValues<Key, z.input<S>> }
  : unknown

/** Paths and queries are text on the wire; a JSON body keeps the types. */
type TextValues<Key extends string, T> = Key extends 'json'
  ? T
  : { [K in keyof T]: T[K] extends undefined ? undefined : string }

type Endpoint<P, Q, B, F, D> = {
  input: RequestInputPart<'param', P> &
    RequestInputPart<'query', Q> &
    RequestInputPart<'json', B> &
    (unknown extends z.input<F & z.ZodType> ? unknown : { form: Record<string, string | File> })
  output: Envelope<D extends z.ZodType ? z.output<D> : never>
  outputFormat: D extends z.ZodType ? 'json' : 'body'
  status: 200 | 201
}

/** Envelope of every JSON response. A failure has `error` and empty `data`. */
export interface Envelope<T> {
  success: boolean
  message?: string
  data: T
  error?: { code: string; requestId: string; issues: { path: string; code: string; message: string }[] }
}

type RouteOfOperation<Op> =
  Op extends Operation<infer Path, infer M extends Method, infer P, infer Q, infer B, infer F, infer _R, infer D>
    ? { [K in RoutePath<Path>]: { [V in `$${M}`]: Endpoint<P, Q, B, F, D> } }
    : never

type IntersectionOf<U> = (U extends unknown ? (u: U) => void : never) extends (all: infer All) => void ? All : never

type Routes = IntersectionOf<RouteOfOperation<(typeof operations)[number]>>

// An interface is cheaper to compare than the intersection.
interface Schema extends Routes {}

export type ApiRoutes = Hono<BlankEnv, Schema, '/'>

/**
 * A typed client of the service.
 * @example
 * const api = client('https://api.example.com', token)
 * const answer = await api.api.initiatives[':product_external_key'].epics.$post({
 *   param: { product_external_key: 'GW-DEMO' },
 *   json: { summary: 'Checkout' },
 * })
 */
export function createClient(url: string, token: string, fetch?: typeof globalThis.fetch) {
  return hc<ApiRoutes>(url, { headers: { 'x-api-key': `Bearer ${token}` }, ...(fetch && { fetch }) })
}
