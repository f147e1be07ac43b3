import fc from 'fast-check'
import { type Components, type Json, type Known, oddValue, type Schema, validValue } from './arbitrary'

export interface Part {
  name: string
  /** The name of a file part. */
  file?: string
  type?: string
  content: string
}

/** A request as plain data, so that a counterexample is readable. */
export interface GeneratedRequest {
  method: string
  path: string
  headers: Record<string, string>
  /** Kind of API key: `full` has every scope, `none` leaves the header out. */
  key: 'full' | 'none' | 'garbage' | 'scopeless' | 'foreign' | 'limited'
  body?: string
  /** Each character of the body is a byte. */
  latin1?: true
  form?: Part[]
  /** The kind of damage; empty for a valid request. */
  defect: string
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
}

export interface DocumentedOperation {
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
}

export interface Context {
  components: Components
  known: Known
}

export function validRequest(
  method: string,
  path: string,
  op: DocumentedOperation,
  { components, known }: Context,
): fc.Arbitrary<GeneratedRequest> {
  const given = (where: Parameter['in']) => {
    const wanted = (op.parameters ?? []).filter((parameter) => parameter.in === where && parameter.name !== OPAQUE)
    const values = wanted.map((parameter) => [parameter.name, parameterValue(parameter, components, known)] as const)
    const requiredKeys = wanted.filter(({ required }) => required).map(({ name }) => name)
    return fc.record(Object.fromEntries(values), { requiredKeys, noNullPrototype: true })
  }
  return fc
    .record({
      params: given('path'),
      query: given('query'),
      headers: given('header'),
      body: body(op, components, known),
    })
    .map(({ params, query, headers, body }) => ({
      method: method.toUpperCase(),
      path: fill(path, params as Record<string, string>) + search(query as Record<string, string>),
      headers: { ...(headers as Record<string, string>), ...body.headers },
      key: 'full',
      ...(body.body !== undefined && { body: body.body }),
      ...(body.form && { form: body.form }),
      defect: '',
    }))
}

/** The known value `undefined`, as text. */
const LEFT_OUT = 'undefined'

// A cursor is valid only if a response has returned it. The tour follows cursors.
const OPAQUE = 'cursor'

// Headers that depend on the state of the server. The tour sends these headers.
const CONDITIONS = new Set(['If-Match', 'If-None-Match', 'If-Range', 'Range', 'Idempotency-Key'])

function parameterValue({ name, schema }: Parameter, components: Components, known: Known): fc.Arbitrary<string> {
  if (CONDITIONS.has(name)) return (known[name] ?? fc.constant('')) as fc.Arbitrary<string>
  return validValue(schema, components, known, name).map((value) => String(value).toWellFormed().replaceAll('\0', ''))
}

export function fill(path: string, params: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

function search(query: Record<string, string>): string {
  const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== LEFT_OUT)).toString()
  return text && `?${text}`
}

type Body = Pick<GeneratedRequest, 'headers' | 'body' | 'form'>

const NOTHING: fc.Arbitrary<Body> = fc.constant({ headers: {} })
const JSON_TYPE = { 'content-type': 'application/json' }

function body({ requestBody }: DocumentedOperation, components: Components, known: Known): fc.Arbitrary<Body> {
  if (!requestBody) return NOTHING
  const { 'application/json': json, 'multipart/form-data': parts } = requestBody.content
  const made = fc.oneof(
    ...(parts ? [form(parts.schema, components, known)] : []),
    ...(json
      ? [
          validValue(json.schema, components, known).map((value) => ({
            headers: JSON_TYPE,
            body: JSON.stringify(value),
          })),
        ]
      : []),
  )
  return requestBody.required ? made : fc.oneof({ weight: 4, arbitrary: made }, NOTHING)
}

