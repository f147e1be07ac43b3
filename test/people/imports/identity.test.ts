import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { send } from '../../client'
import { createImportScenario } from '../../workspace/imports/scenario'

interface Member {
  id: number
  email: string
  source: string | null
  externalId: string | null
  attributes: object
  createdAt: string
}

const HUBSPOT =
  'Record ID,First Name,Last Name,Email,Source\n901,Ada,Lovelace,ada@example.com,Web\n902,Bob,Byte,bob@example.com,\n'
const UPDATE = { query: '?onConflict=update' }

async function createImport() {
  const here = await createImportScenario()
  const members = async () =>
    (await here.client<Member[]>('GET', '/api/v2/idea-manager/members?sort=createdAt&limit=100')).body.data.filter(
      ({ email }) => email !== 'owner@example.com',
    )
  const identities = async () =>
    (await members()).map(({ email, source, externalId }) => [email, source, externalId].join(' ')).toSorted()
  return { ...here, members, identities }
}

test('the same file of HubSpot again changes nothing, and a member keeps the id with another address', async () => {
  const here = await createImport()
  expect((await here.run(HUBSPOT)).body.data).toMatchObject({ mapping: { preset: 'hubspot' }, totals: { created: 2 } })
  expect(await here.identities()).toEqual(['ada@example.com hubspot 901', 'bob@example.com hubspot 902'])
  const [ada] = (await here.members()).filter(({ email }) => email === 'ada@example.com')
  expect(ada?.attributes).toEqual({ source: 'Web' })
  const before = await here.members()
  for (const options of [{}, UPDATE]) {
    const again = await here.run(HUBSPOT, options)
    expect(again.body.data.totals).toMatchObject({ created: 0, updated: 0, skipped: 2, rejected: 0 })
  }
  expect(await here.members()).toEqual(before)
  for (const reason of ['manual', 'hard_bounce'])
    await env.DB.prepare(
      'INSERT INTO suppressions (subscription_id, email, segment_id, reason, created_at) VALUES (?, ?, ?, ?, 1)',
    )
      .bind(here.subscriptionId, 'ada@example.com', reason === 'manual' ? 0 : 7, reason)
      .run()
  const moved = HUBSPOT.replace('ada@example.com', 'augusta@example.com')
  expect((await here.run(moved)).body.data.totals).toMatchObject({ created: 0, updated: 0 })
  const run = await here.run(moved, UPDATE)
  expect(run.body.data.totals).toMatchObject({ created: 0, updated: 1, rejected: 0 })
  expect(await here.identities()).toEqual(['augusta@example.com hubspot 901', 'bob@example.com hubspot 902'])
  expect((await here.members()).find(({ email }) => email === 'augusta@example.com')?.id).toBe(ada?.id)
  const { body } = await here.client<{ email: string; reason: string }[]>('GET', '/api/v2/suppressions')
  expect(body.data.filter(({ email }) => email.startsWith('augusta')).map(({ reason }) => reason)).toEqual(['manual'])
  const events = await here.client<{ type: string }[]>('GET', '/api/v2/events?limit=100&type=suppression.created')
  expect(events.body.data.length).toBe(1)
  await here.client('POST', `/api/v2/imports/${run.body.data.id}/undo`)
  expect(await here.identities()).toEqual(['ada@example.com hubspot 901', 'bob@example.com hubspot 902'])
})

const MAILCHIMP = `"Email Address","First Name","Last Name",MEMBER_RATING,OPTIN_TIME,LAST_CHANGED,LEID,EUID,NOTES
ada@example.com,Ada,Lovelace,2,,"2026-01-01 14:00:32",55331253,89501affba,
bob@example.com,Bob,Byte,2,,"2026-01-01 14:00:32",55331257,c9b2705335,
`
const INTERCOM = `Name,Email,User ID,First seen (UTC),Signed up (UTC),Last seen (UTC),ID
Ada Lovelace,ada@example.com,u-1,2026-01-01 14:00,2026-01-01 14:00,2026-01-02 14:00,6553
Bob Byte,bob@example.com,,2026-01-01 14:00,2026-01-01 14:00,2026-01-02 14:00,6554
`
const INTERCOM_WITHOUT_ID = INTERCOM.replaceAll(/,[^,]*$/gm, '').replace('bob@example.com,,', 'bob@example.com,u-2,')

