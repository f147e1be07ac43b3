import * as z from 'zod'
import type { Actor } from '../db/actor'
import type { Database } from '../db/client'
import type { Guard } from '../db/refuse'
import type { Env } from '../env'
import type { QueueMessage } from '../messages'
import { RESOURCES, type ResourceName } from '../resources'
import type { IncomingFile } from './multipart'
import type { Scope } from './token'
import type { Upload } from './upload'
import type { Weight } from './weight'

export type Method = 'get' | 'post' | 'put' | 'delete'

/** What may be used while a body arrives. */
export type Receiving = Pick<Input<never, never, never>, 'actor' | 'env' | 'now'>

/** A multipart body: one file in the part `part`, and `fields` for the other parts. */
export interface UploadSpec<F extends z.ZodType = z.ZodType, R = unknown> {
  part: string
  description: string
  fields?: F
  /** Of the file; 25 MiB without it. */
  maxBytes?: number
  /** What a body of JSON holds, where it may be sent instead: it is the file alone. */
  json?: z.ZodType
  /** How many bytes `receive` holds at most. */
  holds: number
  /** Whether `receive` asks for the file's digest; it does without this. */
  digests?: boolean
  /** Takes the file while it arrives, before anything is known of the parts behind it. What it gives is `body.file`. */
  receive(file: IncomingFile, at: Receiving): Promise<R>
  /** Undoes that, where the request comes to nothing before it is handled. */
  discard?(received: R, at: Receiving): Promise<unknown>
}

/** What a handler is given: plain values, checked. It never sees Hono. */
export interface Input<P, Q, B> {
  params: P
  query: Q
  body: B
  db: Database
  actor: Actor
  env: Env
  /** Milliseconds; every timestamp of the request is this one. */
  now: number
  /** A request header, for answers that are files: ranges and the like. */
  header(name: string): string | undefined
  /** Aborted when the client has hung up. */
  readonly signal: AbortSignal
  /** The versions in `If-Match` as a JSON array, or null where any will do. */
  ifMatch: string | null
  /** Where this service is reached from outside, like https://api.example.com. */
  origin: string
  /** Puts a message on the queue once the answer is out. What it wakes must be committed: the cron finds what is lost. */
  wake(message: QueueMessage): void
  /** Something to do once the answer is out, whose failure the caller need not know. */
  afterwards(work: Promise<unknown>): void
}

export interface Reply<D> {
  data: D
  /** Overrides the message that the operation declares. */
  message?: string
  /** Path of what was made, likewise. */
  location?: string
  /** Where it is the operation's other one. */
  status?: 200
  /** Version of a single record: its ETag. */
  version?: number
  /** What the query of the next page has besides this one's. */
  next?: Record<string, string> | undefined
}

/** Where `data` has no members, nothing needs to be replied. */
type Handled<D, M extends Method> = [D] extends [z.ZodType]
  ? z.input<D> extends Record<string, never>
    ? object
    : Reply<z.input<D>>
  : M extends 'delete'
    ? object
    : Response

interface Common<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  F extends z.ZodType = z.ZodType,
  R = unknown,
  D extends z.ZodType | undefined = z.ZodType | undefined,
