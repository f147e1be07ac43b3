import * as z from 'zod'
import { integer, line, storedValue } from '../../http/schemas'

export const SearchQuery = z.object({
  q: line(500).meta({
    description:
      'Search words. A record must contain each word, or a word that begins with the search word, regardless of case and accents.',
    example: 'dark mode',
  }),
  limit: integer({ min: 1, max: 100 }).default(50).meta({ description: 'Maximum number of records.' }),
})

export const MAX_SNIPPET_CHARACTERS = 240

export const SearchResult = z
  .object({
    type: storedValue(['epic', 'feature', 'userstory', 'feedback', 'persona', 'kpi', 'document', 'changelog_entry']),
    externalKey: z.string(),
    title: z.string(),
    snippet: z.string().meta({
      description: `Plain text around the first match in the text of the record; the beginning of the text if only the title matches. At most ${MAX_SNIPPET_CHARACTERS} characters.`,
    }),
    product: z
      .string()
      .nullable()
      .meta({ description: 'External key of the product; null for a record of all products.' }),
    score: z.number().meta({ description: 'Quality of the match: 1 for the best record, less for the others.' }),
  })
  .meta({ id: 'SearchResult' })
