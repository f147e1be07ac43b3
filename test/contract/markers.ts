import * as z from 'zod'
import { PEOPLE_AREAS } from '../../src/http/auth'
import type { AnyOperation } from '../../src/http/operation'
import type { Area } from '../../src/http/token'
import { call } from '../client'
import { parameterFor, sampleUpload } from '../world'
import { eventsDuring } from './log'
import { aroundRestore, isWrite, type Scenario, UNLIMITED, validPath, validRequest } from './table'

/** A unique text in a record, and the areas that may read it. */
export interface Marker {
  /** The operation and the body member of the text. */
  source: string
  /** The area of the record. The area's `:read` scope and the area's writes show the text. */
  area: Area
  /** Further areas with a `:read` scope that shows the text. */
  sharedWith: readonly Area[]
  /** Whether the text belongs to a product, or else to the workspace. */
  belongsToProduct: boolean
}

/** Texts that further areas show by design, by operation and member. */
const SHOWN_BY_DESIGN: Readonly<Record<string, { home?: Area; also: readonly Area[] }>> = {
  // A user appears as a member of segments, an author of ideas and a recipient of mailings.
  createUser: { also: PEOPLE_AREAS },
  modifyUser: { also: [...PEOPLE_AREAS, 'feedback'] },
  'modifyUser.email': { also: [...PEOPLE_AREAS, 'feedback', 'mail'] },
  createMember: { also: PEOPLE_AREAS },
  modifyMember: { also: PEOPLE_AREAS },
  upsertMember: { also: PEOPLE_AREAS },
  createUsersInSegment: { also: PEOPLE_AREAS },
  bulkCreateUsersInSegment: { also: PEOPLE_AREAS },
  bulkCreateMembers: { also: PEOPLE_AREAS },
  'createFeedbackItem.user': { home: 'products', also: [...PEOPLE_AREAS, 'feedback'] },
  'upsertFeedbackItem.user': { home: 'products', also: [...PEOPLE_AREAS, 'feedback'] },
  'castVote.email': { home: 'products', also: [...PEOPLE_AREAS, 'feedback'] },
  'bulkCreateFeedbackItems.user': { home: 'products', also: [...PEOPLE_AREAS, 'feedback'] },
  // Only a key with every scope writes what `keys:read` shows.
  modifySignInSettings: { home: 'keys', also: [] },
  // Tag names of an idea become tags of the product.
  'createFeedbackItem.tags': { also: ['products'] },
  'modifyFeedbackItem.tags': { also: ['products'] },
  'upsertFeedbackItem.tags': { also: ['products'] },
  'bulkCreateFeedbackItems.tags': { also: ['products'] },
}

export const areaOf = ({ scope }: AnyOperation) => scope?.split(':')[0] as Area | undefined

/** Members that no response shows again. */
const HIDDEN_MEMBERS = new Set([
  'createIncomingWebhook.secret',
  'rotateIncomingWebhookSecret.secret',
  'modifySignInSettings.clientSecret',
])

const MARKER_PATTERN = /mk\d{4}k/g

/** The markers of a workspace, by text. */
export class MarkerStore {
  readonly markers = new Map<string, Marker>()
  /** Markers in secrets. No response may show these markers again. */
  readonly secrets = new Set<string>()
  /** Keys of the records with markers, by path parameter. */
  readonly markedRecords: Record<string, string[]> = {}
  #last = 0

  addMarker(where: string, home: Area, also: readonly Area[] = []): string {
    const text = `mk${String(++this.#last).padStart(4, '0')}k`
    this.markers.set(text, { source: where, area: home, sharedWith: also, belongsToProduct: false })
    return text
  }

  findIn(text: string): Set<string> {
    return new Set((text.toLowerCase().match(MARKER_PATTERN) ?? []).filter((found) => this.markers.has(found)))
  }
}

type AddMarker = (member: string) => string

/** Members of bulk items with a fixed vocabulary. */
const FIXED_WORDS = /\.(op|type|ref|parentRef|storyPoint|product)$/

function markTexts(example: unknown, mark: AddMarker, member: string): unknown {
  if (FIXED_WORDS.test(member)) return example
  if (typeof example === 'string') return example.includes('@') ? `${mark(member)}@example.com` : mark(member)
  if (Array.isArray(example)) return example.map((item) => markTexts(item, mark, member))
  if (example === null || typeof example !== 'object') return example
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, markTexts(value, mark, `${member}.${name}`)]),
  )
}

const TEXT_FORMS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `${text}@example.com`,
  (text) => `https://example.com/${text}`,
  (text) => `["${text}"]`,
]

