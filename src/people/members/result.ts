import type * as z from 'zod'
import type { Actor } from '../../db/sql/actor'
import { canRead, PEOPLE_AREAS } from '../../http/auth'
import { toIso } from '../../text/moments'
import type { InviteResults } from '../invitations/schema'
import { TOO_MANY_ATTRIBUTES_MESSAGE } from './attributes'
import type { ReadPersonItem } from './read'
import type { PersonRow } from './statements'

const DEFAULT_ROLE = 'idm_member'
const ID_TAKEN_MESSAGE = 'externalId: Another member has this id. Modify the other member, or send another id.'

export function toInviteResults(
  read: readonly ReadPersonItem[],
  rows: readonly [PersonRow, ...PersonRow[]],
  actor: Actor,
): z.input<typeof InviteResults> {
  const readsPeople = canRead(actor, ...PEOPLE_AREAS)
  const byEmail = new Map(rows.map((row) => [row.email, row]))
  const at = toIso(rows[0].at ?? 0)
  const rejected = ({ email, name }: ReadPersonItem, message: string) => ({
    success: false,
    message,
    user: { id: 0, email, role: DEFAULT_ROLE, firstName: name, createdAt: at, updatedAt: at },
  })
  return read.map((item) => {
    if ('reason' in item) return rejected(item, item.reason)
    const row = byEmail.get(item.email)
    if (row?.idTaken) return rejected(item, ID_TAKEN_MESSAGE)
    if (!row?.id) throw new Error('A user that was added is not in the answer')
    if (row.attributesFull) return rejected(item, TOO_MANY_ATTRIBUTES_MESSAGE)
    const { id, email, createdAt, updatedAt } = row
    const { role, firstName } = readsPeople ? row : { role: DEFAULT_ROLE, firstName: item.name }
    return {
      success: true,
      user: { id, email, role, firstName, createdAt: toIso(createdAt), updatedAt: toIso(updatedAt) },
    }
  })
}

export function summarizeResults(results: z.input<typeof InviteResults>, all: string): string {
  const rejected = results.filter(({ success }) => !success).length
  return rejected ? `${rejected} of ${results.length} users were not added` : all
}
