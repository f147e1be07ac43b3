import { createOptimistic } from '../../api/optimistic'
import { showToast } from '../../state/toast'
import {
  type Activity,
  BESIDE,
  findSpot,
  listLaneIds,
  listSteps,
  type PartKind,
  placeActivity,
  placeCard,
  type Spot,
  type StoryMap,
  withoutPart,
} from './map-model'
import {
  type MapPlace,
  type PartChange,
  readMap,
  sendActivityPlace,
  sendNewPart,
  sendPart,
  sendPartRemoval,
  sendPlace,
} from './requests'
import { restorePart } from './restore-part'
import { texts } from './texts/texts'

const RESOURCES: readonly string[] = [
  'story_map',
  'story_map_activity',
  'story_map_step',
  'story_map_swimlane',
  'epic',
  'feature',
  'userstory',
]

const keep = (state: StoryMap): StoryMap => state

/** A story map with the changes of this page on top. */
export function createMapState(at: MapPlace) {
  const { shown, error, failure, read, run, follow } = createOptimistic<StoryMap>({
    load: (closing) => readMap(at, closing),
    resources: RESOURCES,
  })

  function place(key: string, spot: Spot): Promise<void> | undefined {
    const state = shown.value
    const own = state && findSpot(state, key)
    if (!own || JSON.stringify(own) === JSON.stringify(spot)) return undefined
    if (own.stepId === BESIDE && spot.stepId === BESIDE) return undefined
    return run(
      texts.failed.move(key),
      (now) => placeCard(now, key, spot),
      () => sendPlace(at, state, key, spot),
    )
  }

  /** Takes the card off the map; the story stays. */
  function takeOff(key: string): void {
    const own = shown.value && findSpot(shown.value, key)
    if (!own || own.stepId === BESIDE) return
    void place(key, { stepId: BESIDE, swimlaneId: null, index: 0 })
    showToast(texts.takenOff(key), () => void place(key, own))
  }

  /** Puts the activity before another activity, or last. */
  const sendActivity = (activity: Activity, before: number | undefined, onStored?: () => void): Promise<void> =>
    run(
      texts.failed.move(activity.title),
      (now) => placeActivity(now, activity.id, before),
      () => sendActivityPlace(at, shown.value, activity.id, before).then(onStored),
    )

  /** The toast takes the move back. */
  function moveActivity(id: number, before: number | undefined): void {
    const activities = shown.value?.map.activities ?? []
    const index = activities.findIndex((activity) => activity.id === id)
    const activity = activities[index]
    const next = activities[index + 1]?.id
    if (!activity || before === id || before === next) return
    void sendActivity(activity, before, () =>
      showToast(texts.movedPart(activity.title), () => sendActivity(activity, next)),
    )
  }

  async function createPart(kind: PartKind, change: PartChange): Promise<void> {
    await sendNewPart(at, kind, change)
    await read()
  }

  async function modifyPart(kind: PartKind, id: number, change: PartChange, etag: string): Promise<void> {
    await sendPart(at, kind, id, change, etag)
    await read()
  }

  /** A removed part comes back as a new part at its place, with what it held. */
  function removePart(kind: PartKind, id: number, moveTo: number | undefined): void {
    const state = shown.value
    const part = state && findPart(state, kind, id)
    if (!state || !part) return
    const restore = () => restorePart(at, state, { kind, id, part })
    const title = part.title ?? ''
    const apply = (now: StoryMap) => withoutPart(now, kind, id, moveTo)
    void run(texts.failed.remove(title), apply, async () => {
      await sendPartRemoval(at, kind, id, moveTo)
      showToast(texts.removedPart(title), () => run(texts.failed.restore(title), keep, restore))
    })
  }

  return { at, shown, error, failure, read, follow, place, takeOff, createPart, modifyPart, moveActivity, removePart }
}

export type MapState = ReturnType<typeof createMapState>

interface Sibling {
  id: number
  title: string
  color?: string | null
}

/** The parts beside a part, in their order. */
export function listSiblings(state: StoryMap, kind: PartKind, activityId?: number): Sibling[] {
  if (kind === 'activity') return state.map.activities
  if (kind === 'swimlane') return state.map.swimlanes
  return state.map.activities.find(({ id }) => id === activityId)?.steps ?? []
}

/** The part as a request would create it again at its place. */
export function findPart(state: StoryMap, kind: PartKind, id: number): PartChange | undefined {
  const activity = state.map.activities.find(({ steps }) => steps.some((step) => step.id === id))
  const siblings = listSiblings(state, kind, activity?.id)
  const at = siblings.findIndex((part) => part.id === id)
  const part = siblings[at]
  if (!part) return undefined
  const previous = siblings[at - 1]
  const next = siblings[at + 1]
  const place = previous ? { afterId: previous.id } : next ? { beforeId: next.id } : {}
  const versionKey = kind === 'swimlane' ? (state.map.swimlanes[at]?.versionKey ?? null) : undefined
  return {
    title: part.title,
    ...(part.color && { color: part.color }),
    ...place,
    ...(kind === 'step' && activity && { activityId: activity.id }),
    ...(versionKey !== undefined && { versionKey }),
  }
}

/** Whether a removal must say where the content goes. */
export function holdsParts(state: StoryMap, kind: PartKind, id: number): boolean {
  if (kind === 'activity') return (state.map.activities.find((one) => one.id === id)?.steps.length ?? 0) > 0
  return kind === 'step' && (listSteps(state).find((one) => one.id === id)?.cards.length ?? 0) > 0
}

export const nameOfLane = (state: StoryMap, laneId: number | null): string =>
  state.map.swimlanes.find(({ id }) => id === laneId)?.title ?? texts.noSwimlane

/** Names a spot for the live region: "Take photos, Version 5.0, position 2 of 3". */
export function describeSpot(state: StoryMap, key: string, spot: Spot): string {
  if (spot.stepId === BESIDE) return texts.unplaced
  const step = listSteps(state).find(({ id }) => id === spot.stepId)
  const after = placeCard(state, key, spot)
  const cards = listSteps(after).find(({ id }) => id === spot.stepId)?.cards ?? []
  const count = cards.filter(({ swimlaneId }) => swimlaneId === spot.swimlaneId).length
  return texts.spot(step?.title ?? '', nameOfLane(state, spot.swimlaneId), spot.index + 1, count)
}

/** All spots of a step from top to bottom. */
export const listSpots = (state: StoryMap, key: string, stepId: number): Spot[] => {
  if (stepId === BESIDE) return [{ stepId, swimlaneId: null, index: 0 }]
  const cards = listSteps(state).find(({ id }) => id === stepId)?.cards ?? []
  return listLaneIds(state).flatMap((swimlaneId) => {
    const others = cards.filter((card) => card.swimlaneId === swimlaneId && card.externalKey !== key)
    return Array.from({ length: others.length + 1 }, (_, index) => ({ stepId, swimlaneId, index }))
  })
}
