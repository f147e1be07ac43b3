import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client'
import { segments } from '../../../db/schema/segments-and-mail'
import type { NewPerson } from '../../members/read'
import { bulkOfPeople, type PersonRow } from '../../members/statements'
import { type SegmentKey, segment } from '../statements'

export interface AddedRow extends PersonRow {
  segmentCount: number
}

// Who is known and a member already may still be changed.
const adding = bulkOfPeople<AddedRow>({
  told: {
    type: sql`iif(added > 0, 'segment.users_added', 'member.updated')`,
    key: sql`iif(added > 0, ${segment.told.key}, '')`,
    data: sql`iif(added > 0, json_object('count', added), json_object('created', created, 'updated', updated, 'added', added))`,
    joins: sql`JOIN ${segments} ON ${segment.addressed}`,
  },
  row: { segmentCount: segments.userCount },
  from: sql`${segments}`,
  where: segment.addressed,
})

/** Adds each of the people, who are distinct. */
export async function addUsers(db: Database, key: SegmentKey, people: readonly NewPerson[]) {
  const segmentIds = new Set([key.segmentId])
  const writes = adding(
    people.map((person) => ({ ...person, segmentIds })),
    key,
  )
  return (await db.write({ guards: segment.writable(key), ...writes })).answer
}
