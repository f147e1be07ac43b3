import { describe, expect, test } from 'vitest'
import { peopleImportKind } from '../../../src/people/imports/kind'
import { AttributeSet } from '../../../src/workspace/imports/attributes'
import { type ImportKind, type ImportMapping, ImportRowRejection } from '../../../src/workspace/imports/kind'
import { createRowReader as createReader, type ReadImportRow } from '../../../src/workspace/imports/mapper'
import { buildImportMapping, collectJsonKeys, headerOfJsonKeys } from '../../../src/workspace/imports/mapping'

const nobody = {
  ...{ firstName: null, lastName: null, role: null, attributes: {} },
  ...{ externalId: undefined, createdAt: null },
}
const ada = { ...nobody, email: 'ada@example.com' }

const readRow = <Row>(kind: ImportKind<Row>, mapping: ImportMapping, cells: unknown) =>
  createReader(kind, JSON.parse(JSON.stringify(mapping)))(cells)

const rowOf = <Row>(read: ReadImportRow<Row> | ImportRowRejection) =>
  read instanceof ImportRowRejection ? read : read.row

const warningsOf = (read: ReadImportRow<unknown> | ImportRowRejection) =>
  read instanceof ImportRowRejection ? [] : read.warnings.list

function createRowReader<Row>(kind: ImportKind<Row>, mapping: ImportMapping) {
  const read = createReader(kind, mapping)
  return (cells: unknown) => rowOf(read(cells))
}

/** Maps a CSV row, given as pairs of column and cell. */
function mapCsvRow(cells: [string, string][], given?: unknown) {
  const mapping = buildImportMapping(
    peopleImportKind,
    cells.map(([column]) => column),
    given,
  )
  return readRow(
    peopleImportKind,
    mapping,
    cells.map(([, cell]) => cell),
  )
}

function mapJsonRows(rows: unknown[], given?: unknown) {
  const mapping = buildImportMapping(peopleImportKind, Object.keys(rows[0] as object), given, { open: true })
  return rows.map(createReader(peopleImportKind, JSON.parse(JSON.stringify(mapping))))
}

const mapCell = (column: string, text: string, given?: unknown) =>
  mapCsvRow(
    [
      ['email', ' ADA@example.com '],
      [column, text],
    ],
    given,
  )

