import { expect, test } from 'vitest'
import { EmailAddress, normalizeEmail } from '../../src/http/schemas'
import { showAddress } from '../../src/text/shown-addresses'
import { createWorkspace, type Workspace } from '../factories'

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
  await client('POST', `${MEMBERS}/bulk`, { json: [{ email: ASCII }, { email: 'INFO@BÜCHER.example' }] })
  const idea = { title: 'Umlauts', product: product.externalKey, user: { email: `\u200b${LETTERS}` } }
  const { body } = await client<{ external_key: string; user_id: number }>('POST', '/api/feedback-items', {
    json: idea,
  })
  expect(body.data.user_id).toBe(made.body.data.id)
  const vote = { type: 'up', email: LETTERS }
  await client('POST', `/api/feedback-items/${body.data.external_key}/vote`, { json: vote })
  for (const email of [LETTERS, ASCII, 'Info@BÜCHER.example']) expect(await countMembers(world, email)).toBe(1)
  const found = await client<{ email: string }[]>('GET', `${MEMBERS}?q=${encodeURIComponent(LETTERS)}`)
  expect(found.body.data.map(({ email }) => email)).toEqual([ASCII])
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
