import * as z from 'zod'
import type { Database } from '../db/client/client'
import type { Guard } from '../db/client/refuse'
import type { Actor } from '../db/sql/actor'
import type { HomeEnv } from '../env'
import type { QueueMessage } from '../messages'
import { type ApiTag, RESOURCES, type ResourceName } from '../resources'
import type { ErrorCode } from '../text/errors'
import type { DeclaredCeiling } from './ceiling'
import type { IncomingFile } from './multipart'
import { Timestamp } from './schemas'
import type { Scope } from './token'
import type { ReceivedUpload } from './upload'
import type { RateLimitWeight } from './weight'

export type Method = 'get' | 'post' | 'put' | 'delete'

export type ReceiveContext = Pick<HandlerInput<never, never, never>, 'actor' | 'env' | 'now'>

export interface UploadSpec<F extends z.ZodType = z.ZodType, R = unknown> {
  part: string
  description: string
  fields?: F
  /** Default: 25 MiB. */
  maxBytes?: number
  /** Schema of a JSON body sent in place of the form: the body is the file. */
  json?: z.ZodType
  /** Bytes held by `receive` at most. */
  maxHeldBytes: number
  /** True (default) if `receive` needs the file's digest. */
  needsDigest?: boolean
  /** Receives the arriving file before the later parts are known. The result becomes `body.file`. */
  receive(file: IncomingFile, at: ReceiveContext): Promise<R>
  /** Undoes `receive` if the request fails before the handler. */
  discard?(received: R, at: ReceiveContext): Promise<unknown>
}

export interface HandlerInput<P, Q, B> {
  params: P
  query: Q
  body: B
  db: Database
  actor: Actor
  env: HomeEnv
  /** Milliseconds, shared by all timestamps of the request. */
  now: number
  header(name: string): string | undefined
  readonly signal: AbortSignal
  /** Versions in `If-Match` as a JSON array; null accepts any version. */
  ifMatch: string | null
  origin: string
  /** Origin of portals without a domain of their own. */
  portalOrigin: string
  /** Enqueues a message after the response. Commit the work first; the cron finds the work of a lost message. */
  enqueue(message: QueueMessage): void
  /** Runs work after the response. The caller does not learn of a failure. */
  runAfterResponse(work: Promise<unknown>): void
}

export interface HandlerReply<D> {
  data: D
  message?: string
  location?: string
  status?: 200
  version?: number
  /** Query parameters of the next page, in place of this page's parameters. */
  next?: Record<string, string> | undefined
  /** Number of records of all pages, like `10000+`. */
  total?: string | undefined
  /** Value of the header `Set-Cookie`. */
  cookie?: string
}

/** A handler may reply with an empty object if `data` has no members. */
type HandlerResult<D, M extends Method> = [D] extends [z.ZodType]
  ? z.input<D> extends Record<string, never>
    ? object
    : HandlerReply<z.input<D>>
  : M extends 'delete'
    ? object
    : Response

interface Preflight<P extends z.ZodType> {
  auth?: boolean
  read?: boolean
  /** Guards checked together with the key, before an upload is received. The batch checks the same guards again. */
  guards?(params: z.output<P>): readonly Guard[]
}

export type OperationAccess = 'key' | 'portal'

interface OperationOptions<
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
  /** Required scope, to read or write the resource, or `*`; without a scope any key is accepted. */
  scope?: Scope | '*'
  /** A session calls the operation without the scope. */
  isOpenToSessions?: boolean
  workspaceWide?: boolean
  /** Who may call: a key (default), or also readers of the portal in the path, with or without a session. */
  access?: OperationAccess
  /** Handles many records, and counts toward the bulk rate limit too. */
  bulk?: boolean
  /** Rate limit weight, if the kind of operation does not decide. */
  weight?: RateLimitWeight
  ceiling?: DeclaredCeiling
  /** Ends something: allowed even when the workspace's daily quota of rows is used up. */
  ignoresQuota?: boolean
  /** Allowed while the workspace waits for its erasure. */
  ignoresErasure?: boolean
  /** True if the operation stores new records, refused while the database is full. Default: a location or an upload. */
  storesRecords?: boolean
  preflight?: Preflight<P>
  /** Takes the product from the query parameter `product` instead of the path. */
  productInQuery?: boolean
  allowsRemovedProduct?: boolean
  /** Status of success: 201 with a `location`, else 200. */
  status?: 200 | 201
  alternativeStatus?: 200
  params?: P
  query?: Q
  /** A JSON body, optional if the schema accepts `undefined`. */
  body?: B
  /** Ignores unknown members and names them in a header, as the interface specification has it. Default: a 400. */
  acceptsUnknownMembers?: boolean
  /** Names the members of a body whose items are checked one by one. Default: the body. */
  bodyMembers?: z.ZodType
  /** Accepts the response of another operation, envelope included, as the body. */
  takesResponse?: boolean
  upload?: UploadSpec<F, R>
  /** Undeclared members never leave the service. Undefined means an empty object for a removal, else a file. */
  data?: D
  /** Media types of a streamed file, without ETag and ranges. */
  streamedTypes?: readonly string[]
  /** Media type of a file that is made for the request, with an ETag, without ranges. */
  madeType?: string
  /** Sets the cookie of a session. */
  setsCookie?: boolean
  /** With a message declared, every success has a message, and the document requires the member. */
  message?: string
  /** Path of the created record. `{name}` is replaced by a member of `data` or by a path parameter. */
  location?: `/${string}`
  /** Documented 404 codes besides the product's code. Default: the resource's code, if the path names a record. */
  errors?: readonly `${string}_not_found`[]
  /** Documented 409 codes besides `conflict`. */
  conflicts?: readonly ErrorCode[]
  /** True if the operation continues from data possibly deleted by now (410). */
  mayBeGone?: boolean
  /** True if `If-Match` is checked. Default for PUT and DELETE of a single record. */
  conditional?: boolean
}

