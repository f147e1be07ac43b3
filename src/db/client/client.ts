import { rememberRefusedKey } from '../sql/access'
import { bindOrigin, type ImportRunName, type Origin } from '../sql/origin'
import type { EndUser } from '../sql/portal-access'
import type { Reference } from '../sql/references'
import { HAS_WEBHOOKS_COLUMN, parseStoredRows, type Returning, selectStoredReply } from '../sql/returning'
import type { Statement, Values } from '../sql/statement'
import { BATCH_TIMEOUTS_MS, type BatchOptions, createDatabaseMeter, type DatabaseMeter, runBatch } from './batch'
import { bindCaller } from './caller'
import { DatabaseInterruptedError, DatabaseTimeoutError, unknownOutcomeError } from './failure'
import { homeOfDatabase, isFenced, runFencedBatch, runFencedRead } from './fence'
import { prepareKeyUse, rememberKeyUse } from './key-usage'
import type { DatabaseOptions } from './options'
import { compareWithAnswer } from './presented'
import {
  addUnchargedUsage,
  chargesUsage,
  lengthOfBoundTexts,
  makeFinalCharge,
  makeQuotaValues,
  prepareWriteCharge,
  settleUsage,
  UNLIMITED,
} from './quota'
import { readWithAccess } from './read'
import { checkAccess, findRefusalTemplate, type Guard, IdempotentReplay, isInactiveKeyError } from './refuse'
import { beginMailSilence, endMailSilence } from './silence'
import { listStorageGuards, type StorageGuard } from './storage'

export type StatementRows<S extends readonly Statement[]> = {
  [K in keyof S]: S[K] extends Statement<infer Row> ? Row[] : never
}

export interface DatabaseExchange extends DatabaseMeter {
  bookmark: string | null
  /** Number of the home that made the bookmark. */
  home: number
  /** True if the reply repeats an earlier request with the same Idempotency-Key. */
  replayed: boolean
  answeredByReplica: boolean
  requestId: string
  /** True if the key's last use is due to be recorded; undefined if the request did not read the key's row. */
  isLastUseStale?: boolean
  /** Whether a write has compared the members that the operation cannot set. */
  hasCompared?: boolean
  /** Whether the workspace has webhooks; undefined without a write. */
  hasWebhooks?: boolean
}

export interface DatabaseWrite<S extends readonly Statement[], Row> {
  guards?: readonly Guard[]
  references?: readonly Reference[]
  /** New records, refused while the database is full. Default: every write of an operation with `storesRecords`. */
  growth?: StorageGuard | undefined
  statements: readonly [...S]
  /** Expected rows of a bulk write, index rows included, checked against the daily quota before the write. */
  estimatedRows?: number
  /** Statements that make an unknown end user a member, or update a known one. */
  saveEndUser?: (endUser: EndUser) => readonly Statement<never>[]
  /** True if the queue writes the estimated rows later, with statements already charged. */
  chargesAhead?: boolean
  /** A reply with all members that a body may hold, if `returning` has fewer. */
  shows?: Returning<unknown> | undefined
  /** Reads the rows of the reply at the end of the batch, unless a statement already returns the rows. */
  returning: Returning<Row>
}

export interface WriteResult<S extends readonly Statement[], Row> {
  rows: [Row, ...Row[]]
  results: StatementRows<S> | undefined
}

export interface Database {
  /** Ids of the products that the key is limited to; null for all. */
  readonly products: readonly number[] | null
  /** The caller's view at a later moment, to refuse a key revoked in between. */
  atTime(now: number): Database
  /** The same caller, whose events name an import run. A run that the same batch inserts has a reference only. */
  asImport(run: ImportRunName): Database
  /** Checks access and guards without reading or writing, before work a refused caller must not cause. */
  authorize(guards?: readonly Guard[]): Promise<void>
  readPrimary<S extends readonly Statement[]>(...statements: S): Promise<StatementRows<S>>
  read<S extends readonly Statement[]>(...statements: S): Promise<StatementRows<S>>
  write<S extends readonly Statement[], Row>(write: DatabaseWrite<S, Row>): Promise<WriteResult<S, Row>>
}

const PRIMARY_SESSION_CONSTRAINT = 'first-primary'
const BOOKMARK_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/

