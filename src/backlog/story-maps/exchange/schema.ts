import * as z from 'zod'
import { html, numberedKeyPattern, text } from '../../../http/schemas'
import { title } from '../schema'

// Limits of a map; with the longest titles a document reaches the limit of a body.
const MAX_PARTS = 10_000
const MAX_CARDS = 5_000

const color = text(50).nullish()
const laneId = z.int().positive()

const ImportedCard = z.object({
  externalKey: text(30).regex(numberedKeyPattern('US'), 'Must be the key of a user story, like US-1'),
  swimlaneId: laneId.nullish().meta({ description: 'The `id` of a swimlane of the document.' }),
})

const ImportedStep = z.object({ title, color, cards: z.array(ImportedCard).max(MAX_CARDS).optional() })

const ImportedActivity = z.object({ title, color, steps: z.array(ImportedStep).max(MAX_PARTS).optional() })

const ImportedSwimlane = z.object({
  id: laneId.optional().meta({ description: 'Id that cards send as `swimlaneId`.' }),
  title,
  versionKey: text(30)
    .regex(numberedKeyPattern('SV'), 'Must be the key of a solution version, like SV-1')
    .nullish()
    .meta({ description: 'Key of a solution version of the product.' }),
})

const Imported = z.object({
  title,
  description: html().nullish(),
  activities: z.array(ImportedActivity).max(MAX_PARTS).optional(),
  swimlanes: z.array(ImportedSwimlane).max(MAX_PARTS).optional(),
})

type Document = z.output<typeof Imported>
type Report = (path: (string | number)[], message: string) => void

function checkDocument({ activities = [], swimlanes = [] }: Document, report: Report): void {
  const lanes = new Set<number>()
  for (const [n, { id }] of swimlanes.entries()) {
    if (id !== undefined && lanes.has(id))
      report(['swimlanes', n, 'id'], 'Another swimlane of the document has this id')
    if (id !== undefined) lanes.add(id)
  }
  const keys = new Set<string>()
  let parts = activities.length + swimlanes.length
  for (const [a, { steps = [] }] of activities.entries()) {
    parts += steps.length
    for (const [s, { cards = [] }] of steps.entries()) {
      for (const [c, { externalKey, swimlaneId }] of cards.entries()) {
        const path = ['activities', a, 'steps', s, 'cards', c]
        if (keys.has(externalKey)) report([...path, 'externalKey'], 'Another card of the document has this story')
        if (swimlaneId != null && !lanes.has(swimlaneId))
          report([...path, 'swimlaneId'], 'Must be the id of a swimlane of the document')
        keys.add(externalKey)
      }
    }
  }
  if (parts > MAX_PARTS) report(['activities'], `A map can have at most ${MAX_PARTS} activities, steps and swimlanes`)
  if (keys.size > MAX_CARDS) report(['activities'], `A map can have at most ${MAX_CARDS} cards`)
}

export const ImportStoryMap = Imported.superRefine((document, context) => {
  checkDocument(document, (path, message) => context.addIssue({ code: 'custom', path, message }))
}).meta({
  id: 'ImportStoryMap',
  examples: [
    {
      title: 'A guest buys',
      activities: [
        { title: 'Look around', steps: [{ title: 'Search', cards: [] }] },
        { title: 'Pay', color: '#2f80ed', steps: [{ title: 'Choose a card' }, { title: 'Get a receipt' }] },
      ],
      swimlanes: [{ id: 1, title: 'First release' }],
    },
  ],
})

export const StoryMapDocument = z
  .object({
    title: z.string(),
    description: z.string().nullable(),
    activities: z.array(
      z.object({
        title: z.string(),
        color: z.string().nullable(),
        steps: z.array(
          z.object({
            title: z.string(),
            color: z.string().nullable(),
            cards: z.array(z.object({ externalKey: z.string(), swimlaneId: z.int().nullable() })),
          }),
        ),
      }),
    ),
    swimlanes: z.array(z.object({ id: z.int(), title: z.string(), versionKey: z.string().nullable() })),
  })
  .meta({ id: 'StoryMapDocument', description: 'A story map without its ids. Swimlanes are numbered from 1.' })
