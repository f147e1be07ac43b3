import { listSteps, type PartKind, type StoryMap } from './map-model'
import { type MapPlace, type PartChange, sendNewPart, sendPart, sendPlace } from './requests'

interface RemovedPart {
  kind: PartKind
  id: number
  part: PartChange
}

/** Creates the part again at its place. `state` is the map before the removal: what the part held comes back in its order. */
export async function restorePart(at: MapPlace, state: StoryMap, { kind, id, part }: RemovedPart): Promise<void> {
  const created = await sendNewPart(at, kind, part)
  const activity = state.map.activities.find((one) => kind === 'activity' && one.id === id)
  for (const step of activity?.steps ?? []) await sendPart(at, 'step', step.id, { activityId: created })
  for (const { key, stepId, swimlaneId } of listHeldCards(state, kind, id)) {
    const cell = kind === 'step' ? { stepId: created, swimlaneId } : { stepId, swimlaneId: created }
    await sendPlace(at, state, key, { ...cell, index: Number.MAX_SAFE_INTEGER })
  }
}

/** Cards that a removal of the part moves to another step or out of their swimlane. */
const listHeldCards = (state: StoryMap, kind: PartKind, id: number) =>
  listSteps(state).flatMap((step) =>
    step.cards
      .filter(({ swimlaneId }) => (kind === 'step' && step.id === id) || (kind === 'swimlane' && swimlaneId === id))
      .map(({ externalKey, swimlaneId }) => ({ key: externalKey, stepId: step.id, swimlaneId })),
  )
