import { readClock } from '../../clock.ts'
import { call } from './session.ts'

export interface RemovedSample {
  product: string
  /** An epic that was removed with its feature. */
  epic: string
  feature: string
  /** An epic that was removed, and a feature that stayed. */
  detached: { epic: string; feature: string }
}

interface Created {
  id: number
  epicId: number
  externalKey: string
  external_key: string
}

/** What the sample has removed of each kind, by the choice of the page. */
export const SAMPLE_KINDS = [
  { label: 'Ideas', name: 'An idea that went' },
  { label: 'Story maps', name: 'A map that went' },
  { label: 'Versions', name: 'A version that went' },
  { label: 'Changelog entries', name: 'An entry that went' },
  { label: 'User stories', name: 'A story that went' },
  { label: 'KPIs', name: 'A KPI that went' },
  { label: 'Personas', name: 'A persona that went' },
  { label: 'Experiments', name: 'An experiment that went' },
  { label: 'Documents', name: 'A document that went' },
  { label: 'Templates', name: 'A template that went' },
  { label: 'Segments', name: 'A segment that went' },
  { label: 'People', name: 'Gone Person' },
  { label: 'Teams', name: 'A team that went' },
  { label: 'Users', name: 'Gone User' },
  { label: 'Webhooks', name: 'A webhook that went' },
  { label: 'Incoming webhooks', name: 'GitHub' },
] as const

/** A product with a removed record of each kind. */
export async function createRemovedSample(): Promise<RemovedSample> {
  const mark = readClock()
  const product = `RM-${mark.toString(36).toUpperCase()}`
  await call('POST', '/api/initiatives', { name: 'Removals', externalKey: product })
  const at = `/api/initiatives/${product}`
  const remove = (path: string) => call('DELETE', path)
  const createAndRemove = async (path: string, json: object, keyOf: (created: Created) => string | number) =>
    remove(`${path}/${keyOf(await call<Created>('POST', path, json))}`)
  const byId = ({ id }: Created) => id
  const byKey = ({ externalKey }: Created) => externalKey

  const createEpic = (summary: string) => call<Created>('POST', `${at}/epics`, { summary })
  const createFeature = (epicId: number) => call<Created>('POST', `${at}/features`, { summary: 'A feature', epicId })
  const epic = await createEpic('An epic')
  const feature = await createFeature(epic.epicId)
  await remove(`${at}/epics/${epic.externalKey}?cascade=true`)
  const other = await createEpic('Another epic')
  const kept = await createFeature(other.epicId)
  await remove(`${at}/epics/${other.externalKey}`)
  await createAndRemove(`${at}/epics`, { summary: 'Removed last' }, byKey)

  await createAndRemove(`${at}/tags`, { name: 'Taken' }, byId)
  await call('POST', `${at}/tags`, { name: 'Taken' })
  await createAndRemove(`${at}/tags`, { name: 'Free' }, byId)

  const idea = { title: 'An idea that went', product }
  await createAndRemove('/api/feedback-items', idea, ({ external_key }) => external_key)
  await createAndRemove(`${at}/storyMap/card`, { summary: 'A story that went' }, byKey)
  await createAndRemove(`${at}/storyMap`, { title: 'A map that went' }, byId)
  await createAndRemove(`${at}/solution-versions`, { name: 'A version that went' }, byKey)
  await createAndRemove('/api/v2/changelog', { title: 'An entry that went', product }, byKey)
  await createAndRemove(`${at}/kpi`, { title: 'A KPI that went' }, byKey)
  await createAndRemove('/api/v2/persona', { name: 'A persona that went' }, byKey)
  await createAndRemove(`${at}/experiments`, { title: 'An experiment that went' }, byKey)
  await createAndRemove(`${at}/documents`, { title: 'A document that went' }, byKey)
  await createAndRemove('/api/v2/docs-hub/templates', { title: 'A template that went' }, byId)
  await createAndRemove('/api/v2/segments', { name: `A segment that went ${mark}` }, byId)
  const person = { email: `gone-${mark}@example.com`, firstName: 'Gone', lastName: 'Person' }
  await createAndRemove('/api/v2/idea-manager/members', person, byId)
  await createAndRemove('/api/v2/teams', { name: `A team that went ${mark}` }, byId)
  const user = { email: `user-${mark}@example.com`, firstName: 'Gone', lastName: 'User', role: 'member' }
  await createAndRemove('/api/v2/users', user, byId)
  const webhook = { name: 'A webhook that went', url: 'https://example.com/hook', events: ['epic.*'] }
  await createAndRemove('/api/v2/webhooks', webhook, byId)
  const incoming = { provider: 'github', product, action: 'create_feedback' }
  await createAndRemove('/api/v2/incoming-webhooks', incoming, byId)
  return {
    ...{ product, epic: epic.externalKey, feature: feature.externalKey },
    detached: { epic: other.externalKey, feature: kept.externalKey },
  }
}