test.each([
  ['mailchimp', MAILCHIMP, ['55331253', '55331257']],
  ['intercom', INTERCOM, ['6553', '6554']],
  ['intercom', INTERCOM_WITHOUT_ID, ['u-1', 'u-2']],
])('the same file of %s again changes nothing, and a new address keeps the member', async (preset, file, ids) => {
  const here = await createImport()
  const first = await here.run(file)
  expect(first.body.data).toMatchObject({ mapping: { preset }, totals: { created: 2, rejected: 0 }, warnings: [] })
  expect(await here.identities()).toEqual([
    `ada@example.com ${preset} ${ids[0]}`,
    `bob@example.com ${preset} ${ids[1]}`,
  ])
  const before = await here.members()
  for (const options of [{}, UPDATE]) {
    const again = await here.run(file, options)
    expect(again.body.data.totals).toMatchObject({ created: 0, updated: 0, skipped: 2, rejected: 0 })
  }
  expect(await here.members()).toEqual(before)
  const moved = await here.run(file.replace('ada@example.com', 'augusta@example.com'), UPDATE)
  expect(moved.body.data.totals).toMatchObject({ created: 0, updated: 1, rejected: 0 })
  expect((await here.members()).map(({ id, email }) => [id, email]).toSorted()).toEqual(
    before.map(({ id, email }) => [id, email.replace('ada@', 'augusta@')]).toSorted(),
  )
})

test('an address of another member is rejected, and a known member without an id gets the id', async () => {
  const here = await createImport()
  await here.run(
    JSON.stringify([{ email: 'ada@example.com' }, { email: 'eve@example.com', source: 'crm', externalId: '1' }]),
    {
      name: 'a.json',
    },
  )
  const rows = [
    { email: 'ada@example.com', source: 'crm', externalId: '1' },
    { email: 'kim@example.com', externalId: '2' },
    { email: 'lee@example.com', source: 'web' },
    { email: 'lee2@example.com', externalId: '2' },
  ]
  const taken = await here.run(JSON.stringify(rows), { name: 'a.json', ...UPDATE })
  expect(taken.body.data).toMatchObject({ totals: { created: 2, updated: 0, skipped: 1, rejected: 1 } })
  expect(taken.body.data.rejected[0]).toMatchObject({ row: 1, field: 'email' })
  const free = [{ email: 'ada@example.com', source: 'CRM', externalId: '3' }]
  const given = await here.run(JSON.stringify(free), { name: 'a.json', ...UPDATE })
  expect(given.body.data.totals).toMatchObject({ updated: 1 })
  const other = [{ email: 'ada@example.com', source: 'crm', externalId: '4' }]
  const kept = await here.run(JSON.stringify(other), { name: 'a.json', ...UPDATE })
  expect(kept.body.data.totals).toMatchObject({ updated: 0, skipped: 1 })
  expect(await here.identities()).toEqual([
    'ada@example.com crm 3',
    'eve@example.com crm 1',
    'kim@example.com import 2',
    'lee@example.com  ',
  ])
  await here.client('POST', `/api/v2/imports/${given.body.data.id}/undo`)
  expect((await here.identities())[0]).toBe('ada@example.com  ')
})

test.each(['csv', 'json', 'ndjson'])(
  'ids and times of an export as %s are the same in another workspace',
  async (format) => {
    const [here, there] = [await createImport(), await createImport()]
    await here.run(HUBSPOT)
    await env.DB.prepare('UPDATE users SET created_at = 1700000000000 WHERE subscription_id = ? AND email LIKE ?')
      .bind(here.subscriptionId, 'ada%')
      .run()
    const path = `/api/v2/idea-manager/members/export?format=${format}`
    const file = await (await send('GET', path, { apiKey: await here.key() })).response.text()
    const run = await there.run(file, { name: `members.${format}` })
    expect(run.body.data).toMatchObject({ mapping: { preset: 'groundwork' }, totals: { created: 2, rejected: 0 } })
    expect(await there.identities()).toEqual(await here.identities())
    const times = async ({ members }: typeof here) =>
      (await members()).map(({ email, createdAt }) => [email, createdAt]).toSorted()
    expect((await times(there))[0]).toEqual(['ada@example.com', '2023-11-14T22:13:20.000Z'])
    expect((await times(there)).map(([, at]) => at)).toEqual((await times(here)).map(([, at]) => at))
  },
)
