import type { MapActivity, MapCard, MapStep, MapSwimlane } from './fields'

export interface MapContentRows {
  activities: readonly Omit<MapActivity, 'steps'>[]
  steps: readonly (Omit<MapStep, 'cards'> & { activityId: number })[]
  cards: readonly (MapCard & { stepId: number })[]
  swimlanes: readonly MapSwimlane[]
}

export function assembleMapContent({ activities, steps, cards, swimlanes }: MapContentRows) {
  const whole: MapActivity[] = activities.map(({ id, title, color }) => ({ id, title, color, steps: [] }))
  const stepsOf = new Map(whole.map(({ id, steps }) => [id, steps]))
  const cardsOf = new Map<number, MapCard[]>()
  for (const { id, activityId, title, color } of steps) {
    const own: MapCard[] = []
    cardsOf.set(id, own)
    stepsOf.get(activityId)?.push({ id, title, color, cards: own })
  }
  for (const { stepId, ...card } of cards) cardsOf.get(stepId)?.push(card)
  return { activities: whole, swimlanes: [...swimlanes] }
}
