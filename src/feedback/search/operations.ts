import * as z from 'zod'
import { reads } from '../../http/auth'
import { NEWEST_MATCHES, walk } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { findRecords } from './queries'
import { SearchQuery, SearchResult } from './schema'
import { snippetOf } from './snippet'

const rounded = (score: number) => Math.round(score * 10_000) / 10_000

export const searchRecords = operation({
  id: 'searchRecords',
  ceiling: walk(52_000, NEWEST_MATCHES),
  tag: 'Search',
  route: 'GET /api/v2/search',
  summary: 'Search everything',
  description:
    'Work items, feedback, personas, KPIs and documents that have all the words, in one list, the best first: a word of a title says more than one of a text, and of each kind the newest 10,000 that match are ranked. A record whose key is searched for comes first. What the key does not read is not found: other areas, other products. A text without a word, like `*`, finds nothing.',
  weight: 'walk',
  query: SearchQuery,
  data: z.array(SearchResult),
  async handle({ query, db, actor }) {
    const found = await findRecords(db, query, (area) => reads(actor, area))
    // Raw scores depend on the words of other workspaces: only the ratio to the best score is shown.
    const best = found.find(({ exact }) => !exact)?.score ?? 1
    const data = found.map(({ text, score, exact, ...record }) => ({
      ...{ ...record, snippet: snippetOf(text, query.q), score: exact ? 1 : rounded(score / best) },
    }))
    return { data }
  },
})
