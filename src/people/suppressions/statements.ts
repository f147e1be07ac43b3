import { sql } from 'drizzle-orm'
import { among, computed, moment, personal, plain } from '../../db/field'
import { type Key, record } from '../../db/record'
import { suppressions } from '../../db/schema/segments-and-mail'
import { users } from '../../db/schema/tenancy'
import { caller } from '../../db/statement'
import type { REASONS } from './schema'

const key = { suppressionId: suppressions.id }
export type SuppressionKey = Key<typeof key>

export const suppression = record('suppression', {
  table: suppressions,
  within: 'workspace',
  key,
  // The member with the address; events about addresses of nobody have no person.
  person: sql`(SELECT ${users.id} FROM ${users} WHERE ${users.subscriptionId} = ${caller.subscription}
    AND ${users.email} = ${suppressions.email})`,
  fields: {
    id: suppressions.id,
    email: personal(plain(suppressions.email), 'email'),
    segmentId: computed<number | null>(sql`nullif(${suppressions.segmentId}, 0)`),
    reason: among<(typeof REASONS)[number]>(suppressions.reason),
    createdAt: moment(suppressions.createdAt),
  },
})
