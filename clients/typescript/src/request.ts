import { methodOfName } from './method.ts'
import type { Operations } from './types.ts'

export type OperationId = keyof Operations

/** A file to upload. `name` is the file name that the service sees. */
export type Upload = Blob | { name: string; content: Blob | string | Uint8Array<ArrayBuffer> }

export interface RequestOptions {
  /** ETag that a change requires: the service refuses (412) if the record has changed since. */
  ifMatch?: string | undefined
  /** Default: a new key for each POST, so that a retry does nothing twice. */
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
  /** Called while a file is sent. */
  onProgress?: ((sent: number, total: number) => void) | undefined
}

export interface ApiResponse<Data> {
  data: Data
  message: string | undefined
  status: number
  headers: Headers
}

export interface OperationRequest {
  method: string
  /** Path and query, below the address of the service. */
  path: string
  headers: Record<string, string>
  body: string | FormData | undefined
}

interface Described {
  method: string
  path: string
  part: string | undefined
}

export function readOperations(lines: string): ReadonlyMap<string, Described> {
  let before: string[] = []
  return new Map(
    lines.split('\n').map((line) => {
      const [id = '', place = '', part] = line.split(' ')
      const [, method = '', kept, rest = ''] = /^([a-z]*)(\d*)(.*)/.exec(place) ?? []
      const path = before.slice(0, Number(kept)).join('/') + rest
      before = path.split('/')
      const full = path.replace(/^P/, '/api/initiatives/{product_external_key}').replace(/^A/, '/api/')
      return [id, { method: (method || methodOfName(id)).toUpperCase(), path: full, part }]
    }),
  )
}

/** Path parameters, query parameters, `body`, `file` and `fields` stand beside each other. */
export function makeRequest({ method, path, part }: Described, input: Record<string, unknown> = {}): OperationRequest {
  const { body, file, fields, ...parameters } = input
  const used = new Set<string>()
  const at = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name]
    if (value === undefined || value === '') throw new TypeError(`The parameter ${name} is missing.`)
    used.add(name)
    return encodeURIComponent(String(value))
  })
  const query = new URLSearchParams()
  // `fields` is the part of an upload, and a parameter of a list.
  const listed = part === undefined && fields !== undefined ? { ...parameters, fields } : parameters
  for (const [name, value] of Object.entries(listed))
    if (!used.has(name) && value !== undefined && value !== null) query.set(name, String(value))
  const search = query.size ? `?${query}` : ''
  const isUpload = part !== undefined && file !== undefined
  return {
    method,
    path: at + search,
    headers: body !== undefined && !isUpload ? { 'content-type': 'application/json' } : {},
    body: isUpload ? makeForm(part, file as Upload, fields) : body === undefined ? undefined : JSON.stringify(body),
  }
}

function makeForm(part: string, file: Upload, fields: unknown): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(Object(fields) as object))
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  if (file instanceof Blob) form.set(part, file)
  else form.set(part, file.content instanceof Blob ? file.content : new Blob([file.content]), file.name)
  return form
}
