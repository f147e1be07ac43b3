import * as z from 'zod'
import { exportOperation } from '../../export-operation'
import { ExportQuery } from '../../files/write'
import { requireScope } from '../../http/auth'
import {
  ALL_RECORDS_COST_REASON,
  declareCeiling,
  PAGE_RECORDS_COST_REASON,
  VERSION_ITEMS_COST_REASON,
} from '../../http/ceiling'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import { readNoticeDelayMs } from '../../people/digests/delay'
import { sanitizeDescription } from '../work-items/description'
import * as queries from './queries'
import {
  CreateSolutionVersion,
  DuplicateSolutionVersion,
  ListSolutionVersions,
  ModifySolutionVersion,
  ReleaseSolutionVersion,
  RetrieveSolutionVersion,
  SolutionVersion,
  SolutionVersionDetail,
  SolutionVersionParams,
} from './schema'

const toVersionLocation = (product: string, key: string) => `/api/initiatives/${product}/solution-versions/${key}`

export const createSolutionVersion = operation({
  id: 'createSolutionVersion',
  of: 'solution_version',
  route: 'POST /api/initiatives/{product_external_key}/solution-versions',
  storesRecords: true,
  summary: 'Create a solution version',
  description: 'The version gets the next key `SV-<number>`. `items` lists the keys of its work items.',
  status: 201,
  params: ProductParams,
  body: CreateSolutionVersion,
  data: SolutionVersionDetail,
  message: 'Version saved',
  async handle({ params, body, db }) {
    const { data } = await queries.createSolutionVersion(db, await sanitizeDescription(body))
    return { data, location: toVersionLocation(params.product_external_key, data.externalKey) }
  },
})

export const listSolutionVersions = operation({
  id: 'listSolutionVersions',
  ceiling: declareCeiling(31_000, PAGE_RECORDS_COST_REASON),
  of: 'solution_version',
  route: 'GET /api/initiatives/{product_external_key}/solution-versions',
  summary: 'List solution versions',
  description: 'The newest versions first, unless you set `sort`. Items and progress come only with a single version.',
  params: ProductParams,
  query: ListSolutionVersions,
  data: z.array(SolutionVersion),
  handle: ({ query, db }) => queries.listSolutionVersions(db, query),
})

export const exportSolutionVersions = exportOperation({
  id: 'exportSolutionVersions',
  ceiling: declareCeiling(680_000, ALL_RECORDS_COST_REASON, 3_500_000),
  of: 'solution_version',
  route: 'GET /api/initiatives/{product_external_key}/solution-versions/export',
  summary: 'Export the solution versions',
  description:
    'Downloads all solution versions, oldest first, with the keys of their items. Retrieve a version to see its progress and points.',
  params: ProductParams,
  query: ExportQuery,
  read: ({ db }) => ({ name: 'solution-versions', ...queries.exportSolutionVersions(db) }),
})

export const getSolutionVersion = operation({
  id: 'getSolutionVersion',
  ceiling: declareCeiling(16_000, VERSION_ITEMS_COST_REASON),
  of: 'solution_version',
  route: 'GET /api/initiatives/{product_external_key}/solution-versions/{solution_version_external_key}',
  summary: 'Retrieve a solution version',
  description: 'Includes the items, the progress and the points.',
  params: SolutionVersionParams,
  query: RetrieveSolutionVersion,
  data: SolutionVersionDetail,
  handle: ({ params, query, db }) =>
    query.include ? queries.getVersionWithItems(db, params) : queries.getSolutionVersion(db, params),
})

export const modifySolutionVersion = operation({
  id: 'modifySolutionVersion',
  ceiling: declareCeiling(31_000, VERSION_ITEMS_COST_REASON),
  of: 'solution_version',
  route: 'PUT /api/initiatives/{product_external_key}/solution-versions/{solution_version_external_key}',
  summary: 'Modify a solution version',
  description:
    'Changes the fields that you send; `null` clears a field. `items` replace the present items. A version that was released is a 409.',
  params: SolutionVersionParams,
  body: ModifySolutionVersion,
  data: SolutionVersionDetail,
  message: 'Version saved',
  async handle({ params, body, db, ifMatch }) {
    const saved = await queries.modifySolutionVersion(db, params, await sanitizeDescription(body), ifMatch)
    return saved
  },
})

export const removeSolutionVersion = operation({
  id: 'removeSolutionVersion',
  ceiling: declareCeiling(16_000, VERSION_ITEMS_COST_REASON),
  of: 'solution_version',
  route: 'DELETE /api/initiatives/{product_external_key}/solution-versions/{solution_version_external_key}',
  summary: 'Remove a solution version',
  description:
    'The work items stay. You can restore the version for 30 days. A released version is a 409: archive the version first.',
  params: SolutionVersionParams,
  message: 'Version removed',
  handle: ({ params, db, ifMatch }) => queries.removeSolutionVersion(db, params, ifMatch),
})

