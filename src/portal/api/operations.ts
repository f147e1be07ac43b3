import { declareCeiling, NEWEST_MATCHES_COST_REASON, PAGE_RECORDS_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { replyWithStoredFile } from '../../http/stored-file'
import { notFoundError } from '../../text/errors'
import * as comments from './queries/comments'
import { getPortalFile } from './queries/files'
import * as ideas from './queries/ideas'
import * as portal from './queries/portal'
import {
  ListPortalComments,
  ListPortalIdeas,
  ListSimilarPortalIdeas,
  Portal,
  PortalComments,
  PortalFileParams,
  PortalFileQuery,
  PortalIdea,
  PortalIdeaParams,
  PortalIdeas,
  PortalParams,
  PortalPerson,
  PortalRoadmap,
  PortalVersions,
  SimilarPortalIdeas,
} from './schema'

/** The body decides the ETag, because a page has no version of its own. */
const PAGE_VERSION = 1

export const getPortal = operation({
  id: 'getPortal',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:read',
  errors: ['portal_not_found'],
  route: 'GET /api/v2/portal/{portal}',
  summary: 'Retrieve a portal',
  description:
    'The name and theme of the portal, and the products, statuses and categories that it shows. A public portal needs no key; a private portal answers 401 to visitors who are not signed in.',
  params: PortalParams,
  data: Portal,
  handle: async ({ db }) => ({ data: await portal.getPortal(db), version: PAGE_VERSION }),
})

export const listPortalIdeas = operation({
  id: 'listPortalIdeas',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:read',
  errors: ['portal_not_found'],
  ceiling: declareCeiling(61_000, PAGE_RECORDS_COST_REASON),
  route: 'GET /api/v2/portal/{portal}/ideas',
  summary: 'List the ideas of a portal',
  description: 'Approved ideas of the products, statuses and categories that the portal shows.',
  params: PortalParams,
  query: ListPortalIdeas,
  data: PortalIdeas,
  async handle({ query: { after, status, ...query }, db }) {
    const asked = { ...query, cursor: after, statuses: status?.map(Number) }
    return { data: await ideas.listPortalIdeas(db, asked), version: PAGE_VERSION }
  },
})

export const listSimilarPortalIdeas = operation({
  id: 'listSimilarPortalIdeas',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:read',
  errors: ['portal_not_found'],
  ceiling: declareCeiling(31_000, NEWEST_MATCHES_COST_REASON),
  weight: 'walk',
  route: 'GET /api/v2/portal/{portal}/ideas/similar',
  summary: 'List similar ideas of a portal',
  description: 'Ideas with words of the text, best match first. Only the newest 10,000 matches are ranked.',
  params: PortalParams,
  query: ListSimilarPortalIdeas,
  data: SimilarPortalIdeas,
  handle: async ({ query: { q, limit }, db }) => ({
    data: { ideas: await ideas.listSimilarPortalIdeas(db, q, limit) },
    version: PAGE_VERSION,
  }),
})

export const getPortalIdea = operation({
  id: 'getPortalIdea',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:read',
  errors: ['portal_not_found', 'feedback_item_not_found'],
  ceiling: declareCeiling(2_500, PAGE_RECORDS_COST_REASON),
  route: 'GET /api/v2/portal/{portal}/ideas/{feedback_external_key}',
  summary: 'Retrieve an idea of a portal',
  description:
    'The idea with its files, the messages of the team and the changes of its status. The key of a merged idea leads to its target. Authors see their ideas before the approval.',
  params: PortalIdeaParams,
  data: PortalIdea,
  handle: async ({ params, db }) => ({ data: await ideas.getPortalIdea(db, params), version: PAGE_VERSION }),
})

export const listPortalComments = operation({
  id: 'listPortalComments',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:read',
  errors: ['portal_not_found', 'feedback_item_not_found'],
  ceiling: declareCeiling(2_500, PAGE_RECORDS_COST_REASON),
  route: 'GET /api/v2/portal/{portal}/ideas/{feedback_external_key}/comments',
  summary: 'List the comments on an idea of a portal',
  description: 'Public comments and replies in one list, oldest first. A removed comment with replies keeps its place.',
  params: PortalIdeaParams,
  query: ListPortalComments,
  data: PortalComments,
  handle: async ({ params, query: { limit, after }, db }) => ({
    data: await comments.listPortalComments(db, params, { limit, cursor: after }),
    version: PAGE_VERSION,
  }),
})

export const getPortalRoadmap = operation({
  id: 'getPortalRoadmap',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:read',
  errors: ['portal_not_found'],
  ceiling: declareCeiling(20_000, PAGE_RECORDS_COST_REASON),
  route: 'GET /api/v2/portal/{portal}/roadmap',
  summary: 'Retrieve the roadmap of a portal',
  description: 'A lane for each status, with the 20 ideas that have the most votes.',
  params: PortalParams,
  data: PortalRoadmap,
  handle: async ({ db }) => ({ data: await portal.getRoadmap(db), version: PAGE_VERSION }),
})

export const listPortalVersions = operation({
  id: 'listPortalVersions',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:read',
  errors: ['portal_not_found'],
  ceiling: declareCeiling(20_000, PAGE_RECORDS_COST_REASON),
  route: 'GET /api/v2/portal/{portal}/versions',
  summary: 'List the released versions of a portal',
  description: 'The newest 50 released versions of the products that the portal shows.',
  params: PortalParams,
  data: PortalVersions,
  handle: async ({ db }) => ({ data: await portal.listPortalVersions(db), version: PAGE_VERSION }),
})

export const getPortalPerson = operation({
  id: 'getPortalPerson',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:read',
  errors: ['portal_not_found'],
  route: 'GET /api/v2/portal/{portal}/me',
  summary: 'Retrieve the caller in a portal',
  description: 'The caller with the newest 50 ideas and votes. An unknown visitor has a `person` of null.',
  params: PortalParams,
  data: PortalPerson,
  handle: async ({ db }) => ({ data: await ideas.getPortalPerson(db), version: PAGE_VERSION }),
})

export const downloadPortalFile = operation({
  id: 'downloadPortalFile',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:read',
  errors: ['portal_not_found', 'asset_not_found'],
  route: 'GET /api/v2/portal/{portal}/files/{portalFileId}',
  summary: 'Download a file of a portal',
  description:
    'The logo, or a file of an idea that the caller may see. A cover photo needs the key of its idea in `idea`. Pictures, PDF, audio and video keep their media type, and an SVG is shown as a logo only. Each other file is an attachment of the type `application/octet-stream`. Other sites, mails and feeds can show the pictures of a public portal.',
  params: PortalFileParams,
  query: PortalFileQuery,
  async handle({ params, query, db, env, header }) {
    const file = await getPortalFile(db, params.portalFileId, query.idea ?? '')
    const { objectKey, sha256: tag, size } = file
    const reply = await replyWithStoredFile({ files: env.FILES, objectKey, size, tag, file, header })
    if (!reply) throw notFoundError('asset_not_found')
    return reply
  },
})
