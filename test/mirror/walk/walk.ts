import type { Random } from '../../random.ts'
import { BODIES, payloadOf } from './bodies.ts'
import {
  isWrite,
  listOperations,
  resolveSchema,
  type Schema,
  type WalkedDocument,
  type WalkedOperation,
} from './document.ts'
import { EXCLUDED } from './excluded.ts'
import { type Lesson, learnFromList, learnFromMap, listLists, matchPath } from './lessons.ts'
import { type Parameters, type PathValue, Places } from './places.ts'
import { isOfPortal, WalkedPortal } from './portal.ts'
import { uploadOf } from './uploads.ts'
import { AUTHORS, isReference, namedValue, type Source, uniqueText } from './values.ts'

export interface SentRequest {
  method: string
  path: string
  json?: unknown
  form?: FormData
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  location: string | null
  data: unknown
  message?: string | undefined
}

/** Sends a request with a key of every scope. Undefined: the connection broke, and the outcome is unknown. */
export type Send = (request: SentRequest) => Promise<Answer | undefined>

/** Values for parameters that name no record of the service. */
const MADE: Record<string, (random: Random) => PathValue> = {
  source: (random) => random.pick(['jira', 'elsewhere']),
  external_id: (random) => `x${random.below(30)}`,
  externalId: (random) => `x${random.below(30)}`,
}

/** Operations that the walk chooses less often, because many records hang on the record or the work is large. */
const RARE: Record<string, number> = {
  removeProduct: 25,
  createExport: 5,
  createProduct: 50,
  removeUser: 50,
  modifySettings: 50,
  modifyPortalSettings: 50,
  modifySignInSettings: 50,
}
const UNKNOWN_PERCENT = 3
const STEPS_PER_LIST = 8

export const HOOK = 'receiveIncomingWebhook'

export interface OperationCount {
  sent: number
  accepted: number
  /** The last refusals, to see why an operation is never accepted. */
  refusals: string[]
}

/** Sends random writes of every operation, and learns the records from the answers. */
export class Walk {
  readonly counts = new Map<string, OperationCount>()
  readonly places: Places
  readonly #document: WalkedDocument
  readonly #random: Random
  readonly #send: Send
  readonly #writes: readonly WalkedOperation[]
  readonly #lists: readonly Lesson[]
  readonly #operations: readonly WalkedOperation[]
  readonly #hooks = new Map<unknown, { path: string; provider: unknown; secret: unknown }>()
  #round: WalkedOperation[] = []
  readonly #portal = new WalkedPortal()
  #steps = 0