/** Builds a value of the schema with markers; undefined for a schema without texts. */
function fillSchema(schema: z.ZodType, mark: AddMarker, member: string): unknown {
  const form = TEXT_FORMS.find((make) => schema.safeParse(make('mk0000k')).success)
  if (form) return form(mark(member))
  let inner = schema
  while ('unwrap' in inner) inner = (inner as z.ZodOptional<z.ZodType>).unwrap()
  if (inner instanceof z.ZodArray) {
    const item = fillSchema(inner.element as z.ZodType, mark, member)
    return item === undefined ? undefined : [item]
  }
  if (!(inner instanceof z.ZodObject)) return undefined
  const members = Object.entries(inner.shape).flatMap(([name, of]) => {
    const value = fillSchema(of as z.ZodType, mark, `${member}.${name}`)
    return value === undefined ? [] : [[name, value]]
  })
  return members.length ? Object.fromEntries(members) : undefined
}

function markBody(op: AnyOperation, base: unknown, mark: AddMarker): unknown {
  const { body } = op
  if (!(body instanceof z.ZodObject)) return markTexts(base, mark, '')
  let made = base as Record<string, unknown>
  for (const [name, schema] of Object.entries(body.shape)) {
    const forms = [markTexts(made[name], mark, name), fillSchema(schema as z.ZodType, mark, name)]
    const form = forms.find((value) => value !== undefined && body.safeParse({ ...made, [name]: value }).success)
    if (form !== undefined) made = { ...made, [name]: form }
  }
  return made
}

function createMarkedForm(op: AnyOperation, mark: AddMarker): FormData {
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

async function sendMarked(op: AnyOperation, { here, records }: Scenario, garden: MarkerStore): Promise<void> {
  const home = areaOf(op)
  if (!home) throw new Error(`The write ${op.id} has no scope`)
  const mark: AddMarker = (member) => {
    const where = `${op.id}.${member}`
    const shown = SHOWN_BY_DESIGN[`${op.id}.${member.replace(/^\./, '').split('.')[0]}`] ?? SHOWN_BY_DESIGN[op.id]
    return garden.addMarker(where, shown?.home ?? home, shown?.also)
  }
  const path = await validPath(op, records)
  const send = async (options: object) => {
    const answer = await call(op.method.toUpperCase(), path, { apiKey, env: UNLIMITED, ...options })
    const [, list = '', name = ''] = /^(.*)\/([^/]+)$/.exec(answer.headers.get('location') ?? '') ?? []
    const kind = parameterFor(op.path) ?? parameterFor(list)
    if (kind && name) garden.markedRecords[kind] = [...(garden.markedRecords[kind] ?? []), name]
    return answer
  }
  const apiKey = await here.key()
  const first = garden.markers.size
  let sent = ''
  const [status, events] = await eventsDuring(here, async () => {
    if (op.upload) {
      const { upload } = op
      return aroundRestore(op, records, async () => {
        const { status } = await send({ raw: createMarkedForm(op, mark) })
        if (status !== 400) sent = [...garden.markers.keys()].join(' ')
        return status === 400 ? (await send({ raw: sampleUpload(upload) })).status : status
      })
    }
    const base = (await validRequest(op, records)).json
    const place = { product: here.product.externalKey }
    const own = op.body instanceof z.ZodObject && 'product' in op.body.shape ? { ...(base as object), ...place } : base
    let json = markBody(op, own, mark)
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
  if (status >= 300) throw new Error(`The request of ${op.id} with markers got a ${status}`)
  const isPeople = (marker: Marker) => marker.sharedWith.includes('segments')
  for (const [text, marker] of [...garden.markers].slice(first)) {
    const isSent = garden.findIn(sent).has(text)
    if (isSent && HIDDEN_MEMBERS.has(marker.source)) garden.secrets.add(text)
    if (!isSent || HIDDEN_MEMBERS.has(marker.source)) garden.markers.delete(text)
    marker.belongsToProduct = !isPeople(marker) && events.some(({ productId }) => productId !== null)
  }
}

/** Sends every write with a body or an upload. A merge has only references, and an erasure would end the writes. */
export async function sendMarkedWrites(operations: readonly AnyOperation[], stage: Scenario): Promise<MarkerStore> {
  const garden = new MarkerStore()
  for (const op of operations) {
    if ((op.body || op.upload) && isWrite(op) && !op.path.endsWith('/merge') && op.id !== 'eraseWorkspace')
      await sendMarked(op, stage, garden)
  }
  return garden
}
