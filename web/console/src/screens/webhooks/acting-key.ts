import type { Operations } from 'groundwork-client'
import { client } from '../../api/client'
import { type Me, maySee } from '../../api/me'
import { useQuery } from '../../api/queries'

type ApiKey = Operations['listApiKeys']['data'][number]
export type Scope = Operations['createApiKey']['input']['body']['scopes'][number]
type ReadScope = Extract<Scope, `${string}:read`>

/** An id of a key, a key that is created with the webhook, or the session of the person. */
export type KeyChoice = number | 'new' | 'session' | 'same'

/** Complete by its type: a webhook of all events needs every area. */
const IS_READ: Readonly<Record<ReadScope, true>> = {
  'products:read': true,
  'backlog:read': true,
  'kpis:read': true,
  'feedback:read': true,
  'segments:read': true,
  'personas:read': true,
  'files:read': true,
  'mail:read': true,
  'keys:read': true,
  'events:read': true,
  'webhooks:read': true,
}
export const READ_SCOPES = Object.keys(IS_READ) as ReadScope[]

const MAX_KEYS = 100

const isUsable = ({ kind, revokedAt, expiresAt }: ApiKey): boolean =>
  kind === 'secret' && revokedAt === null && Date.parse(expiresAt) > Date.now()

/** Keys of the person, newest first. */
export function useOwnKeys(me: Me): readonly ApiKey[] {
  const { data } = useQuery<ApiKey[]>({
    queryKey: ['api_key', 'of-webhooks'],
    queryFn: () => client.listApiKeys({ limit: MAX_KEYS }),
    enabled: maySee(me, 'keys:read'),
  })
  return (data ?? []).filter((key) => isUsable(key) && key.userId === me.user.id)
}

export const mayCreateKey = (me: Me): boolean => maySee(me, 'keys:write')

export const firstChoice = (me: Me): KeyChoice => (mayCreateKey(me) ? 'new' : 'session')

export interface KeyOrder {
  name: string
  scopes: readonly Scope[]
}

/** The key of a new webhook, as its create takes it. */
export function keyOfNew(choice: KeyChoice, me: Me, { name, scopes }: KeyOrder) {
  if (choice === 'new') return { apiKey: { name, scopes: scopes.filter((scope) => maySee(me, scope)) } }
  return typeof choice === 'number' ? { apiKeyId: choice } : {}
}

/** Runs a request with the key of the choice. A key that was created for a refused request is revoked. */
export async function withKey<T>(
  choice: KeyChoice,
  me: Me,
  { name, scopes }: KeyOrder,
  send: (key: { apiKeyId?: number }) => Promise<T>,
): Promise<T> {
  if (choice === 'session' || choice === 'same') return send({})
  if (choice !== 'new') return send({ apiKeyId: choice })
  const granted = scopes.filter((scope) => maySee(me, scope))
  const { id } = await client.createApiKey({ body: { name, scopes: granted } })
  try {
    return await send({ apiKeyId: id })
  } catch (error) {
    await client.revokeApiKey({ apiKeyId: id }).catch(() => undefined)
    throw error
  }
}
