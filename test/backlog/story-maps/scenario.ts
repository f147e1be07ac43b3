import { expect } from 'vitest'
import { UNLIMITED } from '../../contract/table'
import { createWorkspace, type Workspace } from '../../factories'

export interface Card {
  externalKey: string
  summary: string
  progress: string
  swimlaneId: number | null
}

export interface StoryMap {
  id: number
  title: string
  description: string | null
  activities: {
    id: number
    title: string
    color: string | null
    steps: { id: number; title: string; color: string | null; cards: Card[] }[]
  }[]
  swimlanes: { id: number; title: string; versionKey: string | null }[]
  unplaced: number
}

export interface Part {
  id: number
  title: string
  beforeId: number | null
  afterId: number | null
}

export const baseOf = ({ product }: Workspace) => `/api/initiatives/${product.externalKey}`

export async function createMapScenario() {
  const world = await createWorkspace()
  const client: typeof world.client = (method, path, options) =>
    world.client(method, path, { env: UNLIMITED, ...options })
  const expectCreated = async <D = Part>(path: string, json: object) => {
    const answer = await client<D>('POST', path, { json })
    expect([path, answer.body.message, answer.status]).toEqual([path, answer.body.message, 201])
    return answer.body.data
  }
  const { id } = await expectCreated(`${baseOf(world)}/storyMap`, { title: 'Map' })
  const at = `${baseOf(world)}/storyMap/${id}`
  return {
    world,
    client,
    id,
    at,
    made: expectCreated,
    map: async () => (await client<StoryMap>('GET', at)).body.data,
    story: async (summary: string, json: object = {}) =>
      (await expectCreated<{ externalKey: string }>(`${baseOf(world)}/storyMap/card`, { summary, ...json }))
        .externalKey,
    activity: (title: string, json: object = {}) => expectCreated(`${at}/activities`, { title, ...json }),
    step: (activityId: number, title: string, json: object = {}) =>
      expectCreated(`${at}/steps`, { activityId, title, ...json }),
    lane: (title: string, json: object = {}) => expectCreated(`${at}/swimlanes`, { title, ...json }),
    place: (key: string, json: object) => client<Card>('PUT', `${at}/cards/${key}`, { json }),
    put: (path: string, json: object) => client<Part>('PUT', `${at}/${path}`, { json }),
    remove: (path: string) => client('DELETE', `${at}/${path}`),
    cards: async () => {
      const { body } = await client<StoryMap>('GET', at)
      const steps = body.data.activities.flatMap(({ steps }) => steps)
      return Object.fromEntries(steps.map(({ title, cards }) => [title, cards.map(({ summary }) => summary)]))
    },
  }
}

interface Event {
  type: string
  resourceKey: string
  data: Record<string, unknown>
  previous: object | null
}

export async function eventsOf({ client }: Workspace, type: string): Promise<Event[]> {
  const { body } = await client<Event[]>('GET', `/api/v2/events?limit=100`)
  return body.data.filter((event) => event.type.startsWith(type))
}
