import { declareCeiling, RELEASE_AUDIENCE_COST_REASON } from '../../../http/ceiling'
import { operation } from '../../../http/operation'
import { SolutionVersionParams } from '../schema'
import { getReleaseAudience as getAudience } from './queries'
import { ReleaseAudience } from './schema'

export const getReleaseAudience = operation({
  id: 'getReleaseAudience',
  ceiling: declareCeiling(96_000, RELEASE_AUDIENCE_COST_REASON),
  of: 'solution_version',
  route:
    'GET /api/initiatives/{product_external_key}/solution-versions/{solution_version_external_key}/release/audience',
  summary: 'Count the recipients of a release',
  description:
    'Says before you release a version how many people get a mail about it, and why other followers get no mail. Nothing is sent. Until the mail leaves, people can still follow the ideas or leave.',
  params: SolutionVersionParams,
  data: ReleaseAudience,
  handle: async ({ params, db }) => ({ data: await getAudience(db, params), version: 1 }),
})
