import type * as z from 'zod'
import { makeInitialRanks } from '../../../db/sql/rank'
import { type Reference, referenceTo } from '../../../db/sql/references'
import type { MapActivity, MapSwimlane } from '../fields'
import type { ImportStoryMap, StoryMapDocument } from './schema'

interface WholeStoryMap {
  title: string
  description: string | null
  activities: readonly MapActivity[]
  swimlanes: readonly MapSwimlane[]
}

export function toStoryMapDocument({
  title,
  description,
  activities,
  swimlanes,
}: WholeStoryMap): z.input<typeof StoryMapDocument> {
  const place = new Map(swimlanes.map(({ id }, n) => [id, n + 1]))
  return {
    title,
    description,
    activities: activities.map(({ title, color, steps }) => ({
      title,
      color,
      steps: steps.map(({ title, color, cards }) => ({
        title,
        color,
        cards: cards.map(({ externalKey, swimlaneId }) => ({
          externalKey,
          swimlaneId: swimlaneId === null ? null : (place.get(swimlaneId) ?? null),
        })),
      })),
    })),
    swimlanes: swimlanes.map(({ title, versionKey }, n) => ({ id: n + 1, title, versionKey })),
  }
}

type ImportedDocument = z.output<typeof ImportStoryMap>

export const listDocumentReferences = ({ activities = [], swimlanes = [] }: ImportedDocument): Reference[] => [
  ...activities.flatMap(({ steps = [] }, a) =>
    steps.flatMap(({ cards = [] }, s) =>
      cards.flatMap(({ externalKey }, c) =>
        referenceTo('storyKey', `/activities/${a}/steps/${s}/cards/${c}/externalKey`, externalKey),
      ),
    ),
  ),
  ...swimlanes.flatMap(({ versionKey }, n) =>
    referenceTo('solutionVersionKey', `/swimlanes/${n}/versionKey`, versionKey),
  ),
]

/** Rows name parents by rank, because the parents have no ids yet. */
export function toMapRows({ activities = [], swimlanes = [] }: ImportedDocument) {
  const activityRanks = makeInitialRanks(activities.length)
  const laneRanks = makeInitialRanks(swimlanes.length)
  const laneOf = new Map(swimlanes.flatMap(({ id }, n) => (id === undefined ? [] : [[id, laneRanks[n]]])))
  const steps: object[] = []
  const cards: object[] = []
  for (const [a, activity] of activities.entries()) {
    const of = activity.steps ?? []
    const stepRanks = makeInitialRanks(of.length)
    for (const [s, step] of of.entries()) {
      const place = { activity: activityRanks[a], step: stepRanks[s] }
      steps.push({ activity: place.activity, rank: place.step, title: step.title, color: step.color ?? null })
      const cardRanks = makeInitialRanks(step.cards?.length ?? 0)
      for (const [c, { externalKey, swimlaneId }] of (step.cards ?? []).entries()) {
        const swimlane = swimlaneId == null ? null : laneOf.get(swimlaneId)
        cards.push({ ...place, swimlane, rank: cardRanks[c], key: externalKey })
      }
    }
  }
  return {
    activities: activities.map(({ title, color }, a) => ({ rank: activityRanks[a], title, color: color ?? null })),
    steps,
    swimlanes: swimlanes.map(({ title, versionKey }, n) => ({
      rank: laneRanks[n],
      title,
      version: versionKey ?? null,
    })),
    cards,
  }
}
