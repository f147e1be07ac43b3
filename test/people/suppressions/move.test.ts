import { expect, test } from 'vitest'
import { send } from '../../client'
import { createWorkspace, type Workspace } from '../../factories'
import { importFile, type Run, sendImport } from '../../workspace/imports/scenario'

const SUPPRESSIONS = '/api/v2/suppressions'

interface Suppression {
  id: number
  email: string
  segmentId: number | null
  reason: string
  createdAt: string
}

async function download({ key }: Workspace, path: string) {
  const { response } = await send('GET', path, { apiKey: await key() })
  return new TextDecoder().decode(await response.arrayBuffer())
}

async function createSegment({ client }: Workspace, name: string): Promise<number> {
  return (await client<{ id: number }>('POST', '/api/v2/segments', { json: { name } })).body.data.id
}

const listSuppressions = async ({ client }: Workspace) =>
  (await client<Suppression[]>('GET', `${SUPPRESSIONS}?limit=100&sort=createdAt`)).body.data

async function segmentIds({ client }: Workspace): Promise<Record<string, number>> {
  const { data } = (await client<{ id: number; name: string }[]>('GET', '/api/v2/segments')).body
  return Object.fromEntries(data.map(({ id, name }) => [name, id]))
}

/** Mails both segments, and returns the addresses that get each mail. */
async function mailSegments({ client, ...space }: Workspace) {
  const ids = await segmentIds({ client, ...space } as Workspace)
  const mail = { subject: 'News', html: '<p>News</p>' }
  const recipients: Record<string, string[]> = {}
  for (const name of ['Everybody', 'Beta']) {
    const sent = await client<{ email: string }[]>('POST', `/api/v2/segments/${ids[name]}/email`, { json: mail })
    expect(sent.status).toBe(200)
    recipients[name] = sent.body.data.map(({ email }) => email).sort()
  }
  return recipients
}

/** Six people in two segments; three get no mail at all, one none of Beta. */
async function createList() {
  const here = await createWorkspace()
  const [all, beta] = [await createSegment(here, 'Everybody'), await createSegment(here, 'Beta')]
  const people = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({
    email: `${name}@example.com`,
    segmentIds: [all, beta],
  }))
  await here.client('POST', '/api/v2/idea-manager/members/bulk-create?invite=false', { json: people })
  const csv =
    'email,reason\na@example.com,unsubscribe\nb@example.com,Hard Bounce\nc@example.com,spam complaint\nnobody@example.com,\n'
  const run = await importFile(here, 'suppressions', new File([csv], 'stops.csv'))
  expect([run.totals, run.warnings]).toMatchObject([{ created: 4, rejected: 0 }, []])
  await here.client('POST', SUPPRESSIONS, { json: { email: 'd@example.com', segmentId: beta } })
  return here
}

const RECIPIENTS = {
  Everybody: ['d@example.com', 'e@example.com', 'f@example.com'],
  Beta: ['e@example.com', 'f@example.com'],
}

test.each(['csv', 'json', 'ndjson'])('people who move as %s carry their suppressions along', async (format) => {
  const [here, there] = [await createList(), await createWorkspace()]
  expect(await mailSegments(here)).toEqual(RECIPIENTS)
  const file = new File([await download(here, `/api/v2/idea-manager/members/export?format=${format}`)], `m.${format}`)
  const dry = await importFile(there, 'people', file, 'dryRun=true')
  const run = await importFile(there, 'people', file)
  expect([dry.totals.suppressed, run.totals.suppressed]).toEqual([4, 4])
  expect(await mailSegments(there)).toEqual(RECIPIENTS)
  expect((await listSuppressions(there)).map(({ email, reason }) => [email, reason])).toEqual([
    ['a@example.com', 'unsubscribe'],
    ['b@example.com', 'hard_bounce'],
    ['c@example.com', 'complaint'],
    ['d@example.com', 'manual'],
  ])
})

