import type { Operations } from 'groundwork-client'
import type { Versioned } from '../../api/change'
import { client } from '../../api/client'
import { showStored, useQuery } from '../../api/queries'

export type WorkspaceSettings = Operations['getSettings']['data']

const KEY = ['settings', 'workspace']

async function readSettings(): Promise<Versioned<WorkspaceSettings>> {
  const { data, headers } = await client.request('getSettings', {})
  return { record: data, etag: headers.get('etag') ?? '' }
}

export const useSettings = () => useQuery<Versioned<WorkspaceSettings>>({ queryKey: KEY, queryFn: readSettings })

export const changeOfSettings = {
  read: readSettings,
  async send(change: Partial<WorkspaceSettings>, etag: string): Promise<Versioned<WorkspaceSettings>> {
    const { data, headers } = await client.request('modifySettings', { body: change }, { ifMatch: etag })
    return { record: data, etag: headers.get('etag') ?? '' }
  },
  accept(stored: Versioned<WorkspaceSettings>) {
    showStored(KEY, stored)
  },
}
