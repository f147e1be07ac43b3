import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { stepsOf } from '../../../src/people/segments/rules/work'
import { type Workspace, workspace } from '../../factories'

const DAY = 86_400_000
const PER_MEMBER = 1

interface Condition {
  attribute: string
  operator: string
  value?: unknown
}

interface Preview {
  userCount: number
  users: { email: string }[]
}

async function people({ row, subscriptionId }: Workspace) {
  const now = Date.now()
  const stamps = { subscription_id: subscriptionId, updated_at: 1 }
  const add = (name: string, values: Record<string, string | number | null>, attributes = {}) =>
    row('users', {
      ...stamps,
      email: `${name}@example.com`,
      role: 'idm_member',
      created_at: now - 100 * DAY,
      attributes: JSON.stringify(attributes),
      ...values,
    })
  const ada = await add(
    'ada',
    { first_name: 'Ada', last_name: 'Lovelace', created_at: now - 3 * DAY },
    {
      plan: 'Pro',
      seats: 12,
      beta: true,
      renews: '2026-03-01',
      'a"b': 'x',
      '$.plan': 'y',
      'dotted.name': 7,
      '12': 'z',
    },
  )
  const bob = await add('bob', { first_name: 'Bob', role: 'member' }, { plan: 'free', seats: '3', beta: 'true' })
  await add(
    'cyd',
    { created_at: Date.parse('2026-05-01T12:00:00Z') },
    { plan: '', seats: 'many', renews: '2026-02-28T23:00:00Z' },
  )
  await add('gone', { first_name: 'Ada', deleted_at: now }, { plan: 'pro', seats: 99 })
  const item = (userId: number, anonymous: number | null, createdAt: number) =>
    row('feedback_items', {
      ...stamps,
      product_id: 1,
      external_key: crypto.randomUUID(),
      slug: crypto.randomUUID(),
      title: 'Idea',
      user_id: userId,
      is_anonymous: anonymous,
      created_at: createdAt,
    })
  const first = await item(ada, null, now - 50 * DAY)
  const second = await item(bob, 1, now - DAY)
  const vote = (id: number, userId: number, createdAt: number) =>
    env.DB.prepare('INSERT INTO feedback_votes (subscription_id, feedback_id, user_id, created_at) VALUES (?, ?, ?, ?)')
      .bind(subscriptionId, id, userId, createdAt)
      .run()
  await vote(first, ada, now - 40 * DAY)
  await vote(second, ada, now - 40 * DAY)
  await vote(first, bob, now - 20 * DAY)
  const comment = { ...stamps, feedback_id: first, text: 'Yes' }
  await row('feedback_comments', { ...comment, user_id: bob, created_at: now - 2 * DAY })
  await row('feedback_comments', { ...comment, user_id: ada, created_at: now, is_private: 1 })
  await row('feedback_comments', { ...comment, user_id: ada, created_at: now, deleted_at: 1 })
}

const asks = (attribute: string, operator: string, value?: unknown): Condition => ({
  attribute,
  operator,
  ...(value !== undefined && { value }),
})

