import type { Operations } from 'groundwork-client'
import type { Versioned } from '../../api/change'
import { client } from '../../api/client'
import { queries, showStored, useQuery } from '../../api/queries'

export type ListedTeam = Operations['listTeams']['data'][number]
export type Team = Operations['getTeam']['data']

const RESOURCE = 'team'
export const PAGE = 100

async function readTeams(limit: number): Promise<{ teams: ListedTeam[]; hasMore: boolean }> {
  const teams: ListedTeam[] = []
  for await (const team of client.each('listTeams', { sort: ['name'], limit: PAGE })) {
    if (teams.length === limit) return { teams, hasMore: true }
    teams.push(team)
  }
  return { teams, hasMore: false }
}

export const useTeams = (limit: number) =>
  useQuery({ queryKey: [RESOURCE, 'list', limit], queryFn: () => readTeams(limit) })
export const readTeamsAgain = () => queries.invalidateQueries({ queryKey: [RESOURCE] })

async function readTeam(teamId: number): Promise<Versioned<Team>> {
  const { data, headers } = await client.request('getTeam', { teamId })
  return { record: data, etag: headers.get('etag') ?? '' }
}

export const useTeam = (teamId: number) =>
  useQuery<Versioned<Team>>({ queryKey: [RESOURCE, 'one', teamId], queryFn: () => readTeam(teamId) })

export const changeOf = (teamId: number) => ({
  read: () => readTeam(teamId),
  async send(change: Partial<Team>, etag: string): Promise<Versioned<Team>> {
    const body = change as Pick<Partial<Team>, 'name' | 'members' | 'products'>
    const { data, headers } = await client.request('modifyTeam', { teamId, body }, { ifMatch: etag })
    return { record: data, etag: headers.get('etag') ?? '' }
  },
  accept(stored: Versioned<Team>) {
    showStored([RESOURCE, 'one', teamId], stored)
    void queries.invalidateQueries({ queryKey: [RESOURCE, 'list'] })
  },
})

export const sendNewTeam = (name: string): Promise<Team> => client.createTeam({ body: { name } })
export const sendRemoval = ({ id }: ListedTeam) => client.removeTeam({ teamId: id })

export async function sendRestore({ id }: ListedTeam): Promise<void> {
  await client.restoreTeam({ teamId: id })
  await readTeamsAgain()
}
