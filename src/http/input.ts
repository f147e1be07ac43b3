import type { Context } from 'hono'
import * as z from 'zod'
import { type Issue, invalidInput } from '../text/errors'
import { unsafeText } from '../text/json'
import { sha256 } from '../text/sha256'
import type { AppEnv } from './answer'
import { type Gate, type ReadBody, readJson } from './body'
import { issuesOf } from './issues'
import type { IncomingFile } from './multipart'
import type { AnyOperation, Receiving } from './operation'
import { unknownField } from './sparse'
import { readUpload } from './upload'

interface CheckedInput {
  params: unknown
  query: unknown
  body: unknown
  digest: ReadBody<unknown>['digest']
}

/** Reads and checks path, query and body of a request, and reports all problems at once. */
export function inputReader(
  op: AnyOperation,
): (c: Context<AppEnv>, gate: Gate, at: Receiving) => Promise<CheckedInput> {
  const optional = op.body?.safeParse(undefined).success === true
  return async (c, gate, at) => {
    const issues: Issue[] = []
    const address = () => ({
      params: checked(op.params, texts(c, c.req.param(), '/path', issues), '/path', issues),
      query: checkedQuery(op, c, issues),
    })
    if (op.upload) {
      const asked = address()
      // Receive the file only for a valid request.
      if (issues.length) throw invalidInput(issues)
      return { ...asked, ...(await receivedUpload(op.upload, c.req.raw, gate, at)) }
    }
    const { value, digest } = op.body ? await readJson(c.req.raw, { optional, gate }) : NO_BODY
    const asked = address()
    const body = checked(op.body, op.takesAnswer ? contentOf(value) : value, '', issues)
    if (issues.length) throw invalidInput(issues)
    return { ...asked, body, digest }
  }
}

function texts(
  c: Context<AppEnv>,
  values: Record<string, string>,
  at: string,
  issues: Issue[],
): Record<string, string> {
  // Only a percent escape can bring NUL or half a surrogate pair into a URL.
  if (!c.req.url.includes('%')) return values
  for (const [name, value] of Object.entries(values)) {
    const problem = unsafeText(value) ?? unsafeText(name)
    if (problem) issues.push({ path: `${at}/${name}`, code: 'invalid_text', message: `The text ${problem}` })
  }
  return values
}

const REPEATED = 'The parameter stands in the address more than once. Send it once.'

function checkedQuery(op: AnyOperation, c: Context<AppEnv>, issues: Issue[]): unknown {
  // Skip a request without a query to an operation without query parameters.
  if (!op.query && !c.req.url.includes('?')) return undefined
  const given = texts(c, c.req.query(), '/query', issues)
  const known = op.query instanceof z.ZodObject ? op.query.shape : {}
  const all = c.req.queries()
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(known, name)) {
      // A list is a comma-separated text, because no parameter may repeat.
      if ((all[name]?.length ?? 0) > 1)
        issues.push({ path: `/query/${name}`, code: 'repeated_parameter', message: REPEATED })
      continue
    }
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

/** Unwraps a response envelope, and returns anything else unchanged. */
function contentOf(value: unknown): unknown {
  const { success, data } = (value ?? {}) as { success?: unknown; data?: unknown }
  return success === true && typeof data === 'object' ? data : value
}

const NO_BODY: ReadBody<unknown> = { value: undefined, digest: () => sha256(new Uint8Array()) }

async function receivedUpload(
  upload: NonNullable<AnyOperation['upload']>,
  request: Request,
  gate: Gate,
  at: Receiving,
): Promise<Pick<CheckedInput, 'body' | 'digest'>> {
  const discard = async (received: unknown) => upload.discard?.(received as never, at)
  const receiver = { ...upload, receive: (file: IncomingFile) => upload.receive(file, at), discard }
  const { value, digest } = await readUpload(request, receiver, gate)
  const issues: Issue[] = []
  const fields = checked(upload.fields, value.fields, '', issues)
  if (!issues.length) return { body: { file: value.file, fields }, digest }
  await discard(value.file)
  throw invalidInput(issues)
}

/** Parses the value by the schema, and adds problems to the issues. */
function checked(schema: z.ZodType | undefined, value: unknown, at: string, issues: Issue[]): unknown {
  if (!schema) return value
  const result = schema.safeParse(value)
  if (result.success) return result.data
  issues.push(...issuesOf(result.error, at))
  return undefined
}