/** The matching members of each condition, by first letter: Ada, Bob, Cyd, and the owner. */
const CASES: [Condition, string][] = [
  [asks('email', 'eq', 'ADA@example.com'), 'a'],
  [asks('email', 'ne', 'ada@example.com'), 'bco'],
  [asks('email', 'contains', '@EXAMPLE'), 'abco'],
  [asks('email', 'not_contains', 'o'), ''],
  [asks('email', 'starts_with', 'B'), 'b'],
  [asks('email', 'in', ['bob@example.com', 'cyd@example.com', 'nobody']), 'bc'],
  [asks('email', 'not_in', ['bob@example.com', 'cyd@example.com']), 'ao'],
  [asks('email', 'is_set'), 'abco'],
  [asks('firstName', 'eq', 'ada'), 'a'],
  [asks('firstName', 'ne', 'Ada'), 'bco'],
  [asks('firstName', 'is_set'), 'abo'],
  [asks('firstName', 'is_not_set'), 'c'],
  [asks('firstName', 'not_in', ['Ada', 'Bob']), 'co'],
  [asks('lastName', 'contains', 'love'), 'a'],
  [asks('lastName', 'contains', "' OR 1=1 --"), ''],
  [asks('lastName', 'contains', '%'), ''],
  [asks('role', 'eq', 'member'), 'b'],
  [asks('role', 'in', ['member', 'owner']), 'bo'],
  [asks('createdAt', 'within_days', 7), 'ao'],
  [asks('createdAt', 'eq', '2026-05-01'), 'c'],
  [asks('createdAt', 'eq', '2026-05-01T12:00:00Z'), 'c'],
  [asks('createdAt', 'eq', '2026-05-01T12:00:01Z'), ''],
  [asks('createdAt', 'ne', '2026-05-01'), 'abo'],
  [asks('createdAt', 'gte', '2026-05-01T14:00:00+02:00'), 'abco'],
  [asks('createdAt', 'gt', '2026-05-01T12:00:00Z'), 'abo'],
  [asks('createdAt', 'lt', '2026-05-02'), 'c'],
  [asks('createdAt', 'lte', '0000-01-01'), ''],
  [asks('invitation.status', 'is_not_set'), 'abco'],
  [asks('invitation.status', 'eq', 'pending'), ''],
  [asks('voteCount', 'eq', 2), 'a'],
  [asks('voteCount', 'gte', 1), 'ab'],
  [asks('voteCount', 'in', [0, 1]), 'bco'],
  [asks('voteCount', 'ne', 0), 'ab'],
  [asks('commentCount', 'gt', 0), 'b'],
  [asks('commentCount', 'lt', 1), 'aco'],
  [asks('lastActivityAt', 'is_set'), 'ab'],
  [asks('lastActivityAt', 'is_not_set'), 'co'],
  [asks('lastActivityAt', 'within_days', 10), 'b'],
  [asks('lastActivityAt', 'within_days', 45), 'ab'],
  [asks('lastActivityAt', 'within_days', 1), ''],
  [asks('attributes.plan', 'eq', 'pro'), 'a'],
  [asks('attributes.plan', 'ne', 'pro'), 'bco'],
  [asks('attributes.plan', 'is_set'), 'ab'],
  [asks('attributes.plan', 'in', ['PRO', 'free']), 'ab'],
  [asks('attributes.plan', 'not_contains', 'r'), 'co'],
  [asks('attributes.seats', 'gte', 3), 'ab'],
  [asks('attributes.seats', 'gt', 3), 'a'],
  [asks('attributes.seats', 'lt', 100), 'ab'],
  [asks('attributes.seats', 'eq', 3), 'b'],
  [asks('attributes.seats', 'eq', '12'), 'a'],
  [asks('attributes.seats', 'in', [3, 12]), 'ab'],
  [asks('attributes.seats', 'in', ['many', 12]), 'ac'],
  [asks('attributes.seats', 'not_in', [12]), 'bco'],
  [asks('attributes.beta', 'eq', true), 'ab'],
  [asks('attributes.beta', 'ne', true), 'co'],
  [asks('attributes.beta', 'in', [true, 'maybe']), 'ab'],
  [asks('attributes.beta', 'eq', 1), ''],
  [asks('attributes.beta', 'gt', 0), ''],
  [asks('attributes.beta', 'not_in', [1, 2]), 'abco'],
  [asks('attributes.renews', 'lt', '2026-03-01'), 'c'],
  [asks('attributes.renews', 'gte', '2026-03-01'), 'a'],
  [asks('attributes.renews', 'within_days', 36_525), 'ac'],
  [asks('attributes.unheard of', 'is_not_set'), 'abco'],
  [asks('attributes.unheard of', 'eq', 'x'), ''],
  [asks('attributes.unheard of', 'ne', 'x'), 'abco'],
  [asks('attributes.a"b', 'eq', 'x'), 'a'],
  [asks('attributes.$.plan', 'eq', 'y'), 'a'],
  [asks('attributes.dotted.name', 'gte', 7), 'a'],
  [asks('attributes.12', 'starts_with', 'Z'), 'a'],
  [asks('attributes.[0]', 'is_set'), ''],
  [asks("attributes.x') OR 1=1 --", 'is_set'), ''],
  [asks('attributes.plan"); DROP TABLE users; --', 'is_set'), ''],
  [asks('attributes.constructor', 'is_set'), ''],
]

