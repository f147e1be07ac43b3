import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import type { Guard } from '../../db/client/refuse'
import { insertStatement, updateStatement } from '../../db/records/change'
import { makeExportReader } from '../../db/records/export'
import { makeLifecycle } from '../../db/records/lifecycle'
import { makeListReader } from '../../db/records/list'
import { changelogEntries, changelogIdeas, changelogVersions } from '../../db/schema/changelog'
import { feedbackItems } from '../../db/schema/feedback'
import { solutionVersions } from '../../db/schema/solution-versions'
import { products } from '../../db/schema/tenancy'
import { equalsAny, type Filter, namesRecord, unindexed } from '../../db/sql/filter'
import { lastTakenKey, takeNumber } from '../../db/sql/numbering'
import { referencesTo, referenceTo } from '../../db/sql/references'
import { searchFilter } from '../../db/sql/search'
import { caller, param } from '../../db/sql/statement'
import { type ChangelogEntryKey, changelogEntry } from './fields'
import { publishInserted, publishUnpublished, takeBack, unschedule } from './publishing/statements'
import { type ChangelogStatus, CreateChangelogEntry, ListChangelogEntries, ModifyChangelogEntry } from './schema'
import { createChangelogLinks } from './statements'

const referencesOfEntry = ({ product, cover, ideas, versions }: z.output<typeof ModifyChangelogEntry>) => [
  ...referenceTo('product', '/product', product),
  ...referenceTo('image', '/cover', cover),
  ...referencesTo('ideaKey', '/ideas', ideas),
  ...referencesTo('versionKey', '/versions', versions),
]

const LINK_FIELDS = ['ideas', 'versions'] as const

const insertEntry = insertStatement(changelogEntry, CreateChangelogEntry, {
  values: { externalKey: lastTakenKey('CL') },
  except: LINK_FIELDS,
})
const emitEntryCreated = changelogEntry.emit('created')
const ideasOfInserted = createChangelogLinks('ideas', changelogEntry.justInserted)
const versionsOfInserted = createChangelogLinks('versions', changelogEntry.justInserted)

export const createChangelogEntry = (
  db: Database,
  { ideas, versions, ...body }: z.output<typeof CreateChangelogEntry>,
) =>
  changelogEntry.save(db, {
    references: referencesOfEntry({ ...body, ideas, versions }),
    statements: [
      takeNumber('CL'),
      insertEntry({ ...body, status: body.publishAt == null ? 'draft' : 'scheduled' }),
      ...ideasOfInserted.replace(ideas, {}),
      ...versionsOfInserted.replace(versions, {}),
      emitEntryCreated({}),
      ...(body.status === 'published' ? publishInserted({}) : []),
    ],
    returning: changelogEntry.inserted(),
  })

export const getChangelogEntry = changelogEntry.get

/** An index serves a single status in the order of creation, also for each product of a key. */
const statusFilter: Filter<readonly ChangelogStatus[]> = {
  ...(equalsAny(changelogEntries.status) as Filter<readonly ChangelogStatus[]>),
  isUnindexed: (sort, _limited, given) => sort !== changelogEntries.createdAt || given.length > 1,
}

/** An index serves the product with each order but the order of changes. */
const productFilter: Filter<string> = {
  where: (name) => sql`${changelogEntries.productId} = (SELECT ${products.id} FROM ${products}
    WHERE ${products.subscriptionId} = ${caller.subscription} AND ${products.externalKey} = ${param(name)}
      AND ${products.deletedAt} IS NULL)`,
  selectsProduct: true,
  isUnindexed: (sort) => sort === changelogEntries.updatedAt,
}

const labelFilter: Filter<string> = {
  where: (name) => sql`EXISTS (SELECT 1 FROM json_each(${changelogEntries.labels}) WHERE value = ${param(name)})`,
}

