import { ApiError } from '../text/errors'
import { type Access, accessTemplate, rememberRefused } from './access'
import type { Actor } from './actor'
import { type Answer, keptAnswer, keptRows } from './answer'
import { databaseError, Interrupted, Late, repeatable } from './failure'
import type { Reference } from './references'
import { checkAccess, type Guard, Replay, refusalTemplate } from './refuse'
import { bindings, type Statement, type Values } from './statement'

/** The rows of each statement, in order. */
export type Rows<S extends readonly Statement[]> = { [K in keyof S]: S[K] extends Statement<infer Row> ? Row[] : never }

/** What a request has cost so far. `ms` is the time spent waiting for the database. */
export interface Meter {
  trips: number
  ms: number
}

/** What the answer says of the database besides its data. */
export interface Exchange extends Meter {
  /** Names the state that the request saw or made. */
  bookmark: string | null
  /** The answer is that of an earlier request with the same Idempotency-Key. */
  replayed: boolean
  /** Whether a replica was asked, which may not know yet what there is. */
  replica: boolean
  requestId: string
  /** Whether it has written, so that the log may have news. */
  wrote: boolean
}

export interface Write<S extends readonly Statement[], Row> {
  /** Conditions that refuse the whole write, in the order in which they are told. */
  guards?: readonly Guard[]
  /** Ids and keys of the body that must name records of the caller's. */
  references?: readonly Reference[]
  statements: readonly [...S]
  /**
   * Reads what the reply is made from, at the end of the batch, where no statement of it returns that already. A retry with
   * the same Idempotency-Key gets these rows again.
   */
  answer: Answer<Row>
}

export interface Written<S extends readonly Statement[], Row> {
  answer: [Row, ...Row[]]
  /** Rows of the statements; undefined when the answer is that of an earlier request. */
  rows: Rows<S> | undefined
}

/** One request's view of the database: every statement is the caller's, every call one batch. */
export interface Database {
  /** Ids of the products that the key is limited to; null for all. */
  readonly products: readonly number[] | null
  /** Refuses as `read` and `write` do, and does nothing else: before work that nobody shall cause who is refused. */
  admit(guards?: readonly Guard[]): Promise<void>
  /** As `read`, at the primary: what a write of the same request depends on. */
  ask<S extends readonly Statement[]>(...statements: S): Promise<Rows<S>>
  /** One batch, one round trip. Refuses when the key is not active or the product in the path is not the caller's. */
  read<S extends readonly Statement[]>(...statements: S): Promise<Rows<S>>
  /** One batch, one transaction: all of it happens, or the error says why none of it did. */
  write<S extends readonly Statement[], Row>(write: Write<S, Row>): Promise<Written<S, Row>>
}

export interface Idempotency {
  key: string
  route: string
  bodyHash: string
}

export interface DatabaseOptions {
  d1: D1Database
  actor: Actor
  now: number
  exchange: Exchange
  /** The external key in the path, where there is one. */
  product?: string | undefined
  bookmark?: string | undefined
  idempotency?: Idempotency | undefined
  /** Whether the primary alone is asked. */
  primary?: boolean
  patience?: Patience
}

/** How long the database is waited for, in milliseconds. */
interface Patience {
  read: number
  write: number
  /** Of thousands of rows. D1 itself ends a batch after as long. */
  bulk: number
}

const PATIENCE: Patience = { read: 4_000, write: 10_000, bulk: 30_000 }

const PRIMARY = 'first-primary'
const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/

