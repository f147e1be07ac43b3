import { ApiError } from '../text/errors'
import { type Access, accessTemplate, rememberRefused } from './access'
import type { Actor } from './actor'
import { type Answer, keptAnswer, keptRows } from './answer'
import { type Asking, batch, type Meter } from './batch'
import { charging, measuring, owesMuch, spending, wrote } from './budget'
import { Interrupted, Late } from './failure'
import { nameOfOrigin, type Origin } from './origin'
import type { Reference } from './references'
import { checkAccess, type Guard, Replay, refusalTemplate } from './refuse'
import type { Statement, Values } from './statement'

export type Rows<S extends readonly Statement[]> = { [K in keyof S]: S[K] extends Statement<infer Row> ? Row[] : never }

export interface Exchange extends Meter {
  /** D1 bookmark of the state seen or made by the request. */
  bookmark: string | null
  /** True if the reply repeats an earlier request with the same Idempotency-Key. */
  replayed: boolean
  /** True if a replica answered. A replica may lack recent writes. */
  replica: boolean
  requestId: string
  /** True if the key's last use is due to be recorded; undefined if the request did not read the key's row. */
  staleUse?: boolean
}

export interface Write<S extends readonly Statement[], Row> {
  /** Conditions to refuse the whole write. The first condition to hold decides the error. */
  guards?: readonly Guard[]
  references?: readonly Reference[]
  statements: readonly [...S]
  /** Expected rows of a bulk write, index rows included, checked against the daily quota before the write. */
  estimatedRows?: number
  /** True if the queue writes the estimated rows later, with statements already charged. */
  chargesAhead?: boolean
  /**
   * Reads the rows of the reply at the end of the batch, unless a statement already returns the rows. A retry with the
   * same Idempotency-Key gets the same rows.
   */
  answer: Answer<Row>
}

export interface Written<S extends readonly Statement[], Row> {
  answer: [Row, ...Row[]]
  /** Undefined if the reply repeats an earlier request. */
  rows: Rows<S> | undefined
}

/** A request's view of the database: every statement runs as the caller, every call is a batch. */
export interface Database {
  /** Ids of the products that the key is limited to; null for all. */
  readonly products: readonly number[] | null
  /** The caller's view at a later moment, to refuse a key revoked in between. */
  at(now: number): Database
  /** Checks access and guards without reading or writing, before work a refused caller must not cause. */
  admit(guards?: readonly Guard[]): Promise<void>
  /** Reads at the primary, for data a write of the same request depends on. */
  ask<S extends readonly Statement[]>(...statements: S): Promise<Rows<S>>
  /**
   * Reads in a batch (a round trip). Refuses if the key is not active or the product in the path is not the caller's.
   */
  read<S extends readonly Statement[]>(...statements: S): Promise<Rows<S>>
  /** Writes in a transaction: all statements take effect, or the error says why nothing changed. */
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
  product?: string | undefined
  origin?: Origin | undefined
  bookmark?: string | undefined
  idempotency?: Idempotency | undefined
  primary?: boolean
  /** Rows the workspace may write per day; 0 or undefined means unlimited. */
  rowsPerDay?: number
  /** True if the write may exceed the daily quota. The rows still count. */
  beyondBudget?: boolean | undefined
  patience?: Patience
}

/** Timeouts of a batch, in milliseconds. */
interface Patience {
  read: number
  write: number
  /** For thousands of rows. D1 itself ends a batch after the same time. */
  bulk: number
}

const PATIENCE: Patience = { read: 4_000, write: 10_000, bulk: 30_000 }

const PRIMARY = 'first-primary'
const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/