const ideaFilter: Filter<string> = {
  where: (
    name,
  ) => sql`EXISTS (SELECT 1 FROM ${changelogIdeas} WHERE ${changelogIdeas.subscriptionId} = ${caller.subscription}
    AND ${changelogIdeas.changelogEntryId} = ${changelogEntries.id} AND ${changelogIdeas.feedbackId} = (
      SELECT ${feedbackItems.id} FROM ${feedbackItems} WHERE ${feedbackItems.subscriptionId} = ${caller.subscription}
        AND ${feedbackItems.externalKey} = ${param(name)}))`,
}

const versionFilter: Filter<string> = {
  where: (
    name,
  ) => sql`EXISTS (SELECT 1 FROM ${changelogVersions} WHERE ${changelogVersions.subscriptionId} = ${caller.subscription}
    AND ${changelogVersions.changelogEntryId} = ${changelogEntries.id} AND ${changelogVersions.solutionVersionId} = (
      SELECT ${solutionVersions.id} FROM ${solutionVersions} WHERE ${solutionVersions.subscriptionId} = ${caller.subscription}
        AND ${solutionVersions.externalKey} = ${param(name)}))`,
}

export const listChangelogEntries = makeListReader(changelogEntry, ListChangelogEntries, {
  sorts: { createdAt: changelogEntries.createdAt, publishedAt: changelogEntries.publishedAt },
  filters: {
    status: statusFilter,
    product: namesRecord('product', productFilter),
    label: unindexed(labelFilter),
    idea: namesRecord('ideaKey', unindexed(ideaFilter)),
    version: namesRecord('versionKey', unindexed(versionFilter)),
    q: searchFilter('changelog_entry', changelogEntries.id),
  },
}).page

export const exportChangelogEntries = makeExportReader(changelogEntry, changelogEntries.createdAt)

const alreadyPublished = changelogEntry.refuseIf(
  'conflict:This entry is published already. Take it back with POST …/unpublish before you schedule it.',
  sql`${changelogEntries.status} = 'published'`,
)

const isNotScheduled = changelogEntry.refuseIf(
  'validation_failed:/status:The entry is not scheduled. Send the time in publishAt.',
  sql`${changelogEntries.status} <> 'scheduled'`,
)

const updateEntry = updateStatement(changelogEntry, ModifyChangelogEntry, { except: LINK_FIELDS })
const ideasOfEntry = createChangelogLinks('ideas', changelogEntry.byKey)
const versionsOfEntry = createChangelogLinks('versions', changelogEntry.byKey)

export function modifyChangelogEntry(
  db: Database,
  key: ChangelogEntryKey,
  { ideas, versions, ...body }: z.output<typeof ModifyChangelogEntry>,
  ifMatch: string | null,
) {
  const changedLinks = [...(ideas ? [ideasOfEntry.change] : []), ...(versions ? [versionsOfEntry.change] : [])]
  const values = { ...key, ...ideasOfEntry.bind(ideas ?? []), ...versionsOfEntry.bind(versions ?? []) }
  const { status, publishAt, ...own } = body
  const schedules = publishAt != null
  const change = { ...own, ...(schedules && { publishAt, status: 'scheduled' as const }) }
  const rules: Guard[] = schedules ? [alreadyPublished(key)] : status === 'scheduled' ? [isNotScheduled(key)] : []
  return changelogEntry.save(db, {
    guards: [...changelogEntry.writeGuards(key, ifMatch), ...rules],
    references: referencesOfEntry({ ...body, ideas, versions }),
    statements: [
      ...updateEntry(values, change, changedLinks),
      ...ideasOfEntry.replace(ideas, key),
      ...versionsOfEntry.replace(versions, key),
      ...(status === 'published' ? publishUnpublished(key) : []),
      ...(status === 'draft' ? takeBack(key) : []),
      ...(status === 'draft' || (status === undefined && publishAt === null) ? unschedule(key) : []),
    ],
    returning: changelogEntry.returningByKey(key),
  })
}

export const { remove: removeChangelogEntry, restore: restoreChangelogEntry } = makeLifecycle(changelogEntry)
