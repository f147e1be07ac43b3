import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Issue } from '../../text/errors'
import { PERSONAL_MARK } from '../sql/field'
import type { Returning } from '../sql/returning'
import { compileSql, inline, makeLazy, param, type Statement, type Template } from '../sql/statement'

/** A member of a body that the record shows and the operation cannot set. */
export interface PresentedMember {
  /** Names and positions in the body. */
  path: readonly (string | number)[]
  value: unknown
  /** What is wrong with the value, unless the record has it. */
  issue?: Issue
}

/** Thrown when members differ from the record. The batch did nothing. @param positions Of the members. */
export class ReadOnlyRefusal extends Error {
  readonly positions: readonly number[]

  constructor(positions: readonly number[]) {
    super('Members that the operation cannot set differ from the record')
    this.positions = positions
  }
}

// A record, and the result of a change.
const MAX_FORMS = inline(2)

// Names of shown members are from schemas, and need no quotes.
const jsonPathOf = (path: readonly (string | number)[]) =>
  `$${path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')}`

const nodesOf = (members: 'sent' | 'shown') => sql`SELECT ${sql.raw(members)}.*, fullkey, type, atom,
    iif(type = 'array', json_array_length(json_tree.value), NULL) AS items
  FROM ${sql.raw(members)} CROSS JOIN json_tree(${sql.raw(members)}.content)`

const isPersonal = sql`stored.type = 'text' AND substr(stored.atom, 1, 1) = ${PERSONAL_MARK}`
const isOther = sql`(wanted.atom IS NOT stored.atom
  AND NOT (${isPersonal} AND wanted.atom IN ('', substr(stored.atom, 2))))`

const isNumber = (nodes: 'wanted' | 'stored') => sql`${sql.raw(nodes)}.type IN ('integer', 'real')`

const differs = sql`iif(stored.type IS NULL, wanted.type <> 'null', ${isOther} OR wanted.items IS NOT stored.items
  OR NOT (wanted.type = stored.type OR ${isNumber('wanted')} AND ${isNumber('stored')}))`

/** Members with their paths, as `selectDiffering` reads them. */
export const packPresented = (members: readonly PresentedMember[]): [path: string, value: unknown][] =>
  members.map(({ path, value }) => [jsonPathOf(path), value])

/**
 * Selects `reason`: `read_only:` with the positions of the members that differ from each form of the record, and no row if
 * none does. A part of an object is enough; null may stand for a member that the record lacks.
 * @param packed Packed members as a JSON array.
 * @param answered Query of the forms of the record as JSON `data`.
 */
export const selectDiffering = (packed: SQLWrapper, answered: SQL): SQL => sql`
  WITH sent AS MATERIALIZED (SELECT key AS n, value ->> '$[0]' AS way, value -> '$[1]' AS content
      FROM json_each(${packed})),
    reply AS MATERIALIZED (SELECT row_number() OVER () AS form, data FROM (${answered} LIMIT ${MAX_FORMS})),
    shown AS MATERIALIZED (SELECT form, n, data -> way AS content FROM reply CROSS JOIN sent),
    wanted AS MATERIALIZED (${nodesOf('sent')}),
    stored AS MATERIALIZED (${nodesOf('shown')}),
    differing AS (SELECT DISTINCT reply.form, wanted.n FROM reply CROSS JOIN wanted
      LEFT JOIN stored ON stored.form = reply.form AND stored.n = wanted.n AND stored.fullkey = wanted.fullkey
      WHERE ${differs})
  SELECT 'read_only:' || json_group_array(n) AS reason
  FROM (SELECT n FROM differing GROUP BY n HAVING count(*) = (SELECT count(*) FROM reply)) HAVING count(*) > 0`

/** Refuses what was written. */
const refusalSql = (answered: SQL) =>
  sql`INSERT INTO refusal SELECT reason FROM (${selectDiffering(param('@presented'), answered)})`

const templates = new WeakMap<object, () => Template>()

/** The last statement of a write. Members that the write cannot set are the same before and after it. */
export function compareWithAnswer(
  { template, answered, values }: Returning<unknown>,
  presented: readonly PresentedMember[],
): Statement<never> {
  let compare = templates.get(template)
  if (!compare) {
    compare = makeLazy(() => compileSql(refusalSql(answered())))
    templates.set(template, compare)
  }
  return { template: compare, values: { ...values, '@presented': JSON.stringify(packPresented(presented)) } }
}
