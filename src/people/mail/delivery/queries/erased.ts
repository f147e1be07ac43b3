import { sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client/client'
import { addressKeys, erasures } from '../../../../db/schema/erasures'
import { emailRecipients, emails } from '../../../../db/schema/segments-and-mail'
import { users } from '../../../../db/schema/tenancy'
import { caller, statement } from '../../../../db/sql/statement'
import type { WaitingAddress } from '../../../erased-addresses/suppress'
import { type ChunkKey, mailingMatchesParams, recipientIsOfChunk } from './chunk'

const recipientAddress = sql`coalesce(nullif(${emailRecipients.email}, ''), (SELECT ${users.email} FROM ${users}
  WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.id} = ${emailRecipients.userId}), '')`

type ChunkValues = { emailId: number; chunk: number }

const isTestMailing = sql`EXISTS (SELECT 1 FROM ${emails} WHERE ${mailingMatchesParams} AND ${emails.kind} = 'test')`
const selectWaitingAddresses = statement<WaitingAddress, ChunkValues>(sql`
  SELECT ${recipientAddress} AS "email", k.secret AS "secret" FROM ${addressKeys} k
    CROSS JOIN ${emailRecipients} ON ${recipientIsOfChunk} AND ${emailRecipients.status} = 'queued'
  WHERE k.subscription_id = ${caller.subscription} AND NOT ${isTestMailing}
  UNION ALL SELECT e.person ->> 'email', NULL FROM ${erasures} e
    CROSS JOIN ${emailRecipients} ON ${recipientIsOfChunk} AND ${emailRecipients.status} = 'queued'
      AND ${recipientAddress} = e.person ->> 'email'
  WHERE e.subscription_id = ${caller.subscription} AND e.person IS NOT NULL AND NOT ${isTestMailing}`)

export const listWaitingAddresses = async (
  store: Store,
  { subscriptionId, emailId, chunk }: ChunkKey,
): Promise<WaitingAddress[]> => (await store.batch(subscriptionId, selectWaitingAddresses({ emailId, chunk })))[0]