async function asked({ client, key }: Workspace, conditions: Condition[], match = 'all') {
  const json = { rules: { match, conditions } }
  const answer = await client<Preview>('POST', '/api/v2/segments/preview', { json, apiKey: await key() })
  if (answer.status !== 200) return JSON.stringify(answer.body)
  const { userCount, users } = answer.body.data
  const found = users
    .map(({ email }) => email[0])
    .sort()
    .join('')
  return found.length === userCount ? found : `${userCount} counted, ${found} found`
}

test('each attribute and operator means whom it says, and never somebody who is removed or of another workspace', async () => {
  const here = await workspace()
  await people(here)
  await people(await workspace())
  const found: [Condition, string][] = []
  for (const [condition] of CASES) found.push([condition, await asked(here, [condition])])
  expect(found).toEqual(CASES)
  expect(await env.DB.prepare('SELECT count(*) > 0 AS n FROM users').first('n')).toBe(1)
})

test('conditions are met together, or any of them, in whatever order they stand', async () => {
  const here = await workspace()
  await people(here)
  const three = [asks('attributes.seats', 'gte', 3), asks('voteCount', 'gte', 1), asks('role', 'eq', 'member')]
  expect(await asked(here, three)).toBe('b')
  expect(await asked(here, three.toReversed())).toBe('b')
  expect(await asked(here, three, 'any')).toBe('ab')
  expect(await asked(here, [...three, asks('firstName', 'is_not_set')].toReversed(), 'any')).toBe('abc')
})

test('thirty conditions of each kind, lists of a hundred among them, are within what the database takes', async () => {
  const here = await workspace()
  await people(here)
  const list = Array.from({ length: 100 }, (_, n) => `value ${n}`)
  const kinds = [
    asks('attributes.plan', 'not_in', list),
    asks('attributes.o"dd', 'not_in', list),
    asks('attributes.seats', 'ne', 7),
    asks('attributes.renews', 'within_days', 9),
    asks('lastActivityAt', 'ne', '2026-01-01'),
    asks('invitation.status', 'not_in', ['pending']),
  ]
  for (const kind of kinds) {
    for (const match of ['all', 'any']) {
      const found = await asked(
        here,
        Array.from({ length: 30 }, () => kind),
        match,
      )
      expect([kind.attribute, match, found]).toEqual([
        kind.attribute,
        match,
        kind.operator === 'within_days' ? '' : 'abco',
      ])
    }
  }
})

