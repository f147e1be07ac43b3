import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { IMPORTS, type ImportName } from '../../../src/imports'
import { readClock } from '../../clock'
import { createWorkspace } from '../../factories'
import { PRODUCT_FILES } from './product-files'
import { importFile, type Run } from './scenario'

type Row = Readonly<Record<string, unknown>>

interface PresetFile {
  rows: readonly Row[]
  json?: true
  /** Rows have no id in the other product. */
  hasNoIds?: true
}

/** Each file has unknown statuses, types, tags, people or dates besides known ones. */
const FILES: Record<ImportName, Readonly<Record<string, PresetFile>>> = {
  backlog: {
    groundwork: {
      rows: [
        {
          ...{ type: 'userstory', externalKey: 'US-901', epicKey: 'EP-901', featureKey: '', summary: 'Pay' },
          ...{ createdAt: '2026-01-01T00:00:00.000Z', progress: 'done', startDate: 'soon', tags: '["app"]' },
        },
        { type: 'epic', externalKey: 'EP-901', summary: 'Shop', createdAt: '2026-01-01T00:00:00.000Z' },
      ],
      hasNoIds: true,
    },
    jira: {
      rows: [
        {
          ...{ Summary: 'Pay', 'Issue key': 'A-2', 'Issue id': '2', 'Issue Type': 'Defect 2', Status: 'Cooking' },
          ...{ Assignee: 'Ann', Reporter: 'Bob', 'Fix versions': '1.0', Labels: 'app', 'Parent key': 'A-1' },
          ...{ 'Due date': '31/Jan/26 9:05 AM', 'Outward issue link (Blocks)': 'A-1' },
          ...{ 'Inward issue link (Cloners)': 'A-1', 'Inward issue link (Relates)': 'A-404' },
        },
        { Summary: 'Shop', 'Issue key': 'A-1', 'Issue id': '1', 'Issue Type': 'Epic', Status: 'Done' },
      ],
    },
    linear: {
      rows: [
        {
          ...{ ID: 'E-2', Team: 'E', Title: 'Pay', Status: 'Cooking', Estimate: '3', Assignee: 'ann@example.com' },
          ...{ 'Parent issue': 'E-1', 'Due Date': 'Tue May 14 2024 17:10:40 GMT+0000 (GMT)', Labels: 'app, web' },
        },
        { ID: 'E-1', Team: 'E', Title: 'Shop', Status: 'Done' },
      ],
    },
    productboard: {
      rows: [
        {
          ...{ Name: 'Pay', Type: 'Feature', Status: 'Cooking', Owner: 'ann@example.com', Tags: 'app', UUID: 'u2' },
          'Productboard URL': 'https://a.productboard.com/2',
        },
        { Name: 'Shop', Type: 'Theme park', Status: 'Released', 'Productboard URL': 'https://a.productboard.com/1' },
      ],
    },
    trello: {
      rows: [
        { 'Card ID': 'c1', 'Card Name': 'Pay', 'List Name': 'Cooking', Labels: 'app', 'Due Date': '03/04/2026' },
        { 'Card ID': 'c2', 'Card Name': 'Ship', 'List Name': 'Done' },
      ],
    },
    'trello-cards': {
      rows: [
        { Name: 'Pay', List: 'Cooking', Labels: 'app', Due: '13/04/2026' },
        { Name: 'Ship', List: 'Done' },
      ],
    },
    asana: {
      rows: [
        {
          ...{ 'Task ID': '2', Name: 'Pay', 'Section/Column': 'Cooking', Assignee: 'Ann', Tags: 'app' },
          ...{ 'Assignee Email': 'ann@example.com', 'Due Date': '2026-02-30', 'Parent task': 'Shop' },
        },
        { 'Task ID': '1', Name: 'Shop', 'Section/Column': 'Done' },
      ],
    },
    'azure-devops': {
      rows: [
        { 'Work Item Type': 'Epic', ID: '1', 'Title 1': 'Shop', State: 'New', 'Assigned To': 'Ann <a@example.com>' },
        { 'Work Item Type': 'Gadget', ID: '2', 'Title 2': 'Pay', State: 'Cooking', Tags: 'app; web' },
      ],
    },
    github: {
      rows: [
        {
          ...{ number: 1, title: 'Pay', html_url: 'https://github.com/o/r/issues/1', state: 'open', body: 'x' },
          ...{ labels: [{ name: 'app' }], user: { login: 'ann' }, created_at: '2026-01-01T00:00:00Z' },
        },
        { number: 2, title: 'Ship', html_url: 'https://github.com/o/r/issues/2', state: 'closed' },
      ],
      json: true,
    },
    gitlab: {
      rows: [
        {
          ...{ 'Issue ID': '1', URL: 'https://gitlab.com/o/r/-/issues/1', Title: 'Pay', State: 'Open', Author: 'Ann' },
          ...{ Assignee: 'Bob', 'Due Date': '2026-02-01', Labels: 'app,web' },
        },
        { 'Issue ID': '2', URL: 'https://gitlab.com/o/r/-/issues/2', Title: 'Ship', State: 'Closed' },
      ],
    },
  },
  feedback: {
    groundwork: {
      rows: [
        {
          ...{ external_key: 'IDEA-901', title: 'Dark', long_description: '<p>x</p>', author: 'ann@example.com' },
          ...{ vote: '2', created_at: '2026-01-01', status: 'In beta', category: 'Looks', tags: 'app' },
        },
        { external_key: 'IDEA-902', title: 'Light', author: 'nobody', created_at: 'soon' },
      ],
      hasNoIds: true,
    },
    canny: {
      rows: [
        {
          ...{ 'Post ID': 'p1', Title: 'Dark', Details: 'x', Status: 'In beta', Category: 'Looks', Tags: 'app' },
          ...{ 'Author Name': 'Ann', 'Author Email': 'ann@example.com', Created: '2026-01-01T00:00:00Z' },
        },
        { 'Post ID': 'p2', Title: 'Light', Status: 'closed', 'Author Name': 'Nobody', Created: 'soon' },
      ],
    },
    fider: {
      rows: [
        { number: '1', title: 'Dark', created_by: 'Ann', total_votes: '2', status: 'In beta', tags: 'app' },
        { number: '2', title: 'Light', created_by: 'Bob', total_votes: '0', status: 'completed' },
      ],
    },
    uservoice: {
      rows: [
        {
          ...{ 'Idea ID': '1', 'Idea Title': 'Dark', 'Category Name': 'Looks', 'Public Status Name': 'In beta' },
          ...{
            Labels: 'app',
            'Idea Creator Email Address': 'ann@example.com',
            'User Email Address': 'bob@example.com',
          },
        },
        { 'Idea ID': '2', 'Idea Title': 'Light', 'Idea Creator Name': 'Nobody', 'User Email Address': 'no one' },
      ],
    },
    'uservoice-analysis': {
      rows: [
        {
          ...{ 'suggestion.id': '1', 'suggestion.title': 'Dark', 'suggestion.category.name': 'Looks' },
          ...{ 'suggestion.status.name': 'In beta', 'suggestion.labels.name': 'app' },
        },
        { 'suggestion.id': '2', 'suggestion.title': 'Light', 'suggestion.creator.name': 'Nobody' },
      ],
    },
  },
  changelog: {
    groundwork: {
      rows: [
        {
          ...{ externalKey: 'CL-901', title: 'Dark', content: '<p>x</p>', labels: '["New"]', status: 'published' },
          ...{ publishAt: '', publishedAt: '2026-01-01T00:00:00.000Z', ideas: '["IDEA-404"]', notify: 'none' },
        },
        { externalKey: 'CL-902', title: 'Light', status: 'cooking', publishAt: 'soon', notify: 'maybe' },
      ],
      hasNoIds: true,
    },
  },
  people: {
    groundwork: {
      rows: [
        { email: 'ann@example.com', firstName: 'Ann', role: 'boss', createdAt: '', updatedAt: '', lastName: 'Li' },
        { email: 'bob@example.com', firstName: 'Bob', role: 'member' },
      ],
    },
    mailchimp: {
      rows: [
        { 'Email Address': 'ann@example.com', 'First Name': 'Ann', MEMBER_RATING: '2', LEID: '1', EUID: 'a' },
        { 'Email Address': 'nobody', MEMBER_RATING: '2', LEID: '2', EUID: 'b' },
      ],
    },
    hubspot: {
      rows: [
        { 'Record ID': '1', Email: 'ann@example.com', 'First Name': 'Ann', 'Create Date (EST)': '2026-01-01 10:00' },
        { 'Record ID': '2', Email: 'bob@example.com' },
      ],
    },
    intercom: {
      rows: [
        { Email: 'ann@example.com', Name: 'Ann Li', 'Signed up (GMT)': '2026-01-01', 'Last seen (GMT)': '' },
        { Email: 'bob@example.com', Name: 'Bob' },
      ],
    },
  },
  suppressions: {
    groundwork: {
      rows: [
        { id: 4, email: 'ann@example.com', segmentId: 7, reason: 'complaint', createdAt: 'soon', segment: 'Beta' },
        { email: 'bob@example.com', segmentId: '', reason: 'nobody knows', createdAt: '2026-01-01T00:00:00.000Z' },
      ],
    },
    mailchimp: {
      rows: [
        { 'Email Address': 'ann@example.com', MEMBER_RATING: '2', LEID: '1', EUID: 'a', CLEAN_TIME: '2026-01-01' },
        { 'Email Address': 'nobody', MEMBER_RATING: '2', LEID: '2', EUID: 'b' },
      ],
    },
    hubspot: {
      rows: [
        { 'Record ID': '1', Email: 'ann@example.com', 'Unsubscribed from all email': 'true' },
        { 'Record ID': '2', Email: 'bob@example.com', 'Unsubscribed from all email': 'false' },
      ],
    },
    intercom: {
      rows: [
        {
          Email: 'ann@example.com',
          'Signed up (GMT)': '2026-01-01',
          'Last seen (GMT)': '',
          'Has hard bounced': 'true',
        },
        { Email: 'bob@example.com', 'Signed up (GMT)': '2026-01-01', 'Has hard bounced': 'false' },
      ],
    },
  },
}

