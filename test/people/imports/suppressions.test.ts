import { expect, test } from 'vitest'
import { peoplePresets } from '../../../src/people/imports/presets'
import { SUPPRESSING_COLUMNS } from '../../../src/people/imports/suppressing-columns'
import { createImportScenario, MEMBERS, QUEUE, type Run } from '../../workspace/imports/scenario'

type Scenario = Awaited<ReturnType<typeof createImportScenario>>

interface Suppression {
  id: number
  email: string
  segmentId: number | null
  reason: string
}

/** The reason of each suppressed address, or `reason in the segment`. */
async function suppressionsOf({ client }: Scenario): Promise<Record<string, string>> {
  const { data } = (await client<Suppression[]>('GET', '/api/v2/suppressions?limit=100')).body
  return Object.fromEntries(
    data.map(({ email, reason, segmentId }) => [email, segmentId === null ? reason : `${reason} of ${segmentId}`]),
  )
}

const HEADERS: Record<string, [columns: string[], cells: string[]]> = {
  mailchimp: [
    ['Email Address', 'MEMBER_RATING', 'LEID', 'EUID'],
    ['2', '', 'e'],
  ],
  hubspot: [
    ['Email', 'Record ID', 'First Name'],
    ['', 'A'],
  ],
  intercom: [
    ['Email', 'Signed up', 'Last seen'],
    ['2026-01-01', '2026-01-01'],
  ],
  groundwork: [
    ['email', 'firstName', 'lastName', 'role', 'createdAt', 'updatedAt'],
    ['A', 'B', 'idm_member', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
  ],
}

const [UNSUBSCRIBE, BOUNCE, COMPLAINT] = ['unsubscribe', 'hard_bounce', 'complaint']
const TIME = '2021-05-06 07:08:09'

/** Column, value, and the reason of the suppression; undefined for a value that stops no mail. */
const CASES: Record<string, [column: string, value: string, reason: string | undefined][]> = {
  mailchimp: [
    ['UNSUB_TIME', TIME, UNSUBSCRIBE],
    ['UNSUB_CAMPAIGN_TITLE', 'May news', UNSUBSCRIBE],
    ['UNSUB_CAMPAIGN_ID', 'abc123', UNSUBSCRIBE],
    ['UNSUB_REASON_OTHER', 'moved', UNSUBSCRIBE],
    ['UNSUB_REASON', 'no longer interested', UNSUBSCRIBE],
    ['UNSUB_REASON', 'The emails are spam and should be reported', COMPLAINT],
    ['CLEAN_TIME', TIME, BOUNCE],
    ['CLEAN_CAMPAIGN_TITLE', 'June', BOUNCE],
    ['CLEAN_CAMPAIGN_ID', 'def', BOUNCE],
    ['UNSUB_TIME', '', undefined],
    ['Email Marketing Status', 'Unsubscribed', UNSUBSCRIBE],
    ['Status', 'Cleaned', BOUNCE],
    ['Status', 'Subscribed', undefined],
    ['Status', 'Archived', 'manual'],
    ['Subscription status', 'Non-subscribed', 'manual'],
    ['Marketing status', 'Unsubscribed', UNSUBSCRIBE],
  ],
  hubspot: [
    ['Unsubscribed from all email', 'true', UNSUBSCRIBE],
    ['Unsubscribed from all email', 'Yes', UNSUBSCRIBE],
    ['Unsubscribed from all email', 'false', undefined],
    ['Unsubscribed from all email', 'No', undefined],
    ['hs_email_optout', 'true', UNSUBSCRIBE],
    ['hs_email_optout_123456', 'true', UNSUBSCRIBE],
    ['Opted out of email: One to One', 'Yes', UNSUBSCRIBE],
    ['Opted out of email', 'true', UNSUBSCRIBE],
    ['Email hard bounce reason', 'MAILBOX_FULL at 2024-01-02', BOUNCE],
    ['Email hard bounce reason enum', 'UNKNOWN_USER', BOUNCE],
    ['hs_email_hard_bounce_reason_enum', 'SPAM', BOUNCE],
    ['Email hard bounced', 'true', BOUNCE],
    ['Email Address Quarantined', 'true', BOUNCE],
    ['Email address quarantine reason', 'Suspension remediation', BOUNCE],
    ['Invalid email address', 'true', BOUNCE],
    ['hs_email_bad_address', 'true', BOUNCE],
    ['hs_email_quarantined', 'false', undefined],
    ['Marked email as spam', 'true', COMPLAINT],
    ['Reported as spam', 'yes', COMPLAINT],
    ['Is globally ineligible', 'true', 'manual'],
    ['hs_email_is_ineligible', 'true', 'manual'],
    ['Do not contact', 'true', 'manual'],
    ['Marketing contact status', 'Non-marketing contact', 'manual'],
    ['Marketing contact status', 'Marketing contact', undefined],
    ['hs_marketable_status', 'false', 'manual'],
    ['hs_marketable_status', 'true', undefined],
    ['Email status', 'bounced', BOUNCE],
    ['Lead Status', 'Do not contact', 'manual'],
    ['Lead Status', 'Unsubscribed', UNSUBSCRIBE],
    ['Lead Status', 'Rejected', undefined],
  ],
  intercom: [
    ['Unsubscribed from Emails', 'true', UNSUBSCRIBE],
    ['Unsubscribed from Emails', 'false', undefined],
    ['unsubscribed_from_emails', 'true', UNSUBSCRIBE],
    ['Unsubscribed from all email', 'true', UNSUBSCRIBE],
    ['Has unsubscribed', 'true', UNSUBSCRIBE],
    ['Marked email as spam', 'true', COMPLAINT],
    ['Has hard bounced', 'true', BOUNCE],
    ['Hard bounced', 'true', BOUNCE],
    ['Email status', 'complained', COMPLAINT],
  ],
  groundwork: [
    ['suppressed', '[{"reason":"complaint","segment":null}]', COMPLAINT],
    ['suppressed', 'hard_bounce', BOUNCE],
    ['suppressed', 'yes', 'manual'],
    ['suppressed', 'no', undefined],
    ['suppressed', 'null', undefined],
    ['suppressed', '[]', undefined],
    ['suppressed', '', undefined],
  ],
}

test.each(peoplePresets.map(({ name }) => name))(
  'each fact of a file of %s becomes a suppression with its reason',
  async (name) => {
    const cases = CASES[name] ?? []
    const [columns, cells] = HEADERS[name] as (typeof HEADERS)[string]
    const covered = new Set(cases.map(([column]) => column.toLowerCase()))
    for (const [column] of SUPPRESSING_COLUMNS[name] ?? [])
      expect([column, [...covered].some((one) => one.startsWith(column.replace('*', '').toLowerCase()))]).toEqual([
        column,
        true,
      ])
    const { run, client, ...space } = await createImportScenario()
    for (const [index, [column, value, reason]] of cases.entries()) {
      const email = `${name}${index}@example.com`
      const line = [email, ...cells, value].map((cell) => `"${cell.replaceAll('"', '""')}"`)
      const file = `${[...columns, column].join()}\n${line.join()}\n`
      const count = reason === undefined ? 0 : 1
      const dry = await run(file, { query: '?dryRun=true' })
      expect([column, dry.body.data.mapping, dry.body.data.totals]).toMatchObject([
        column,
        { preset: name },
        { suppressed: count },
      ])
      const made = await run(file)
      expect([column, value, made.body.data.totals]).toMatchObject([column, value, { created: 1, suppressed: count }])
      const warned = made.body.data.warnings.filter(({ field, became }) => field === 'suppression' && became === null)
      expect([column, value, warned]).toEqual([column, value, []])
      expect([column, value, (await suppressionsOf({ run, client, ...space }))[email]]).toEqual([column, value, reason])
      const again = await run(file)
      expect(again.body.data.totals).toMatchObject({ created: 0, suppressed: 0 })
    }
  },
)

const UNSUBSCRIBED_FILE =
  '"Email Address","First Name","Last Name",MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME,UNSUB_TIME,UNSUB_REASON,LEID,EUID,NOTES\n' +
  `unsub1@example.com,Una,Sub,2,"2020-01-02 10:00:00","2020-01-02 10:00:00","${TIME}","no longer interested",1,e1,\n`

test('the three files of Mailchimp are imported, and only subscribed people are mailed, also after the undo', async () => {
  const space = await createImportScenario()
  const { run, client } = space
  const segment = await space.segment()
  const path = `/api/v2/segments/${segment}/import-users`
  const subscribed = '"Email Address",MEMBER_RATING,OPTIN_TIME,LEID,EUID\nsub@example.com,2,2020-01-02,2,e2\n'
  // The name of the file says what a file without its columns lacks.
  const cleaned = '"Email Address",MEMBER_RATING,LEID,EUID\ncleaned@example.com,2,3,e3\n'
  await run(subscribed, { path, name: 'subscribed_members_export_1a.csv' })
  const unsubscribed = await run(UNSUBSCRIBED_FILE, { path, name: 'unsubscribed_members_export_1a.csv' })
  expect(unsubscribed.body.message).toContain('1 suppressed')
  expect(unsubscribed.body.data.warnings[0]).toMatchObject({ field: 'suppression', became: 'unsubscribe', rows: 1 })
  const last = await run(cleaned, { path, name: 'cleaned_members_export_1a.csv' })
  expect(last.body.data.totals).toMatchObject({ created: 1, suppressed: 1 })
  const preview = await client<{ recipients: number; skipped: object; refusedElsewhere: { people: number } }>(
    'POST',
    `/api/v2/segments/${segment}/email/preview`,
    { json: {} },
  )
  expect(preview.body.data).toMatchObject({
    recipients: 1,
    skipped: { unsubscribe: 1, hard_bounce: 1 },
    refusedElsewhere: { people: 0 },
  })
  const events = await client<{ type: string }[]>('GET', '/api/v2/events?type=suppression.created')
  expect(events.body.data.length).toBe(2)
  for (const { body } of [unsubscribed, last]) {
    const undone = await client<{ status: string; totals: object }>('POST', `/api/v2/imports/${body.data.id}/undo`)
    expect(undone.body.data).toMatchObject({ status: 'undone', totals: { suppressed: 1 } })
  }
  expect(await suppressionsOf(space)).toEqual({ 'unsub1@example.com': UNSUBSCRIBE, 'cleaned@example.com': BOUNCE })
})

test('the name of a file of Mailchimp decides like a status', async () => {
  const space = await createImportScenario()
  const names = {
    'nonsubscribed_members_export_1a.csv': 'manual',
    'nonsubscribed_email_audience_export_1a.csv': 'manual',
    'non-subscribed_members_export_1a.csv': 'manual',
    'archived_members_export_1a.csv': 'manual',
    'archived_email_audience_export_1a.csv': 'manual',
    'unsubscribed_email_audience_export_1a.csv': UNSUBSCRIBE,
    'cleaned_email_audience_export_1a.csv': BOUNCE,
    'subscribed_email_audience_export_1a.csv': undefined,
  }
  for (const [n, [name, reason]] of Object.entries(names).entries()) {
    const email = `p${n}@example.com`
    const { body } = await space.run(`"Email Address",MEMBER_RATING,LEID,EUID\n${email},2,${n},e${n}\n`, { name })
    expect([name, body.data.totals.suppressed]).toEqual([name, reason === undefined ? 0 : 1])
    expect([name, (await suppressionsOf(space))[email]]).toEqual([name, reason])
  }
  const other = await space.run('email\nelse@example.com\n', { name: 'archived_people.csv' })
  expect(other.body.data).toMatchObject({ totals: { suppressed: 0 }, warnings: [] })
})

test('a list of suppressions takes the reason of its file for answers of servers, and reads Unix time', async () => {
  const space = await createImportScenario()
  const list = (name: string, text: string, mapping?: object) => {
    const raw = new FormData()
    raw.set('file', new File([text], name))
    if (mapping) raw.set('mapping', JSON.stringify(mapping))
    return space.client<Run>('POST', '/api/v2/suppressions/import', { raw, env: { QUEUE } })
  }
  const bounces = `status,reason,email,created
5.1.1,"550 5.1.1 The email account that you tried to reach does not exist, see our page about spam",a@example.com,1443651125
5.7.1,554 spam,b@example.com,1443651125000
4.0.0,,c@example.com,
,complaint,d@example.com,
`
  const [first, second, third] = [
    await list('suppression_bounces.csv', bounces),
    await list('suppression_unsubscribes.csv', 'email,created\ne@example.com,1443651154\n'),
    await list('suppression_spam_reports.csv', 'email,ip,created\nf@example.com,10.0.0.1,1443651154\n'),
  ]
  expect([first, second, third].map(({ body }) => [body.data.totals.created, body.data.warnings])).toEqual([
    [4, []],
    [1, []],
    [1, []],
  ])
  const mapped = 'email,UNSUB_TIME\ng@example.com,2021-05-06 07:08:09\n'
  await list('list.csv', mapped, { UNSUB_TIME: 'reason' })
  expect(await suppressionsOf(space)).toEqual({
    ...{ 'a@example.com': BOUNCE, 'b@example.com': BOUNCE, 'c@example.com': BOUNCE, 'd@example.com': COMPLAINT },
    ...{ 'e@example.com': UNSUBSCRIBE, 'f@example.com': COMPLAINT, 'g@example.com': UNSUBSCRIBE },
  })
  const stored = await space.client<(Suppression & { createdAt: string })[]>('GET', '/api/v2/suppressions?limit=100')
  const times = Object.fromEntries(stored.body.data.map(({ email, createdAt }) => [email, createdAt]))
  expect(times).toMatchObject({
    'a@example.com': '2015-09-30T22:12:05.000Z',
    'b@example.com': '2015-09-30T22:12:05.000Z',
    'e@example.com': '2015-09-30T22:12:34.000Z',
  })
})

/** Column of a mapping to `suppressed`, value, and the reason. */
const MAPPED: [column: string, value: string, reason: string | undefined][] = [
  ['UNSUB_TIME', TIME, UNSUBSCRIBE],
  ['UNSUB_TIME', '', undefined],
  ['UNSUB_REASON', 'no longer interested', UNSUBSCRIBE],
  ['UNSUB_REASON', 'It is spam', COMPLAINT],
  ['CLEAN_TIME', TIME, BOUNCE],
  ['Marked email as spam', 'yes', COMPLAINT],
  ['Unzustellbar', 'ja', BOUNCE],
  ['Abgemeldet', 'ja', UNSUBSCRIBE],
  ['Abgemeldet', 'nein', undefined],
  ['Abgemeldet', 'hard_bounce', BOUNCE],
  ['Keine E-Mails', 'ja', 'manual'],
  ['Flag', 'yes', 'manual'],
]

test('a mapped column takes the reason that its name says, unless the value or the mapping names one', async () => {
  const space = await createImportScenario()
  for (const [n, [column, value, reason]] of MAPPED.entries()) {
    const email = `p${n}@example.com`
    const { body } = await space.run(`email,${column}\n${email},${value}\n`, { mapping: { [column]: 'suppressed' } })
    expect([column, value, body.data.warnings]).toEqual([column, value, []])
    expect([column, value, (await suppressionsOf(space))[email]]).toEqual([column, value, reason])
  }
  const values = { field: 'suppressed', values: { 0: 'unsubscribe', 1: 'no' } }
  await space.run('email,Bounced\nno@example.com,1\nyes@example.com,0\n', { mapping: { Bounced: values } })
  expect(await suppressionsOf(space)).toMatchObject({ 'yes@example.com': UNSUBSCRIBE })
  expect(await suppressionsOf(space)).not.toHaveProperty('no@example.com')
})

test('repeated rows, known people and former addresses are stopped, and no import ends a suppression', async () => {
  const space = await createImportScenario()
  const { run, client } = space
  const header = 'Email,Record ID,First Name,Unsubscribed from all email'
  await run(`${header}\nold@example.com,77,Ada,false\n`)
  await client('POST', '/api/v2/suppressions', { json: { email: 'kept@example.com' } })
  const rows = [
    ...['two@example.com,1,Two,false', 'two@example.com,2,Two,true', 'kept@example.com,3,Kept,false'],
    ...['new@example.com,77,Ada,true', 'not an address,4,X,true'],
  ]
  const file = `${header}\n${rows.join('\n')}\n`
  expect((await run(file, { query: '?dryRun=true' })).body.data.totals).toMatchObject({ suppressed: 3 })
  const made = await run(file)
  expect(made.body.data.totals).toMatchObject({ created: 2, skipped: 2, rejected: 1, suppressed: 3 })
  const stopped = {
    ...{ 'two@example.com': UNSUBSCRIBE, 'old@example.com': UNSUBSCRIBE, 'new@example.com': UNSUBSCRIBE },
    'kept@example.com': 'manual',
  }
  expect(await suppressionsOf(space)).toEqual(stopped)
  const free = await run(`${header}\nkept@example.com,3,Kept,false\ntwo@example.com,1,Two,false\n`, {
    query: '?onConflict=update',
  })
  expect([free.status, await suppressionsOf(space)]).toEqual([201, stopped])
})

test('an unknown column is a warning, the run says that mail reaches the people, and a mapping stops it', async () => {
  const space = await createImportScenario()
  const { run } = space
  const file = 'email,Abgemeldet\na@example.com,ja\nb@example.com,nein\n'
  for (const query of ['?dryRun=true', '']) {
    const { body } = await run(file, { query })
    expect(body.message).toContain('Mail reaches people whose row says that they get no mail')
    expect(body.data).toMatchObject({
      totals: { suppressed: 0 },
      warnings: [
        { field: 'suppression', column: 'Abgemeldet', value: 'ja', became: null, rows: 1 },
        { field: 'consent' },
      ],
    })
  }
  expect((await run(file, { mapping: { Abgemeldet: 'suppressed' } })).body.data).toMatchObject({
    totals: { created: 0, suppressed: 1 },
    warnings: [],
  })
  const listed = await run('email\nc@example.com\n', { name: 'bounces.csv', mapping: { suppressed: '=hard_bounce' } })
  expect(listed.body.data).toMatchObject({ totals: { suppressed: 1 }, warnings: [] })
  const consent = { Newsletter: { field: 'suppressed', values: { nein: 'unsubscribe', ja: 'no' } } }
  await run('email,Newsletter\nd@example.com,nein\ne@example.com,ja\n', { mapping: consent })
  const json = [
    { email: 'f@example.com', suppressed: true },
    { email: 'g@example.com', suppressed: 'vielleicht' },
    { email: 'h@example.com', suppressed: false },
  ]
  const sent = await space.client<{ warnings: object[] }>('POST', MEMBERS, { json })
  expect(sent.body.data.warnings).toMatchObject([{ field: 'suppressed', value: 'vielleicht', became: 'manual' }])
  expect(await suppressionsOf(space)).toEqual({
    ...{ 'a@example.com': UNSUBSCRIBE, 'c@example.com': BOUNCE, 'd@example.com': UNSUBSCRIBE },
    ...{ 'f@example.com': 'manual', 'g@example.com': 'manual' },
  })
})
