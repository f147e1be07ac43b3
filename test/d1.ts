/** The cost of a request, in D1's own exact figures. */
export interface Cost {
  roundTrips: number
  statements: number
  rowsRead: number
  rowsWritten: number
}

const executedStatements = new Set<string>()

/** A D1 database that counts its batches and rows, and records the text of every statement. */
export function meteredDatabase(d1: D1Database): { d1: D1Database; cost: Cost } {
  const cost: Cost = { roundTrips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 }
  const count = (results: D1Result[]) => {
    for (const { meta } of results) {
      cost.statements++
      cost.rowsRead += meta.rows_read
      cost.rowsWritten += meta.rows_written
    }
  }
  const wrap = <T extends D1Database | D1DatabaseSession>(target: T): T =>
    new Proxy(target, {
      get(_, property) {
        if (property === 'withSession') {
          return (constraint: string) => wrap((target as D1Database).withSession(constraint))
        }
        if (property === 'prepare') {
          return (text: string) => {
            executedStatements.add(text)
            return target.prepare(text)
          }
        }
        if (property === 'batch') {
          return async (statements: D1PreparedStatement[]) => {
            try {
              const results = await target.batch(statements)
              count(results)
              return results
            } finally {
              // Counted when the batch settles, so that a batch still running after the response does not count as the
              // request's.
              cost.roundTrips++
            }
          }
        }
        const value = Reflect.get(target, property)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  return { d1: wrap(d1), cost }
}

// A table no larger than the settings of a workspace may be scanned. No table qualifies yet.
const SCANNABLE_TABLES = new Set(['json_each', 'refusal'])

const explainedStatements = new Set<string>()
const AT_ONCE = 50

/** Returns the statements since the last call whose plan scans a growing table, each with its plan. */
export async function scansOfGrowingTables(d1: D1Database): Promise<string[]> {
  const found: string[] = []
  const texts = [...executedStatements].filter((text) => !explainedStatements.has(text))
  for (const [text, results] of await plansOf(d1, texts)) {
    explainedStatements.add(text)
    const scans = results.filter(({ detail }) => {
      // A full-text index is queried with MATCH, and reads matching rows only.
      const table = /^SCAN (\w+)\b(?! VIRTUAL TABLE INDEX \d+:M)/.exec(detail)?.[1]
      return (
        table !== undefined && tableOf(table, text) !== undefined && !SCANNABLE_TABLES.has(tableOf(table, text) ?? '')
      )
    })
    if (scans.length) found.push(`${text}\n  ${results.map(({ detail }) => detail).join('\n  ')}`)
  }
  return found
}

interface PlanStep {
  id: number
  parent: number
  detail: string
}

/** Query plan of each statement, with every parameter bound to NULL. */
export async function plansOf(d1: D1Database, texts: readonly string[]): Promise<[text: string, plan: PlanStep[]][]> {
  const plans: [string, PlanStep[]][] = []
  for (let at = 0; at < texts.length; at += AT_ONCE) {
    const some = texts.slice(at, at + AT_ONCE)
    const statements = some.map((text) => {
      const parameters = Math.max(0, ...[...text.matchAll(/\?(\d+)/g)].map((match) => Number(match[1])))
      return d1.prepare(`EXPLAIN QUERY PLAN ${text}`).bind(...Array.from({ length: parameters }, () => null))
    })
    const results = await d1.batch<PlanStep>(statements)
    plans.push(...some.map((text, n): [string, PlanStep[]] => [text, results[n]?.results ?? []]))
  }
  return plans
}

/** The table behind a name in a plan, or undefined for a subquery, a CTE or a table-valued function. */
function tableOf(name: string, text: string): string | undefined {
  if (
    new RegExp(`(?:WITH(?: RECURSIVE)?|,)\\s*${name}\\b(?:\\([^)]*\\))?\\s*AS\\s*(?:MATERIALIZED\\s*)?\\(`, 'i').test(
      text,
    )
  )
    return undefined
  const aliased = new RegExp(
    `(?:FROM|JOIN|INTO|UPDATE|,)\\s+"?(\\w+)"?(?:\\([^)]*\\))?\\s+(?:AS\\s+)?"?${name}"?\\b`,
    'i',
  ).exec(text)
  const table = aliased?.[1] && !/^(select|where|on|left|join)$/i.test(aliased[1]) ? aliased[1] : name
  const isTable = new RegExp(`(?:FROM|JOIN|INTO|UPDATE)\\s+"?${table}\\b"?(?!\\s*\\()`, 'i').test(text)
  return isTable ? table : undefined
}

type RunBatch = () => Promise<D1Result[]>

/** A database whose sessions run each batch as `around` says. */
export const wrapBatches = (
  d1: D1Database,
  around: (run: RunBatch, statements: readonly D1PreparedStatement[]) => Promise<D1Result[]>,
): D1Database =>
  new Proxy(d1, {
    get: (target, property) => {
      if (property !== 'withSession') return Reflect.get(target, property)
      return (constraint: string) => {
        const session = target.withSession(constraint)
        return {
          prepare: (text: string) => session.prepare(text),
          getBookmark: () => session.getBookmark(),
          batch: (statements: D1PreparedStatement[]) => around(() => session.batch(statements), statements),
        }
      }
    },
  })
