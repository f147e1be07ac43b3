import type { Context } from 'hono'
import * as z from 'zod'
import type { PresentedMember } from '../db/client/presented'
import { makeLazy } from '../db/sql/statement'
import { type Issue, invalidInputError } from '../text/errors'
import { findTextProblem } from '../text/json'
import { digestSha256 } from '../text/sha256'
import { ATTRIBUTE_PARAMETER_PREFIX } from './attributes'
import { type BodyReadChecks, mediaTypeOf, type ReadBody, readJsonBody } from './body'
import { isComputed } from './computed-members'
import { unknownFieldMessage } from './field-selection'
import { issuesOfError, jsonPointer } from './issues'
import type { IncomingFile } from './multipart'
import type { AnyOperation, ReceiveContext } from './operation'
import { refusesReadOnlyMembers } from './read-only'
import type { AppEnv } from './response'
import { safeParseInput } from './safe-parse'
import { findIgnoredMembers, findShownForms } from './unknown-members'
import { readUpload } from './upload'

interface CheckedInput {
  params: unknown
  query: unknown
  body: unknown
  digest: ReadBody<unknown>['digest']
  /** Members of the body that only the record has. */
  presented: readonly PresentedMember[]
}

/** `shown`: the schema of the record that a GET returns. */
export function makeInputReader(
  op: AnyOperation,
  shown: z.ZodType | undefined,
): (c: Context<AppEnv>, gate: BodyReadChecks, at: ReceiveContext) => Promise<CheckedInput> {
  const { schema, readBody } = describeBody(op)
  return async (c, gate, at) => {
    const issues: Issue[] = []
    const address = () => ({
      params: parseBySchema(op.params, checkParameterTexts(c, c.req.param(), '/path', issues), '/path', issues),
      query: checkQueryParameters(op, c, issues),
    })
    if (op.upload) {
      const asked = address()
      if (issues.length) throw invalidInputError(issues)
      return { ...asked, ...(await receiveUpload(op.upload, c.req.raw, gate, at)), presented: [] }
    }
    const { value, digest } = await readBody(c.req.raw, gate)
    const asked = address()
    const sent = op.takesResponse ? unwrapEnvelope(value) : value
    const taken = parseBody(op, { schema: schema(), shown, sent })
    issues.push(...taken.issues)
    const presented = sent === undefined ? [] : checkMembers(c, { op, schema: schema(), shown, value: sent, issues })
    if (issues.length) throw invalidInputError(issues)
    return { ...asked, body: taken.body, digest, presented: [...taken.presented, ...presented] }
  }
}

function checkParameterTexts(
  c: Context<AppEnv>,
  values: Record<string, string>,
  at: string,
  issues: Issue[],
): Record<string, string> {
  // Only a percent escape can bring NUL or half a surrogate pair into a URL.
  if (!c.req.url.includes('%')) return values
  for (const [name, value] of Object.entries(values)) {
    const problem = findTextProblem(value) ?? findTextProblem(name)
    if (problem) issues.push({ path: `${at}/${name}`, code: 'invalid_text', message: `The text ${problem}` })
  }
  return values
}

const REPEATED_PARAMETER_MESSAGE = 'The address contains this parameter more than once. Send the parameter once.'

function checkQueryParameters(op: AnyOperation, c: Context<AppEnv>, issues: Issue[]): unknown {
  if (!op.query && !c.req.url.includes('?')) return undefined
  const known = op.query instanceof z.ZodObject ? op.query.shape : {}
  const sent = checkParameterTexts(c, c.req.query(), '/query', issues)
  const attributes = 'attributes' in known ? takeAttributes(sent) : {}
  const given: Record<string, unknown> = { ...sent, ...attributes }
  const all = c.req.queries()
  for (const name of Object.keys(sent)) {
    const isAttribute = 'attributes' in known && name.startsWith(ATTRIBUTE_PARAMETER_PREFIX)
    if (Object.hasOwn(known, name) || isAttribute) {
      // A list is a comma-separated text, because no parameter may repeat.
      if ((all[name]?.length ?? 0) > 1)
        issues.push({ path: `/query/${name}`, code: 'repeated_parameter', message: REPEATED_PARAMETER_MESSAGE })
      continue
    }
    const names = Object.keys(known)
    const message = `The operation does not have this parameter. ${names.length ? `Parameters are: ${names.join(', ')}.` : 'Leave the parameter out.'}`
    issues.push({ path: `/query/${name}`, code: 'unknown_parameter', message })
  }
  if (sent.fields !== undefined && Object.hasOwn(known, 'fields')) {
    const message = unknownFieldMessage(op, sent.fields)
    if (message) issues.push({ path: '/query/fields', code: 'unknown_field', message })
  }
  const queryIssues: Issue[] = []
  const query = parseBySchema(op.query, given, '/query', queryIssues)
  // A parameter with several values has one issue for each value.
  issues.push(...queryIssues.map((issue) => ({ ...issue, path: issue.path.replace(/^(\/query\/[^/]+)\/.*/, '$1') })))
  return query
}