> {
  id: string
  summary: string
  description?: string
  /** What the key must be allowed to do: to read or write the resource; of none, any key will do. */
  scope?: Scope
  /** It writes what belongs to no product: closed to keys that are limited to products. */
  workspaceWide?: boolean
  /** Many records at once: it is limited besides what its key may ask. */
  bulk?: boolean
  /** What it takes from the limits of its key and workspace, where its kind does not say it. */
  weight?: Weight
  /** It ends something: it is done also where the workspace has written all that it may in a day. */
  stops?: boolean
  /** It works before its batch: the key and its product are asked first, in a round trip of their own. */
  asksFirst?: boolean
  /** With that, what refuses it whatever it brings, so that nothing is received in vain. Its batch refuses for the same. */
  refusesFirst?(params: z.output<P>): readonly Guard[]
  /** It reads what its batch depends on before it, in a round trip of its own, like which records a page has. */
  readsFirst?: boolean
  /** The product is a parameter of the query, `product`, instead of one of the path. */
  productInQuery?: boolean
  /** The product in the path may be a removed one. */
  ofRemoved?: boolean
  /** The status of success: 201 with a `location`, else 200. */
  status?: 200 | 201
  /** That of another success, like a dry run. */
  otherStatus?: 200
  params?: P
  query?: Q
  /** A JSON body. One that accepts `undefined` may be left out. */
  body?: B
  /** The body may be what another operation answered, in its envelope. */
  takesAnswer?: boolean
  /** A file instead of a JSON body. */
  upload?: UploadSpec<F, R>
  /** `data` of the envelope. Replies are parsed through it, so nothing leaves that is not declared. None: nothing of a removal, else a file. */
  data?: D
  /** Media types of a file that is made while it is read: it has no ETag and no ranges. */
  streams?: readonly string[]
  /** The message of a success. Where it is declared, every success has a message, and the document requires it. */
  message?: string
  /** Path of what is made: in the place of `{name}` stands the member of `data`, or else of the path. */
  location?: `/${string}`
  /** 404 codes beyond the product's, for the documentation: that of the resource, where the path names one. */
  errors?: readonly `${string}_not_found`[]
  /** Whether it goes on from something that may not be kept any more: a 410 then. */
  mayBeGone?: boolean
  /** Whether `If-Match` is heeded: by whatever modifies or removes a single record. */
  conditional?: boolean
}

/** One endpoint, declared once: its route, validation, documentation, typed client and tests come from this value. */
export interface Operation<
  Path extends string,
  M extends Method,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  F extends z.ZodType,
  R,
  D extends z.ZodType | undefined,
> extends Common<P, Q, B, F, R, D> {
  method: M
  /** As OpenAPI writes it, with `{name}` for parameters. */
  path: Path
  tag: string
  handle(input: Input<z.output<P>, z.output<Q>, UploadOr<B, F, R>>): Promise<Handled<D, M>>
}

/** Any row of the table, as `mount` and the document see it. */
export interface AnyOperation extends Omit<Common, 'upload'> {
  method: Method
  path: string
  tag: string
  upload?: Omit<UploadSpec, 'discard'> & { discard?(received: never, at: Receiving): Promise<unknown> }
  handle(input: never): Promise<object>
}

type UploadOr<B extends z.ZodType, F extends z.ZodType, R> =
  unknown extends z.output<B> ? Upload<R> & { fields: z.output<F> } : z.output<B>

type Verb = Uppercase<Method>

/** The resource that the path leads to, whose heading, scope and 404 are the operation's; or the heading of what is of none. */
type Heading = { of: ResourceName; tag?: never } | { of?: never; tag: string }

/** What an operation is declared with: what is not said follows from its route and resource. */
type Declared<
  V extends Verb,
  Path extends `/${string}`,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  F extends z.ZodType,
  R,
  D extends z.ZodType | undefined,
> = Common<P, Q, B, F, R, D> &
  Heading & {
    route: `${V} ${Path}`
    handle(input: Input<z.output<P>, z.output<Q>, UploadOr<B, F, R>>): Promise<Handled<D, Lowercase<V>>>
  }

const NAMES_ONE = /\{(?!product_external_key\})/
const NOTHING = z.object({})

/** Declares an operation; the types of its handler come from its schemas. */
export function operation<
  const V extends Verb,
  const Path extends `/${string}`,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  F extends z.ZodType,
  R,
  D extends z.ZodType | undefined = undefined,
>({ route, of, ...declared }: Declared<V, Path, P, Q, B, F, R, D>): Operation<Path, Lowercase<V>, P, Q, B, F, R, D> {
  const [verb = '', path] = route.split(' ')
  const method = verb.toLowerCase()
  const resource = of && RESOURCES[of]
  const one = resource && NAMES_ONE.test(route)
  return {
    tag: resource?.tag,
    ...(resource && { scope: `${resource.area}:${method === 'get' ? 'read' : 'write'}` }),
    ...(one && { errors: [resource.missing] }),
    ...(one && (method === 'put' || method === 'delete') && { conditional: true }),
    ...(declared.location && { status: 201 }),
    ...(method === 'delete' && { data: NOTHING }),
    ...declared,
    method,
    path,
  } as Operation<Path, Lowercase<V>, P, Q, B, F, R, D>
}
