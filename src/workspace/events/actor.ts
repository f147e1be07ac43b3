import type * as z from 'zod'
import type { Actor } from '../../db/sql/actor'
import { parseOrigin } from '../../db/sql/origin'
import { canRead } from '../../http/auth'
import type { EventActor, EventOrigin } from './schema'

/** The API key that wrote an event, as stored now; nulls for the service itself, a hidden author and an erased key. */
export interface EventKey {
  keyId: number | null
  keyName: string | null
}

export interface EventSourceRow extends EventKey {
  actorUserId: number | null
  origin: string | null
}

/** Names of keys belong to the area of keys. */
export function toEventSource(
  { actorUserId, keyId, keyName, origin }: EventSourceRow,
  reader: Pick<Actor, 'scopes'>,
): { actor: z.input<typeof EventActor>; origin: z.input<typeof EventOrigin> | null } {
  return {
    actor: { userId: actorUserId, keyId, keyName: canRead(reader, 'keys') ? keyName : null },
    origin: parseOrigin(origin),
  }
}
