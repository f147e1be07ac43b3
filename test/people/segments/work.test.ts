import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { computeMaxMembers, countRuleSteps, MAX_RULE_WORK } from '../../../src/people/segments/rules/work'
import { UNLIMITED } from '../../contract/table'
import { createWorkspace } from '../../factories'

interface Condition {
  attribute: string
  operator: string
  value?: unknown
}

interface Segment {
  id: number
  userCount: number
  rules: { conditions: Condition[] } | null
  users?: unknown[]
}

const SEGMENTS = '/api/v2/segments'
const LIST = Array.from({ length: 100 }, (_, n) => `value ${n}`)
const LIGHT_RULES = { match: 'all', conditions: [{ attribute: 'email', operator: 'contains', value: 'nobody' }] }
/** The first condition is false for every member, so the database skips the rest and the tests stay fast. */
const HEAVY_RULES = {
  match: 'all',
  conditions: [
    ...LIGHT_RULES.conditions,
    ...Array.from({ length: 13 }, () => ({ attribute: 'lastName', operator: 'contains', value: 'x'.repeat(500) })),
  ],
}
const LIST_RULES = {
  match: 'any',
  conditions: Array.from({ length: 30 }, (_, n) => ({
    attribute: `attributes.quo"te ${n}`,
    operator: 'in',
    value: LIST,
  })),
}
const MAX_MEMBERS = computeMaxMembers(countRuleSteps(HEAVY_RULES.conditions))