interface FoundFile {
  /** The file of the product. */
  file: File
  rowCount: number
  hasNoIds: boolean
  /** The same rows in the other formats. */
  others: File[]
}

function findFile(kind: ImportName, preset: string): FoundFile {
  const { rows, json = false, hasNoIds = false } = FILES[kind][preset] ?? {}
  if (rows) {
    const [csv, ...others] = [writeCsv(rows), writeJson(rows), writeNdjson(rows)]
    const [first, ...rest] = json ? others : [csv, ...others]
    return { file: first as File, rowCount: rows.length, hasNoIds, others: rest }
  }
  const written = PRODUCT_FILES.find((one) => one.kind === kind && one.preset === preset)
  if (!written) throw new Error(`Add a file of ${preset} to FILES.${kind} or to PRODUCT_FILES.`)
  const { content, name, rows: rowCount } = written
  const file = new File([content], name)
  if (content.startsWith('{')) return { file, rowCount, hasNoIds, others: [] }
  const read: Row[] = content.startsWith('[')
    ? JSON.parse(content)
    : Papa.parse<Row>(content.trim(), { header: true }).data
  const others = [writeJson(read), writeNdjson(read)]
  return { file, rowCount, hasNoIds, others: content.startsWith('[') ? others.slice(1) : others }
}

