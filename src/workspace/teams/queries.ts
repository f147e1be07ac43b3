import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { restoreTeam as giveBack, takeTeam } from '../../backlog/work-items/statements'
import { covered } from '../../db/access'
import { type Elsewhere, inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { computedList, moment } from '../../db/field'
import { lifecycle } from '../../db/lifecycle'
import { replaceLinks } from '../../db/links'
import { list } from '../../db/list'
import { type Key, record } from '../../db/record'
import type { Reference } from '../../db/references'
import { products, teamMembers, teamProducts, teams, users } from '../../db/schema/tenancy'
import { search } from '../../db/search'
import { caller, param, type Statement, type Values } from '../../db/statement'
import { uniqueness } from '../../db/unique'
import { CreateTeam, ListTeams, ModifyTeam } from './schema'

const members = sql`(SELECT json_group_array(${users.id} ORDER BY ${users.id}) FROM ${teamMembers}
  CROSS JOIN ${users} ON ${users.id} = ${teamMembers.userId} AND ${users.subscriptionId} = ${caller.subscription}
    AND ${users.deletedAt} IS NULL
  WHERE ${teamMembers.subscriptionId} = ${caller.subscription} AND ${teamMembers.teamId} = ${teams.id})`

const worksOn = sql`(SELECT json_group_array(${products.externalKey} ORDER BY ${products.externalKey}) FROM ${teamProducts}
  CROSS JOIN ${products} ON ${products.id} = ${teamProducts.productId}
    AND ${products.subscriptionId} = ${caller.subscription} AND ${products.deletedAt} IS NULL AND ${covered(sql`${products.id}`)}
  WHERE ${teamProducts.subscriptionId} = ${caller.subscription} AND ${teamProducts.teamId} = ${teams.id})`

const key = { teamId: teams.id }
export type TeamKey = Key<typeof key>

export const team = record('team', {
  table: teams,
  within: 'workspace',
  key,
  unique: { column: teams.name, taken: 'Another team has this name. Choose another.' },
  fields: {
    id: teams.id,
    name: teams.name,
    color: teams.color,
    createdAt: moment(teams.createdAt),
    updatedAt: moment(teams.updatedAt),
  },
  detail: { members: computedList<number>(members), products: computedList<string>(worksOn) },
})

const unique = uniqueness(team)

const linked = (of: typeof team.id) => {
  const replaceMembers = replaceLinks({
    table: teamMembers,
    holder: teamMembers.teamId,
    target: teamMembers.userId,
    of,
    given: sql`SELECT value AS id FROM json_each(${param('=members')})`,
  })
  const replaceProducts = replaceLinks({
    table: teamProducts,
    holder: teamProducts.teamId,
    target: teamProducts.productId,
    of,
    given: sql`SELECT ${products.id} AS id FROM ${products} WHERE ${products.subscriptionId} = ${caller.subscription}
      AND ${products.externalKey} IN (SELECT value FROM json_each(${param('=products')}))`,
  })
  return ({ members, products }: Links, key: Values): Statement<never>[] => [
    ...(members ? replaceMembers({ ...key, '=members': listed(members) }) : []),
    ...(products ? replaceProducts({ ...key, '=products': listed(products) }) : []),
  ]
}

interface Links {
  members?: readonly number[] | undefined
  products?: readonly string[] | undefined
}

/** Sorts the items without duplicates, as the team's detail does, because the change detection compares the texts. */
const listed = <T extends number | string>(items: readonly T[]) =>
  JSON.stringify([...new Set(items)].sort((a, b) => (a < b ? -1 : 1)))

const references = ({ members = [], products = [] }: Links): Reference[] => [
  ...members.map((value, n): Reference => ({ kind: 'user', path: `/members/${n}`, value })),
  ...products.map((value, n): Reference => ({ kind: 'product', path: `/products/${n}`, value })),
]

const inserted = inserts(team, CreateTeam, { except: ['members', 'products'] })
const created = team.event('created')
const linkNew = linked(sql`(SELECT ${teams.id} FROM ${teams} WHERE ${team.newest})`)

export const createTeam = (db: Database, { members, products, ...body }: z.output<typeof CreateTeam>) =>
  team.save(db, {
    guards: unique.onCreate(body.name),
    references: references({ members, products }),
    statements: [inserted(body), ...linkNew({ members, products }, {}), created({})],
    answer: team.created(),
  })

export const getTeam = team.get

export const listTeams = list(team, ListTeams, {
  sorts: { createdAt: teams.createdAt, name: teams.name },
  filters: { q: search('team', teams.id) },
}).page

const modified = modifies(team, ModifyTeam, { except: ['members', 'products'] })
const link = linked(team.id)
const becoming = (name: string, json: SQL): Elsewhere => {
  const given = sql`${param(`=${name}`)}`
  return { name, json, differs: sql`${json} IS NOT ${given}`, becomes: given }
}
const elsewhere = { members: becoming('members', members), products: becoming('products', worksOn) }

export function modifyTeam(
  db: Database,
  key: TeamKey,
  { members, products, ...body }: z.output<typeof ModifyTeam>,
  ifMatch: string | null,
) {
  const given = {
    ...key,
    ...(members && { '=members': listed(members) }),
    ...(products && { '=products': listed(products) }),
  }
  const changed = [...(members ? [elsewhere.members] : []), ...(products ? [elsewhere.products] : [])]
  return team.save(db, {
    guards: [...team.writable(key, ifMatch), ...unique.onModify(key, body.name)],
    references: references({ members, products }),
    statements: [...modified(given, body, changed), ...link({ members, products }, key)],
    answer: team.reply(key),
  })
}

const { removal, restoration } = lifecycle(team)
const leaveItems = takeTeam(team.id)
const returnToItems = giveBack(team.id)

export function removeTeam(db: Database, key: TeamKey, ifMatch: string | null) {
  const { statements, ...rest } = removal(key, ifMatch)
  return db.write({ ...rest, statements: [...leaveItems(key), ...statements] })
}

export function restoreTeam(db: Database, key: TeamKey) {
  const { statements, ...rest } = restoration(key)
  return team.save(db, { ...rest, statements: [...statements, ...returnToItems(key)] })
}
