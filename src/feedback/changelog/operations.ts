import * as z from 'zod'
import { exportOperation } from '../../export-operation'
import { ExportQuery } from '../../files/write'
import { requireUnlimitedKey } from '../../http/auth'
import { ALL_RECORDS_COST_REASON, declareCeiling, PAGE_RECORDS_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { sanitizeProperty } from '../../text/html/rich-text'
import { publishChangelogEntry as publishEntry, unpublishChangelogEntry as unpublishEntry } from './publishing/queries'
import * as queries from './queries'
import {
  ChangelogEntry,
  ChangelogEntryDetail,
  ChangelogEntryParams,
  CreateChangelogEntry,
  ListChangelogEntries,
  ModifyChangelogEntry,
  PublishChangelogEntry,
} from './schema'

const PRODUCT_REQUIRED_REMEDY = 'Send a product of the key as `product`, or use a key without that limit.'

export const createChangelogEntry = operation({
  id: 'createChangelogEntry',
  of: 'changelog_entry',
  route: 'POST /api/v2/changelog',
  summary: 'Create a changelog entry',
  description:
    'The entry gets the next key `CL-<number>`. With `publishAt` the entry is scheduled, with the status `published` it is published at once, otherwise it is a draft. HTML is sanitized. Without `product` the entry belongs to all products; a key that is limited to products must send `product`.',
  body: CreateChangelogEntry,
  data: ChangelogEntryDetail,
  message: 'Changelog entry saved',
  location: '/api/v2/changelog/{externalKey}',
  async handle({ body, db, actor, enqueue }) {
    if (body.product === undefined) requireUnlimitedKey(actor, PRODUCT_REQUIRED_REMEDY)
    const created = await queries.createChangelogEntry(db, await sanitizeProperty(body, 'content'))
    if (body.status === 'published') enqueue({ kind: 'feedback.notices', subscriptionId: actor.subscriptionId })
    return created
  },
})

export const listChangelogEntries = operation({
  id: 'listChangelogEntries',
  ceiling: declareCeiling(31_000, PAGE_RECORDS_COST_REASON),
  of: 'changelog_entry',
  route: 'GET /api/v2/changelog',
  summary: 'List changelog entries',
  description:
    'The newest entries come first. Retrieve an entry to see its ideas and versions. A key that is limited to products sees entries of its products and entries of all products.',
  query: ListChangelogEntries,
  data: z.array(ChangelogEntry),
  handle: ({ query, db }) => queries.listChangelogEntries(db, query),
})

export const exportChangelogEntries = exportOperation({
  id: 'exportChangelogEntries',
  ceiling: declareCeiling(680_000, ALL_RECORDS_COST_REASON, 4_000_000),
  of: 'changelog_entry',
  route: 'GET /api/v2/changelog/export',
  summary: 'Export the changelog',
  description: 'Downloads all entries, oldest first, with the keys of their ideas and versions.',
  query: ExportQuery,
  read: ({ db }) => ({ name: 'changelog', ...queries.exportChangelogEntries(db) }),
})

export const getChangelogEntry = operation({
  id: 'getChangelogEntry',
  of: 'changelog_entry',
  route: 'GET /api/v2/changelog/{changelog_external_key}',
  summary: 'Retrieve a changelog entry',
  description: 'Returns the entry with the keys of its ideas and versions.',
  params: ChangelogEntryParams,
  data: ChangelogEntryDetail,
  handle: ({ params, db }) => queries.getChangelogEntry(db, params),
})

export const modifyChangelogEntry = operation({
  id: 'modifyChangelogEntry',
  of: 'changelog_entry',
  route: 'PUT /api/v2/changelog/{changelog_external_key}',
  summary: 'Modify a changelog entry',
  description:
    'Changes the fields that you send, also of a published entry. HTML is sanitized. A key that is limited to products changes only entries of its products.',
  params: ChangelogEntryParams,
  body: ModifyChangelogEntry,
  data: ChangelogEntryDetail,
  message: 'Changelog entry saved',
  async handle({ params, body, db, actor, ifMatch, enqueue }) {
    if (body.product === null) requireUnlimitedKey(actor, PRODUCT_REQUIRED_REMEDY)
    const modified = await queries.modifyChangelogEntry(db, params, await sanitizeProperty(body, 'content'), ifMatch)
    if (body.status === 'published') enqueue({ kind: 'feedback.notices', subscriptionId: actor.subscriptionId })
    return modified
  },
})

export const removeChangelogEntry = operation({
  id: 'removeChangelogEntry',
  of: 'changelog_entry',
  route: 'DELETE /api/v2/changelog/{changelog_external_key}',
  summary: 'Remove a changelog entry',
  description: 'Linked records stay. You can restore the entry for 30 days.',
  params: ChangelogEntryParams,
  message: 'Changelog entry removed',
  handle: ({ params, db, ifMatch }) => queries.removeChangelogEntry(db, params, ifMatch),
})

export const restoreChangelogEntry = operation({
  id: 'restoreChangelogEntry',
  of: 'changelog_entry',
  route: 'POST /api/v2/changelog/{changelog_external_key}/restore',
  summary: 'Restore a removed changelog entry',
  description:
    'Restores the entry unchanged. The service publishes a scheduled entry whose time has passed. While the product is removed, the response is a 409.',
  params: ChangelogEntryParams,
  data: ChangelogEntryDetail,
  message: 'Changelog entry restored',
  handle: ({ params, db }) => queries.restoreChangelogEntry(db, params),
})

export const publishChangelogEntry = operation({
  id: 'publishChangelogEntry',
  of: 'changelog_entry',
  route: 'POST /api/v2/changelog/{changelog_external_key}/publish',
  summary: 'Publish a changelog entry',
  description:
    'Publishes a draft or a scheduled entry now. The followers of the changelog get a mail, unless `notify` is `none` or they got mail about the entry before. A published entry is a 409.',
  params: ChangelogEntryParams,
  body: PublishChangelogEntry,
  data: ChangelogEntryDetail,
  message: 'Changelog entry published',
  async handle({ params, body, db, actor, enqueue }) {
    const published = await publishEntry(db, params, body?.notify ?? null)
    if (published.data.notify !== 'none') enqueue({ kind: 'feedback.notices', subscriptionId: actor.subscriptionId })
    return published
  },
})

export const unpublishChangelogEntry = operation({
  id: 'unpublishChangelogEntry',
  of: 'changelog_entry',
  route: 'POST /api/v2/changelog/{changelog_external_key}/unpublish',
  summary: 'Take a changelog entry back',
  description:
    'The entry is a draft again, and mail about it that has not left is not sent. An entry that is not published is a 409.',
  params: ChangelogEntryParams,
  data: ChangelogEntryDetail,
  message: 'Changelog entry taken back',
  handle: ({ params, db }) => unpublishEntry(db, params),
})
