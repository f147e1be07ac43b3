import * as z from 'zod'
import { RECORDS_OF_PAGE, VERSION_ITEMS, walk } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import { described } from '../work-items/description'
import * as queries from './queries'
import {
  CreateSolutionVersion,
  DuplicateSolutionVersion,
  ListSolutionVersions,
  ModifySolutionVersion,
  ReleaseSolutionVersion,
  SolutionVersion,
  SolutionVersionDetail,
  SolutionVersionParams,
} from './schema'

const locationOf = (product: string, key: string) => `/api/initiatives/${product}/solution-versions/${key}`

export const createSolutionVersion = operation({
  id: 'createSolutionVersion',
  of: 'solution_version',
  route: 'POST /api/initiatives/{product_external_key}/solution-versions',
  summary: 'Create a solution version',
  description: 'Its key is the next `SV-<number>`. `items` names the work items that it brings.',
  status: 201,
  params: ProductParams,
  body: CreateSolutionVersion,
  data: SolutionVersionDetail,
  message: 'Version saved',
  async handle({ params, body, db }) {
    const { data } = await queries.createSolutionVersion(db, await described(body))
    return { data, location: locationOf(params.product_external_key, data.externalKey) }
  },
})

export const listSolutionVersions = operation({
  id: 'listSolutionVersions',
  ceiling: walk(31_000, RECORDS_OF_PAGE),
  of: 'solution_version',
  route: 'GET /api/initiatives/{product_external_key}/solution-versions',
  summary: 'List solution versions',
  description: 'The newest first, without items and progress: those come with the single version.',
  params: ProductParams,
  query: ListSolutionVersions,
  data: z.array(SolutionVersion),
  handle: ({ query, db }) => queries.listSolutionVersions(db, query),
})

export const getSolutionVersion = operation({
  id: 'getSolutionVersion',
  ceiling: walk(12_000, VERSION_ITEMS),
  of: 'solution_version',
  route: 'GET /api/initiatives/{product_external_key}/solution-versions/{solution_version_external_key}',
  summary: 'Retrieve a solution version',
  description: 'With the keys of its items, and how far they are.',
  params: SolutionVersionParams,
  data: SolutionVersionDetail,
  handle: ({ params, db }) => queries.getSolutionVersion(db, params),
})

export const modifySolutionVersion = operation({
  id: 'modifySolutionVersion',
  ceiling: walk(31_000, VERSION_ITEMS),
  of: 'solution_version',
  route: 'PUT /api/initiatives/{product_external_key}/solution-versions/{solution_version_external_key}',
  summary: 'Modify a solution version',
  description:
    'Changes the fields that are sent; `null` clears one; `items` replace the present ones. One that was released is a 409.',
  params: SolutionVersionParams,
  body: ModifySolutionVersion,
  data: SolutionVersionDetail,
  message: 'Version saved',
  async handle({ params, body, db, ifMatch }) {
    const saved = await queries.modifySolutionVersion(db, params, await described(body), ifMatch)
    return saved
  },
})

export const removeSolutionVersion = operation({
  id: 'removeSolutionVersion',
  ceiling: walk(16_000, VERSION_ITEMS),
  of: 'solution_version',
  route: 'DELETE /api/initiatives/{product_external_key}/solution-versions/{solution_version_external_key}',
  summary: 'Remove a solution version',
  description: 'Its work items stay. It can be restored for 30 days. A released one is a 409 until it is archived.',
  params: SolutionVersionParams,
  message: 'Version removed',
  handle: ({ params, db, ifMatch }) => queries.removeSolutionVersion(db, params, ifMatch),
})

export const restoreSolutionVersion = operation({
  id: 'restoreSolutionVersion',
  ceiling: walk(31_000, VERSION_ITEMS),
  of: 'solution_version',
  route: 'POST /api/initiatives/{product_external_key}/solution-versions/{solution_version_external_key}/restore',
  summary: 'Restore a removed solution version',
  description: 'With its items, as far as they are there.',
  params: SolutionVersionParams,
  data: SolutionVersionDetail,
  message: 'Version restored',
  handle: ({ params, db }) => queries.restoreSolutionVersion(db, params),
})

export const releaseSolutionVersion = operation({
  id: 'releaseSolutionVersion',
  ceiling: walk(31_000, VERSION_ITEMS),
  of: 'solution_version',
  route: 'POST /api/initiatives/{product_external_key}/solution-versions/{solution_version_external_key}/release',
  summary: 'Release a solution version',
  description:
    'A version with open items, of which the `progress` is not `done`, is a 409 `unfinished_items` that names the open items in `error.issues`, unless you send `{"force": true}`. Its `releaseDate` is now where it has none. It can only be archived afterwards. One that is released or archived is a 409. Whoever has voted for an idea that was promoted to what it brings, or to what hangs below that, is mailed.',
  params: SolutionVersionParams,
  body: ReleaseSolutionVersion,
  data: SolutionVersionDetail,
  message: 'Version released',
  async handle({ params, body, db, actor, wake }) {
    const released = await queries.releaseSolutionVersion(db, params, body?.force === true)
    wake({ kind: 'feedback.notices', subscriptionId: actor.subscriptionId })
    return released
  },
})

export const archiveSolutionVersion = operation({
  id: 'archiveSolutionVersion',
  ceiling: walk(31_000, VERSION_ITEMS),
  of: 'solution_version',
  route: 'POST /api/initiatives/{product_external_key}/solution-versions/{solution_version_external_key}/archive',
  summary: 'Archive a solution version',
  description: 'One that was not released comes back with another `status`.',
  params: SolutionVersionParams,
  data: SolutionVersionDetail,
  message: 'Version archived',
  handle: ({ params, db }) => queries.archiveSolutionVersion(db, params),
})

export const duplicateSolutionVersion = operation({
  id: 'duplicateSolutionVersion',
  ceiling: walk(34_000, VERSION_ITEMS),
  of: 'solution_version',
  route: 'POST /api/initiatives/{product_external_key}/solution-versions/{solution_version_external_key}/duplicate',
  summary: 'Duplicate a solution version',
  description: 'Makes a planned one with the same description, dates and items, also of a released one.',
  status: 201,
  params: SolutionVersionParams,
  body: DuplicateSolutionVersion,
  data: SolutionVersionDetail,
  message: 'Version saved',
  async handle({ params, body, db }) {
    const { data } = await queries.duplicateSolutionVersion(db, params, body)
    return { data, location: locationOf(params.product_external_key, data.externalKey) }
  },
})
