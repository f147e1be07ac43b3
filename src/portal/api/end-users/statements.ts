import { sql } from 'drizzle-orm'
import { updateWhere } from '../../../db/records/change'
import { users } from '../../../db/schema/tenancy'
import { END_USER_SOURCE, type EndUser } from '../../../db/sql/portal-access'
import {
  caller,
  directlyAfter,
  inline,
  insertInto,
  param,
  type Statement,
  statement,
  type Values,
} from '../../../db/sql/statement'
import { member } from '../../../people/members/fields'
import { emitUnknownMember } from '../../../people/members/statements'

const identity = { source: inline(END_USER_SOURCE), externalId: sql`${caller.endUserId}` }

const insertEndUser = statement<never, Values>(
  insertInto(
    users,
    {
      subscriptionId: caller.subscription,
      email: caller.endUserEmail,
      firstName: param('name'),
      role: sql`'idm_member'`,
      ...identity,
      createdAt: caller.now,
      updatedAt: caller.now,
    },
    sql`WHERE true ON CONFLICT DO NOTHING`,
  ),
)

const isEndUser = sql`${member.notDeleted} AND ${users.id} = ${caller.user}
  AND (${users.source} IS NULL OR ${users.source} = ${inline(END_USER_SOURCE)})`
const updateIdentity = updateWhere(member, isEndUser, identity)
const updateIdentityAndName = updateWhere(member, isEndUser, {
  ...identity,
  firstName: sql`${param('name')}`,
  lastName: sql`''`,
})

/**
 * An unknown end user becomes a member. A member without an id of another system gets the id of the end user, and the
 * name follows the name of the token.
 */
export function saveEndUser({ email, name, known }: EndUser): readonly Statement<never>[] {
  if (!known) {
    const insert = insertEndUser({ name: name ?? '' })
    // Nobody of the workspace acts.
    return [insert, directlyAfter(insert, emitUnknownMember({ email, '@user': null }))]
  }
  const isNamed = name !== undefined && name !== known.name
  const isUnchanged = known.source === END_USER_SOURCE && !isNamed
  if (isUnchanged || (known.source !== null && known.source !== END_USER_SOURCE)) return []
  return isNamed ? updateIdentityAndName({ name }) : updateIdentity({})
}
