import type { Operations } from 'groundwork-client'
import { client } from './client'
import { useQuery } from './queries'

export type User = Operations['listUsers']['data'][number]

const MAX_USERS = 100

const options = { queryKey: ['user', 'list'], queryFn: () => client.listUsers({ limit: MAX_USERS }) }
export const useUsers = (): readonly User[] => useQuery<User[]>(options).data ?? []

export const nameOf = ({ firstName, lastName, email }: Pick<User, 'firstName' | 'lastName' | 'email'>): string =>
  `${firstName} ${lastName}`.trim() || email
