import * as z from 'zod'
import { integer, line } from '../../http/schemas'

export const SearchQuery = z.object({
  q: line(500).meta({
    description:
      'Words; a record is found that has all of them, or words that begin with them, in whatever case and with whatever accents.',
    example: 'dark mode',
  }),
  limit: integer({ min: 1, max: 100 }).default(50).meta({ description: 'Records answered.' }),
})

/** Maximum length of a snippet, in characters. */
export const MAX_SNIPPET = 240

export const SearchResult = z
  .object({
    type: z
      .string()
      .meta({ description: '`epic`, `feature`, `userstory`, `feedback`, `persona`, `kpi` or `document`.' }),
    externalKey: z.string(),
    title: z.string(),
    snippet: z.string().meta({
      description: `Plain text around the first word that was found in what the record says; its beginning where that is in the title alone. At most ${MAX_SNIPPET} characters.`,
    }),
    product: z.string().nullable().meta({ description: 'External key of its product; null: it belongs to all.' }),
    score: z.number().meta({ description: 'How well it matches: 1 for the best, less for the others.' }),
  })
  .meta({ id: 'SearchResult' })