export function openDatabase(options: DatabaseOptions): Database {
  const {
    d1,
    actor,
    now,
    exchange,
    product,
    idempotency,
    quotas = UNLIMITED,
    databaseBytes = 0,
    ignoresErasure = false,
    portal,
  } = options
  const inProduct = product !== undefined
  const hasForeignOrigin = options.foreignOrigin !== undefined
  const common = { inProduct, ignoresErasure, hasForeignOrigin, portal, isFenced: isFenced(d1) }
  const { rowsPerDay } = quotas
  const hasQuota = rowsPerDay > 0 && !options.ignoresQuota
  const context = bindCaller(options)

  async function run(constraint: string, statements: readonly Statement[], asking: Omit<BatchOptions, 'd1' | 'meter'>) {
    const session = d1.withSession(constraint)
    const done = await runBatch(session, statements, context, { ...asking, d1, meter: exchange })
    exchange.bookmark = session.getBookmark() ?? exchange.bookmark
    exchange.home = homeOfDatabase(d1)
    exchange.answeredByReplica = done.replica
    return done
  }

  /** Asks the primary. Only a refusal by the primary is remembered, because a replica may not know a new key yet. */
  async function atPrimary<T>(ask: (constraint: string) => Promise<T>): Promise<T> {
    try {
      return await ask(PRIMARY_SESSION_CONSTRAINT)
    } catch (cause) {
      if (isInactiveKeyError(cause)) rememberRefusedKey(actor, now)
      throw cause
    }
  }

  async function readFrom<S extends readonly Statement[]>(
    constraint: string,
    statements: S,
  ): Promise<StatementRows<S>> {
    const runRead = (asked: readonly Statement[]) =>
      run(constraint, asked, { idempotent: true, timeout: BATCH_TIMEOUTS_MS.read })
    const ask = (asked: readonly Statement[]) => runFencedRead(d1, asked, runRead)
    const { access, rows } = await readWithAccess(ask, statements, common)
    checkAccess(access, inProduct)
    exchange.isLastUseStale = access?.stale === 1
    return rows as StatementRows<S>
  }

  const start = options.bookmark && BOOKMARK_PATTERN.test(options.bookmark) ? options.bookmark : 'first-unconstrained'
  const readConstraint = options.primary ? PRIMARY_SESSION_CONSTRAINT : start

  const ask = <S extends readonly Statement[]>(...statements: S) =>
    atPrimary((primary) => readFrom(primary, statements))

  return {
    products: actor.products,

    atTime: (later) => openDatabase({ ...options, now: later }),

    asImport: (run) => openDatabase({ ...options, importRun: run }),

    async authorize(guards = []) {
      if (!guards.length && !common.isFenced) return void (await ask())
      const values = Object.assign({}, ...guards.map(({ values }) => values)) as Values
      const shape = { ...common, idempotent: false, hasQuota: false, guards, references: [], isRetry: false }
      const refuse: Statement = { template: () => findRefusalTemplate(shape), values }
      await atPrimary((primary) => run(primary, [refuse], { idempotent: true, timeout: BATCH_TIMEOUTS_MS.read }))
    },

    readPrimary: ask,

    async read(...statements) {
      try {
        return await readFrom(readConstraint, statements)
      } catch (cause) {
        if (!(cause instanceof DatabaseInterruptedError && cause.cause instanceof DatabaseTimeoutError)) throw cause
        return await readFrom(PRIMARY_SESSION_CONSTRAINT, statements)
      }
    },

    async write({ references = [], statements, estimatedRows = 0, chargesAhead = false, returning, ...write }) {
      const { growth = options.growth } = write
      const storageGuards = growth ? listStorageGuards(growth, { d1, databaseBytes, quotas, estimatedRows }) : []
      const ownGuards = statements.flatMap((statement) => statement.guards ?? [])
      const guards = [...storageGuards, ...(write.guards ?? []), ...ownGuards]
      const quota = hasQuota ? makeQuotaValues(rowsPerDay, now, estimatedRows) : undefined
      const values = Object.assign(
        { '@references': JSON.stringify(references) },
        quota,
        ...guards.map(({ values }) => values),
      ) as Values
      const shape = { ...common, idempotent: idempotency !== undefined, hasQuota, guards, references }
      const refuse = (isRetry: boolean): Statement => ({
        template: () => findRefusalTemplate({ ...shape, isRetry }),
        values,
      })
      const keep = idempotency ? [{ ...returning, template: returning.storedTemplate }] : []
      const returningAt = keep.length
        ? -1
        : statements.findIndex(({ returningTemplate }) => returningTemplate === returning.template)
      const last = returningAt < 0 ? [...keep, returning] : []
      const charge = prepareWriteCharge(actor.subscriptionId, { quotas, now, estimatedRows, statements })
      const charged = [...prepareKeyUse(actor, now), ...(charge ? [charge.statement] : [])]
      const [begin, end] = options.origin?.isSilent ? [[beginMailSilence({})], [endMailSilence({})]] : [[], []]
      const compared = options.presented?.length ? [compareWithAnswer(write.shows ?? returning, options.presented)] : []
      const measured = charge ? makeFinalCharge(estimatedRows, quota) : []
      try {
        // With an Idempotency-Key a retry finds the stored reply, and is safe after an interruption.
        const options = {
          idempotent: keep.length > 0,
          timeout: statements.some(({ bindsRows, isLong }) => bindsRows || isLong)
            ? BATCH_TIMEOUTS_MS.bulk
            : BATCH_TIMEOUTS_MS.write,
        }
        const attempt = (again: boolean) =>
          atPrimary((primary) =>
            run(
              primary,
              [
                ...[refuse(again && !portal?.joins), ...charged, ...begin, ...statements, ...last, ...measured, ...end],
                ...compared,
              ],
              options,
            ),
          )
        const { rows, rowsWritten } = await attempt(false).catch((cause) => {
          if (!(cause instanceof DatabaseInterruptedError)) throw cause
          // The second attempt checks the log, and refuses if the first attempt was committed.
          return attempt(true).catch((cause) => {
            throw cause instanceof DatabaseInterruptedError ? unknownOutcomeError(cause) : cause
          })
        })
        const results = rows.slice(1 + charged.length + begin.length)
        const [measuredAs] = results[statements.length + last.length] ?? []
        const made = results.slice(0, statements.length)
        const answered = results[returningAt < 0 ? statements.length + last.length - 1 : returningAt]
        charge?.onWritten(rowsWritten + (chargesAhead ? estimatedRows : 0), Number(measuredAs?.measured ?? 0))
        rememberKeyUse(actor, now)
        exchange.hasCompared = true
        exchange.hasWebhooks = answered?.[0]?.[HAS_WEBHOOKS_COLUMN] === 1
        for (const row of answered ?? []) delete row[HAS_WEBHOOKS_COLUMN]
        return { rows: answered as never, results: made as never }
      } catch (cause) {
        charge?.onFailed()
        if (!(cause instanceof IdempotentReplay)) throw cause
      }
      exchange.replayed = true
      const [parts] = await readFrom(PRIMARY_SESSION_CONSTRAINT, [selectStoredReply({})] as const)
      return { rows: parts.flatMap((part) => parseStoredRows(part.answer)) as never, results: undefined }
    },
  }
}