function writeCsv(rows: readonly Row[]): File {
  const header = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const line = (cells: readonly unknown[]) => cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(',')
  return new File([[header, ...rows.map((row) => header.map((name) => row[name] ?? ''))].map(line).join('\n')], 'f.csv')
}

const writeJson = (rows: readonly Row[]) => new File([JSON.stringify(rows)], 'f.json')
const writeNdjson = (rows: readonly Row[]) => new File([rows.map((row) => JSON.stringify(row)).join('\n')], 'f.ndjson')

const LISTS_OF_KINDS: Partial<Record<ImportName, string>> = {
  ...{ backlog: '/api/v2/work-items', changelog: '/api/v2/changelog' },
  suppressions: '/api/v2/suppressions',
}

const START = readClock()

const TITLE_OF_KIND: Record<ImportName, string> = {
  backlog: 'summary',
  feedback: 'title',
  changelog: 'title',
  people: 'email',
  suppressions: 'email',
}
/** Members whose form differs from the record, and members that only a stored record has. */
const FOLDED_MEMBERS = new Set(['externalKey', 'category', 'status', 'votes', 'comments', 'tags', 'author'])

function expectRecordsOfPreview(name: ImportName, preview: readonly Row[], lists: readonly Row[][]): void {
  const title = TITLE_OF_KIND[name]
  for (const shown of preview) {
    const stored = lists.flat().find((record) => record[title] !== undefined && record[title] === shown[title])
    const members = Object.keys(shown).filter((member) => {
      // The percentage of an epic or a feature follows from the items below.
      const isRolledUp = member === 'progressPercentage' && shown.type !== 'userstory'
      // The time of the request, if the file has no time of creation.
      const isNow = /^created_?at$/i.test(member) && Date.parse(String(shown[member])) >= START
      return stored && member in stored && !FOLDED_MEMBERS.has(member) && !isRolledUp && !isNow
    })
    expect(members.length, JSON.stringify(shown)).toBeGreaterThan(name === 'suppressions' ? 2 : 4)
    const pick = (record: Row | undefined) => Object.fromEntries(members.map((member) => [member, record?.[member]]))
    expect(pick(shown)).toEqual(pick(stored))
    if (name !== 'feedback') continue
    const { category, status, votes, comments, tags, author } = shown
    const { category: named, currentStatus, vote, comment, tags: keys, user } = stored as Row & Record<string, Row>
    expect({ category: category ?? '', status, votes, comments, author: author ?? user?.email }).toEqual({
      ...{ category: named?.name, status: currentStatus, votes: vote, comments: comment, author: user?.email },
    })
    expect(tags).toHaveLength((keys as unknown as Row[]).length)
  }
}

