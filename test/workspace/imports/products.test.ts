import { expect, test } from 'vitest'
import { createWorkspace } from '../../factories'
import { PRODUCT_FILES, type ProductFile } from './product-files'
import { importFile, type Run } from './scenario'

type Preview = Run & { preview?: object[]; mapping: { preset: string | null; certainty: string; presetReason: string } }

async function createRunner({ kind, name }: Pick<ProductFile, 'kind' | 'name'>) {
  const here = await createWorkspace()
  return (content: string, query = '') => importFile<Preview>(here, kind, new File([content], name), query)
}

test.each(PRODUCT_FILES)(
  'a file of $kind from $preset is known for certain, and its preview equals its run',
  async (file) => {
    const run = await createRunner(file)
    const { preview, ...shown } = await run(file.content, 'dryRun=true')
    expect(shown.mapping).toMatchObject({ preset: file.preset, certainty: 'certain' })
    expect(preview?.[0]).toMatchObject(file.first)
    const made = await run(file.content)
    expect(made).toMatchObject({ totals: { rows: file.rows, created: file.rows, rejected: 0 }, rejected: [] })
    const pickResult = ({ status, totals, mapping, rejected, warnings }: Omit<Preview, 'preview'>) => [
      ...[status, totals, mapping, rejected, warnings],
    ]
    expect(pickResult(made)).toEqual(pickResult(shown))
  },
)

test('the mapping says why a product is known, likely or unknown', async () => {
  const run = await createRunner({ kind: 'people', name: 'contacts.csv' })
  const rate = async (header: string) => {
    const { certainty, presetReason } = (await run(`${header}\nx\n`, 'dryRun=true')).mapping
    return [certainty, presetReason]
  }
  expect(await rate('Contact ID,Email,City,a')).toEqual([
    'certain',
    'The file has the columns "Contact ID" and "Email", as exports of HubSpot have.',
  ])
  expect(await rate('Record ID,Email,a,b,c,d,e')).toEqual([
    'likely',
    'The file has the columns "Record ID" and "Email", as exports of HubSpot have, but only 2 of its 7 columns are known.',
  ])
  expect(await rate('Email,LEID,EUID,a')).toEqual([
    'none',
    'Exports of Mailchimp also have the column "MEMBER_RATING", which the file lacks. Columns are matched by name.',
  ])
  expect(await rate('mail,plan')).toEqual([
    'none',
    'The file has the columns of no known product. Columns are matched by name.',
  ])
})

test('preset=none matches the columns of a known product by their names alone', async () => {
  const run = await createRunner({ kind: 'backlog', name: 'issues.csv' })
  const file = 'Summary,Issue key,Issue id,Issue Type,Status\nPay,SHOP-2,2,Story,To Do\n'
  expect((await run(file, 'dryRun=true')).mapping.preset).toBe('jira')
  const { preset, certainty, presetReason } = (await run(file, 'dryRun=true&preset=none')).mapping
  expect([preset, certainty, presetReason]).toEqual([
    null,
    'none',
    'The request has "preset=none". Columns are matched by name.',
  ])
  const made = await run(file, 'preset=none')
  expect(made).toMatchObject({ mapping: { preset: null }, totals: { created: 1, rejected: 0 } })
})