  constructor({ document, random, send }: { document: WalkedDocument; random: Random; send: Send }) {
    this.#document = document
    this.#random = random
    this.#send = send
    this.places = new Places(random)
    this.#operations = listOperations(document)
    this.#writes = this.#operations.filter((op) => isWrite(document, op) && !Object.hasOwn(EXCLUDED, op.id))
    this.#lists = listLists(this.#operations)
    for (const { id } of [...this.#writes, { id: HOOK }]) this.counts.set(id, { sent: 0, accepted: 0, refusals: [] })
  }

  /** Creates a record of each kind, so that the first steps find records. */
  async begin(product: string): Promise<void> {
    this.places.add('product_external_key', { product_external_key: product }, { externalKey: product })
    for (const email of AUTHORS) {
      const path = '/api/v2/idea-manager/members?invite=false'
      await this.#send({ method: 'POST', path, json: { email, firstName: 'Author' } })
    }
    const portal = { slug: this.#portal.slug, products: [product] }
    await this.#send({ method: 'PUT', path: '/api/v2/settings/portal', json: portal })
    const creates = this.#writes.filter(({ method, path }) => method === 'POST' && !/\}\/(?!.*[{}])[a-z-]+$/.test(path))
    for (const op of [...creates, ...this.#writes.filter(({ id }) => /^(create|add|import)/.test(id))])
      await this.#call(op)
  }

  /** Sends one random write. */
  async step(): Promise<void> {
    if (this.#steps++ % STEPS_PER_LIST === 0) await this.#readList()
    for (;;) {
      if (this.#hooks.size && this.#random.below(this.#writes.length) < 2) return this.#receiveHook()
      const op = this.#nextOperation()
      if (await this.#call(op)) return
    }
  }

  /** Each operation once in a round, in another order each time. */
  #nextOperation(): WalkedOperation {
    if (!this.#round.length) {
      this.#round = this.#writes.filter(({ id }) => this.#random.chance(RARE[id] ?? 100))
      for (let n = this.#round.length - 1; n > 0; n--) {
        const other = this.#random.below(n + 1)
        ;[this.#round[n], this.#round[other]] = [
          this.#round[other] as WalkedOperation,
          this.#round[n] as WalkedOperation,
        ]
      }
    }
    return this.#round.pop() as WalkedOperation
  }

  /** Operations without an accepted request, with their last refusals. */
  listNeverAccepted(): string[] {
    return [...this.counts].flatMap(([id, { sent, accepted, refusals }]) =>
      accepted ? [] : [`${id}: ${sent} sent; ${refusals.join('; ')}`],
    )
  }

  async #call(op: WalkedOperation): Promise<boolean> {
    if (isOfPortal(op)) await this.#portal.look(this.#send)
    const parameters = isOfPortal(op) ? this.#portal.fill(op, this.#random) : this.#fillParameters(op)
    const request = parameters && this.#makeRequest(op, parameters)
    if (!request) return false
    const answer = await this.#send(request)
    if (answer) this.#learn(op, parameters, answer)
    return true
  }

  #fillParameters({ id, path, parameters }: WalkedOperation): Parameters | undefined {
    const removed = /\/(restore|unmerge)$/.test(path) || (id.startsWith('purge') && this.#random.chance(50))
    const filled: Parameters = {}
    for (const name of parameters.toReversed()) {
      if (name in filled) continue
      const make = name === 'portal' ? () => this.#portal.slug : MADE[name]
      if (make) filled[name] = make(this.#random)
      else {
        const isLast = name === parameters.at(-1)
        const place = this.places.pick(name, filled, { removed: removed && isLast })
        if (!place) return
        Object.assign(filled, place.parameters)
        if (isLast && this.#random.chance(UNKNOWN_PERCENT)) filled[name] = name.endsWith('Id') ? 999_999 : 'EP-999999'
      }
    }
    return filled
  }

  #makeRequest(op: WalkedOperation, parameters: Parameters): SentRequest | undefined {
    const { id, method, path, body, upload, queryNames } = op
    const source: Source = { random: this.#random, places: this.places, scope: parameters }
    const query = new URLSearchParams()
    if (queryNames.includes('product'))
      query.set('product', String(this.places.pick('product_external_key')?.parameters.product_external_key))
    if (queryNames.includes('onConflict')) query.set('onConflict', this.#random.pick(['skip', 'update']))
    const moveTo = queryNames.includes('moveTo') && namedValue(source, 'moveTo', op.parameters.at(-1) ?? '')?.value
    if (moveTo) query.set('moveTo', String(moveTo))
    if (queryNames.includes('atomic') && this.#random.chance(30)) query.set('atomic', 'true')
    if (queryNames.includes('invite') && this.#random.chance(50)) query.set('invite', 'false')
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])))
    const request = { method, path: query.size ? `${filled}?${query}` : filled }
    if (upload) return { ...request, ...uploadOf(source, id, upload) }
    if (!body) return request
    const make = BODIES[id.replace(/ByPatch$/, '')]
    const json = make ? make(source) : this.#randomBody(source, resolveSchema(this.#document, body), op)
    return json === undefined ? undefined : { ...request, json }
  }

  /** The example of the body, with records of the walk and some changed members. */
  #randomBody(source: Source, schema: Schema, op: WalkedOperation): unknown {
    const example = this.#random.pick(schema.examples ?? [{}])
    const items = schema.type === 'array' ? resolveSchema(this.#document, schema.items ?? {}) : undefined
    if (!items) return this.#vary(source, example as Record<string, unknown>, schema, op)
    const [first] = example as Record<string, unknown>[]
    const made = Array.from({ length: 1 + this.#random.below(3) }, () => this.#vary(source, first ?? {}, items, op))
    return made.includes(undefined) ? undefined : made
  }

  #vary(source: Source, example: Record<string, unknown>, schema: Schema, op: WalkedOperation): object | undefined {
    const body: Record<string, unknown> = {}
    const own = op.parameters.at(-1) ?? ''
    for (const [name, part] of Object.entries(schema.properties ?? {})) {
      const isRequired = schema.required?.includes(name)
      const isShown = isRequired || name in example
      if (!isShown && !this.#random.chance(12)) continue
      if (name in example && !isRequired && this.#random.chance(20)) continue
      const isKept = name in example && !isReference(name) && !['name', 'email', 'externalKey', 'user'].includes(name)
      const value = isKept && this.#random.chance(50) ? example[name] : this.#randomValue(source, name, part, own)
      const chosen = value === undefined && !isReference(name) && name !== 'user' ? example[name] : value
      if (chosen !== undefined) body[name] = chosen
      else if (isRequired) return
    }
    return body
  }

  #randomValue(source: Source, name: string, given: Schema, own: string): unknown {
    // A source and an id belong together; the operations with both in the path use both.
    if (['source', 'external_id', 'externalId'].includes(name)) return
    const schema = resolveSchema(this.#document, given)
    const types = schema.anyOf?.map(({ type }) => type) ?? [schema.type].flat()
    if (types.includes('null') && this.#random.chance(20)) return null
    const choices = schema.enum ?? schema.anyOf?.flatMap((one) => one.enum ?? [])
    if (choices?.length) return this.#random.pick(choices)
    const named = namedValue(source, name, own)
    if (named) return named.value
    if (types.includes('boolean')) return this.#random.chance(50)
    if (types.includes('integer') || types.includes('number')) return 1 + this.#random.below(20)
    return types.includes('string') && !schema.pattern && !schema.format ? uniqueText(source) : undefined
  }

  async #receiveHook(): Promise<void> {
    const { path, provider, secret } = this.#random.pick([...this.#hooks.values()])
    const source = { random: this.#random, places: this.places, scope: {} }
    const headers = { ...(typeof secret === 'string' && { 'x-gitlab-token': secret, 'x-gitlab-event': 'Issue Hook' }) }
    const answer = await this.#send({ method: 'POST', path, json: payloadOf(source, provider), headers })
    if (answer) this.#count(HOOK, answer)
  }

  #count(id: string, { status, message }: Answer): boolean {
    const count = this.counts.get(id) ?? { sent: 0, accepted: 0, refusals: [] }
    const isAccepted = status < 300
    count.sent++
    if (isAccepted) count.accepted++
    else count.refusals = [...count.refusals, `${status} ${message}`].slice(-4)
    if (status === 401 && id !== HOOK) throw new Error(`The key of the walk was refused: ${message}`)
    if (status >= 500) throw new Error(`${id} answered ${status}: ${message}`)
    return isAccepted
  }

  #learn(op: WalkedOperation, parameters: Parameters, answer: Answer): void {
    const last = op.parameters.at(-1) ?? ''
    const own = parameters[last]
    const isAccepted = this.#count(op.id, answer)
    if (own !== undefined) {
      if (answer.status === 404) this.places.remove(last, own)
      if (!isAccepted) return
      if ((op.method === 'DELETE' && op.path.endsWith('}')) || op.path.endsWith('/merge')) this.places.remove(last, own)
      if (/\/(restore|unmerge)$/.test(op.path)) this.places.restore(last, own)
    }
    if (!isAccepted) return
    const data = (answer.data ?? {}) as Record<string, unknown>
    this.#portal.learn(op, parameters, data)
    const place = answer.location ? matchPath(this.#operations, answer.location) : undefined
    if (place) this.places.add(place.kind, { ...parameters, ...place.parameters }, data)
    if (place?.kind === 'storyMapId') learnFromMap(this.places, { ...parameters, ...place.parameters }, data)
    const { externalKey, url, provider, secret } = data as { externalKey?: string } & Record<string, unknown>
    if (op.id === 'convertWorkItem' && externalKey && own !== undefined) {
      const [kind] = ITEM_KINDS[externalKey.slice(0, 2)] ?? []
      if (kind)
        this.places.add(
          kind,
          { product_external_key: parameters.product_external_key ?? '', [kind]: externalKey },
          data,
        )
    }
    if (provider && typeof url === 'string' && !url.includes('•'))
      this.#hooks.set(data.id, { path: new URL(url).pathname, provider, secret })
  }

  async #readList(): Promise<void> {
    const lesson = this.#random.pick(this.#lists)
    const parameters = this.#fillParameters(lesson.operation)
    if (!parameters) return
    const path = lesson.operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(parameters[name]))
    const order = lesson.operation.queryNames.includes('sort') ? '&sort=-createdAt' : ''
    const answer = await this.#send({ method: 'GET', path: lesson.isList ? `${path}?limit=50${order}` : path })
    if (answer && answer.status < 300) learnFromList(this.places, lesson, parameters, answer.data)
  }
}

const ITEM_KINDS: Record<string, readonly string[]> = {
  EP: ['epic_external_key'],
  FE: ['feature_external_key'],
  US: ['card_external_key'],
}