/** `attributes.plan=pro` → `{ attributes: { plan: 'pro' } }`. */
function takeAttributes(sent: Record<string, string>): { attributes?: Record<string, string> } {
  const entries = Object.entries(sent).filter(([name]) => name.startsWith(ATTRIBUTE_PARAMETER_PREFIX))
  if (!entries.length) return {}
  return {
    attributes: Object.fromEntries(
      entries.map(([name, value]) => [name.slice(ATTRIBUTE_PARAMETER_PREFIX.length), value]),
    ),
  }
}

interface ParsedBody {
  body: unknown
  issues: Issue[]
  /** Members in the form that the record shows, which say "as it is". */
  presented: PresentedMember[]
}

function parseBody(
  op: AnyOperation,
  { schema, shown, sent }: { schema: z.ZodType; shown: z.ZodType | undefined; sent: unknown },
): ParsedBody {
  const issues: Issue[] = []
  const whole = parseBySchema(schema, sent, '', issues)
  const presented =
    issues.length && shown && op.method === 'put' && refusesReadOnlyMembers(op)
      ? findShownForms(shown, sent, issues)
      : []
  if (!presented.length) return { body: whole, issues, presented }
  const names = new Set(presented.map(({ path: [name] }) => name))
  const rest = Object.fromEntries(Object.entries(sent as object).filter(([name]) => !names.has(name)))
  const further: Issue[] = []
  const body = parseBySchema(schema, rest, '', further)
  return further.length ? { body, issues, presented: [] } : { body, issues: [], presented }
}

// A header has room for the first members.
const MAX_NAMED_MEMBERS = 50

interface SentBody {
  op: AnyOperation
  schema: z.ZodType
  shown: z.ZodType | undefined
  value: unknown
  issues: Issue[]
}

function checkMembers(c: Context<AppEnv>, { op, schema, shown, value, issues }: SentBody): readonly PresentedMember[] {
  const ignored = findIgnoredMembers(op.bodyMembers ?? schema, value, op.body && shown)
  if (!op.acceptsUnknownMembers) {
    issues.push(...ignored.unknown)
    // The record of the response is another one than the new record.
    if (op.takesResponse) return []
    return ignored.shown.filter((member) => !isComputed(member, op.method !== 'post'))
  }
  const paths = [...ignored.unknown.map(({ path }) => path), ...ignored.shown.map(({ path }) => jsonPointer(path))]
  c.set('ignoredMembers', paths.slice(0, MAX_NAMED_MEMBERS))
  return []
}

function unwrapEnvelope(value: unknown): unknown {
  const { success, data } = (value ?? {}) as { success?: unknown; data?: unknown }
  return success === true && typeof data === 'object' ? data : value
}

const EMPTY_BODY: ReadBody<unknown> = { value: undefined, digest: () => digestSha256(new Uint8Array()) }

const makeEmptyBodySchema = makeLazy(() => z.object({}).optional())

interface BodyReader {
  schema(): z.ZodType
  readBody(request: Request, gate: BodyReadChecks): Promise<ReadBody<unknown>>
}

/** An operation without a body refuses the forms that the page of another site can send with the reader's cookie. */
function describeBody({ body }: AnyOperation): BodyReader {
  if (body) {
    const optional = body.safeParse(undefined).success
    return { schema: () => body, readBody: (request, gate) => readJsonBody(request, { optional, gate }) }
  }
  return {
    schema: makeEmptyBodySchema,
    async readBody(request, gate) {
      // Some clients name a type with each request. Without a body it means nothing for a read.
      if (request.body === null && (request.method === 'GET' || mediaTypeOf(request) === '')) return EMPTY_BODY
      const { value } = await readJsonBody(request, { optional: true, takesNone: true, gate })
      return { ...EMPTY_BODY, value }
    },
  }
}

async function receiveUpload(
  upload: NonNullable<AnyOperation['upload']>,
  request: Request,
  gate: BodyReadChecks,
  at: ReceiveContext,
): Promise<Pick<CheckedInput, 'body' | 'digest'>> {
  const discard = async (received: unknown) => upload.discard?.(received as never, at)
  const receiver = { ...upload, receive: (file: IncomingFile) => upload.receive(file, at), discard }
  const { value, digest } = await readUpload(request, receiver, gate)
  const issues: Issue[] = []
  const fields = parseBySchema(upload.fields, value.fields, '', issues)
  if (!issues.length) return { body: { file: value.file, fields }, digest }
  await discard(value.file)
  throw invalidInputError(issues)
}

function parseBySchema(schema: z.ZodType | undefined, value: unknown, at: string, issues: Issue[]): unknown {
  if (!schema) return value
  const result = safeParseInput(schema, value)
  if (result.success) return result.data
  issues.push(...issuesOfError(result.error, at))
  return undefined
}
