import { expect, test } from 'vitest'
import { IMPORTS, type ImportName } from '../../../src/imports'
import { operations } from '../../../src/operations'
import { createWorkspace } from '../../factories'
import { PRODUCT_FILES } from './product-files'
import { type Run, sendImport } from './scenario'

type Preview = Run & { mapping: { preset: string | null; presetReason: string } }

const KINDS = Object.keys(IMPORTS) as ImportName[]

const FILES_OF_OTHER_KINDS = PRODUCT_FILES.flatMap((file) =>
  KINDS.filter((kind) => IMPORTS[kind].kind.presets.every(({ name }) => name !== file.preset)).map((kind) => ({
    ...file,
    sentAs: kind,
  })),
)

async function preview(kind: ImportName, content: string, name = 'file.csv') {
  const { body } = await sendImport<Preview>(await createWorkspace(), kind, new File([content], name), 'dryRun=true')
  return body.success ? body.data.mapping.presetReason : body.message
}

test.each(FILES_OF_OTHER_KINDS)(
  'a file of $kind from $preset that is sent as $sentAs is told its own operation',
  async ({ kind, sentAs, content, name }) => {
    const { noun, operation } = IMPORTS[kind].kind
    const said = await preview(sentAs, content, name)
    expect(said).toMatch(new RegExp(`The file looks like [a-z ]*${noun}`))
    expect(said).toContain(operation)
  },
)

test('a file of no known product is told the operation that its columns fit', async () => {
  expect(await preview('backlog', 'Email Address,Plan\nada@example.com,pro\n')).toBe(
    '/mapping/summary: No column gives the summary. The file looks like people. Send it to POST /api/v2/idea-manager/members/import-users. Or rename a column to "summary", or map a column in "mapping": {"<column>": "summary"}. The file has the columns "Email Address", "Plan".',
  )
  expect(await preview('people', 'Summary,Plan\nPay,pro\n')).toContain(
    'The file looks like work items or ideas. Send it to POST /api/initiatives/{product_external_key}/backlog/import or POST /api/feedback-items/import. Or rename',
  )
  expect(await preview('people', 'Wing,Plan\nx,pro\n')).toContain(
    'No column gives the email. Rename a column to "email"',
  )
})

test('a header that cannot be read is told the operation that reads the product', async () => {
  expect(await preview('people', 'Summary,,Issue key,Issue Type\nPay,a,A-1,Story\n')).toContain(
    'The file looks like work items of Jira. Send it to POST /api/initiatives/{product_external_key}/backlog/import.',
  )
})

test('the named operations exist', () => {
  const routes = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  for (const { kind } of Object.values(IMPORTS)) expect(routes).toContain(kind.operation)
})

test('the reason for a product names what a JSON file holds', async () => {
  const [board, issues] = [
    PRODUCT_FILES.find(({ content, preset }) => preset === 'trello' && content.startsWith('{')),
    PRODUCT_FILES.find(({ preset }) => preset === 'github'),
  ]
  expect(await preview('backlog', board?.content ?? '', 'board.json')).toBe(
    'The file is the JSON export of a Trello board.',
  )
  expect(await preview('feedback', issues?.content ?? '', 'issues.json')).toBe(
    'The file has issues of GitHub in JSON, with "number", "title" and the address of the issue.',
  )
  const issue = { iid: 4, title: 'Slow', web_url: 'https://gitlab.com/o/r/-/issues/4', state: 'opened' }
  expect(await preview('backlog', JSON.stringify([issue]), 'issues.json')).toBe(
    'The file has issues of GitLab in JSON, with "iid", "title" and "web_url".',
  )
})
