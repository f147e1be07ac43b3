import type { Operations } from 'groundwork-client'

export type MapDetail = Operations['getStoryMap']['data']
export type Activity = MapDetail['activities'][number]
export type Step = Activity['steps'][number]
export type Swimlane = MapDetail['swimlanes'][number]

export interface Story {
  externalKey: string
  summary: string
  progress: string
}

/** A map with all stories of its product. */
export interface StoryMap {
  map: MapDetail
  etag: string
  stories: readonly Story[]
}

/** A field of the map. The stories beside the map have step 0. */
export interface Cell {
  stepId: number
  swimlaneId: number | null
}

export interface Spot extends Cell {
  /** Place among the other cards of the cell. */
  index: number
}

export const BESIDE = 0

export const isSameCell = (one: Cell, other: Cell): boolean =>
  one.stepId === other.stepId && one.swimlaneId === other.swimlaneId

export const listSteps = ({ map }: StoryMap): Step[] => map.activities.flatMap(({ steps }) => steps)

/** The rows of the map; the last row holds the cards without a swimlane. */
export const listLaneIds = ({ map }: StoryMap): (number | null)[] => [...map.swimlanes.map(({ id }) => id), null]

export function listUnplaced(state: StoryMap): readonly Story[] {
  const placed = new Set(listSteps(state).flatMap(({ cards }) => cards.map(({ externalKey }) => externalKey)))
  return state.stories.filter(({ externalKey }) => !placed.has(externalKey))
}

export function listCards(state: StoryMap, { stepId, swimlaneId }: Cell): readonly Story[] {
  if (stepId === BESIDE) return listUnplaced(state)
  const step = listSteps(state).find(({ id }) => id === stepId)
  return step?.cards.filter((card) => card.swimlaneId === swimlaneId) ?? []
}

export const listKeys = (state: StoryMap, cell: Cell): string[] =>
  listCards(state, cell).map(({ externalKey }) => externalKey)

export function findSpot(state: StoryMap, key: string): Spot | undefined {
  for (const { id, cards } of listSteps(state)) {
    const card = cards.find(({ externalKey }) => externalKey === key)
    if (!card) continue
    const cell = { stepId: id, swimlaneId: card.swimlaneId }
    return { ...cell, index: listKeys(state, cell).indexOf(key) }
  }
  const index = listUnplaced(state).findIndex(({ externalKey }) => externalKey === key)
  return index < 0 ? undefined : { stepId: BESIDE, swimlaneId: null, index }
}

/** The neighbor that a card gets at the spot, by which the service knows the place. */
export function findNeighbor(
  state: StoryMap,
  key: string,
  spot: Spot,
): { beforeKey: string } | { afterKey: string } | object {
  const others = listKeys(state, spot).filter((other) => other !== key)
  const previous = others[spot.index - 1]
  const [first] = others
  if (previous !== undefined) return { afterKey: previous }
  return first === undefined ? {} : { beforeKey: first }
}

/** The map with the card at the spot. */
export function placeCard(state: StoryMap, key: string, spot: Spot): StoryMap {
  const story = state.stories.find(({ externalKey }) => externalKey === key)
  if (!story) return state
  const { swimlaneId } = spot
  const others = listKeys(state, spot).filter((other) => other !== key)
  const activities = state.map.activities.map((activity) => ({
    ...activity,
    steps: activity.steps.map((step) => {
      const cards = step.cards.filter(({ externalKey }) => externalKey !== key)
      if (step.id !== spot.stepId) return { ...step, cards }
      const next = cards.findIndex(({ externalKey }) => externalKey === others[spot.index])
      cards.splice(next < 0 ? cards.length : next, 0, { ...story, swimlaneId })
      return { ...step, cards }
    }),
  }))
  return { ...state, map: { ...state.map, activities } }
}

/** The map with the activity before another activity, or last. */
export function placeActivity(state: StoryMap, id: number, before: number | undefined): StoryMap {
  const moved = state.map.activities.filter((activity) => activity.id === id)
  const others = state.map.activities.filter((activity) => activity.id !== id)
  const index = others.findIndex((activity) => activity.id === before)
  const activities = others.toSpliced(index < 0 ? others.length : index, 0, ...moved)
  return { ...state, map: { ...state.map, activities } }
}

export type PartKind = 'activity' | 'step' | 'swimlane'

/** The map without the part. Steps and cards of the part go to the end of `moveTo`, cards of a swimlane to no swimlane. */
export function withoutPart(state: StoryMap, kind: PartKind, id: number, moveTo: number | undefined): StoryMap {
  const { map } = state
  const steps = listSteps(state)
  const movedSteps = map.activities.find((activity) => kind === 'activity' && activity.id === id)?.steps ?? []
  const movedCards = steps.find((step) => kind === 'step' && step.id === id)?.cards ?? []
  const activities = map.activities
    .filter((activity) => !(kind === 'activity' && activity.id === id))
    .map((activity) => ({
      ...activity,
      steps: [...activity.steps, ...(activity.id === moveTo ? movedSteps : [])]
        .filter((step) => !(kind === 'step' && step.id === id))
        .map((step) => ({
          ...step,
          cards: [...step.cards, ...(step.id === moveTo ? movedCards : [])].map((card) =>
            kind === 'swimlane' && card.swimlaneId === id ? { ...card, swimlaneId: null } : card,
          ),
        })),
    }))
  const swimlanes = map.swimlanes.filter((lane) => !(kind === 'swimlane' && lane.id === id))
  return { ...state, map: { ...map, activities, swimlanes } }
}