test('rules that mean nothing are refused, each with the member that is wrong and what to do', async () => {
  const { client, key } = await workspace()
  const one = asks('email', 'is_set')
  const cases: [unknown, string, RegExp][] = [
    [undefined, '/rules', /./],
    ['all', '/rules', /./],
    [{ match: 'all', conditions: [] }, '/rules/conditions', /at least one/],
    [{ match: 'all', conditions: Array.from({ length: 31 }, () => one) }, '/rules/conditions', /30/],
    [{ match: 'all', conditions: Array.from({ length: 1_000 }, () => one) }, '/rules/conditions', /30/],
    [{ match: 'some', conditions: [one] }, '/rules/match', /"all" or "any"/],
    [{ match: 'all', conditions: [{ operator: 'is_set' }] }, '/rules/conditions/0/attribute', /./],
    ...[
      [asks('phone', 'is_set'), 'attribute', /no such attribute/],
      [asks('attributes', 'is_set'), 'attribute', /no such attribute/],
      [asks('attributes.', 'is_set'), 'attribute', /empty/],
      [asks('attributes.__proto__', 'is_set'), 'attribute', /__proto__/],
      [asks('__proto__', 'is_set'), 'attribute', /no such attribute/],
      [asks('constructor', 'is_set'), 'attribute', /no such attribute/],
      [asks("email = '' OR 1=1", 'is_set'), 'attribute', /no such attribute/],
      [asks(`attributes.${'x'.repeat(101)}`, 'is_set'), 'attribute', /./],
      [asks('email', 'like', 'x'), 'operator', /./],
      [asks('email', 'gt', 'x'), 'operator', /Use one of/],
      [asks('voteCount', 'contains', '1'), 'operator', /Use one of/],
      [asks('email', 'eq'), 'value', /text/],
      [asks('email', 'eq', 7), 'value', /text/],
      [asks('email', 'eq', ['a']), 'value', /text/],
      [asks('email', 'in', 'a'), 'value', /array/],
      [asks('email', 'in', []), 'value', /./],
      [
        asks(
          'email',
          'in',
          Array.from({ length: 101 }, () => 'a'),
        ),
        'value',
        /100/,
      ],
      [asks('email', 'eq', 'x'.repeat(1_001)), 'value', /1000/],
      [asks('email', 'contains', ''), 'value', /not empty/],
      [asks('role', 'eq', 'king'), 'value', /one of owner/],
      [asks('role', 'in', ['owner', 'king']), 'value', /one of owner/],
      [asks('invitation.status', 'eq', 'lost'), 'value', /one of pending/],
      [asks('voteCount', 'eq', '7'), 'value', /number/],
      [asks('createdAt', 'gt', 7), 'value', /ISO 8601/],
      [asks('createdAt', 'gt', 'yesterday'), 'value', /ISO 8601/],
      [asks('createdAt', 'within_days', 0), 'value', /whole number/],
      [asks('createdAt', 'within_days', 1.5), 'value', /whole number/],
      [asks('attributes.seats', 'gt', 'many'), 'value', /number/],
      [asks('attributes.seats', 'eq', { a: 1 }), 'value', /./],
    ].map(([condition, member, message]): [unknown, string, RegExp] => [
      { match: 'all', conditions: [one, condition] },
      `/rules/conditions/1/${member}`,
      message as RegExp,
    ]),
  ]
  for (const [rules, path, message] of cases) {
    const answer = await client('POST', '/api/v2/segments/preview', { json: { rules }, apiKey: await key() })
    const issue = answer.body.error?.issues[0]
    expect([rules, answer.status, issue?.path]).toEqual([rules, 400, path])
    expect([rules, issue?.message]).toEqual([rules, expect.stringMatching(message)])
  }
  const both = [asks('phone', 'is_set'), asks('email', 'eq')]
  const answer = await client('POST', '/api/v2/segments/preview', {
    json: { rules: { match: 'all', conditions: both } },
  })
  expect(answer.body.error?.issues.map(({ path }) => path)).toEqual([
    '/rules/conditions/0/attribute',
    '/rules/conditions/1/value',
  ])

  const long = {
    match: 'all',
    conditions: Array.from({ length: 30 }, () =>
      asks(
        'email',
        'in',
        Array.from({ length: 100 }, () => 'x'.repeat(100)),
      ),
    ),
  }
  const heavy = await client('POST', '/api/v2/segments/preview', { json: { rules: long } })
  expect([heavy.status, heavy.body.error?.issues[0]?.path]).toEqual([400, '/rules'])
})

test('texts are compared without regard to the case of any letter', async () => {
  const here = await workspace()
  const stamps = { subscription_id: here.subscriptionId, role: 'idm_member', created_at: 1, updated_at: 1 }
  const add = (name: string, first_name: string, city: string) =>
    here.row('users', { ...stamps, email: `${name}@example.com`, first_name, attributes: JSON.stringify({ city }) })
  await add('a', 'ÉLODIE', 'МОСКВА')
  await add('b', 'élodie', 'ΟΔΟΣ')
  await add('c', 'Elodie', '')
  for (const [condition, found] of [
    [asks('firstName', 'eq', 'élodie'), 'ab'],
    [asks('firstName', 'in', ['Élodie', 'nobody']), 'ab'],
    [asks('firstName', 'ne', 'ÉlODIE'), 'co'],
    [asks('attributes.city', 'contains', 'оскв'), 'a'],
    [asks('attributes.city', 'starts_with', 'οδος'), 'b'],
    [asks('attributes.city', 'is_not_set'), 'co'],
  ] as const) {
    expect([condition, await asked(here, [condition])]).toEqual([condition, found])
  }
})

