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
 * Builds the removal and the restore of a person, for users and members alike. A removal ends the person's API keys,
 * takes the person out of segments and cancels an open invitation. A restore returns the segments, but neither keys nor
 * invitation.
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
      // The event comes first, because the event contains the record before the removal.
      const [told, gone] = [statements.slice(0, 1), statements.slice(1)]
      return db.write({
        guards: [...guards, refuse(key)],
        statements: [...told, ...endKeys(key), ...leaveSegments(key), cancel(key), ...gone],
        answer,
      })
    },
    restore(db: Database, key: Key<K>) {
      const { statements, ...rest } = restoration(key)
      // The segments come first, because only a removed person has segments to return to.
      return people.save(db, { ...rest, statements: [...rejoin(key), ...statements] })
    },
  }
}