const cases = Object.entries(IMPORTS).flatMap(([name, { kind }]) =>
  kind.presets.map((preset) => [name as ImportName, preset.name] as const),
)

test.each(cases)('a preview and a run of %s from %s agree, and an undo leaves nothing', async (name, preset) => {
  const { file, rowCount, hasNoIds, others } = findFile(name, preset)
  const here = await createWorkspace()
  const run = (content: File, query: string) => importFile<Run & { preview?: Row[] }>(here, name, content, query)
  const listAll = (...paths: string[]) =>
    Promise.all(paths.map(async (path) => (await here.client<Row[]>('GET', path)).body.data))
  const product = `/api/initiatives/${here.product.externalKey}`
  const listOfRecords = LISTS_OF_KINDS[name] ?? '/api/feedback-items'
  const readNames = () =>
    listAll(
      ...['/api/feedback-items/statuses', '/api/feedback-items/categories'],
      ...[`${product}/tags`, `${product}/solution-versions`],
    )
  const readRecords = () => listAll(listOfRecords, '/api/v2/idea-manager/members')
  const [names, records] = [await readNames(), await readRecords()]

  async function expectAgreement(content: File, query: string) {
    const preview = await run(content, `dryRun=true&${query}`)
    if (query === '') expect(await readRecords()).toEqual(records)
    const made = await run(content, query)
    expectRecordsOfPreview(name, preview.preview ?? [], await readRecords())
    expect(made.mapping).toMatchObject({ preset })
    expect(made.totals.created + made.totals.rejected).toBe(rowCount)
    const { totals, warnings, mapping, rejected } = made
    expect({ totals, warnings, mapping, rejected }).toEqual({
      ...{ totals: preview.totals, warnings: preview.warnings, mapping: preview.mapping },
      rejected: preview.rejected.map((row) => ({ ...row })),
    })
    return made
  }

  async function undo({ id }: Run) {
    const undone = await here.client<Run>('POST', `/api/v2/imports/${id}/undo`)
    expect(undone.body.data).toMatchObject({ status: 'undone', totals: { kept: 0 } })
    expect([await readRecords(), await readNames()]).toEqual([records, names])
  }

  for (const query of ['', 'createMissing=statuses,categories,tags,versions', 'createMissing=', 'onConflict=update']) {
    const made = await expectAgreement(file, query)
    if (!hasNoIds) {
      const again = await run(file, query)
      expect([again.totals.created, again.totals.updated]).toEqual([0, 0])
    }
    await undo(made)
  }
  for (const other of others) await undo(await expectAgreement(other, ''))
})