test('a preview reads the same rows for each member whatever the number of conditions, values and attributes', async () => {
  const list = Array.from({ length: 100 }, (_, n) => `value ${n}`)
  const attributes = JSON.stringify(
    Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`quo"te ${n}`, `v ${n}`])),
  )
  const rowsFor = async (members: number, conditions: Condition[]) => {
    const { client, subscriptionId } = await workspace()
    await env.DB.prepare(
      `INSERT INTO users (subscription_id, email, role, attributes, created_at, updated_at)
        SELECT ?1, 'm' || value || '@example.com', 'idm_member', ?2, value, value FROM json_each(?3)`,
    )
      .bind(subscriptionId, attributes, JSON.stringify(Array.from({ length: members }, (_, n) => n)))
      .run()
    const json = { rules: { match: 'any', conditions } }
    const answer = await client<Preview>('POST', '/api/v2/segments/preview', { json })
    expect([answer.status, answer.body.data.userCount]).toEqual([200, 0])
    return answer.cost.rowsRead
  }
  const perMember = async (conditions: Condition[]) =>
    ((await rowsFor(300, conditions)) - (await rowsFor(100, conditions))) / 200
  expect(await perMember([asks('attributes.quo"te 1', 'eq', 'x')])).toBe(PER_MEMBER)
  const thirty = Array.from({ length: 30 }, (_, n) => asks(`attributes.quo"te ${n}`, 'in', list))
  expect(await perMember(thirty)).toBe(PER_MEMBER)
})

test('rules that take too much work for each member are refused with what to simplify', async () => {
  const { client } = await workspace()
  const conditions = Array.from({ length: 30 }, () => asks('firstName', 'contains', 'x'.repeat(900)))
  const answer = await client('POST', '/api/v2/segments/preview', { json: { rules: { match: 'all', conditions } } })
  expect([answer.status, answer.body.error?.issues[0]]).toMatchObject([
    400,
    { path: '/rules', message: expect.stringMatching(/Use fewer conditions/) },
  ])
})

test('rules with the most letters to fold are evaluated at each door', async () => {
  const { client } = await workspace()
  const letters = Array.from({ length: 28 }, (_, n) => String.fromCharCode(0x561 + n)).join('')
  const cities = ['екатеринбург', 'новосибирск', 'великий устюг']
  const many = Array.from({ length: 14 }, (_, n) => asks('attributes.city', 'not_contains', cities[n % 3]))
  for (const [n, conditions] of [[asks('attributes.city', 'not_in', [letters])], many].entries()) {
    const rules = { match: 'all', conditions }
    const preview = await client<Preview>('POST', '/api/v2/segments/preview', { json: { rules } })
    expect([preview.status, preview.body.data.userCount]).toEqual([200, 1])
    const json = { name: `Letters ${n}`, type: 'dynamic', rules }
    const { body } = await client<{ id: number }>('POST', '/api/v2/segments', { json })
    const path = `/api/v2/segments/${body.data.id}`
    const mail = { subject: 'News', html: '<p>News</p>' }
    for (const [method, door, sent] of [
      ['GET', path],
      ['GET', `${path}?include=users`],
      ['GET', `${path}/users?sort=-createdAt&limit=1`],
      ['GET', `${path}/users?q=a&limit=1`],
      ['GET', '/api/v2/segments/users'],
      ['PUT', path, { rules: { ...rules, match: 'any' } }],
      ['POST', `${path}/email`, mail],
    ] as [string, string, object?][]) {
      const { status } = await client(method, door, { json: sent })
      expect([door, status < 300 || (door.includes('q=') && status === 400)]).toEqual([door, true])
    }
  }
  const further = { match: 'all', conditions: [asks('attributes.city', 'in', [`${letters}\u0567\u0451`])] }
  const refused = await client('POST', '/api/v2/segments/preview', { json: { rules: further } })
  expect([refused.status, refused.body.error?.issues[0]?.message]).toEqual([400, expect.stringMatching(/28 different/)])
})

test('long texts to find cost steps, and a preview stores no reply', async () => {
  const { client, subscriptionId } = await workspace()
  const json = { rules: { match: 'all', conditions: [asks('attributes.x', 'not_contains', `${'漢'.repeat(98)}字`)] } }
  const headers = { 'idempotency-key': 'preview' }
  const first = await client<Preview>('POST', '/api/v2/segments/preview', { json, headers })
  const second = await client<Preview>('POST', '/api/v2/segments/preview', { json, headers })
  expect([first.status, second.headers.get('idempotent-replayed'), second.body.data]).toEqual([
    200,
    null,
    first.body.data,
  ])
  const stored = await env.DB.prepare('SELECT count(*) AS n FROM idempotency_keys WHERE subscription_id = ?1')
    .bind(subscriptionId)
    .first()
  expect(stored).toEqual({ n: 0 })
  expect(stepsOf(json.rules.conditions)).toBe(10)
})