describe('a person from CSV', () => {
  test.each<[string, string, object]>([
    ['name', ' Ada Lovelace ', { firstName: 'Ada Lovelace' }],
    ['name', 'Ada\r\nLovelace\tKing', { firstName: 'Ada Lovelace King' }],
    ['name', 'Ada\u2028Lovelace', { firstName: 'Ada Lovelace' }],
    ['name', '=HYPERLINK("http://x")', { firstName: '=HYPERLINK("http://x")' }],
    ['name', '', {}],
    ['lastName', 'Lovelace', { lastName: 'Lovelace' }],
    ['name', 'a'.repeat(200), { firstName: 'a'.repeat(200) }],
    ['role', 'IDM Member', { role: 'idm_member' }],
    ['role', 'Admin', { role: 'admin' }],
    ['role', ' ', {}],
    ['plan', ' pro ', { attributes: { plan: 'pro' } }],
    ['plan', '-5', { attributes: { plan: '-5' } }],
    ['plan', 'two\nlines', { attributes: { plan: 'two\nlines' } }],
    ['plan', ' ', {}],
    ['constructor', 'x', { attributes: { constructor: 'x' } }],
    ['plan', 'x'.repeat(1_000), { attributes: { plan: 'x'.repeat(1_000) } }],
    [
      'attributes',
      '{"seats": 5, "paid": true, "plan": "pro", "none": null}',
      { attributes: { seats: 5, paid: true, plan: 'pro' } },
    ],
    ['attributes', ' ', {}],
  ])('%s reads %j', (column, text, person) => {
    const read = mapCell(column, text)
    expect([rowOf(read), warningsOf(read)]).toEqual([{ ...ada, ...person }, []])
  })

  test.each<[string, string, string, RegExp]>([
    ['name', 'a'.repeat(201), 'name', /^Must have at most 200 characters/],
    ['name', 'A\u0007da', 'name', /^Must be one line without control characters/],
    ['firstName', 'A\u0007da', 'firstName', /control characters/],
    ['lastName', 'a'.repeat(201), 'lastName', /at most 200/],
    ['role', 'owner', 'role', /^An import cannot create owners\. .* modify the user\.$/],
    ['role', 'OWNER', 'role', /^An import cannot create owners/],
    ['role', 'boss', 'role', /^The role "boss" is unknown\. Use one of idm_member, viewer, member, admin\.$/],
    ['role', '__proto__', 'role', /^The role "__proto__"/],
    ['role', 'b'.repeat(5_000), 'role', /^The role "b{99}…"/],
    ['plan', 'x'.repeat(1_001), 'attributes.plan', /^Must have at most 1000 characters/],
    ['attributes', 'pro', 'attributes', /^The cell is not JSON: .*Or map the column to an attribute\.$/],
    ['attributes', '["a"]', 'attributes', /^Must be an object/],
    ['attributes', '{"a": "\\u0000"}', 'attributes', /NUL/],
    ['attributes', '{"a": {"b": 1}}', 'attributes.a', /^Must be text, a number, true or false/],
    ['attributes', `{"a": "${'x'.repeat(40_000)}"}`, 'attributes', /^Must have at most 40000 characters/],
  ])('%s leaves out %j with a warning', (column, text, field, reason) => {
    const read = mapCell(column, text)
    expect(rowOf(read)).toEqual(ada)
    const [warning] = warningsOf(read)
    expect(warningsOf(read)).toEqual([{ field, column, value: warning?.value, became: null, reason: warning?.reason }])
    expect(warning?.reason).toMatch(reason)
    expect(text.startsWith(warning?.value?.replace('…', '') ?? '')).toBe(true)
    expect((warning?.value ?? '').length).toBeLessThanOrEqual(100)
  })

  test.each([
    ['', 'Must not be empty. Give an address, like ada@example.com.'],
    ['ada', 'Must be an e-mail address, like ada@example.com.'],
    [`${'a'.repeat(250)}@example.com`, 'Must be an e-mail address, like ada@example.com.'],
  ])('the address %j is refused', (email, reason) => {
    expect(rowOf(mapCsvRow([['email', email]]))).toMatchObject({ field: 'email', reason })
  })

  test.each<[[string, string][], string | null, string | null]>([
    [
      [
        ['name', 'Ada'],
        ['lastName', 'Lovelace'],
      ],
      'Ada',
      'Lovelace',
    ],
    [
      [
        ['name', 'Ada Lovelace'],
        ['lastName', 'Lovelace'],
      ],
      'Ada',
      'Lovelace',
    ],
    [
      [
        ['name', 'Lovelace'],
        ['lastName', 'Lovelace'],
      ],
      'Lovelace',
      'Lovelace',
    ],
    [
      [
        ['name', 'Ada Lovelace'],
        ['firstName', 'Ada'],
        ['lastName', 'King'],
      ],
      'Ada',
      'King',
    ],
    [
      [
        ['name', 'Ada Lovelace'],
        ['firstName', ' '],
      ],
      'Ada Lovelace',
      null,
    ],
  ])('the names of %j are combined', (cells, firstName, lastName) => {
    expect(rowOf(mapCsvRow([['email', 'ada@example.com'], ...cells]))).toEqual({ ...ada, firstName, lastName })
  })

  test('mapped values are replaced, and other values stay unchanged', () => {
    const given = { level: { field: 'role', values: { boss: 'admin', guest: ' ', __proto__x: 'y' } } }
    expect(rowOf(mapCell('level', ' boss ', given))).toEqual({ ...ada, role: 'admin' })
    expect(rowOf(mapCell('level', 'guest', given))).toEqual(ada)
    expect(rowOf(mapCell('level', 'member', given))).toEqual({ ...ada, role: 'member' })
    expect(warningsOf(mapCell('level', 'constructor', given))).toMatchObject([{ field: 'role', column: 'level' }])
    const proto = JSON.parse('{"level": {"field": "role", "values": {"__proto__": "admin"}}}')
    expect(rowOf(mapCell('level', '__proto__', proto))).toEqual({ ...ada, role: 'admin' })
  })

  test('a constant applies to all rows and wins over a column of its name', () => {
    expect(rowOf(mapCell('role', 'owner', { role: '=member' }))).toEqual({ ...ada, role: 'member' })
    expect(rowOf(mapCell('plan', 'pro', { plan: null, role: '=member' }))).toEqual({ ...ada, role: 'member' })
  })

  test('a row with other cells than the mapping is refused', () => {
    const read = createRowReader(peopleImportKind, buildImportMapping(peopleImportKind, ['email', 'name']))
    for (const row of [['ada@example.com'], ['ada@example.com', 5], ['ada@example.com', 'x', 'y']]) {
      expect(read(row)).toMatchObject({ field: null, reason: expect.stringContaining('not an object') })
    }
  })
})

