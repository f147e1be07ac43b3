import * as z from 'zod'
import { PEOPLE } from '../../src/http/auth'
import type { AnyOperation } from '../../src/http/operation'
import type { Area } from '../../src/http/token'
import { call } from '../client'
import { kindAt, sampleUpload } from '../world'
import { toldDuring } from './log'
import { QUIET, type Stage, target, valid, writes } from './table'

/** A unique text in a record, and the areas that may read it. */
export interface Marker {
  /** The operation and the body member of the text. */
  where: string
  /** The area of the record. The area's `:read` scope and the area's writes show the text. */
  home: Area
  /** Further areas with a `:read` scope that shows the text. */
  also: readonly Area[]
  /** Whether the text belongs to a product, or else to the workspace. */
  ofProduct: boolean
}

/** Texts that further areas show by design, by operation and member. */
const SHOWN_ELSEWHERE: Readonly<Record<string, { home?: Area; also: readonly Area[] }>> = {
  // A user appears as a member of segments, an author of ideas and a recipient of mailings.
  createUser: { also: PEOPLE },
  modifyUser: { also: [...PEOPLE, 'feedback'] },
  'modifyUser.email': { also: [...PEOPLE, 'feedback', 'mail'] },
  createMember: { also: PEOPLE },
  modifyMember: { also: PEOPLE },
  createUsersInSegment: { also: PEOPLE },
  bulkCreateUsersInSegment: { also: PEOPLE },
  bulkCreateMembers: { also: PEOPLE },
  'createFeedbackItem.user': { home: 'products', also: [...PEOPLE, 'feedback'] },
  'castVote.email': { home: 'products', also: [...PEOPLE, 'feedback'] },
  'bulkCreateFeedbackItems.user': { home: 'products', also: [...PEOPLE, 'feedback'] },
  // Tag names of an idea become tags of the product.
  'createFeedbackItem.tags': { also: ['products'] },
  'modifyFeedbackItem.tags': { also: ['products'] },
  'bulkCreateFeedbackItems.tags': { also: ['products'] },
}

export const areaOf = ({ scope }: AnyOperation) => scope?.split(':')[0] as Area | undefined

/** Members that no response shows again. */
const SECRETS = new Set(['createIncomingWebhook.secret', 'rotateIncomingWebhookSecret.secret'])

const MARKER = /mk\d{4}k/g

/** The markers of a workspace, by text. */
export class Garden {
  readonly planted = new Map<string, Marker>()
  /** Markers in secrets. No response may show these markers again. */
  readonly secrets = new Set<string>()
  /** Keys of the records with markers, by path parameter. */
  readonly places: Record<string, string[]> = {}
  #last = 0

  mark(where: string, home: Area, also: readonly Area[] = []): string {
    const text = `mk${String(++this.#last).padStart(4, '0')}k`
    this.planted.set(text, { where, home, also, ofProduct: false })
    return text
  }

  in(text: string): Set<string> {
    return new Set((text.toLowerCase().match(MARKER) ?? []).filter((found) => this.planted.has(found)))
  }
}

type Mark = (member: string) => string

/** Members of bulk items with a fixed vocabulary. */
const WORDS = /\.(op|type|ref|parentRef|storyPoint|product)$/

function like(example: unknown, mark: Mark, member: string): unknown {
  if (WORDS.test(member)) return example
  if (typeof example === 'string') return example.includes('@') ? `${mark(member)}@example.com` : mark(member)
  if (Array.isArray(example)) return example.map((item) => like(item, mark, member))
  if (example === null || typeof example !== 'object') return example
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, like(value, mark, `${member}.${name}`)]),
  )
}

const TEXTS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `${text}@example.com`,
  (text) => `https://example.com/${text}`,
  (text) => `["${text}"]`,
]

/** Builds a value of the schema with markers; undefined for a schema without texts. */
function filled(schema: z.ZodType, mark: Mark, member: string): unknown {
  const form = TEXTS.find((make) => schema.safeParse(make('mk0000k')).success)
  if (form) return form(mark(member))
  let inner = schema
  while ('unwrap' in inner) inner = (inner as z.ZodOptional<z.ZodType>).unwrap()
  if (inner instanceof z.ZodArray) {
    const item = filled(inner.element as z.ZodType, mark, member)
    return item === undefined ? undefined : [item]
  }
  if (!(inner instanceof z.ZodObject)) return undefined
  const members = Object.entries(inner.shape).flatMap(([name, of]) => {
    const value = filled(of as z.ZodType, mark, `${member}.${name}`)
    return value === undefined ? [] : [[name, value]]
  })
  return members.length ? Object.fromEntries(members) : undefined
}