export const restoreSolutionVersion = operation({
  id: 'restoreSolutionVersion',
  ceiling: declareCeiling(31_000, VERSION_ITEMS_COST_REASON),
  of: 'solution_version',
  route: 'POST /api/initiatives/{product_external_key}/solution-versions/{solution_version_external_key}/restore',
  summary: 'Restore a removed solution version',
  description: 'Restores the items too, except removed items.',
  params: SolutionVersionParams,
  data: SolutionVersionDetail,
  message: 'Version restored',
  handle: ({ params, db }) => queries.restoreSolutionVersion(db, params),
})

/** As long as the usual delay of the mail. */
const UNANNOUNCED_RELEASE_REVOCABLE_MS = 3_600_000

export const releaseSolutionVersion = operation({
  id: 'releaseSolutionVersion',
  ceiling: declareCeiling(36_000, VERSION_ITEMS_COST_REASON),
  of: 'solution_version',
  route: 'POST /api/initiatives/{product_external_key}/solution-versions/{solution_version_external_key}/release',
  summary: 'Release a solution version',
  description:
    'A version with open items (`progress` is not `done`) is a 409 `unfinished_items` that names the open items in `error.issues`, unless you send `{"force": true}`. A missing `releaseDate` becomes the present time. A released version can only be archived, or taken back until its mail leaves. A version that is released or archived is a 409. Voters of ideas that are linked to an item of the version, or to an item below, get a mail. With `draftChangelog`, the changelog gets a draft about the version.',
  conflicts: ['unfinished_items'],
  params: SolutionVersionParams,
  body: ReleaseSolutionVersion,
  data: SolutionVersionDetail,
  message: 'Version released',
  async handle({ params, body, db, actor, env, now, enqueue }) {
    const { notify = 'later', draftChangelog } = body ?? {}
    if (draftChangelog) requireScope(actor, 'feedback:write')
    const waitMs = { later: readNoticeDelayMs(env), now: 0, none: UNANNOUNCED_RELEASE_REVOCABLE_MS }[notify]
    const released = await queries.releaseSolutionVersion(db, params, body ?? {}, now + waitMs)
    if (notify !== 'none') enqueue({ kind: 'feedback.notices', subscriptionId: actor.subscriptionId })
    return released
  },
})

export const unreleaseSolutionVersion = operation({
  id: 'unreleaseSolutionVersion',
  ceiling: declareCeiling(36_000, VERSION_ITEMS_COST_REASON),
  of: 'solution_version',
  route: 'POST /api/initiatives/{product_external_key}/solution-versions/{solution_version_external_key}/unrelease',
  summary: 'Take a release back',
  description:
    'Possible until the first mail about the release leaves: `NOTICE_DELAY_MINUTES` (60 by default) after the release, or earlier in a mail that waits already. A release with `notify: "none"` can be taken back for an hour, a release with `notify: "now"` cannot. The version gets the status and the `releaseDate` that it had before, and nobody gets a mail about the release. Ideas and work items stay as they are, because a release does not change them. A version that is not released, or can no longer be taken back, is a 409.',
  params: SolutionVersionParams,
  data: SolutionVersionDetail,
  message: 'Release taken back',
  handle: ({ params, db }) => queries.unreleaseSolutionVersion(db, params),
})

export const archiveSolutionVersion = operation({
  id: 'archiveSolutionVersion',
  ceiling: declareCeiling(31_000, VERSION_ITEMS_COST_REASON),
  of: 'solution_version',
  route: 'POST /api/initiatives/{product_external_key}/solution-versions/{solution_version_external_key}/archive',
  summary: 'Archive a solution version',
  description: 'An archived version that was not released accepts another `status`.',
  params: SolutionVersionParams,
  data: SolutionVersionDetail,
  message: 'Version archived',
  handle: ({ params, db }) => queries.archiveSolutionVersion(db, params),
})

export const duplicateSolutionVersion = operation({
  id: 'duplicateSolutionVersion',
  ceiling: declareCeiling(34_000, VERSION_ITEMS_COST_REASON),
  of: 'solution_version',
  route: 'POST /api/initiatives/{product_external_key}/solution-versions/{solution_version_external_key}/duplicate',
  storesRecords: true,
  summary: 'Duplicate a solution version',
  description: 'Creates a planned version with the same description, dates and items, also from a released version.',
  status: 201,
  params: SolutionVersionParams,
  body: DuplicateSolutionVersion,
  data: SolutionVersionDetail,
  message: 'Version saved',
  async handle({ params, body, db }) {
    const { data } = await queries.duplicateSolutionVersion(db, params, body)
    return { data, location: toVersionLocation(params.product_external_key, data.externalKey) }
  },
})
