import { type ErrorCode, GroundworkError, readError } from './errors.ts'
import { OPERATIONS } from './operations.ts'
import {
  type ApiResponse,
  makeRequest,
  type OperationId,
  type OperationRequest,
  type RequestOptions,
  readOperations,
} from './request.ts'
import { withRetries } from './retry.ts'
import type { Operations } from './types.ts'
import { sendWithProgress } from './upload.ts'

export interface ClientOptions {
  /** Address of the service, such as `https://groundwork.example.com`. */
  url: string
  /** API key, without the word Bearer. Absent in a page of the service, whose session signs the requests. */
  key?: string
  /** Attempts after the first, for requests that can be repeated safely. Default: 3. */
  retries?: number
  /** Default: the fetch of the platform. */
  fetch?: typeof fetch
}

type Input<Id extends OperationId> = Operations[Id]['input']
type Data<Id extends OperationId> = Operations[Id]['data']
type Arguments<Id extends OperationId> =
  Record<never, never> extends Input<Id>
    ? [input?: Input<Id>, options?: RequestOptions]
    : [input: Input<Id>, options?: RequestOptions]

/** Operations whose data is a list of records in pages. */
export type ListId = {
  [Id in OperationId]: Data<Id> extends readonly unknown[] ? ('cursor' extends keyof Input<Id> ? Id : never) : never
}[OperationId]

export type Outcome<Id extends OperationId> =
  | { data: Data<Id>; error?: undefined }
  | { data?: undefined; error: { [Code in ErrorCode<Id>]: GroundworkError<Code> }[ErrorCode<Id>] }

/** Each operation by its id. A failure throws a `GroundworkError`. */
export type OperationMethods = { [Id in OperationId]: (...given: Arguments<Id>) => Promise<Data<Id>> }

export interface Client extends OperationMethods {
  /** The data with status, message and headers. */
  request<Id extends OperationId>(id: Id, ...given: Arguments<Id>): Promise<ApiResponse<Data<Id>>>
  /** The data or the error, as a union: `if (error?.code === 'epic_not_found') …`. */
  attempt<Id extends OperationId>(id: Id, ...given: Arguments<Id>): Promise<Outcome<Id>>
  /** The records of all pages: `for await (const epic of client.each('listEpics', { … }))`. */
  each<Id extends ListId>(id: Id, ...given: Arguments<Id>): AsyncGenerator<Data<Id>[number], void, undefined>
}

const described = readOperations(OPERATIONS)

export function createClient({ url, key, retries = 3, fetch: send = fetch }: ClientOptions): Client {
  const base = url.replace(/\/+$/, '')
  let bookmark: string | undefined

  async function request(id: string, input?: object, options: RequestOptions = {}): Promise<ApiResponse<unknown>> {
    const operation = described.get(id)
    if (!operation) throw new TypeError(`There is no operation ${id}.`)
    const made = makeRequest(operation, input as Record<string, unknown>)
    const isPost = made.method === 'POST'
    const idempotencyKey = options.idempotencyKey ?? (isPost ? crypto.randomUUID() : undefined)
    const { signal } = options
    const isSafe = made.method !== 'DELETE' && options.ifMatch === undefined
    return withRetries({ retries, isSafe, signal }, async () => {
      const headers = {
        ...made.headers,
        ...(key && { authorization: `Bearer ${key}` }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(options.ifMatch !== undefined && { 'if-match': options.ifMatch }),
        ...(bookmark !== undefined && { 'x-d1-bookmark': bookmark }),
      }
      const response = await answer({ ...made, headers }, options)
      bookmark = response.headers.get('x-d1-bookmark') ?? bookmark
      if (!response.ok) throw await readError(response)
      return readResponse(response)
    })
  }

  async function answer({ path, method, headers, body }: OperationRequest, { signal, onProgress }: RequestOptions) {
    try {
      if (onProgress && body instanceof FormData)
        return await sendWithProgress({
          url: base + path,
          method,
          headers,
          form: body,
          signal,
          onProgress,
          fetch: send,
        })
      return await send(base + path, {
        method,
        headers,
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      })
    } catch (cause) {
      if (signal?.aborted) throw cause
      const message = `The service at ${base} cannot be reached. Check the address and your network.`
      throw new GroundworkError(message, { code: 'unreachable', status: 0, cause })
    }
  }

  async function* each(id: string, input: object = {}, options?: RequestOptions) {
    let cursor: string | undefined
    do {
      const { data, headers } = await request(id, { ...input, ...(cursor && { cursor }) }, options)
      yield* data as unknown[]
      cursor = headers.get('x-next-cursor') ?? undefined
    } while (cursor)
  }

  const attempt = (id: string, input?: object, options?: RequestOptions) =>
    request(id, input, options).then(
      ({ data }) => ({ data }),
      (error: unknown) => {
        if (error instanceof GroundworkError) return { error }
        throw error
      },
    )

  const methods = [...described.keys()].map((id) => [
    id,
    async (input?: object, options?: RequestOptions) => (await request(id, input, options)).data,
  ])
  return { ...Object.fromEntries(methods), request, attempt, each } as Client
}

/** Files and exports have no envelope: `data` is the response itself. */
async function readResponse(response: Response): Promise<ApiResponse<unknown>> {
  const { status, headers } = response
  const isFile = headers.has('content-disposition') || !headers.get('content-type')?.includes('json')
  if (isFile) return { data: response, message: undefined, status, headers }
  const { data, message } = (await response.json()) as { data: unknown; message?: string }
  return { data, message, status, headers }
}