function marked(op: AnyOperation, base: unknown, mark: Mark): unknown {
  const { body } = op
  if (!(body instanceof z.ZodObject)) return like(base, mark, '')
  let made = base as Record<string, unknown>
  for (const [name, schema] of Object.entries(body.shape)) {
    const forms = [like(made[name], mark, name), filled(schema as z.ZodType, mark, name)]
    const form = forms.find((value) => value !== undefined && body.safeParse({ ...made, [name]: value }).success)
    if (form !== undefined) made = { ...made, [name]: form }
  }
  return made
}

function markedForm(op: AnyOperation, mark: Mark): FormData {
  const form = new FormData()
  const name = mark('file')
  form.set(op.upload?.part ?? '', new File([mark('content')], `${name}.txt`, { type: 'text/plain' }))
  const fields = op.upload?.fields
  if (!(fields instanceof z.ZodObject)) return form
  for (const [field, schema] of Object.entries(fields.shape)) {
    if ((schema as z.ZodType).safeParse('mk0000k').success) form.set(field, mark(field))
  }
  return form
}

async function plantWith(op: AnyOperation, { here, records }: Stage, garden: Garden): Promise<void> {
  const home = areaOf(op)
  if (!home) throw new Error(`${op.id} writes, and has no scope`)
  const mark: Mark = (member) => {
    const where = `${op.id}.${member}`
    const shown = SHOWN_ELSEWHERE[`${op.id}.${member.replace(/^\./, '').split('.')[0]}`] ?? SHOWN_ELSEWHERE[op.id]
    return garden.mark(where, shown?.home ?? home, shown?.also)
  }
  const path = await target(op, records)
  const send = async (options: object) => {
    const answer = await call(op.method.toUpperCase(), path, { apiKey, env: QUIET, ...options })
    const [, list = '', name = ''] = /^(.*)\/([^/]+)$/.exec(answer.headers.get('location') ?? '') ?? []
    const kind = kindAt(op.path) ?? kindAt(list)
    if (kind && name) garden.places[kind] = [...(garden.places[kind] ?? []), name]
    return answer
  }
  const apiKey = await here.key()
  const first = garden.planted.size
  let sent = ''
  const [status, events] = await toldDuring(here, async () => {
    if (op.upload) {
      const { status } = await send({ raw: markedForm(op, mark) })
      if (status !== 400) sent = [...garden.planted.keys()].join(' ')
      return status === 400 ? (await send({ raw: sampleUpload(op.upload) })).status : status
    }
    const base = (await valid(op, records)).json
    const place = { product: here.product.externalKey }
    const own = op.body instanceof z.ZodObject && 'product' in op.body.shape ? { ...(base as object), ...place } : base
    let json = marked(op, own, mark)
    for (let attempt = 1; ; attempt++) {
      const { status, body } = await send({ json })
      sent = JSON.stringify(json)
      if (status !== 400 || attempt === 5) return status
      // A member that refuses a marker, like a reference or an enum, keeps the value of the example.
      const wrong = new Set(body.error?.issues.map((issue) => issue.path.split('/')[1] ?? ''))
      const entries = Object.entries(json as object)
      json = Object.fromEntries(
        entries.flatMap(([name, value]) =>
          !wrong.has(name) ? [[name, value]] : name in (own as object) ? [[name, (own as never)[name]]] : [],
        ),
      )
    }
  })
  if (status >= 300) throw new Error(`${op.id} with markers was answered ${status}`)
  const isPeople = (marker: Marker) => marker.also.includes('segments')
  for (const [text, marker] of [...garden.planted].slice(first)) {
    const isSent = garden.in(sent).has(text)
    if (isSent && SECRETS.has(marker.where)) garden.secrets.add(text)
    if (!isSent || SECRETS.has(marker.where)) garden.planted.delete(text)
    marker.ofProduct = !isPeople(marker) && events.some(({ productId }) => productId !== null)
  }
}

/** Sends every write with a body or an upload. A merge is left out, because its body has only references. */
export async function plant(operations: readonly AnyOperation[], stage: Stage): Promise<Garden> {
  const garden = new Garden()
  for (const op of operations) {
    if ((op.body || op.upload) && writes(op) && !op.path.endsWith('/merge')) await plantWith(op, stage, garden)
  }
  return garden
}
