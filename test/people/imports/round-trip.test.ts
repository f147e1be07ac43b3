import { expect, test } from 'vitest'
import { send } from '../../client'
import { seededRandom } from '../../files/read-file'
import { createImportScenario } from '../../workspace/imports/scenario'

const { below, pick } = seededRandom(20)
const SPECIAL_TEXTS = [...'=+-@\'",;|\t 5.e＝é\ufeff', '__proto__', 'NaN', 'null', '[]', '{"a":1}', '\r\n']

/** A random character of any plane, except control characters and surrogates. */
function randomCharacter(): string {
  const code = below(0x11) * 0x10000 + 0xa0 + below(0xff00)
  return code >= 0xd800 && code < 0xe000 ? 'x' : String.fromCodePoint(code)
}

const randomText = (most: number, signs: readonly string[] = SPECIAL_TEXTS) =>
  Array.from({ length: below(most) }, () => (below(3) ? pick(signs) : randomCharacter())).join('')

const randomLine = () =>
  randomText(
    8,
    SPECIAL_TEXTS.filter((sign) => !/[\t\r\n]/.test(sign)),
  )
    .replace(/[\u2028\u2029]/g, '')
    .trim()

function randomAttributes(): Record<string, string | number | boolean> {
  const one = () => pick([randomText(12), below(1_000_000) / 7, -below(10), true, false, 1e300, `${below(10)}`, ''])
  const entries = Array.from({ length: below(6) }, (_, n) => [`${randomLine()}${n}`.trim(), one()] as const)
  return Object.fromEntries(entries.filter(([name]) => name !== '__proto__'))
}

const PEOPLE = Array.from({ length: 300 }, (_, n) => ({
  email: `${pick(['a', "o'b", '+a', '-5', 'x_y'])}${n}@example.com`,
  firstName: randomLine(),
  lastName: randomLine(),
  attributes: randomAttributes(),
  ...(below(3) === 0 && { source: pick(['crm', 'hubspot']), externalId: `${n}` }),
}))

/** Names of manual segments, the first without people. */
const SEGMENTS = ['Empty', '=1+1', 'A, "B"', 'Café 🎈', '[]']

test.each(['csv', 'json', 'ndjson'])('an export as %s is imported elsewhere unchanged', async (format) => {
  const [here, there] = [await createImportScenario(), await createImportScenario()]
  const segments = await Promise.all(SEGMENTS.map((name) => here.segment(name)))
  const people = PEOPLE.map((person) => ({ ...person, segmentIds: segments.slice(1).filter(() => below(3) === 0) }))
  const made = await here.client<{ inviteResults: { success: boolean; message?: string }[] }>(
    'POST',
    '/api/v2/idea-manager/members/bulk-create',
    { json: people },
  )
  expect(made.body.data.inviteResults.filter(({ success }) => !success)).toEqual([])
  const admin = await here.client('POST', '/api/v2/users', { json: { email: 'admin@example.com', role: 'admin' } })
  expect(admin.status).toBe(201)
  const exported = async ({ key }: typeof here, asFormat = format) => {
    const path = `/api/v2/idea-manager/members/export?format=${asFormat}`
    return (await send('GET', path, { apiKey: await key() })).response.text()
  }
  /** The members of an export, without the owner, ids and the time of the last change. */
  const members = async (space: typeof here) => {
    const all: Record<string, unknown>[] = JSON.parse(await exported(space, 'json'))
    return all.filter(({ role }) => role !== 'owner').map(({ id, segmentIds, updatedAt, invitation, ...rest }) => rest)
  }
  const run = await there.run(await exported(here), { name: `members.${format}` })
  expect(run.body.data).toMatchObject({
    totals: { rows: 302, created: 301, rejected: 0 },
    // An import cannot create an owner.
    warnings: [{ field: 'role', value: 'owner', rows: 1, became: null }],
    mapping: { preset: 'groundwork' },
  })
  const original = await members(here)
  expect(await members(there)).toEqual(original)
  expect(original.flatMap(({ segments }) => segments).length).toBeGreaterThan(100)
  expect(original[0]).toMatchObject({ createdAt: expect.any(String), source: null })
  const again = await there.run(await exported(there), { name: `members.${format}`, query: '?onConflict=update' })
  expect(again.body.data.totals).toMatchObject({ created: 0, updated: 0, skipped: 302, rejected: 0 })
})