const chooseTemplateOfHomes = (statement: Statement): Statement => ({
  ...statement,
  template: statement.templateOfHomes ?? statement.template,
})

/**
 * Opens the database without a caller, for queue consumers and the cron. Statements name the tenant themselves. Written
 * rows count against the daily quota but are never refused, because the work was accepted earlier.
 */
export function openStore(
  d1: D1Database,
  now: number,
  meter: DatabaseMeter = createDatabaseMeter(),
  quotas = UNLIMITED,
  origin: Origin | null = null,
) {
  async function run(subscription: number | null, statements: readonly Statement[]) {
    const session = d1.withSession(PRIMARY_SESSION_CONSTRAINT)
    const ambient: Values = {
      ...{ '@now': now, '@subscription': subscription, '@user': null, '@key': null, '@request': null },
      ...{ '@product': null, '@products': null },
      ...bindOrigin(origin),
    }
    const runAll = (all: readonly Statement[]) =>
      runBatch(session, all, ambient, { d1, meter, idempotent: false, timeout: BATCH_TIMEOUTS_MS.bulk })
    return subscription === null
      ? runAll(isFenced(d1) ? statements.map(chooseTemplateOfHomes) : statements)
      : runFencedBatch(d1, statements, runAll)
  }

  const settle = (subscription: number) =>
    settleUsage(subscription, { quotas, now }, (charge) => run(subscription, [charge]))

  return {
    async batch<S extends readonly Statement[]>(
      subscription: number | null,
      ...statements: S
    ): Promise<StatementRows<S>> {
      const { rows: found, rowsWritten } = await run(subscription, statements)
      if (chargesUsage(quotas) && subscription !== null) {
        const rows = statements.reduce((rows, { chargedRows = 0 }) => rows - chargedRows, rowsWritten)
        addUnchargedUsage(subscription, { rows, texts: lengthOfBoundTexts(statements) })
        await settle(subscription)
      }
      return found as StatementRows<S>
    },
    settle,
  }
}

export type Store = Pick<ReturnType<typeof openStore>, 'batch'>
