import type { Operations } from 'groundwork-client'
import type { Versioned } from '../../api/change'
import { client } from '../../api/client'
import { queries, showStored, useQuery } from '../../api/queries'

export type Portal = Operations['getPortalSettings']['data']
export type NewSecret = Operations['rotatePortalSecret']['data']

const PORTAL = ['portal', 'settings']
const MAX_LISTED = 100

export async function readPortal(): Promise<Versioned<Portal>> {
  const { data, headers } = await client.request('getPortalSettings', {})
  return { record: data, etag: headers.get('etag') ?? '' }
}

export async function sendPortal(body: Partial<Portal>, etag: string): Promise<Versioned<Portal>> {
  const { data, headers } = await client.request('modifyPortalSettings', { body }, { ifMatch: etag })
  return { record: data, etag: headers.get('etag') ?? '' }
}

export const usePortal = () => useQuery<Versioned<Portal>>({ queryKey: PORTAL, queryFn: readPortal })
export const acceptPortal = (stored: Versioned<Portal>): void => {
  showStored(PORTAL, stored)
}
export const readPortalAgain = () => queries.invalidateQueries({ queryKey: PORTAL })

export const rotateSecret = () => client.rotatePortalSecret()

export const sendLogo = async (product: string, file: File): Promise<number> =>
  (await client.createAsset({ product_external_key: product, file })).id

export interface Choice {
  id: number
  name: string
}

const useChoices = (resource: string, read: () => Promise<Choice[]>): readonly Choice[] =>
  useQuery<Choice[]>({ queryKey: [resource, 'choices'], queryFn: read }).data ?? []

export const useStatuses = () => useChoices('feedback_status', () => client.listFeedbackStatuses({ limit: MAX_LISTED }))
export const useCategories = () =>
  useChoices('feedback_category', () => client.listFeedbackCategories({ limit: MAX_LISTED }))
export const useSegments = () => useChoices('segment', () => client.listSegments({ limit: MAX_LISTED, sort: ['name'] }))