/** A workspace with members inserted by SQL. The owner counts as a member. */
async function createRuleScenario() {
  const made = await createWorkspace()
  const client: typeof made.client = (method, path, options) =>
    made.client(method, path, { env: UNLIMITED, ...options })
  const { subscriptionId } = made
  let size = 1
  const grow = async (to: number, attributes = '{}') => {
    await env.DB.prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT ?2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?3)
        INSERT INTO users (subscription_id, email, role, attributes, created_at, updated_at)
        SELECT ?1, 'm' || CAST(n AS INTEGER) || '@example.com', 'idm_member', ?4, n, n FROM numbers`,
    )
      .bind(subscriptionId, size + 1, to, attributes)
      .run()
    size = to
  }
  const make = async (name: string, rules: object) => {
    const { status, body } = await client<Segment>('POST', SEGMENTS, { json: { name, type: 'dynamic', rules } })
    expect(status).toBe(201)
    return `${SEGMENTS}/${body.data.id}`
  }
  return { client, subscriptionId, grow, make }
}

// This test runs first: while the highest user id is low, as never in a second home, the service does not count members.
test.skipIf(env.HOMES)('20,000 members are read once for thirty lists of 100 values', async () => {
  const { client, grow, make } = await createRuleScenario()
  const path = await make('Lists', LIST_RULES)
  await grow(20_000, JSON.stringify({ 'quo"te 1': 'v', 'quo"te 29': 'value 7' }))
  expect(countRuleSteps(LIST_RULES.conditions) * 20_000).toBeLessThan(MAX_RULE_WORK)
  const preview = await client<{ userCount: number }>('POST', `${SEGMENTS}/preview`, { json: { rules: LIST_RULES } })
  expect([preview.status, preview.body.data.userCount]).toEqual([200, 19_999])
  const withUsers = await client<Segment>('GET', `${path}?include=users`)
  expect([withUsers.cost.roundTrips, withUsers.body.data.userCount]).toEqual([3, 19_999])
  expect(withUsers.body.data.users).toHaveLength(100)
  const again = await client<Segment>('GET', `${path}?include=users`)
  expect([again.cost.roundTrips, again.cost.rowsWritten, again.body.data]).toEqual([2, 0, withUsers.body.data])
  const alone = await client<Segment>('GET', path)
  expect([alone.status, alone.body.data.userCount]).toEqual([200, 19_999])
  const read = [preview, withUsers, again, alone].map(({ cost }) => cost.rowsRead)
  expect(
    read.filter((rows) => rows >= 25_000),
    read.join(),
  ).toEqual([])
})

test('rules are refused in every operation when the workspace has too many members for them', async () => {
  const { client, subscriptionId, grow, make } = await createRuleScenario()
  const heavy = await make('Heavy', HEAVY_RULES)
  const light = await make('Light', LIGHT_RULES)
  const json = { rules: HEAVY_RULES }
  const mail = { subject: 'News', html: '<p>News</p>' }
  const doors: [method: string, path: string, json?: object][] = [
    ['POST', `${SEGMENTS}/preview`, json],
    ['POST', SEGMENTS, { name: 'Another', type: 'dynamic', ...json }],
    ['PUT', light, json],
    ['GET', heavy],
    ['GET', `${heavy}?include=users`],
    ['GET', `${SEGMENTS}/users?sort=createdAt`],
    ['POST', `${heavy}/email`, mail],
  ]
  const stored = async () => {
    const { results } = await env.DB.prepare(
      `SELECT (SELECT count(*) FROM emails WHERE subscription_id = ?1) AS mailings, id, name, rules, user_count, version
        FROM segments WHERE subscription_id = ?1 ORDER BY id`,
    )
      .bind(subscriptionId)
      .all()
    return results
  }
  const before = await stored()

  await grow(MAX_MEMBERS + 1)
  for (const [method, path, json] of doors) {
    const { status, body } = await client(method, path, json && { json })
    expect([method, path, status]).toEqual([method, path, 400])
    expect([path, body.error?.issues[0]]).toMatchObject([
      path,
      {
        path: path.includes('/users?sort') ? '/limit' : '/rules',
        message: expect.stringMatching(
          /too much work for so many members\. (Use fewer conditions|Set a smaller limit)/,
        ),
      },
    ])
  }
  expect(await stored()).toEqual(before)
  // Light rules and a page without the heavy segment still work.
  expect((await client('POST', `${SEGMENTS}/preview`, { json: { rules: LIGHT_RULES } })).status).toBe(200)
  expect((await client<Segment[]>('GET', `${SEGMENTS}/users?limit=1`)).body.data).toHaveLength(1)

  // Removed members do not count.
  await env.DB.prepare("UPDATE users SET deleted_at = 1 WHERE subscription_id = ?1 AND email = 'm2@example.com'")
    .bind(subscriptionId)
    .run()
  for (const [method, path, json] of doors) {
    const { status } = await client(method, path, json && { json })
    expect([method, path, status]).toEqual([method, path, path === SEGMENTS ? 201 : 200])
  }
})

test('members of another workspace do not count toward the limit of rules', async () => {
  const other = await createRuleScenario()
  await other.grow(MAX_MEMBERS + 1)
  const { client } = await createRuleScenario()
  expect((await client('POST', `${SEGMENTS}/preview`, { json: { rules: HEAVY_RULES } })).status).toBe(200)
})

test('a page of segments with users ends before a second segment with expensive rules', async () => {
  const { client, make } = await createRuleScenario()
  await make('Heavy', HEAVY_RULES)
  await make('Light', LIGHT_RULES)
  await make('Lists', LIST_RULES)
  const namesAt = async (path: string): Promise<[string[], string | null]> => {
    const { body, headers } = await client<{ name: string }[]>('GET', path)
    return [body.data.map(({ name }) => name), /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null]
  }
  const [first, second] = await namesAt(`${SEGMENTS}/users`)
  expect([first, second]).toEqual([['Lists'], expect.any(String)])
  const [names, third] = await namesAt(second ?? '')
  expect([names, third]).toEqual([['Light'], expect.any(String)])
  expect(await namesAt(third ?? '')).toEqual([['Heavy'], null])
})

test.skipIf(env.HOMES)('a preview shows the newest members even when they have lower ids', async () => {
  const { client, subscriptionId, grow } = await createRuleScenario()
  await grow(130)
  const rules = { match: 'all', conditions: [{ attribute: 'email', operator: 'contains', value: '@example.com' }] }
  const preview = () =>
    client<{ userCount: number; users: { id: number }[] }>('POST', `${SEGMENTS}/preview`, { json: { rules } })
  const before = await preview()
  expect([before.body.data.userCount, before.body.data.users.length, before.cost.roundTrips]).toEqual([130, 100, 1])
  await env.DB.prepare(
    "INSERT INTO users (id, subscription_id, email, role, created_at, updated_at) VALUES (900000, ?1, 'x@example.test', 'idm_member', 1, 1)",
  )
    .bind(subscriptionId)
    .run()
  const after = await preview()
  expect([after.body.data, after.cost.roundTrips]).toEqual([before.body.data, 2])
})