/** An endpoint, declared once: route, validation, documentation, typed client and tests derive from this value. */
export interface Operation<
  Path extends string,
  M extends Method,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  F extends z.ZodType,
  R,
  D extends z.ZodType | undefined,
> extends OperationOptions<P, Q, B, F, R, D> {
  method: M
  path: Path
  tag: string
  handle(input: HandlerInput<z.output<P>, z.output<Q>, UploadOrBody<B, F, R>>): Promise<HandlerResult<D, M>>
}

export interface AnyOperation extends Omit<OperationOptions, 'upload'> {
  method: Method
  path: string
  tag: string
  upload?: Omit<UploadSpec, 'discard'> & { discard?(received: never, at: ReceiveContext): Promise<unknown> }
  handle(input: never): Promise<object>
}

type UploadOrBody<B extends z.ZodType, F extends z.ZodType, R> =
  unknown extends z.output<B> ? ReceivedUpload<R> & { fields: z.output<F> } : z.output<B>

type HttpVerb = Uppercase<Method>

type OperationHeading = { of: ResourceName; tag?: never } | { of?: never; tag: ApiTag }

type OperationDeclaration<
  V extends HttpVerb,
  Path extends `/${string}`,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  F extends z.ZodType,
  R,
  D extends z.ZodType | undefined,
> = OperationOptions<P, Q, B, F, R, D> &
  OperationHeading & {
    route: `${V} ${Path}`
    handle(
      input: HandlerInput<z.output<P>, z.output<Q>, UploadOrBody<B, F, R>>,
    ): Promise<HandlerResult<D, Lowercase<V>>>
  }

const RECORD_PARAMETER_PATTERN = /\{(?!product_external_key\})/
const EmptyData = z.object({})

export function operation<
  const V extends HttpVerb,
  const Path extends `/${string}`,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  F extends z.ZodType,
  R,
  D extends z.ZodType | undefined = undefined,
>({
  route,
  of,
  ...declared
}: OperationDeclaration<V, Path, P, Q, B, F, R, D>): Operation<Path, Lowercase<V>, P, Q, B, F, R, D> {
  const [verb = '', path] = route.split(' ')
  const method = verb.toLowerCase()
  const resource = of && RESOURCES[of]
  const one = resource && RECORD_PARAMETER_PATTERN.test(route)
  return {
    tag: resource?.tag,
    ...(resource && { scope: `${resource.area}:${method === 'get' ? 'read' : 'write'}` }),
    ...(one && { errors: [resource.missing] }),
    ...(one && (method === 'put' || method === 'delete') && { conditional: true }),
    ...(declared.location && { status: 201 }),
    ...(method === 'delete' && { data: EmptyData }),
    ...declared,
    ...(declared.data && { data: addRemovalTime(declared.data, declared.query) }),
    method,
    path,
  } as Operation<Path, Lowercase<V>, P, Q, B, F, R, D>
}

const listedSchemas = new WeakMap<z.ZodObject, z.ZodObject>()

/** A list with `removed` shows when a record was removed. */
function addRemovalTime(data: z.ZodType, query: z.ZodType | undefined): z.ZodType {
  const hasRemoved = query instanceof z.ZodObject && 'removed' in query.shape
  if (!hasRemoved || !(data instanceof z.ZodArray) || !(data.element instanceof z.ZodObject)) return data
  const record: z.ZodObject = data.element
  const name = 'updated_at' in record.shape ? 'deleted_at' : 'deletedAt'
  const { id, ...meta } = record.meta() ?? {}
  const removedAt = Timestamp.nullish().meta({ description: 'Time of the removal, with `removed=include` or `only`.' })
  const listed = listedSchemas.get(record) ?? record.extend({ [name]: removedAt }).meta({ ...meta, id: `Listed${id}` })
  listedSchemas.set(record, listed)
  return z.array(listed)
}

/** A POST with a `:read` scope writes nothing, and a second sign-out changes nothing: a repetition needs no stored reply. */
export const takesIdempotencyKey = ({ method, scope, isOpenToSessions }: AnyOperation): boolean =>
  method === 'post' && !scope?.endsWith(':read') && !isOpenToSessions

/** PATCH is an alias of a PUT that changes only the members of the body. */
export const takesPatch = ({ method, body }: AnyOperation): boolean =>
  method === 'put' &&
  body instanceof z.ZodObject &&
  Object.values(body.shape as Record<string, z.ZodType>).every((member) => member.safeParse(undefined).success)

export const storesNewRecords = (op: AnyOperation): boolean =>
  op.storesRecords ?? (takesIdempotencyKey(op) && !op.ignoresQuota && Boolean(op.location || op.upload))
