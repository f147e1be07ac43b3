import type { Operations } from 'groundwork-client'
import type { Versioned } from '../../api/change'
import { client } from '../../api/client'
import { showStored, useQuery } from '../../api/queries'

export type StoredSignIn = Operations['getSignInSettings']['data']
/** No answer shows the secret: the form begins with none. */
export type SignIn = StoredSignIn & { clientSecret: string | null }

const KEY = ['sign_in_settings']

const toVersioned = ({ data, headers }: { data: StoredSignIn; headers: Headers }): Versioned<SignIn> => ({
  record: { ...data, clientSecret: null },
  etag: headers.get('etag') ?? '',
})

export const readSignIn = async (): Promise<Versioned<SignIn>> =>
  toVersioned(await client.request('getSignInSettings', {}))

export const sendSignIn = async (body: Partial<SignIn>, etag: string): Promise<Versioned<SignIn>> =>
  toVersioned(await client.request('modifySignInSettings', { body }, { ifMatch: etag }))

export const useSignIn = (enabled: boolean) =>
  useQuery<Versioned<SignIn>>({ queryKey: KEY, queryFn: readSignIn, enabled })
export const acceptSignIn = (stored: Versioned<SignIn>): void => {
  showStored(KEY, stored)
}
