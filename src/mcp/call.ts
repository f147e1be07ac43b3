import type { AnyOperation } from '../http/operation'
import { describeInput } from './input'
import { type Allowance, findNeededAllowance, needsFile, removesRecords } from './permissions'

/** Sends a request to the service, with the key of the assistant. */
export type InnerFetch = (path: string, init: { method: string; body?: string }) => Promise<Response>

/** A type, because the protocol's results allow further members. */
export type ToolResult = {
  content: { type: 'text'; text: string }[]
  isError?: boolean
}

/** A client passes a result to the model, which reads no more at once. */
const MAX_RESULT_CHARACTERS = 40_000
/** Records of a page, unless the assistant asks for more. */
const DEFAULT_LIMIT = '20'

export const textResult = (value: unknown): ToolResult => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
})

export const errorResult = (text: string): ToolResult => ({ ...textResult(text), isError: true })

export async function callOperation(
  op: AnyOperation,
  input: Readonly<Record<string, unknown>>,
  { fetch, allowed }: { fetch: InnerFetch; allowed: ReadonlySet<Allowance> },
): Promise<ToolResult> {
  if (needsFile(op)) return errorResult(`${op.id} takes or returns a file. Call the API instead.`)
  const misleading = findDotSegment(op, input)
  if (misleading !== undefined) return errorResult(`${misleading} must not be "." or "..".`)
  const request = buildRequest(op, input, allowed.has('mail'))
  const needed = findNeededAllowance(op) ?? (removesRecords(request.body) ? 'removals' : undefined)
  if (needed !== undefined && !allowed.has(needed)) return errorResult(explainMissingAllowance(op, needed))
  const missing = [...describeInput(op).pathNames].filter((name) => request.path.includes(`{${name}}`))
  if (missing.length) return errorResult(`Send ${missing.join(', ')}.`)
  const response = await fetch(request.path, {
    method: op.method.toUpperCase(),
    ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
  })
  return toResult(response)
}

export const explainMissingAllowance = ({ id }: Pick<AnyOperation, 'id'>, needed: Allowance) =>
  `${id} is not allowed here. The person who connected this server can allow it: add allow=${needed} to its URL.`

/** Name of a path parameter that would lead to the path of another operation: URLs resolve dot segments. */
const findDotSegment = (op: AnyOperation, input: Readonly<Record<string, unknown>>): string | undefined =>
  [...describeInput(op).pathNames].find((name) => /^\.{1,2}$/.test(String(input[name])))

interface InnerRequest {
  path: string
  body: unknown
}

function buildRequest(op: AnyOperation, input: Readonly<Record<string, unknown>>, mayMail: boolean): InnerRequest {
  const { pathNames, queryNames, body: bodyKind } = describeInput(op)
  let path = op.path
  const query = new URLSearchParams()
  const rest: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue
    if (pathNames.has(name)) path = path.replace(`{${name}}`, encodeURIComponent(String(value)))
    else if (queryNames.has(name) || bodyKind === 'none') addToQuery(query, name, value)
    else rest[name] = value
  }
  if (queryNames.has('limit') && op.method === 'get' && !query.has('limit')) query.set('limit', DEFAULT_LIMIT)
  if (queryNames.has('invite') && !mayMail) query.set('invite', 'false')
  const body = bodyKind === 'none' ? undefined : bodyKind === 'flat' ? rest : rest.body
  const isQuiet = !mayMail && bodyKind === 'flat' && takesNotify(op)
  const search = query.size ? `?${query}` : ''
  return { path: path + search, body: isQuiet ? { ...rest, notify: 'none' } : body }
}

const takesNotify = (op: AnyOperation) => 'notify' in Object(describeInput(op).schema.properties)

/** Lists are separated by commas, and `attributes: {plan: "pro"}` is `attributes.plan=pro`. */
function addToQuery(query: URLSearchParams, name: string, value: unknown): void {
  if (Array.isArray(value)) query.set(name, value.join(','))
  else if (value !== null && typeof value === 'object')
    for (const [member, one] of Object.entries(value)) query.set(`${name}.${member}`, String(one))
  else query.set(name, String(value))
}

interface Envelope {
  message?: string
  data?: unknown
  error?: { code: string; issues?: { path: string; message: string }[] }
}

async function toResult(response: Response): Promise<ToolResult> {
  const { message, data, error } = await response.json<Envelope>()
  if (error) {
    const issues = (error.issues ?? []).map((issue) => `${issue.path}: ${issue.message}`)
    const lines = issues.length ? [error.code, ...issues] : [`${error.code}: ${message}`]
    return errorResult(lines.join('\n').slice(0, MAX_RESULT_CHARACTERS))
  }
  const nextCursor = response.headers.get('x-next-cursor') ?? undefined
  const ignored = response.headers.get('x-ignored-members') ?? undefined
  return textResult(fitIntoResult({ ...(message !== undefined && { message }), ignored, data, nextCursor }))
}

/** Shortens a page to whole records, and any other answer to a part of its text. */
function fitIntoResult(answer: Record<string, unknown>): string {
  const text = JSON.stringify(answer)
  if (text.length <= MAX_RESULT_CHARACTERS) return text
  const { data, nextCursor: _, ...rest } = answer
  if (!Array.isArray(data) || JSON.stringify(data[0]).length > MAX_RESULT_CHARACTERS)
    return `${text.slice(0, MAX_RESULT_CHARACTERS).toWellFormed()}… The answer has ${text.length} characters and is cut. Ask for fewer \`fields\`.`
  let length = 0
  const end = data.findIndex((item) => {
    length += JSON.stringify(item).length + 1
    return length > MAX_RESULT_CHARACTERS
  })
  const truncated = `${end} of ${data.length} records fit. Ask with limit ${end}, or for fewer \`fields\`.`
  return JSON.stringify({ ...rest, truncated, data: data.slice(0, end) })
}