export function openDatabase(options: DatabaseOptions): Database {
  const { d1, actor, now, exchange, product, idempotency, patience = PATIENCE } = options
  const inProduct = product !== undefined
  const ambient: Values = {
    '@subscription': actor.subscriptionId,
    '@user': actor.userId,
    '@key': actor.jti,
    '@now': now,
    '@product': product,
    '@products': actor.products && JSON.stringify(actor.products),
    '@scopes': JSON.stringify(actor.scopes),
    '@idempotencyKey': idempotency?.key,
    '@route': idempotency?.route,
    '@bodyHash': idempotency?.bodyHash,
    '@request': exchange.requestId,
  }

  async function run(constraint: string, statements: readonly Statement[], asking: Omit<Asking, 'meter'>) {
    const session = d1.withSession(constraint)
    const { rows, replica } = await batch(session, statements, ambient, { ...asking, meter: exchange })
    exchange.bookmark = session.getBookmark() ?? exchange.bookmark
    exchange.replica = replica
    return rows
  }

  /** Asks the primary: its refusal is the last word on a key, where a replica may not know a new one yet. */
  async function atPrimary<T>(ask: (constraint: string) => Promise<T>): Promise<T> {
    try {
      return await ask(PRIMARY)
    } catch (cause) {
      if (cause instanceof ApiError && cause.code === 'unauthorized') rememberRefused(actor, now)
      throw cause
    }
  }

  async function readFrom<S extends readonly Statement[]>(constraint: string, statements: S): Promise<Rows<S>> {
    const access: Statement<Access> = { template: () => accessTemplate(inProduct), values: {} }
    const [granted, ...rows] = await run(constraint, [access, ...statements], {
      harmless: true,
      patience: patience.read,
    })
    checkAccess(granted?.[0] as Access | undefined, inProduct)
    return rows as Rows<S>
  }

  const known = options.bookmark && BOOKMARK.test(options.bookmark) ? options.bookmark : 'first-unconstrained'
  const nearest = options.primary ? PRIMARY : known

  const ask = <S extends readonly Statement[]>(...statements: S) =>
    atPrimary((primary) => readFrom(primary, statements))

  return {
    products: actor.products,

    async admit(guards = []) {
      if (!guards.length) return void (await ask())
      const values = Object.assign({}, ...guards.map(({ values }) => values)) as Values
      const shape = { inProduct, idempotent: false, guards, references: [], again: false }
      const refuse: Statement = { template: () => refusalTemplate(shape), values }
      await atPrimary((primary) => run(primary, [refuse], { harmless: true, patience: patience.read }))
    },

    ask,

    async read(...statements) {
      try {
        return await readFrom(nearest, statements)
      } catch (cause) {
        // Another may be quicker.
        if (!(cause instanceof Interrupted && cause.cause instanceof Late)) throw cause
        return await readFrom(PRIMARY, statements)
      }
    },

    async write({ guards = [], references = [], statements, answer }) {
      const values = Object.assign(
        { '@references': JSON.stringify(references) },
        ...guards.map(({ values }) => values),
      ) as Values
      const refuse = (again: boolean): Statement => ({
        template: () =>
          refusalTemplate({ inProduct, idempotent: idempotency !== undefined, guards, references, again }),
        values,
      })
      const keep = idempotency ? [{ ...answer, template: answer.kept }] : []
      const own = keep.length ? -1 : statements.findIndex(({ answers }) => answers === answer.template)
      const last = own < 0 ? [...keep, answer] : []
      try {
        // With an Idempotency-Key a second attempt finds the first, so repeating it after an interruption is harmless.
        const asking = {
          harmless: keep.length > 0,
          patience: statements.some(({ apart, long }) => apart || long) ? patience.bulk : patience.write,
        }
        const attempt = (again: boolean) =>
          atPrimary((primary) => run(primary, [refuse(again), ...statements, ...last], asking))
        const rows = await attempt(false).catch((cause) => {
          if (!(cause instanceof Interrupted)) throw cause
          // The log knows whether it was done: then this refuses, and says so.
          return attempt(true).catch((cause) => {
            throw cause instanceof Interrupted ? unknownOutcome(cause) : cause
          })
        })
        const made = rows.slice(1, 1 + statements.length)
        exchange.wrote = true
        return { answer: (own < 0 ? rows.at(-1) : made[own]) as never, rows: made as never }
      } catch (cause) {
        if (!(cause instanceof Replay)) throw cause
      }
      exchange.replayed = true
      // A replica may not know yet what the primary has just refused to repeat.
      const [parts] = await readFrom(PRIMARY, [keptAnswer({})] as const)
      return { answer: parts.flatMap((part) => keptRows(part.answer)) as never, rows: undefined }
    },
  }
}

/** The database without a caller, for the queue's consumers and the cron: statements name their tenant themselves. */
export function openStore(d1: D1Database, now: number, meter: Meter = { trips: 0, ms: 0 }) {
  return {
    /** One batch, one transaction, as `subscription` where the statements ask for one. */
    async batch<S extends readonly Statement[]>(subscription: number | null, ...statements: S): Promise<Rows<S>> {
      const session = d1.withSession(PRIMARY)
      const ambient: Values = {
        ...{ '@now': now, '@subscription': subscription, '@user': null, '@key': null, '@request': null },
      }
      const { rows } = await batch(session, statements, ambient, { meter, harmless: false, patience: PATIENCE.bulk })
      return rows as Rows<S>
    },
  }
}

export type Store = ReturnType<typeof openStore>

const ATTEMPTS = 3
const FIRST_WAIT = 100

const unknownOutcome = (cause: unknown) =>
  new ApiError(
    'temporarily_unavailable',
    'The database was interrupted twice, and it is not known whether this was done. Look what there is before you repeat it.',
    { headers: { 'Retry-After': '10' }, cause },
  )

interface Asking {
  meter: Meter
  /** Whether doing it twice is as good as once. */
  harmless: boolean
  /** Milliseconds. */
  patience: number
}

async function batch(
  session: D1DatabaseSession,
  statements: readonly Statement[],
  ambient: Values,
  { meter, harmless, patience }: Asking,
): Promise<{ rows: Record<string, unknown>[][]; replica: boolean }> {
  const prepared = statements.map(({ template, values, after, apart }, n) => {
    if (after && statements[n - 1]?.template !== after)
      throw new Error('A statement stands behind another than it means')
    const { text, names } = template()
    return session.prepare(text).bind(...bindings(names, values, ambient, apart))
  })
  for (let attempt = 1; ; attempt++) {
    const started = Date.now()
    meter.trips++
    try {
      const results = await within(patience, session.batch<Record<string, unknown>>(prepared))
      return {
        rows: results.map((result) => result.results),
        replica: results.some(({ meta }) => meta.served_by_primary === false),
      }
    } catch (cause) {
      if (attempt === ATTEMPTS || !repeatable(cause, { harmless })) throw databaseError(cause)
      // Anything between nothing and the whole: those who were refused together do not come back together.
      await scheduler.wait(Math.random() * FIRST_WAIT * 2 ** (attempt - 1))
    } finally {
      meter.ms += Date.now() - started
    }
  }
}

/** What the work gives, unless it takes longer; it is not ended by that. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const timer = new AbortController()
  const late = scheduler.wait(milliseconds, { signal: timer.signal }).then(() => {
    throw new Late()
  })
  // Whichever comes second is nobody's concern.
  for (const promise of [late, work]) promise.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    timer.abort()
  }
}
