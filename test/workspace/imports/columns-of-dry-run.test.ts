import { expect, test } from 'vitest'
import { createImportScenario, type Run, sendImport } from './scenario'

interface DescribedRun extends Run {
  firstValues?: (string | null)[]
  fields?: { name: string; required: boolean; values: string[] | null }[]
}

const CSV = `Summary,Issue Type,Owner,Empty\n,Epic,,\nCheckout,Story,${'x'.repeat(200)},\n`
const JSON_ROWS = JSON.stringify([
  { summary: '', size: 3 },
  { summary: 'Checkout', size: { points: 5 }, empty: null },
])

test.each([
  ['columns.csv', CSV, { Summary: 'Checkout', 'Issue Type': 'Epic', Owner: `${'x'.repeat(99)}…`, Empty: null }],
  ['columns.json', JSON_ROWS, { summary: 'Checkout', size: '3', empty: null }],
])('a dry run of %s shows the first value of each column', async (name, content, first) => {
  const here = await createImportScenario()
  const { body } = await sendImport<DescribedRun>(here, 'backlog', new File([content], name), 'dryRun=true')
  const { mapping, firstValues } = body.data
  expect(firstValues).toHaveLength(mapping.columns.length)
  expect(Object.fromEntries(mapping.columns.map(({ column }, n) => [column, firstValues?.[n]]))).toEqual(first)
})

test.each([
  ['backlog', 'summary', ['type', ['epic', 'feature', 'userstory']]],
  ['feedback', 'title', ['type', ['idea', 'issue']]],
  ['changelog', 'title', ['status', ['draft', 'scheduled', 'published']]],
] as const)('a dry run of the %s names the fields and their values', async (area, required, [field, values]) => {
  const here = await createImportScenario()
  const read = async (query: string) => {
    const { body } = await sendImport<DescribedRun>(here, area, new File([`${required}\nOne\n`], 'fields.csv'), query)
    return body.data
  }
  const { fields = [] } = await read('dryRun=true')
  expect(fields.filter((known) => known.required).map(({ name }) => name)).toEqual([required])
  expect(fields.find(({ name }) => name === field)?.values).toEqual(values)
  expect(fields.find(({ name }) => name === required)?.values).toBeNull()
  const stored = await read('')
  expect([stored.fields, stored.firstValues]).toEqual([undefined, undefined])
})

test('every field of a dry run can be the target of a column', async () => {
  const here = await createImportScenario()
  const content = 'summary,Other\nOne,\n'
  const { body } = await sendImport<DescribedRun>(here, 'backlog', new File([content], 'a.csv'), 'dryRun=true')
  const names = body.data.fields?.map(({ name }) => name).filter((name) => name !== 'summary') ?? []
  expect(names.length).toBeGreaterThan(20)
  for (const name of names) {
    const raw = new FormData()
    raw.set('mapping', JSON.stringify({ Other: name }))
    raw.set('file', new File([content], 'a.csv'))
    const path = `/api/initiatives/${here.product.externalKey}/backlog/import?dryRun=true`
    expect([name, (await here.client('POST', path, { raw })).status]).toEqual([name, 200])
  }
})