test.each(['csv', 'json', 'ndjson'])('a stop list moves as %s, with reasons, segments and times', async (format) => {
  const [here, there] = [await createList(), await createWorkspace()]
  const text = await download(here, `${SUPPRESSIONS}/export?format=${format}`)
  if (format === 'csv') expect(text.split(/\r?\n/)[0]).toBe('id,email,segmentId,reason,createdAt,segment')
  // People who arrive without a word about mail.
  const people = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@example.com,"[""Everybody"",""Beta""]"`)
  await importFile(
    there,
    'people',
    new File([`email,segmentNames\n${people.join('\n')}\n`], 'p.csv'),
    'createMissing=segments',
  )
  const file = new File([text], `stops.${format}`)
  expect((await importFile(there, 'suppressions', file, 'dryRun=true')).totals.created).toBe(5)
  const run = await importFile(there, 'suppressions', file)
  expect([run.totals, run.warnings]).toMatchObject([{ created: 5, skipped: 0, rejected: 0 }, []])
  const ids = await segmentIds(there)
  const own = await segmentIds(here)
  const withoutIds =
    (segments: Record<string, number>) =>
    ({ id: _, segmentId, ...rest }: Suppression) => ({
      ...rest,
      isOfBeta: segmentId !== null && segmentId === segments.Beta,
    })
  expect((await listSuppressions(there)).map(withoutIds(ids))).toEqual(
    (await listSuppressions(here)).map(withoutIds(own)),
  )
  expect(await mailSegments(there)).toEqual(RECIPIENTS)
  const again = await importFile(there, 'suppressions', file, 'onConflict=update')
  expect(again.totals).toMatchObject({ created: 0, updated: 0, skipped: 5 })
  const events = await there.client<object[]>('GET', '/api/v2/events?type=suppression.created')
  expect(events.body.data).toHaveLength(5)
  const undone = await there.client<Run>('POST', `/api/v2/imports/${again.id}/undo`)
  expect([undone.body.data.status, (await listSuppressions(there)).length]).toEqual(['undone', 5])
})

test('an undo ends the suppressions of the run, except where somebody stopped the mail again', async () => {
  const here = await createWorkspace()
  await here.client('POST', SUPPRESSIONS, { json: { email: 'before@example.com' } })
  const rows = ['before', 'one', 'two', 'three', 'four'].map((name) => `${name}@example.com`)
  const run = await importFile(here, 'suppressions', new File([`email\n${rows.join('\n')}\n`], 'unsubscribed.csv'))
  expect(run.totals).toMatchObject({ created: 4, skipped: 1 })
  await here.client('POST', SUPPRESSIONS, { json: { email: 'one@example.com' } })
  await importFile(here, 'suppressions', new File(['email\ntwo@example.com\n'], 'x.csv'))
  await importFile(here, 'people', new File(['email,suppressed\nthree@example.com,yes\n'], 'y.csv'))
  const undone = await here.client<Run>('POST', `/api/v2/imports/${run.id}/undo`)
  expect(undone.body.data).toMatchObject({ status: 'undone', totals: { kept: 3 } })
  expect(undone.body.data.kept.map(({ row }) => row)).toEqual([2, 3, 4])
  expect((await listSuppressions(here)).map(({ email }) => email).sort()).toEqual([
    ...['before@example.com', 'one@example.com', 'three@example.com', 'two@example.com'],
  ])
  const events = await here.client<object[]>('GET', '/api/v2/events?type=suppression.deleted')
  expect(events.body.data).toHaveLength(1)
})

test('lists of other products are read, and a row that allows mail is rejected', async () => {
  const here = await createWorkspace()
  const send = (csv: string, name: string) => importFile(here, 'suppressions', new File([csv], name))
  await send('recipient,created\nsg@example.com,2024-01-02\n', 'bounces.csv')
  await send(
    '"Email Address",MEMBER_RATING,CLEAN_TIME,LEID,EUID\nmc@example.com,2,"2021-05-06 07:08:09",1,e1\n',
    'c.csv',
  )
  const mixed =
    'Email,Record ID,Unsubscribed from all email\nyes@example.com,1,true\nno@example.com,2,false\nempty@example.com,3,\n'
  const run = await send(mixed, 'contacts.csv')
  expect(run).toMatchObject({ status: 'partial', totals: { created: 1, rejected: 2 } })
  expect(run.rejected.map(({ row, field }) => [row, field])).toEqual([
    [2, 'Unsubscribed from all email'],
    [3, 'Unsubscribed from all email'],
  ])
  const odd = await send('email,reason,segment\nodd@example.com,bored,Nowhere\n', 'odd.csv')
  expect(odd.warnings).toMatchObject([
    { field: 'suppressed', value: 'Nowhere', became: 'all mail' },
    { field: 'suppressed', value: 'bored', became: 'manual' },
  ])
  const found = (await listSuppressions(here)).map(({ email, reason, segmentId }) => [email, reason, segmentId])
  expect(found.sort()).toEqual([
    ['mc@example.com', 'hard_bounce', null],
    ['odd@example.com', 'manual', null],
    ['sg@example.com', 'hard_bounce', null],
    ['yes@example.com', 'unsubscribe', null],
  ])
})

test('a key without the scopes of mail neither reads nor writes suppressions of a list', async () => {
  const here = await createList()
  const apiKey = await here.key({ scopes: ['segments:read', 'segments:write'] })
  const { response } = await send('GET', '/api/v2/idea-manager/members/export?format=json', { apiKey })
  const members = (await response.json()) as { email: string; suppressed: object[] }[]
  expect(members.flatMap(({ suppressed }) => suppressed)).toEqual([])
  expect((await send('GET', `${SUPPRESSIONS}/export`, { apiKey })).response.status).toBe(403)
  const file = new File(['email\nx@example.com\n'], 'x.csv')
  const limited = {
    ...here,
    client: ((...[method, path, options]: Parameters<typeof here.client>) =>
      here.client(method, path, { ...options, apiKey })) as typeof here.client,
  }
  expect((await sendImport(limited, 'suppressions', file)).status).toBe(403)
})
