import { expect, test } from 'vitest'
import { send } from '../../client'
import { seededRandom } from '../../files/read-file'
import { createImportScenario } from '../../workspace/imports/scenario'

interface Member {
  email: string
  firstName: string
  lastName: string
  role: string
  attributes: Record<string, string | number | boolean>
}

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

function randomAttributes(): Member['attributes'] {
  const one = () => pick([randomText(12), below(1_000_000) / 7, -below(10), true, false, 1e300, `${below(10)}`, ''])
  const entries = Array.from({ length: below(6) }, (_, n) => [`${randomLine()}${n}`.trim(), one()] as const)
  return Object.fromEntries(entries.filter(([name]) => name !== '__proto__'))
}

const people = Array.from({ length: 300 }, (_, n) => ({
  email: `${pick(['a', "o'b", '+a', '-5', 'x_y'])}${n}@example.com`,
  firstName: randomLine(),
  lastName: randomLine(),
  attributes: randomAttributes(),
}))

test.each(['csv', 'json', 'ndjson'])('an export as %s is imported elsewhere unchanged', async (format) => {
  const [here, there] = [await createImportScenario(), await createImportScenario()]
  const made = await here.client<{ inviteResults: { success: boolean; message?: string }[] }>(
    'POST',
    '/api/v2/idea-manager/members/bulk-create',
    { json: people },
  )
  expect(made.body.data.inviteResults.filter(({ success }) => !success)).toEqual([])
  const exported = async ({ key }: typeof here) => {
    const path = `/api/v2/idea-manager/members/export?format=${format}`
    return (await send('GET', path, { apiKey: await key() })).response.text()
  }
  const members = async ({ client }: typeof here) => {
    const all: Member[] = []
    for (let path = '/api/v2/idea-manager/members?limit=100&sort=createdAt', more = true; more; ) {
      const { body, headers } = await client<Member[]>('GET', path)
      all.push(...body.data)
      const next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]
      more = next !== undefined
      path = next ?? path
    }
    return all
      .filter(({ role }) => role !== 'owner')
      .map(({ email, firstName, lastName, role, attributes }) => ({ email, firstName, lastName, role, attributes }))
  }
  const run = await there.run(await exported(here), { name: `members.${format}` })
  expect(run.body.data).toMatchObject({
    totals: { rows: 301, created: 300, rejected: 0 },
    // An import cannot create an owner.
    warnings: [{ field: 'role', value: 'owner', rows: 1, became: null }],
    mapping: { preset: 'groundwork' },
  })
  expect(await members(there)).toEqual(await members(here))
  const again = await there.run(await exported(there), { name: `members.${format}`, query: '?onConflict=update' })
  expect(again.body.data.totals).toMatchObject({ created: 0, updated: 0, skipped: 301, rejected: 0 })
})
