import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/client'
import type { Shape } from '../../db/field'
import { lifecycle } from '../../db/lifecycle'
import type { AnyRecord, Key, KeyColumns, RecordOf } from '../../db/record'
import { guard } from '../../db/refuse'
import { users } from '../../db/schema/tenancy'
import { inline, type Values } from '../../db/statement'
import { cancelInvitation } from '../../people/invitations/statements'
import { restoreMemberships, takeMemberships } from '../../people/segments/statements'
import type { ResourceName } from '../../resources'
import { endKeysOf } from '../keys/statements'

const ONLY_OWNER = inline(
  'conflict:This is the only owner of the workspace. Make somebody else an owner first, then repeat it.',
)

/** Whether the one in the path is the only owner. */
export const isOnlyOwner = ({
  addressed,
  visible,
}: Pick<
  AnyRecord,
  'addressed' | 'visible'
>) => sql`EXISTS (SELECT 1 FROM ${users} WHERE ${addressed} AND ${users.role} = 'owner')
  AND (SELECT count(*) FROM (SELECT 1 FROM ${users} WHERE ${visible} AND ${users.role} = 'owner' LIMIT 2)) = 1`

export const onlyOwner = (when: SQL) => guard<Values>(ONLY_OWNER, when)

/**
 * Makes what removes and restores a person, by whichever door. Whose record goes, their keys end, their segments let them
 * go, and an invitation is taken back; what segments had let go returns with a restore, without the keys and the invitation.
 */
export function departures<R extends ResourceName, K extends KeyColumns, F extends Shape, D extends Shape>(
  people: RecordOf<R, K, F, D>,
) {
  const { removal, restoration } = lifecycle(people)
  const refuse = onlyOwner(isOnlyOwner(people))
  const endKeys = endKeysOf(people.id)
  const leaveSegments = takeMemberships(people.id)
  const cancel = cancelInvitation(people.id)
  const rejoin = restoreMemberships(sql`(SELECT ${users.id} FROM ${users} WHERE ${people.removed})`)
  return {
    remove(db: Database, key: Key<K>, ifMatch: string | null) {
      const { guards, statements, answer } = removal(key, ifMatch)
      // The event first: it says what there was.
      const [told, gone] = [statements.slice(0, 1), statements.slice(1)]
      return db.write({
        guards: [...guards, refuse(key)],
        statements: [...told, ...endKeys(key), ...leaveSegments(key), cancel(key), ...gone],
        answer,
      })
    },
    restore(db: Database, key: Key<K>) {
      const { statements, ...rest } = restoration(key)
      // Before the restore itself: who is not removed has nothing to be given back.
      return people.save(db, { ...rest, statements: [...rejoin(key), ...statements] })
    },
  }
}
