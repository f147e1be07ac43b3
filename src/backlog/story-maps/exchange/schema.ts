import * as z from 'zod'
import { html, numberedKeyPattern, text } from '../../../http/schemas'
import { PartTitle } from '../schema'

// Limits of a map; with the longest titles a document reaches the limit of a body.
const MAX_PARTS_PER_DOCUMENT = 10_000
const MAX_CARDS_PER_DOCUMENT = 5_000

const PartColor = text(50).nullish()
const SwimlaneId = z.int().positive()

const ImportedCard = z.object({
  externalKey: text(30).regex(numberedKeyPattern('US'), 'Must be the key of a user story, like US-1'),
  swimlaneId: SwimlaneId.nullish().meta({ description: 'The `id` of a swimlane of the document.' }),
})

const ImportedStep = z.object({
  title: PartTitle,
  color: PartColor,
  cards: z.array(ImportedCard).max(MAX_CARDS_PER_DOCUMENT).optional(),
})

const ImportedActivity = z.object({
  title: PartTitle,
  color: PartColor,
  steps: z.array(ImportedStep).max(MAX_PARTS_PER_DOCUMENT).optional(),
})

const ImportedSwimlane = z.object({
  id: SwimlaneId.optional().meta({ description: 'Id that cards send as `swimlaneId`.' }),
  title: PartTitle,
  versionKey: text(30)
    .regex(numberedKeyPattern('SV'), 'Must be the key of a solution version, like SV-1')
    .nullish()
    .meta({ description: 'Key of a solution version of the product.' }),
})

const ImportedStoryMap = z.object({
  title: PartTitle,
  description: html().nullish(),
  activities: z.array(ImportedActivity).max(MAX_PARTS_PER_DOCUMENT).optional(),
  swimlanes: z.array(ImportedSwimlane).max(MAX_PARTS_PER_DOCUMENT).optional(),
})

type ImportedDocument = z.output<typeof ImportedStoryMap>
type ProblemReporter = (path: (string | number)[], message: string) => void

function reportDocumentProblems({ activities = [], swimlanes = [] }: ImportedDocument, report: ProblemReporter): void {
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
  if (parts > MAX_PARTS_PER_DOCUMENT)
    report(['activities'], `A map can have at most ${MAX_PARTS_PER_DOCUMENT} activities, steps and swimlanes`)
  if (keys.size > MAX_CARDS_PER_DOCUMENT)
    report(['activities'], `A map can have at most ${MAX_CARDS_PER_DOCUMENT} cards`)
}

export const ImportStoryMap = ImportedStoryMap.superRefine((document, context) => {
  reportDocumentProblems(document, (path, message) => context.addIssue({ code: 'custom', path, message }))
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
