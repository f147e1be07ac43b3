import { expect, test } from 'vitest'
import { createWorkspace } from '../../factories'

interface InviteResults {
  inviteResults: { success: boolean }[]
}

test.each([
  ['role', 'owner'],
  ['createdAt', '2001-02-03T04:05:06.000Z'],
  ['id', 7],
  ['invitation', { status: 'accepted' }],
])('a person of a bulk request with %s is refused by itself', async (name, value) => {
  const { client } = await createWorkspace()
  const items = [{ email: 'ada@example.com', [name]: value }, { email: 'bob@example.com' }]
  const { status, body } = await client<InviteResults>(
    'POST',
    '/api/v2/idea-manager/members/bulk-create?invite=false',
    { json: items },
  )
  expect(status).toBe(200)
  expect(body.data.inviteResults).toMatchObject([{ success: false }, { success: true }])
  expect(JSON.stringify(body.data.inviteResults[0])).toContain(`${name}: `)
  const people = await client<{ email: string }[]>('GET', '/api/v2/idea-manager/members?q=ada')
  expect(people.body.data).toEqual([])
})

test('a person of a bulk request may have what each new person has', async () => {
  const { client } = await createWorkspace()
  const item = { email: 'ada@example.com', role: 'idm_member', invitation: null, segmentIds: [], updatedAt: 'x' }
  const { body } = await client<InviteResults>('POST', '/api/v2/idea-manager/members/bulk-create?invite=false', {
    json: [item],
  })
  expect(body.data.inviteResults).toMatchObject([{ success: true }])
})
