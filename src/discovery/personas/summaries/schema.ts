import * as z from 'zod'
import { createRestorableQuery } from '../../../http/pagination'
import { integer, line, severalOf, storedValue, Timestamp } from '../../../http/schemas'
import { declareWeight } from '../../../http/weight'
import { PersonaParams } from '../schema'

export const SummaryParams = PersonaParams.extend({
  summaryId: integer({ min: 1 }).meta({ description: 'The id of the summary.', example: 1 }),
})

const SummaryType = z.enum(['pain', 'gain', 'job', 'note'], { error: 'Must be "pain", "gain", "job" or "note"' })

export const CreateSummary = z
  .object({
    type: SummaryType,
    text: line(10_000).meta({ description: 'HTML or plain text, sanitized when stored.' }),
  })
  .meta({ id: 'CreateSummary', examples: [{ type: 'pain', text: 'The screen blinds her at night.' }] })

export const ModifySummary = z
  .object({
    type: SummaryType.optional(),
    text: line(10_000).optional().meta({ description: 'HTML or plain text, sanitized when stored.' }),
  })
  .meta({ id: 'ModifySummary', examples: [{ text: 'The screen blinds her from midnight on.' }] })

export const ListSummaries = createRestorableQuery(['-createdAt', 'createdAt']).extend({
  type: declareWeight(
    'walk',
    severalOf(SummaryType).optional().meta({
      description:
        'Only summaries of this type, or of any of several separated by commas. Looks at 10,000 summaries per page: a page can be short or empty and still have a next page.',
    }),
  ),
})

export const Summary = z
  .object({
    id: z.int(),
    type: storedValue(SummaryType.options).meta({ examples: ['pain'] }),
    text: z.string(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Summary', description: 'Pain, gain, job or note of a persona.' })
