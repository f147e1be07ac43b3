import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { detachTeam, restoreTeam as giveBack } from '../../backlog/work-items/statements'
import type { Database } from '../../db/client/client'
import { type DerivedField, insertStatement, updateStatement } from '../../db/records/change'
import { makeLifecycle } from '../../db/records/lifecycle'
import { createLinkStatements } from '../../db/records/links'
import { makeListReader } from '../../db/records/list'
import { type Key, record } from '../../db/records/record'
import { products, teamMembers, teamProducts, teams, users } from '../../db/schema/tenancy'
import { coversProduct } from '../../db/sql/access'
import { computedList, moment } from '../../db/sql/field'
import { referencesTo } from '../../db/sql/references'
import { searchFilter } from '../../db/sql/search'
import { caller, param, type Statement, type Values } from '../../db/sql/statement'
import { CreateTeam, ListTeams, ModifyTeam } from './schema'

const memberIdsOfTeam = sql`(SELECT json_group_array(${users.id} ORDER BY ${users.id}) FROM ${teamMembers}
  CROSS JOIN ${users} ON ${users.id} = ${teamMembers.userId} AND ${users.subscriptionId} = ${caller.subscription}
    AND ${users.deletedAt} IS NULL
  WHERE ${teamMembers.subscriptionId} = ${caller.subscription} AND ${teamMembers.teamId} = ${teams.id})`

const productKeysOfTeam = sql`(SELECT json_group_array(${products.externalKey} ORDER BY ${products.externalKey}) FROM ${teamProducts}
  CROSS JOIN ${products} ON ${products.id} = ${teamProducts.productId}
    AND ${products.subscriptionId} = ${caller.subscription} AND ${products.deletedAt} IS NULL AND ${coversProduct(sql`${products.id}`)}
  WHERE ${teamProducts.subscriptionId} = ${caller.subscription} AND ${teamProducts.teamId} = ${teams.id})`

const teamKeyColumns = { teamId: teams.id }
export type TeamKey = Key<typeof teamKeyColumns>

export const team = record('team', {
  table: teams,
  scope: 'workspace',
  key: teamKeyColumns,
  unique: { column: teams.name, takenMessage: 'Another team has this name. Choose another.' },
  fields: {
    id: teams.id,
    name: teams.name,
    color: teams.color,
    createdAt: moment(teams.createdAt),
    updatedAt: moment(teams.updatedAt),
  },
  detail: { members: computedList<number>(memberIdsOfTeam), products: computedList<string>(productKeysOfTeam) },
})

const createTeamLinkReplacer = (of: typeof team.id) => {
  const memberLinks = createLinkStatements({
    ...{ table: teamMembers, holder: teamMembers.teamId, holderId: of },
    isDropped: sql`${teamMembers.userId} NOT IN (SELECT value FROM json_each(${param('=members')}))`,
    targets: [[teamMembers.userId, sql`value`]],
    from: sql`FROM json_each(${param('=members')}) WHERE true`,
  })
  const fromNamedProducts = sql`FROM ${products} WHERE ${products.subscriptionId} = ${caller.subscription}
    AND ${products.externalKey} IN (SELECT value FROM json_each(${param('=products')}))`
  const productLinks = createLinkStatements({
    ...{ table: teamProducts, holder: teamProducts.teamId, holderId: of },
    isDropped: sql`${teamProducts.productId} NOT IN (SELECT ${products.id} ${fromNamedProducts})`,
    targets: [[teamProducts.productId, products.id]],
    from: fromNamedProducts,
  })
  return ({ members, products }: TeamLinks, key: Values): Statement<never>[] => [
    ...(members ? memberLinks.replace({ ...key, '=members': toSortedJson(members) }) : []),
    ...(products ? productLinks.replace({ ...key, '=products': toSortedJson(products) }) : []),
  ]
}

interface TeamLinks {
  members?: readonly number[] | undefined
  products?: readonly string[] | undefined
}

/** The team's detail is sorted too, and the change detection compares the texts. */
const toSortedJson = <T extends number | string>(items: readonly T[]) =>
  JSON.stringify([...new Set(items)].sort((a, b) => (a < b ? -1 : 1)))

const referencesOfTeam = ({ members, products }: TeamLinks) => [
  ...referencesTo('user', '/members', members),
  ...referencesTo('product', '/products', products),
]

const insertTeam = insertStatement(team, CreateTeam, { except: ['members', 'products'] })
const emitTeamCreated = team.emit('created')
const replaceLinksOfNewTeam = createTeamLinkReplacer(sql`(SELECT ${teams.id} FROM ${teams} WHERE ${team.justInserted})`)

export const createTeam = (db: Database, { members, products, ...body }: z.output<typeof CreateTeam>) =>
  team.save(db, {
    references: referencesOfTeam({ members, products }),
    statements: [insertTeam(body), ...replaceLinksOfNewTeam({ members, products }, {}), emitTeamCreated({})],
    returning: team.inserted(),
  })

export const getTeam = team.get

export const listTeams = makeListReader(team, ListTeams, {
  sorts: { createdAt: teams.createdAt, name: teams.name },
  filters: { q: searchFilter('team', teams.id) },
}).page

const updateTeam = updateStatement(team, ModifyTeam, { except: ['members', 'products'] })
const replaceLinksOfTeam = createTeamLinkReplacer(team.id)
const createTeamListField = (name: string, json: SQL): DerivedField => {
  const given = sql`${param(`=${name}`)}`
  return { name, json, differs: sql`${json} IS NOT ${given}`, newValue: given }
}
const derivedTeamFields = {
  members: createTeamListField('members', memberIdsOfTeam),
  products: createTeamListField('products', productKeysOfTeam),
}

export function modifyTeam(
  db: Database,
  key: TeamKey,
  { members, products, ...body }: z.output<typeof ModifyTeam>,
  ifMatch: string | null,
) {
  const values = {
    ...key,
    ...(members && { '=members': toSortedJson(members) }),
    ...(products && { '=products': toSortedJson(products) }),
  }
  const changed = [...(members ? [derivedTeamFields.members] : []), ...(products ? [derivedTeamFields.products] : [])]
  return team.save(db, {
    guards: team.writeGuards(key, ifMatch),
    references: referencesOfTeam({ members, products }),
    statements: [...updateTeam(values, body, changed), ...replaceLinksOfTeam({ members, products }, key)],
    returning: team.returningByKey(key),
  })
}

const teamLifecycle = makeLifecycle(team)
const detachTeamFromItems = detachTeam(team.id)
const restoreTeamToItems = giveBack(team.id)

export function removeTeam(db: Database, key: TeamKey, ifMatch: string | null) {
  const { statements, ...rest } = teamLifecycle.removal(key, ifMatch)
  return db.write({ ...rest, statements: [...detachTeamFromItems(key), ...statements] })
}

export function restoreTeam(db: Database, key: TeamKey) {
  const { statements, ...rest } = teamLifecycle.restoration(key)
  return team.save(db, { ...rest, statements: [...statements, ...restoreTeamToItems(key)] })
}
