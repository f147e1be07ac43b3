import { ApiError } from '../text/errors'
import { type Access, accessTemplate, rememberRefused } from './access'
import type { Actor } from './actor'
import { type Answer, keptAnswer, keptRows } from './answer'
import { type Asking, batch, type Meter } from './batch'
import { charging, owesMuch, spending, wrote } from './budget'
import { Interrupted, Late } from './failure'
import { nameOfOrigin, type Origin } from './origin'
import type { Reference } from './references'
import { checkAccess, type Guard, Replay, refusalTemplate } from './refuse'
import type { Statement, Values } from './statement'

/** The rows of each statement, in order. */
export type Rows<S extends readonly Statement[]> = { [K in keyof S]: S[K] extends Statement<infer Row> ? Row[] : never }

/** What the answer says of the database besides its data. */
export interface Exchange extends Meter {
  /** Names the state that the request saw or made. */
  bookmark: string | null
  /** The answer is that of an earlier request with the same Idempotency-Key. */
  replayed: boolean
  /** Whether a replica was asked, which may not know yet what there is. */
  replica: boolean
  requestId: string
  /** Whether the key's last use is to be noted anew; undefined where its row was not read. */
  staleUse?: boolean
}

export interface Write<S extends readonly Statement[], Row> {
  /** Conditions that refuse the whole write, in the order in which they are told. */
  guards?: readonly Guard[]
  /** Ids and keys of the body that must name records of the caller's. */
  references?: readonly Reference[]
  statements: readonly [...S]
  /** Rows that a write of many records is expected to write, indexes included: the daily quota is asked for them first. */
  estimatedRows?: number
  /** The estimate is charged here, and the queue writes the rows later, with statements that are `charged`. */
  chargesAhead?: boolean
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
  /** The same caller's view at a later moment: a key that has been revoked since is refused there. */
  at(now: number): Database
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
  /** What makes the request within the service. */
  origin?: Origin | undefined
  bookmark?: string | undefined
  idempotency?: Idempotency | undefined
  /** Whether the primary alone is asked. */
  primary?: boolean
  /** How many rows the workspace may write in a day; any number without it. */
  rowsPerDay?: number
  /** Whether it may write beyond that; what it writes counts all the same. */
  beyondBudget?: boolean | undefined
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
        // Another may be quicker.
        if (!(cause instanceof Interrupted && cause.cause instanceof Late)) throw cause
        return await readFrom(PRIMARY, statements)
      }
    },

    async write({ guards = [], references = [], statements, estimatedRows = 0, chargesAhead = false, answer }) {
      const values = Object.assign(
        { '@references': JSON.stringify(references) },
        budgeted && spending(rowsPerDay, now, estimatedRows),
        ...guards.map(({ values }) => values),
      ) as Values
      const refuse = (again: boolean): Statement => ({
        template: () =>
          refusalTemplate({ inProduct, idempotent: idempotency !== undefined, budgeted, guards, references, again }),
        values,
      })
      const keep = idempotency ? [{ ...answer, template: answer.kept }] : []
      const own = keep.length ? -1 : statements.findIndex(({ answers }) => answers === answer.template)
      const last = own < 0 ? [...keep, answer] : []
      const charge = rowsPerDay > 0 ? charging(actor.subscriptionId, now, estimatedRows) : undefined
      const charged = charge ? [charge.statement] : []
      try {
        // With an Idempotency-Key a second attempt finds the first, so repeating it after an interruption is harmless.
        const asking = {
          harmless: keep.length > 0,
          patience: statements.some(({ apart, long }) => apart || long) ? patience.bulk : patience.write,
        }
        const attempt = (again: boolean) =>
          atPrimary((primary) => run(primary, [refuse(again), ...charged, ...statements, ...last], asking))
        const { rows, written } = await attempt(false).catch((cause) => {
          if (!(cause instanceof Interrupted)) throw cause
          // The log knows whether it was done: then this refuses, and says so.
          return attempt(true).catch((cause) => {
            throw cause instanceof Interrupted ? unknownOutcome(cause) : cause
          })
        })
        charge?.done(written + (chargesAhead ? estimatedRows : 0))
        const made = rows.slice(1 + charged.length).slice(0, statements.length)
        return { answer: (own < 0 ? rows.at(-1) : made[own]) as never, rows: made as never }
      } catch (cause) {
        charge?.failed()
        if (!(cause instanceof Replay)) throw cause
      }
      exchange.replayed = true
      // A replica may not know yet what the primary has just refused to repeat.
      const [parts] = await readFrom(PRIMARY, [keptAnswer({})] as const)
      return { answer: parts.flatMap((part) => keptRows(part.answer)) as never, rows: undefined }
    },
  }
}

/**
 * The database without a caller, for the queue's consumers and the cron: statements name their tenant themselves. What they
 * write counts where a workspace may write so many rows in a day, and is not refused: it was accepted before.
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

  /** Charges what the workspace owes here, where that is much. */
  async function settle(subscription: number): Promise<void> {
    if (rowsPerDay === 0 || !owesMuch(subscription)) return
    const charge = charging(subscription, now)
    try {
      const { written } = await run(subscription, [charge.statement])
      charge.done(written)
    } catch (cause) {
      charge.failed()
      console.warn('What a workspace has written was not noted; its next write notes it.', cause)
    }
  }

  return {
    /** One batch, one transaction, as `subscription` where the statements ask for one. */
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