describe('a person from JSON', () => {
  test('numbers and booleans keep their types in attributes', () => {
    expect(
      mapJsonRows([{ email: 'ada@example.com', seats: 5, paid: false, plan: ' pro ', none: null, empty: '' }]).map(
        rowOf,
      ),
    ).toEqual([{ ...ada, attributes: { seats: 5, paid: false, plan: 'pro' } }])
  })

  test.each<[object, string | null, RegExp]>([
    [{ email: 'ada@example.com', name: ['Ada'] }, 'name', /^Must be text/],
    [{ email: 'ada@example.com', tags: ['a'] }, 'attributes.tags', /^Must be text, a number/],
    [{ email: 'ada@example.com', seats: Number.POSITIVE_INFINITY }, 'attributes.seats', /^Must be text, a number/],
    [{ email: 'ada@example.com', attributes: ['a'] }, 'attributes', /^Must be an object/],
    [
      { email: 'ada@example.com', plan: 'a', attributes: { plan: 'b' } },
      'attributes.plan',
      /^The attribute has two values/,
    ],
  ])('%j is read with a warning', (row, field, reason) => {
    const warnings = mapJsonRows([row]).flatMap(warningsOf)
    expect(warnings).toMatchObject([{ field, became: null, reason: expect.stringMatching(reason) }])
  })

  test.each<[object, RegExp]>([
    [{ email: 5 }, /^Must be text/],
    [{ email: null }, /^Must not be empty/],
  ])('%j is refused', (row, reason) => {
    expect(mapJsonRows([row])).toMatchObject([{ field: 'email', reason: expect.stringMatching(reason) }])
  })

  test.each([null, 5, 'ada@example.com', [], true])('the row %j is refused', (row) => {
    expect(mapJsonRows([{ email: 'ada@example.com' }, row]).map(rowOf)[1]).toEqual(
      new ImportRowRejection(null, 'The row is not an object. Send {"email": …}.'),
    )
  })

  test('an object of attributes adds its members', () => {
    expect(
      mapJsonRows([{ email: 'ada@example.com', attributes: { plan: 'pro', seats: 3 }, 'attributes.team': 'x' }]).map(
        rowOf,
      ),
    ).toEqual([{ ...ada, attributes: { plan: 'pro', seats: 3, team: 'x' } }])
  })

  test('keys of later rows are matched by name in any order of rows', () => {
    const rows = [
      { email: 'ada@example.com', Level: 'x' },
      { 'E-Mail': 'ada@example.com', 'first name': 'Ada', plan: 'pro' },
      { EMAIL: 'ada@example.com', mail: 'other', level: 'boss' },
      { email: 'ada@example.com', 'E-Mail': 'bob@example.com' },
    ]
    const given = { Level: { field: 'role', values: { boss: 'admin', x: '' } }, Team: { attribute: 'team' } }
    const read = [
      ada,
      { ...ada, firstName: 'Ada', attributes: { plan: 'pro' } },
      { ...ada, role: 'admin', attributes: { mail: 'other' } },
      ada,
    ]
    const results = mapJsonRows(rows, given)
    expect(results.map(rowOf)).toEqual(read)
    expect(results.map(warningsOf).at(-1)).toMatchObject([
      {
        field: 'email',
        column: 'E-Mail',
        value: 'bob@example.com',
        reason: expect.stringContaining('first value counts'),
      },
    ])
    const mapping = buildImportMapping(peopleImportKind, Object.keys(rows[0] as object), given, { open: true })
    expect(rows.toReversed().map(createRowReader(peopleImportKind, mapping)).toReversed()).toEqual(read)
    expect(createRowReader(peopleImportKind, mapping)({ EMAIL: 'ada@example.com', TEAM: 'x' })).toEqual({
      ...ada,
      attributes: { team: 'x' },
    })
  })

  test('a row with other or invalid keys does not affect other rows', () => {
    const rows = [
      { email: 'ada@example.com' },
      { 'E-Mail': 'ada@example.com' },
      { email: 'ada@example.com', ['x'.repeat(101)]: 'y' },
    ]
    const mapping = buildImportMapping(peopleImportKind, headerOfJsonKeys(collectJsonKeys(rows)), undefined, {
      open: true,
    })
    const results = rows.map(createReader(peopleImportKind, mapping))
    expect(results.map(rowOf)).toEqual([ada, ada, ada])
    expect(results.map(warningsOf)).toMatchObject([
      [],
      [],
      [{ reason: expect.stringContaining('at most 100 characters') }],
    ])
  })

  test('a constant wins over keys of later rows', () => {
    expect(
      mapJsonRows([{ email: 'ada@example.com' }, { email: 'ada@example.com', Role: 'admin' }], { role: '=member' }).map(
        rowOf,
      ),
    ).toEqual([
      { ...ada, role: 'member' },
      { ...ada, role: 'member' },
    ])
  })

  test('numbers and booleans are replaced like text values', () => {
    const given = { admin: { field: 'role', values: { true: 'admin', false: '', 1: 'member' } } }
    const row = (admin: unknown) => ({ email: 'ada@example.com', admin })
    expect(mapJsonRows([row(true), row(false), row(1)], given).map(rowOf)).toEqual([
      { ...ada, role: 'admin' },
      ada,
      { ...ada, role: 'member' },
    ])
  })

  test('a row keeps its first hundred attributes', () => {
    const keys = Array.from({ length: 200 }, (_, index) => [`k${index}`, 'x'])
    const [read] = mapJsonRows([{ email: 'ada@example.com', ...Object.fromEntries(keys) }])
    expect(read && rowOf(read)).toEqual({ ...ada, attributes: Object.fromEntries(keys.slice(0, 100)) })
    expect(read && warningsOf(read)).toHaveLength(100)
    expect(read && warningsOf(read)[0]).toMatchObject({ field: 'attributes.k100', column: 'k100', value: null })
  })
})

