import { readClock } from '../../clock.ts'
import { call } from './session.ts'

const stamp = readClock().toString(36).toUpperCase()
export const PRODUCT = `SM-${stamp}`
export const EMPTY_PRODUCT = `SME-${stamp}`
export const AT = `/api/initiatives/${PRODUCT}`

export interface Sample {
  mapId: number
  plan: number
  walk: number
  lane: number
  stories: string[]
}

/** A map with two activities, two steps and a swimlane; one of four stories is placed. */
export async function createSample(): Promise<Sample> {
  await call('POST', '/api/initiatives', { name: 'Site inspection', externalKey: PRODUCT })
  await call('POST', '/api/initiatives', { name: 'Without a map', externalKey: EMPTY_PRODUCT })
  const stories: string[] = []
  for (const summary of ['Pick rooms', 'Keep answers', 'Count photos', 'Dictate a note'])
    stories.push((await call<{ externalKey: string }>('POST', `${AT}/storyMap/card`, { summary })).externalKey)
  const version = await call<{ externalKey: string }>('POST', `${AT}/solution-versions`, {
    name: 'Version 5.0',
    releaseDate: '2027-01-12T00:00:00.000Z',
  })
  const { id: mapId } = await call<{ id: number }>('POST', `${AT}/storyMap`, { title: 'Site inspection' })
  const create = async (parts: string, json: object) =>
    (await call<{ id: number }>('POST', `${AT}/storyMap/${mapId}/${parts}`, json)).id
  const prepare = await create('activities', { title: 'Prepare' })
  const inspecting = await create('activities', { title: 'Inspect' })
  const plan = await create('steps', { activityId: prepare, title: 'Plan the round' })
  const walk = await create('steps', { activityId: inspecting, title: 'Walk and record' })
  const lane = await create('swimlanes', { title: 'Version 5.0', versionKey: version.externalKey })
  await call('PUT', `${AT}/storyMap/${mapId}/cards/${stories[0]}`, { stepId: plan, swimlaneId: lane })
  return { mapId, plan, walk, lane, stories }
}

interface StoredMap {
  activities: {
    id: number
    title: string
    steps: { id: number; title: string; cards: { externalKey: string; swimlaneId: number | null }[] }[]
  }[]
  swimlanes: { id: number; title: string; versionKey: string | null }[]
}
export const readStored = ({ mapId }: Sample) => call<StoredMap>('GET', `${AT}/storyMap/${mapId}`)
export const readStep = async (sample: Sample, step: number) =>
  (await readStored(sample)).activities.flatMap(({ steps }) => steps).find(({ id }) => id === step)?.cards ?? []
