import type { Context } from 'hono'
import * as z from 'zod'
import { type Issue, invalidInput } from '../text/errors'
import { unsafeText } from '../text/json'
import { sha256 } from '../text/sha256'
import type { AppEnv } from './answer'
import { type Admit, type ReadBody, readJson, readUpload } from './body'
import type { AnyOperation } from './operation'
import { unknownField } from './sparse'

interface CheckedInput {
  params: unknown
  query: unknown
  body: unknown
  /** SHA-256 of the body as it was sent. */
  digest: ReadBody<unknown>['digest']
}

/** Reads and checks path, query and body of an operation's requests. All that is wrong with them is told at once. */
export function inputReader(op: AnyOperation): (c: Context<AppEnv>, admit: Admit) => Promise<CheckedInput> {
  const optional = op.body?.safeParse(undefined).success === true
  return async (c, admit) => {
    const { value, digest } = await readBody(op, c.req.raw, { optional, admit })
    const issues: Issue[] = []
    const params = checked(op.params, texts(c, c.req.param(), '/path', issues), '/path', issues)
    const query = checkedQuery(op, c, issues)
    const body = checkedBody(op, value, issues)
    if (issues.length) throw invalidInput(issues)
    return { params, query, body, digest }
  }
}

function texts(
  c: Context<AppEnv>,
  values: Record<string, string>,
  at: string,
  issues: Issue[],
): Record<string, string> {
  // Only an escape brings NUL or half a surrogate pair into an address.
  if (!c.req.url.includes('%')) return values
  for (const [name, value] of Object.entries(values)) {
    const problem = unsafeText(value) ?? unsafeText(name)
    if (problem) issues.push({ path: `${at}/${name}`, code: 'invalid_text', message: `The text ${problem}` })
  }
  return values
}

function checkedQuery(op: AnyOperation, c: Context<AppEnv>, issues: Issue[]): unknown {
  // Most requests have none, and an operation that takes none has nothing to check.
  if (!op.query && !c.req.url.includes('?')) return undefined
  const given = texts(c, c.req.query(), '/query', issues)
  const known = op.query instanceof z.ZodObject ? op.query.shape : {}
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(known, name)) continue
    const names = Object.keys(known)
    const message = `There is no such parameter here. ${names.length ? `Parameters are: ${names.join(', ')}.` : 'Leave it out.'}`
    issues.push({ path: `/query/${name}`, code: 'unknown_parameter', message })
  }
  if (given.fields !== undefined && Object.hasOwn(known, 'fields')) {
    const message = unknownField(op, given.fields)
    if (message) issues.push({ path: '/query/fields', code: 'unknown_field', message })
  }
  return checked(op.query, given, '/query', issues)
}

const NO_BODY: ReadBody<unknown> = { value: undefined, digest: () => sha256(new Uint8Array()) }

function readBody(
  op: AnyOperation,
  request: Request,
  options: { optional: boolean; admit: Admit },
): ReadBody<unknown> | Promise<ReadBody<unknown>> {
  if (op.upload) return readUpload(request, op.upload.part, options)
  return op.body ? readJson(request, options) : NO_BODY
}

function checkedBody(op: AnyOperation, value: unknown, issues: Issue[]): unknown {
  if (!op.upload) return checked(op.body, value, '', issues)
  const { file, fields } = value as { file: unknown; fields: unknown }
  return { file, fields: checked(op.upload.fields, fields, '', issues) }
}

/** The value in the shape of the schema; what is wrong with it is added to the issues. */
function checked(schema: z.ZodType | undefined, value: unknown, at: string, issues: Issue[]): unknown {
  if (!schema) return value
  const result = schema.safeParse(value)
  if (result.success) return result.data
  for (const { path, code, message } of result.error.issues) issues.push({ path: at + pointer(path), code, message })
  return undefined
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
