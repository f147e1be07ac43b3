import * as z from 'zod'
import { canRead } from '../../http/auth'
import { declareCeiling, NEWEST_MATCHES_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { findRecords } from './queries'
import { SearchQuery, SearchResult } from './schema'
import { extractSnippet } from './snippet'

const roundScore = (score: number) => Math.round(score * 10_000) / 10_000

export const searchRecords = operation({
  id: 'searchRecords',
  ceiling: declareCeiling(52_000, NEWEST_MATCHES_COST_REASON),
  tag: 'Search',
  route: 'GET /api/v2/search',
  summary: 'Search everything',
  description:
    'Work items, feedback, personas, KPIs, documents and changelog entries with all the words, in one list, best match first. A word in a title counts more than a word in a text; the newest 10,000 matches of each kind are ranked. A record whose key you search for comes first, and a record whose id in another system is the whole text, like `ENG-12` of Linear or the address of an issue of GitHub. The search skips areas and products that the API key cannot read. A text without a word, like `*`, finds nothing.',
  weight: 'walk',
  query: SearchQuery,
  data: z.array(SearchResult),
  async handle({ query, db, actor }) {
    const found = await findRecords(db, query, (area) => canRead(actor, area))
    // Raw scores depend on the words of other workspaces: only the ratio to the best score is shown.
    const best = found.find(({ exact }) => !exact)?.score ?? 1
    const data = found.map(({ text, score, exact, ...record }) => ({
      ...{ ...record, snippet: extractSnippet(text, query.q), score: exact ? 1 : roundScore(score / best) },
    }))
    return { data }
  },
})