describe('the attributes of a person', () => {
  const readAttributes = (given: unknown) => {
    const set = new AttributeSet()
    const [problem] = set.addAll(given)
    return problem ?? set.all
  }
  const many = (count: number, text: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${String(index).padStart(3, '0')}`, text]))

  test('have at most 100 names and 20 kB of UTF-8', () => {
    expect(Object.keys(readAttributes(many(100, 'x')))).toHaveLength(100)
    expect(readAttributes(many(101, 'x'))).toMatchObject({ field: 'attributes.k100' })
    // Each attribute has almost 1,000 bytes with name, quotes, colon and comma. The object adds two braces.
    for (const text of ['x'.repeat(989), 'é'.repeat(494), '€'.repeat(329), '😀'.repeat(247)]) {
      expect(Object.keys(readAttributes(many(20, text)))).toHaveLength(20)
      expect(readAttributes({ ...many(20, text), z: 'x'.repeat(100) })).toMatchObject({
        field: 'attributes.z',
        reason: expect.stringContaining('more than 20 kB in total'),
      })
    }
  })

  test('may have any valid name, such as constructor', () => {
    const given = JSON.parse('{"constructor": "a", "toString": "b", "hasOwnProperty": 1, " Plan\\nname ": true}')
    expect({ ...(readAttributes(given) as object) }).toEqual({
      constructor: 'a',
      toString: 'b',
      hasOwnProperty: 1,
      'Plan name': true,
    })
    for (const name of ['__proto__', ' ', 'x'.repeat(101), 'a\u0007']) {
      const refused = readAttributes(JSON.parse(`{${JSON.stringify(name)}: {"x": 1}}`))
      expect(refused).toMatchObject({ reason: expect.stringContaining('Shorten, rename or omit') })
    }
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })
})
