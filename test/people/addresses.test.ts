import { expect, test } from 'vitest'
import { EmailAddress, normalizeEmail } from '../../src/http/schemas'
import { showAddress } from '../../src/text/shown-addresses'
import { createWorkspace, type Workspace } from '../factories'
import { createImportScenario, importFile } from '../workspace/imports/scenario'

const LETTERS = 'info@bücher.example'
const ASCII = 'info@xn--bcher-kva.example'
const MEMBERS = '/api/v2/idea-manager/members'

const CASES: [given: string, stored: string | undefined][] = [
  [LETTERS, ASCII],
  ['INFO@BÜCHER.EXAMPLE', ASCII],
  ['info@bu\u0308cher.example', ASCII],
  ['info@XN--BCHER-KVA.example', ASCII],
  [`\ufeff\u200b${LETTERS}\u200d\u00a0\n`, ASCII],
  ['info＠ｂücher．example', ASCII],
  ['ada@пример.рф', 'ada@xn--e1afmkfd.xn--p1ai'],
  ['ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  ['ada@faß.de', 'ada@xn--fa-hia.de'],
  ['\u202aada@example.com\u202c', 'ada@example.com'],
  ['ada@exam\u200bple', undefined],
  ['ada@bücher', undefined],
  ['ada@bücher.example:80', undefined],
  ['ada@bücher.example%2f', undefined],
  ['ada@１.２.３.４', undefined],
  ['ädä@bücher.example', undefined],
  ['@bücher.example', undefined],
  [`a@${'ü'.repeat(300)}.example`, undefined],
]

test.each(CASES)('%j is stored as %j', (given, stored) => {
  expect([normalizeEmail(given), EmailAddress.safeParse(given).data]).toEqual([stored, stored])
})

test('an address is shown with its letters, unless they hide something', () => {
  expect([ASCII, 'ada@xn--e1afmkfd.xn--p1ai', 'ada@example.com'].map(showAddress)).toEqual([
    LETTERS,
    'ada@пример.рф',
    'ada@example.com',
  ])
  for (const wrong of ['ada@xn--a.example', 'ada@xn--99999999.example', 'ada@xn--google-dm0c.com'])
    expect([wrong, showAddress(wrong)]).toEqual([wrong, wrong])
})

const countMembers = async ({ client }: Workspace, email: string) =>
  (await client<{ email: string }[]>('GET', `${MEMBERS}?email=${encodeURIComponent(email)}`)).body.data.length

test('the same person in letters and in ASCII is one person, in every door', async () => {
  const world = await createWorkspace()
  const { client, product } = world
  const made = await client<{ id: number; email: string }>('POST', `${MEMBERS}?invite=false`, {
    json: { email: LETTERS },
  })
  expect([made.status, made.body.data.email]).toEqual([201, ASCII])
  const bulk = await client<{ inviteResults: { success: boolean; user: { id: number; email: string } }[] }>(
    'POST',
    `${MEMBERS}/bulk-create?invite=false`,
    { json: [{ email: ASCII }, { email: 'INFO@BÜCHER.example' }] },
  )
  const known = [true, made.body.data.id, ASCII]
  expect([
    bulk.status,
    bulk.body.data.inviteResults.map(({ success, user }) => [success, user.id, user.email]),
  ]).toEqual([200, [known, known]])
  const idea = { title: 'Umlauts', product: product.externalKey, user: { email: `\u200b${LETTERS}` } }
  const { body } = await client<{ external_key: string; user_id: number }>('POST', '/api/feedback-items', {
    json: idea,
  })
  expect(body.data.user_id).toBe(made.body.data.id)
  const vote = { type: 'up', email: LETTERS }
  const voted = await client('POST', `/api/feedback-items/${body.data.external_key}/vote`, { json: vote })
  expect(voted.status).toBe(200)
  for (const email of [LETTERS, ASCII, 'Info@BÜCHER.example']) expect(await countMembers(world, email)).toBe(1)
  const found = await client<{ email: string }[]>('GET', `${MEMBERS}?q=${encodeURIComponent(LETTERS)}`)
  expect(found.body.data.map(({ email }) => email)).toEqual([ASCII])
})

/** Spellings of the address in a file, also with signs that nobody sees. */
const FORMS = [
  LETTERS,
  `\u200b${LETTERS}\u00a0`,
  `\ufeff${ASCII}\u200d`,
  'Info@BÜCHER.example',
  '\u202ainfo＠bücher．example\u202c',
]

test.each(FORMS)('a file of people stores %j in ASCII, and a mail shows the letters', async (form) => {
  const { run, people, segment, client } = await createImportScenario()
  const id = await segment()
  const { body } = await run(`name,email\nAda,${form}\n`, { path: `/api/v2/segments/${id}/import-users` })
  expect(body.data).toMatchObject({ totals: { created: 1, rejected: 0 }, warnings: [] })
  const [person] = await people()
  expect(person).toMatchObject({ email: ASCII, first_name: 'Ada' })
  const json = { subject: 'For {{email}}', html: '<p>Hello</p>', userId: person?.id }
  const shown = await client<{ message: { subject: string; to: string } }>(
    'POST',
    `/api/v2/segments/${id}/email/preview`,
    { json },
  )
  expect(shown.body.data.message).toMatchObject({ subject: `For ${LETTERS}`, to: ASCII })
  const suppressed = await importFile(await createWorkspace(), 'suppressions', new File([`email\n${form}\n`], 'a.csv'))
  expect(suppressed).toMatchObject({ totals: { created: 1, rejected: 0 } })
})

test.each(FORMS)('files of ideas and work items find or create the person of %j', async (form) => {
  const world = await createWorkspace()
  const { client } = world
  const ideas = await importFile(world, 'feedback', new File([`title,author\nOne,${form}\n`], 'ideas.csv'))
  expect(ideas).toMatchObject({ totals: { created: 1 }, warnings: [] })
  const found = await client<{ id: number; email: string }[]>('GET', `${MEMBERS}?email=${encodeURIComponent(LETTERS)}`)
  expect(found.body.data.map(({ email }) => email)).toEqual([ASCII])
  const listed = await client<{ title: string; user_id: number }[]>('GET', '/api/feedback-items')
  expect(listed.body.data.map(({ title, user_id }) => [title, user_id])).toEqual([['One', found.body.data[0]?.id]])
  const cards = `summary,assignee,reporter\nOne,${form},Ada <${form}>\n`
  const backlog = await importFile(world, 'backlog', new File([cards], 'cards.csv'))
  expect(backlog).toMatchObject({ totals: { created: 1 }, warnings: [] })
})

test('a rule of a segment compares an address in letters with the stored form', async () => {
  const { client } = await createWorkspace()
  await client('POST', `${MEMBERS}?invite=false`, { json: { email: LETTERS } })
  await client('POST', `${MEMBERS}?invite=false`, { json: { email: 'ada@example.com' } })
  for (const [operator, value] of [
    ['eq', LETTERS],
    ['contains', '@bücher.example'],
    ['contains', 'bücher'],
    ['in', [LETTERS, 'nobody@example.com']],
  ]) {
    const json = {
      name: `S ${String(operator)} ${String(value)}`,
      rules: { match: 'all', conditions: [{ attribute: 'email', operator, value }] },
    }
    const made = await client<{ id: number }>('POST', '/api/v2/segments', { json: { ...json, type: 'dynamic' } })
    expect(made.status).toBe(201)
    const { body } = await client<{ email: string }[]>('GET', `${MEMBERS}?segmentId=${made.body.data.id}`)
    expect(body.data.map(({ email }) => email)).toEqual([ASCII])
  }
})
