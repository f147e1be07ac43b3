import { expect, test } from 'vitest'
import { createWorkspace } from '../factories'

const UNREADABLE = { length: { toString: 1, valueOf: null } }

test.each([
  ['PUT', '/api/feedback-items/bulk', UNREADABLE],
  ['POST', '/api/feedback-items', { title: UNREADABLE, product: 'TST-1' }],
  ['POST', '/api/feedback-items/bulk-create?atomic=true', [{ title: UNREADABLE }]],
  ['POST', '/api/v2/segments', { name: UNREADABLE }],
] as const)('%s %s refuses a length that is no number', async (method, path, json) => {
  const { client } = await createWorkspace()
  const { status, body } = await client(method, path, { json })
  expect([status, body.error?.code]).toEqual([400, expect.stringMatching(/^(validation_failed|bulk_rejected)$/)])
})