/** The required member of the schema is the file. */
function form(schema: Schema, components: Components, known: Known): fc.Arbitrary<Body> {
  const [part = ''] = schema.required ?? []
  const { [part]: _, ...fields } = schema.properties ?? {}
  const others = validValue({ type: 'object', properties: fields, required: [] }, components, known)
  return fc.record({ file: file(part, known), others }).map(({ file, others }) => ({
    headers: {},
    form: [file, ...Object.entries(others as Record<string, string>).map(([name, content]) => ({ name, content }))],
  }))
}

function file(part: string, known: Known): fc.Arbitrary<Part> {
  const content = known[`file:${part}`] ?? fc.string({ unit: 'binary-ascii', minLength: 1 })
  const named = fc.record({
    file: fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), fc.constant('plan "a".csv')),
    type: fc.constantFrom('', 'text/csv', 'application/json', 'image/png', 'application/octet-stream'),
  })
  return fc.tuple(content, named).map(([text, rest]) => ({ name: part, content: String(text), ...rest }))
}

type Change = (sent: GeneratedRequest) => GeneratedRequest

export function brokenRequest(requests: fc.Arbitrary<GeneratedRequest>): fc.Arbitrary<GeneratedRequest> {
  return requests.chain((sent) => {
    const takesBody = sent.method !== 'GET' && sent.method !== 'DELETE'
    return fc
      .oneof(...(takesBody ? [...ofBody, ...ofBody, ...ofRequest] : ofRequest))
      .map(([defect, change]) => ({ ...change(sent), defect }))
  })
}

const change = (name: string, arbitrary: fc.Arbitrary<Change>) =>
  arbitrary.map((made): [string, Change] => [name, made])

const inJson =
  (edit: (body: Json) => string): Change =>
  ({ form: _, ...sent }) => ({
    ...sent,
    body: edit(sent.body === undefined ? {} : JSON.parse(sent.body)),
    headers: { ...sent.headers, ...JSON_TYPE },
  })

/** Adds a member to JSON text. A text also allows the key `__proto__`. */
function withKey(body: Json, key: string, value: Json): string {
  const text = JSON.stringify(body)
  const member = `${JSON.stringify(key)}:${JSON.stringify(value)}`
  return text.startsWith('{') ? text.replace('{', text === '{}' ? `{${member}` : `{${member},`) : `{${member}}`
}

interface Place {
  holder: Json[] | Record<string, Json>
  key: string
}

function places(value: Json): Place[] {
  if (value === null || typeof value !== 'object') return []
  const holder = value as Record<string, Json>
  return Object.entries(holder).flatMap(([key, item]) => [{ holder, key }, ...places(item)])
}

/** Sets the nth member of a body, or removes the member if `value` is undefined. */
function put(body: Json, nth: number, value: Json | undefined): Json {
  const copy = structuredClone(body)
  const all = places(copy)
  const place = all[nth % Math.max(all.length, 1)]
  if (!place) return value ?? null
  const holder = place.holder as Record<string, Json>
  if (value === undefined) delete holder[place.key]
  else holder[place.key] = value
  return copy
}

const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'length',
  '',
  '\0',
  '\ud800',
  'id',
  'subscriptionId',
  '$where',
  '/~',
]

const NOT_UTF8 = ['\xff\xfe', '"\xed\xa0\x80"', '{"summary":"\xe9"}', '\x1f\x8b\x08']

