import { expect, test } from 'vitest'
import { createWorkspace } from '../../factories'

interface Segment {
  name: string
  users: { email: string }[]
}

const SEGMENTS = '/api/v2/segments'
const SEGMENTS_OF_PAGE = 100
// The segments of a page share 2 MB for their newest members.
const BYTES_OF_SEGMENT = 2_000_000 / SEGMENTS_OF_PAGE
const MAX_ATTRIBUTE_TEXT = 1_000

/** Attributes of a person in the group, so that the columns of the person have exactly `size` bytes. */
function makeAttributes(email: string, group: string, size: number): Record<string, string> {
  const attributes: Record<string, string> = { group }
  for (let n = 0; ; n++) {
    attributes[`a${n}`] = ''
    const left = size - email.length - JSON.stringify(attributes).length
    attributes[`a${n}`] = 'x'.repeat(Math.min(left, MAX_ATTRIBUTE_TEXT))
    if (left <= MAX_ATTRIBUTE_TEXT) return attributes
  }
}

test('a segment of a list shows its newest members up to the bytes of its share, and the newest at any size', async () => {
  const { client, subscriptionId, row } = await createWorkspace()
  const name = { subscription_id: subscriptionId, created_at: 0, updated_at: 0 }
  for (let n = 4; n < SEGMENTS_OF_PAGE; n++) await row('segments', { ...name, name: `Empty ${n}` })
  const create = async (json: object) => {
    const { status, body } = await client<{ id: number }>('POST', SEGMENTS, { json })
    expect([status, body.message]).toEqual([201, body.message])
    return body.data.id
  }
  const groups = ['large', 'exact']
  const manual = { large: await create({ name: 'manual large' }), exact: await create({ name: 'manual exact' }) }
  for (const value of groups)
    await create({
      ...{ name: `dynamic ${value}`, type: 'dynamic' },
      rules: { match: 'all', conditions: [{ attribute: 'attributes.group', operator: 'eq', value }] },
    })
  const half = BYTES_OF_SEGMENT / 2
  for (const [person, group, size] of [
    ['fourth', 'exact', 100],
    ['third', 'exact', half + 1],
    ['second', 'exact', half],
    ['first', 'exact', half],
    ['small', 'large', 100],
    ['large', 'large', BYTES_OF_SEGMENT + 1],
  ] as const) {
    const email = `${person}@example.com`
    const json = { email, attributes: makeAttributes(email, group, size), segmentIds: [manual[group]] }
    const added = await client('POST', '/api/v2/idea-manager/members?invite=false', { json })
    expect([added.status, added.body.message]).toEqual([201, added.body.message])
  }
  const { body } = await client<Segment[]>('GET', `${SEGMENTS}/users?limit=${SEGMENTS_OF_PAGE}`)
  const shown = body.data.flatMap(({ name, users }) =>
    users.length ? [[name, ...users.map(({ email }) => email.split('@')[0])]] : [],
  )
  expect(shown.sort()).toEqual([
    ['dynamic exact', 'first', 'second'],
    ['dynamic large', 'large'],
    ['manual exact', 'first', 'second'],
    ['manual large', 'large'],
  ])
})
