import type { Operations } from 'groundwork-client'
import { client } from '../../api/client'
import { type Me, maySee } from '../../api/me'
import { texts } from './texts/texts'

export type ApiKey = Operations['listApiKeys']['data'][number]
export type NewKey = Operations['createApiKey']['data']
export type KeyKind = ApiKey['kind']
export type KeyArea = keyof typeof texts.keys.areas

export const PAGE = 100
export const PUBLISHABLE_SCOPE = 'feedback:read'

export const AREAS = Object.keys(texts.keys.areas) as KeyArea[]
export const VERBS = ['read', 'write'] as const

export type KeyScope = '*' | `${KeyArea}:${(typeof VERBS)[number]}`

export const isEnded = ({ revokedAt, expiresAt }: ApiKey): boolean =>
  [revokedAt, expiresAt].some((end) => end !== null && Date.parse(end) <= Date.now())

/** A person gives only scopes that the own role has. */
export const mayGrant = (me: Me, scope: KeyScope): boolean => maySee(me, scope)

export function nameOfScope(scope: string): string {
  if (scope === '*') return texts.keys.everything
  const [area, verb] = scope.split(':') as [KeyArea, (typeof VERBS)[number]]
  return texts.keys.right(texts.keys.areas[area], texts.keys[verb])
}

export async function readKeys(limit: number): Promise<{ keys: ApiKey[]; hasMore: boolean }> {
  const keys: ApiKey[] = []
  for await (const key of client.each('listApiKeys', { limit: PAGE })) {
    if (keys.length === limit) return { keys, hasMore: true }
    keys.push(key)
  }
  return { keys, hasMore: false }
}