const notJson = fc.constantFrom<(text: string) => string>(
  () => '',
  () => ' ',
  () => '{',
  () => 'undefined',
  () => 'NaN',
  () => '"\0"',
  () => `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  () => '{"a":1e999}',
  () => '{"a":1,"a":2}',
  () => "{'a':1}",
  () => '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n1\r\n--x--',
  (text) => `\ufeff${text}`,
  (text) => text.slice(0, -1),
  (text) => `${text},`,
  (text) => `${text}\0`,
  (text) => text.replace(/\d+/, '01'),
  (text) => `[${text}]`,
)

const MEDIA_TYPES = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json, text/plain',
  'application/jsonp',
  '*/*',
  ';',
  'a'.repeat(5_000),
]

const PATH_PARTS = [
  '0',
  '-1',
  '1.5',
  '1e3',
  '0x1',
  '%20',
  '%00',
  '%ED%A0%80',
  '%FF',
  '%',
  '%2F',
  '..%2F..',
  'NaN',
  'null',
  '__proto__',
  'EP-0',
  'EP-01',
  'EP-99999999999999999999',
  '9007199254740993',
  '9'.repeat(400),
  'a'.repeat(3_000),
  "'%20OR%201=1--",
  '%F0%9F%98%80',
  '%0d%0aSet-Cookie:%20a=b',
]

const QUERIES = [
  'limit=0',
  'limit=101',
  'limit=1e1',
  'limit=',
  'limit=%00',
  'limit=1&limit=2',
  'limit=9007199254740993',
  'cursor=',
  'cursor=x',
  'cursor=%00',
  'cursor=W10',
  'cursor=WzEsMV0',
  'cursor=W251bGwsbnVsbF0',
  'cursor=WyJhIiwiYiJd',
  'cursor=WzFlOTk5LDFd',
  `cursor=${'A'.repeat(600)}`,
  'sort=id',
  'sort=',
  'fields=',
  'fields=__proto__',
  'fields=constructor,id',
  'fields=id,id',
  `fields=${'id,'.repeat(330)}id`,
  'after=-1',
  'after=1.5',
  'type=nothing',
  'key=%ED%A0%80',
  'slug=%F0%9F%98%80',
  'slug=%00',
  'revisions=-1',
  'revisions=1001',
  'linked=maybe',
  'epicId=abc',
  'epicId=99999999',
  '__proto__=1',
  '%00=1',
  'q=1&'.repeat(500),
  '&&&=',
  '%',
]

const HEADERS: [string, string][] = [
  ['if-match', '"v0"'],
  ['if-match', 'W/"v1"'],
  ['if-match', '"v99999999999999999999"'],
  ['if-none-match', '*'],
  ['if-none-match', ',,,"v1'],
  ['range', 'bytes=0-0'],
  ['range', 'bytes=99999999-'],
  ['range', 'bytes=5-2'],
  ['range', 'bytes=-0'],
  ['range', 'bytes=0-1,3-4'],
  ['range', 'lines=1-2'],
  ['if-range', '"x"'],
  ['idempotency-key', ''],
  ['idempotency-key', ' '],
  ['idempotency-key', 'a b'],
  ['idempotency-key', 'k'.repeat(256)],
  ['x-d1-bookmark', 'garbage'],
  ['x-d1-bookmark', '00000000-00000000-00000000-00000000000000000000000000000000'],
  ['x-request-id', '<script>'],
  ['x-request-id', 'r'.repeat(500)],
  ['accept', 'text/html'],
  ['accept-encoding', 'nothing'],
  ['content-length', '99999999'],
  ['content-length', '-1'],
  ['content-length', '1e9'],
  ['content-encoding', 'gzip'],
  ['x-http-method-override', 'DELETE'],
  ['x-forwarded-host', 'evil.example'],
  ['x-api-key', 'Basic dXNlcjpwYXNz'],
  ['x-api-key', `Bearer ${'a.'.repeat(2_000)}`],
]

const FORMS: Part[][] = [
  [],
  [{ name: 'other', content: 'x' }],
  [{ name: 'file', content: 'text, not a file' }],
  [{ name: 'metrics', content: 'text, not a file' }],
  [
    { name: 'file', file: 'a', content: 'a' },
    { name: 'file', file: 'b', content: 'b' },
  ],
  [{ name: 'file', file: 'empty', content: '' }],
  [{ name: 'metrics', file: 'empty', content: '' }],
  [{ name: 'file', file: '\r\nSet-Cookie: a=b', type: 'text/html', content: '<script>' }],
  [{ name: 'file', file: '../../etc/passwd', type: 'nonsense', content: 'x' }],
  [{ name: 'file', file: '\u202egnp.exe', content: 'MZ' }],
  [{ name: 'file', file: 'x'.repeat(5_000), content: 'x' }],
  [
    { name: 'file', file: 'a', content: 'a' },
    { name: 'usedAt', content: 'nothing' },
    { name: '__proto__', content: 'x' },
  ],
  [{ name: 'metrics', file: 'a.csv', content: 'value\nabc\n' }],
  [{ name: 'metrics', file: 'a.csv', content: 'other\n1\n' }],
  [{ name: 'metrics', file: 'a.csv', content: 'value,createdAt\n1,2026-13-45\n1e400,\n"unclosed' }],
  [{ name: 'metrics', file: 'a.json', content: '[{"value":{}},{"__proto__":1},null,"\\ud800",1e999]' }],
  [{ name: 'metrics', file: 'a.json', content: '{"records":{"length":3}}' }],
  [{ name: 'metrics', file: 'a.bin', content: '\0\0\0\xff' }],
]

const ofBody = [
  change(
    'a value of another type',
    fc.tuple(fc.nat(), oddValue).map(([nth, value]) => inJson((body) => JSON.stringify(put(body, nth, value)))),
  ),
  change(
    'a field is missing',
    fc.nat().map((nth) => inJson((body) => JSON.stringify(put(body, nth, undefined)))),
  ),
  change(
    'a key too many',
    fc.tuple(fc.constantFrom(...KEYS), oddValue).map(([key, value]) => inJson((body) => withKey(body, key, value))),
  ),
  change(
    'another body',
    oddValue.map((value) => inJson(() => JSON.stringify(value))),
  ),
  change(
    'a body that is not JSON',
    notJson.map((edit) => ({ form: _, ...sent }) => ({ ...sent, headers: JSON_TYPE, body: edit(sent.body ?? '{}') })),
  ),
  change(
    'a body that is not UTF-8',
    fc.constantFrom(...NOT_UTF8).map((body) => ({ form: _, ...sent }) => ({
      ...sent,
      headers: JSON_TYPE,
      body,
      latin1: true,
    })),
  ),
  change(
    'another media type',
    fc.constantFrom(...MEDIA_TYPES).map((type) => ({ form: _, ...sent }) => ({
      ...sent,
      body: sent.body ?? '{}',
      headers: { 'content-type': type },
    })),
  ),
  change(
    'another form',
    fc.constantFrom(...FORMS).map((form) => ({ body: _, ...sent }) => ({ ...sent, headers: {}, form })),
  ),
]

const ofRequest = [
  change(
    'another path',
    fc.tuple(fc.nat(), fc.constantFrom(...PATH_PARTS)).map(([nth, part]) => (sent) => {
      const [path = '', query] = sent.path.split('?')
      const parts = path.split('/')
      parts[2 + (nth % (parts.length - 2))] = part
      return { ...sent, path: parts.join('/') + (query === undefined ? '' : `?${query}`) }
    }),
  ),
  change(
    'another query',
    fc.array(fc.constantFrom(...QUERIES), { minLength: 1, maxLength: 3 }).map((queries) => (sent) => ({
      ...sent,
      path: `${sent.path.split('?')[0]}?${queries.join('&')}`,
    })),
  ),
  change(
    'another header',
    fc.constantFrom(...HEADERS).map(([name, value]) => (sent) => ({
      ...sent,
      headers: { ...sent.headers, [name]: value },
    })),
  ),
  change(
    'another key',
    fc
      .constantFrom<GeneratedRequest['key']>('none', 'garbage', 'scopeless', 'foreign', 'limited')
      .map((key) => (sent) => ({ ...sent, key })),
  ),
  change(
    'another method',
    fc
      .constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD')
      .map((method) => ({ body, form, ...sent }) => ({
        ...sent,
        method,
        ...(method !== 'GET' && method !== 'HEAD' && { ...(body !== undefined && { body }), ...(form && { form }) }),
      })),
  ),
]
