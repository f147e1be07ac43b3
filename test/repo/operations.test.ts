import { globSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type AnyOperation, storesNewRecords, takesIdempotencyKey } from '../../src/http/operation'
import { operations } from '../../src/operations'
import { RESOURCES } from '../../src/resources'

const root = path.resolve(import.meta.dirname, '../..')
const files = globSync('src/*/**/operations.ts', { cwd: root }).sort()

async function listExports(): Promise<[name: string, AnyOperation][]> {
  const modules = await Promise.all(
    files.map((file) => import(path.join(root, file)) as Promise<Record<string, unknown>>),
  )
  return modules
    .flatMap((module) => Object.entries(module))
    .filter((entry): entry is [string, AnyOperation] => isOperation(entry[1]))
}

function isOperation(value: unknown): value is AnyOperation {
  return typeof value === 'object' && value !== null && 'handle' in value && 'path' in value
}

test('an operation is exported under its id and appears once in the table', async () => {
  const found = await listExports()
  expect(found.length).toBeGreaterThan(40)
  const misnamed = found.filter(([name, { id }]) => name !== id).map(([name, { id }]) => `${name}: ${id}`)
  expect(misnamed, 'Export the operation under its id.').toEqual([])
  const ids = operations.map(({ id }) => id)
  const unlisted = found.map(([, { id }]) => id).filter((id) => !ids.includes(id as never))
  expect(unlisted, 'Add a line for the operation to routes.ts of its area.').toEqual([])
  const repeated = ids.filter((id, at) => ids.indexOf(id) !== at)
  expect(repeated, 'List the operation once in routes.ts of its area.').toEqual([])
})

test('no two operations answer the same request', () => {
  const routes = operations.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
  const repeated = routes.filter((route, at) => routes.indexOf(route) !== at)
  expect(repeated, 'Give one of the operations another path or method.').toEqual([])
})

// The contract tests rely on properties derived from routes and resources. This file pins the exceptions.
const RECORD_PARAMETER = /\{(?!product_external_key\})/
const ids = (which: (op: AnyOperation) => boolean) => operations.filter(which).map(({ id }) => id)

test('a GET needs a read scope and another method a write scope, with listed exceptions', () => {
  const verb = ({ method }: AnyOperation) => (method === 'get' ? ':read' : ':write')
  const remedy = 'Name the resource with `of`, which gives the scope, or add the operation to the list in this test.'
  expect(
    ids((op) => op.scope !== undefined && !op.scope.endsWith(verb(op))),
    remedy,
  ).toEqual([
    'previewMail',
    'modifySignInSettings',
    'eraseWorkspace',
    'restoreWorkspace',
    'testIncomingWebhook',
    'createExport',
    'listExports',
    'getExport',
    'downloadExport',
    'restoreExport',
    'previewSegment',
    'previewSegmentEmail',
  ])
  expect(
    ids((op) => op.scope === undefined),
    remedy,
  ).toEqual([
    'getMe',
    'listImports',
    'getImport',
    'downloadRejectedRows',
    'downloadImportWarnings',
    'cancelImport',
    'undoImport',
    'searchRecords',
    'getTrace',
  ])
})

test('an operation needs the scope of the area of its heading, with listed exceptions', () => {
  const areas = Map.groupBy(Object.values(RESOURCES), ({ tag }): string => tag)
  const elsewhere = ({ tag, scope, access }: AnyOperation) =>
    access !== 'portal' &&
    scope !== undefined &&
    scope !== '*' &&
    !areas.get(tag)?.some(({ area }) => scope.startsWith(`${area}:`))
  const remedy = 'Put the heading of the resource into the area of its scope, in src/resources.ts.'
  expect(ids(elsewhere), remedy).toEqual(['listEvents', 'sendSegmentEmail', 'previewSegmentEmail', 'sendMembersEmail'])
})

test('an operation that changes a record supports If-Match and can answer 404, with listed exceptions', () => {
  const unconditional = ids(({ method, conditional }) => (method === 'put' || method === 'delete') && !conditional)
  expect(unconditional, 'Name the resource with `of`, or add the operation to the list in this test.').toEqual([
    'eraseWorkspace',
    'revokeApiKey',
    'endSession',
    'upsertWorkItem',
    'removeLink',
    'upsertItemComment',
    'placeStoryMapCard',
    'removeStoryMapCard',
    'upsertFeedbackItem',
    'bulkFeedbackItems',
    'unsubscribeFromFeedbackItem',
    'upsertComment',
    'leaveChangelog',
    'manageSegmentUsers',
    'upsertMember',
    'reinviteMembers',
    'removeKpiRecord',
    'upsertPersona',
    'purgeCustomField',
    'modifyCustomFieldOption',
    'removeCustomFieldOption',
    'detachCustomField',
    'modifyPortalIdea',
    'unvotePortalIdea',
    'unsubscribeFromPortalIdea',
    'modifyPortalComment',
    'removePortalComment',
  ])
  const withoutError = ids(({ path, errors }) => RECORD_PARAMETER.test(path) && !errors?.length)
  expect(withoutError, 'Name the resource with `of`, which gives the 404.').toEqual([
    'upsertWorkItem',
    'upsertFeedbackItem',
    'upsertMember',
    'upsertPersona',
  ])
})

test('an operation with a Location answers 201', () => {
  expect(ids(({ location }) => location !== undefined).length).toBeGreaterThan(15)
  const wrong = ids(({ location, status }) => location !== undefined && status !== 201)
  expect(wrong, 'Set `status: 201` on the operation, or remove its `location`.').toEqual([])
})

test('a POST stores new records and is refused while the database is full, with listed exceptions', () => {
  const addsNothing = ({ path }: AnyOperation) => /\/(restore|merge)$/.test(path)
  const goesOn = ids((op) => takesIdempotencyKey(op) && !storesNewRecords(op) && !addsNothing(op))
  expect(goesOn, 'Set `storesRecords: true` on the operation, or add the operation to the list in this test.').toEqual([
    'rotateApiKey',
    'rotateWebhookSecret',
    'testWebhook',
    'replayWebhook',
    'replayWebhookDelivery',
    'rotateIncomingWebhookSecret',
    'replayReceipt',
    'cancelImport',
    'undoImport',
    'bulkBacklog',
    'moveWorkItem',
    'convertWorkItem',
    'releaseSolutionVersion',
    'unreleaseSolutionVersion',
    'archiveSolutionVersion',
    'castVote',
    'unmergeFeedbackItem',
    'linkFeedbackItem',
    'publishChangelogEntry',
    'unpublishChangelogEntry',
    'requestSegmentConfirmations',
    'cancelEmail',
    'createSuppression',
    'startExperiment',
    'stopExperiment',
    'attachCustomField',
    'rotatePortalSecret',
    'votePortalIdea',
  ])
})