export function openDatabase(options: DatabaseOptions): Database {
  const { d1, actor, now, exchange, product, origin, idempotency, patience = PATIENCE, rowsPerDay = 0 } = options
  const inProduct = product !== undefined
  const budgeted = rowsPerDay > 0 && !options.beyondBudget
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
    '@origin': origin && nameOfOrigin(origin),
    '@hops': origin?.hops,
  }

  async function run(constraint: string, statements: readonly Statement[], asking: Omit<Asking, 'meter'>) {
    const session = d1.withSession(constraint)
    const done = await batch(session, statements, ambient, { ...asking, meter: exchange })
    exchange.bookmark = session.getBookmark() ?? exchange.bookmark
    exchange.replica = done.replica
    return done
  }

  /** Asks the primary. Only a refusal by the primary is remembered, because a replica may not know a new key yet. */
  async function atPrimary<T>(ask: (constraint: string) => Promise<T>): Promise<T> {
    try {
      return await ask(PRIMARY)
    } catch (cause) {
      if (cause instanceof ApiError && cause.code === 'unauthorized') rememberRefused(actor, now)
      throw cause
    }
  }

  async function readFrom<S extends readonly Statement[]>(constraint: string, statements: S): Promise<Rows<S>> {
    const asked: Statement<Access> = { template: () => accessTemplate(inProduct), values: {} }
    const {
      rows: [granted, ...rows],
    } = await run(constraint, [asked, ...statements], { harmless: true, patience: patience.read })
    const access = granted?.[0] as Access | undefined
    checkAccess(access, inProduct)
    exchange.staleUse = access?.stale === 1
    return rows as Rows<S>
  }

  const known = options.bookmark && BOOKMARK.test(options.bookmark) ? options.bookmark : 'first-unconstrained'
  const nearest = options.primary ? PRIMARY : known

  const ask = <S extends readonly Statement[]>(...statements: S) =>
    atPrimary((primary) => readFrom(primary, statements))

  return {
    products: actor.products,

    at: (later) => openDatabase({ ...options, now: later }),

    async admit(guards = []) {
      if (!guards.length) return void (await ask())
      const values = Object.assign({}, ...guards.map(({ values }) => values)) as Values
      const shape = { inProduct, idempotent: false, budgeted: false, guards, references: [], again: false }
      const refuse: Statement = { template: () => refusalTemplate(shape), values }
      await atPrimary((primary) => run(primary, [refuse], { harmless: true, patience: patience.read }))
    },

    ask,

    async read(...statements) {
      try {
        return await readFrom(nearest, statements)
      } catch (cause) {
        // The primary may answer faster than a slow replica.
        if (!(cause instanceof Interrupted && cause.cause instanceof Late)) throw cause
        return await readFrom(PRIMARY, statements)
      }
    },

    async write({ guards = [], references = [], statements, estimatedRows = 0, chargesAhead = false, answer }) {
      const quota = budgeted ? spending(rowsPerDay, now, estimatedRows) : undefined
      const values = Object.assign(
        { '@references': JSON.stringify(references) },
        quota,
        ...guards.map(({ values }) => values),
      ) as Values
      const refuse = (again: boolean): Statement => ({
        template: () =>
          refusalTemplate({ inProduct, idempotent: idempotency !== undefined, budgeted, guards, references, again }),
        values,
      })
      const keep = idempotency ? [{ ...answer, template: answer.kept }] : []
      const returning = keep.length ? -1 : statements.findIndex(({ answers }) => answers === answer.template)
      const last = returning < 0 ? [...keep, answer] : []
      const charge = rowsPerDay > 0 ? charging(actor.subscriptionId, now, estimatedRows) : undefined
      const charged = charge ? [charge.statement] : []
      const measured = charge ? measuring(estimatedRows, quota) : []
      try {
        // With an Idempotency-Key a retry finds the stored reply, and is safe after an interruption.
        const asking = {
          harmless: keep.length > 0,
          patience: statements.some(({ apart, long }) => apart || long) ? patience.bulk : patience.write,
        }
        const attempt = (again: boolean) =>
          atPrimary((primary) => run(primary, [refuse(again), ...charged, ...statements, ...last, ...measured], asking))
        const { rows, written } = await attempt(false).catch((cause) => {
          if (!(cause instanceof Interrupted)) throw cause
          // The second attempt checks the log, and refuses if the first attempt was committed.
          return attempt(true).catch((cause) => {
            throw cause instanceof Interrupted ? unknownOutcome(cause) : cause
          })
        })
        const results = rows.slice(1 + charged.length)
        const [measuredAs] = results[statements.length + last.length] ?? []
        charge?.done(written + (chargesAhead ? estimatedRows : 0), Number(measuredAs?.measured ?? 0))
        const made = results.slice(0, statements.length)
        const answered = results[returning < 0 ? statements.length + last.length - 1 : returning]
        return { answer: answered as never, rows: made as never }
      } catch (cause) {
        charge?.failed()
        if (!(cause instanceof Replay)) throw cause
      }
      exchange.replayed = true
      // A replica may not have the stored reply yet.
      const [parts] = await readFrom(PRIMARY, [keptAnswer({})] as const)
      return { answer: parts.flatMap((part) => keptRows(part.answer)) as never, rows: undefined }
    },
  }
}

/**
 * Opens the database without a caller, for queue consumers and the cron. Statements name the tenant themselves. Written
 * rows count against the daily quota but are never refused, because the work was accepted earlier.
 */
export function openStore(d1: D1Database, now: number, meter: Meter = { trips: 0, ms: 0 }, rowsPerDay = 0) {
  async function run(subscription: number | null, statements: readonly Statement[]) {
    const session = d1.withSession(PRIMARY)
    const ambient: Values = {
      ...{ '@now': now, '@subscription': subscription, '@user': null, '@key': null, '@request': null },
      ...{ '@origin': null, '@hops': null },
    }
    return batch(session, statements, ambient, { meter, harmless: false, patience: PATIENCE.bulk })
  }

  /** Charges the workspace's uncharged rows, if the number is large. */
  async function settle(subscription: number): Promise<void> {
    if (rowsPerDay === 0 || !owesMuch(subscription)) return
    const charge = charging(subscription, now)
    try {
      const { written } = await run(subscription, [charge.statement])
      charge.done(written, 0)
    } catch (cause) {
      charge.failed()
      console.warn('What a workspace has written was not noted; its next write notes it.', cause)
    }
  }

  return {
    /** Runs a transaction. `subscription` is the workspace of the statements. */
    async batch<S extends readonly Statement[]>(subscription: number | null, ...statements: S): Promise<Rows<S>> {
      const { rows, written } = await run(subscription, statements)
      if (rowsPerDay > 0 && subscription !== null) {
        wrote(
          subscription,
          statements.reduce((rows, { charged = 0 }) => rows - charged, written),
        )
        await settle(subscription)
      }
      return rows as Rows<S>
    },
    settle,
  }
}

export type Store = Pick<ReturnType<typeof openStore>, 'batch'>

const unknownOutcome = (cause: unknown) =>
  new ApiError(
    'temporarily_unavailable',
    'The database was interrupted twice, and it is not known whether this was done. Look what there is before you repeat it.',
    { headers: { 'Retry-After': '10' }, cause },
  )
