import { type SQL, sql } from 'drizzle-orm'
import { type Guard, guard } from '../../db/refuse'
import { users } from '../../db/schema/tenancy'
import type { Statement, Values } from '../../db/statement'
import { cancelInvitation } from '../../people/invitations/statements'
import { restoreMemberships, takeMemberships } from '../../people/segments/statements'
import { endKeysOf } from '../keys/statements'

const ONLY_OWNER = sql.raw(
  "'conflict:This is the only owner of the workspace. Make somebody else an owner first, then repeat it.'",
)

/** A record whose rows are the people of the workspace: as its users, and as members. */
interface People {
  readonly visible: SQL
  readonly addressed: SQL
  readonly removed: SQL
  readonly id: SQL
}

/** Whether the one in the path is the only owner. */
export const isOnlyOwner = ({
  addressed,
  visible,
}: People) => sql`EXISTS (SELECT 1 FROM ${users} WHERE ${addressed} AND ${users.role} = 'owner')
  AND (SELECT count(*) FROM (SELECT 1 FROM ${users} WHERE ${visible} AND ${users.role} = 'owner' LIMIT 2)) = 1`

export const onlyOwner = (when: SQL) => guard<Values>(ONLY_OWNER, when)

interface Departures {
  /** Refuses to remove the only owner. */
  refuse(key: Values): Guard
  /** Before a person is removed: their keys end, their segments let them go, and an invitation is taken back. */
  leave(key: Values): Statement<never>[]
  /** Before one is restored: what segments had let go, without the keys and the invitation. */
  rejoin(key: Values): Statement<never>[]
}

/** What goes and returns with a person, by whichever door. */
export function departures(people: People): Departures {
  const endKeys = endKeysOf(people.id)
  const leaveSegments = takeMemberships(people.id)
  const cancel = cancelInvitation(people.id)
  return {
    refuse: onlyOwner(isOnlyOwner(people)),
    leave: (key) => [...endKeys(key), ...leaveSegments(key), cancel(key)],
    rejoin: restoreMemberships(sql`(SELECT ${users.id} FROM ${users} WHERE ${people.removed})`),
  }
}
