import { describe, expect, test, vi } from 'vitest'
import { peopleImportKind } from '../../../src/people/imports/kind'
import { ApiError } from '../../../src/text/errors'
import { buildImportMapping, collectJsonKeys, headerOfJsonKeys } from '../../../src/workspace/imports/mapping'
import { seededRandom } from '../../files/read-file'

function listIssues(header: string[], given?: unknown, open = false): string[] {
  try {
    buildImportMapping(peopleImportKind, header, given, { open })
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause
    expect(cause.status).toBe(400)
    return cause.issues.map(({ path, message }) => `${path}: ${message}`)
  }
  return []
}

function mapColumn(column: string, given?: unknown) {
  const [, mapped] = buildImportMapping(peopleImportKind, ['email', column], given).columns
  const { column: name, ...reading } = mapped ?? { column: '' }
  expect(name).toBe(column)
  return reading
}

test.each([
  ['First Name', { field: 'firstName' }],
  [' FIRST_NAME ', { field: 'firstName' }],
  ['first-name', { field: 'firstName' }],
  ['fïrst\u00a0nàme', { field: 'firstName' }],
  ['fi\u0301rstName', { field: 'firstName' }],
  ['Given Name', { field: 'firstName' }],
  ['Surname', { field: 'lastName' }],
  ['Name', { field: 'name' }],
  ['Rôle', { field: 'role' }],
  ['Plan', { attribute: 'Plan' }],
  ['  Plan\r\n(now) ', { attribute: 'Plan (now)' }],
  ['attributes.plan', { attribute: 'plan' }],
  ['Attributes', { attributes: true }],
  ['constructor', { attribute: 'constructor' }],
  ['', { ignored: true }],
  [' \t', { ignored: true }],
  ['-_', { attribute: '-_' }],
  ['first name (old)', { attribute: 'first name (old)' }],
])('the column %j is read as %j', (column, reading) => {
  expect(mapColumn(column)).toEqual(reading)
})

test('an alias of a field applies only when no column has the name of the field', () => {
  expect(buildImportMapping(peopleImportKind, ['Mail', 'Name']).columns[0]).toEqual({ column: 'Mail', field: 'email' })
  expect(buildImportMapping(peopleImportKind, ['Mail', 'E-Mail']).columns).toEqual([
    { column: 'Mail', attribute: 'Mail' },
    { column: 'E-Mail', field: 'email' },
  ])
  expect(buildImportMapping(peopleImportKind, ['Mail', 'Email Address']).columns).toEqual([
    { column: 'Mail', field: 'email' },
    { column: 'Email Address', attribute: 'Email Address' },
  ])
})

describe('the part `mapping`', () => {
  test.each([
    ['Level', { Level: 'role' }, { field: 'role' }],
    ['Level', { lEVEl: 'Role' }, { field: 'role' }],
    ['Level', { Level: { attribute: ' tier ' } }, { attribute: 'tier' }],
    ['Level', { Level: null }, { ignored: true }],
    ['Level', { Level: { field: 'role', values: { boss: 'admin' } } }, { field: 'role', values: { boss: 'admin' } }],
    ['Level', { Level: { field: 'role' } }, { field: 'role' }],
    ['role', { role: { attribute: 'role' } }, { attribute: 'role' }],
    ['-', { '-': null }, { ignored: true }],
  ])('%s with %j', (column, given, reading) => {
    expect(mapColumn(column, given)).toEqual(reading)
  })

  test('gives a field one value in all rows and ignores the column of its name', () => {
    const mapping = buildImportMapping(peopleImportKind, ['email', 'Role', 'plan'], { role: '= member ' })
    expect(mapping.constants).toEqual({ role: 'member' })
    expect(mapping.columns[1]).toEqual({ column: 'Role', ignored: true })
    expect(buildImportMapping(peopleImportKind, ['Login'], { email: '=ada@example.com' }).columns).toEqual([
      { column: 'Login', attribute: 'Login' },
    ])
  })

  test.each<[string, unknown, RegExp]>([
    ['list', ['email'], /^\/mapping: Must be an object of columns, each with a field, /],
    ['text', 'email', /^\/mapping: Must be an object/],
    ['null', null, /^\/mapping: Must be an object/],
    [
      'unknown field',
      { a: 'mobile' },
      /^\/mapping\/a: There is no field "mobile"\. Fields are: email, name, .*"attribute"/,
    ],
    ['unknown field with values', { a: { field: 'mobile', values: {} } }, /^\/mapping\/a: There is no field "mobile"/],
    ['unknown column', { Phone: null }, /^\/mapping\/Phone: The file has no such column\. .*"email", "a"\.$/],
    ['number', { a: 1 }, /^\/mapping\/a: Must be a field, /],
    ['list as target', { a: [] }, /^\/mapping\/a: Must be a field, /],
    ['both', { a: { field: 'role', attribute: 'x' } }, /^\/mapping\/a: Must be a field, /],
    ['an unknown member', { a: { attribute: 'x', type: 'text' } }, /^\/mapping\/a: Must be a field, /],
    ['values of a wrong type', { a: { field: 'role', values: { x: 1 } } }, /^\/mapping\/a: Must be a field, /],
    ['values in a list', { a: { field: 'role', values: ['x'] } }, /^\/mapping\/a: Must be a field, /],
    [
      'too many values',
      { a: { field: 'role', values: Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [n, 'x'])) } },
      /At most 1000 values/,
    ],
    ['empty attribute', { a: { attribute: ' ' } }, /^\/mapping\/a: The name of an attribute must not be empty/],
    ['long attribute', { a: { attribute: 'x'.repeat(101) } }, /^\/mapping\/a: .*at most 100 characters/],
    ['prototype', { a: { attribute: '__proto__' } }, /^\/mapping\/a: No attribute may be called "__proto__"/],
    [
      'constant of no field',
      { a: '=x' },
      /^\/mapping\/a: "=" gives a field one value in all rows\. There is no field "a"/,
    ],
    ['constant without value', { role: '= ' }, /^\/mapping\/role: The value after "=" is missing/],
    ['constant twice', { role: '=member', ROLE: '=admin' }, /^\/mapping\/ROLE: The field role has two values/],
    [
      'constant and column',
      { role: '=member', a: 'role' },
      /^\/mapping\/a: The column "a" and a constant both give the field role/,
    ],
    ['slash', { 'a/b~c': null }, /^\/mapping\/a~1b~0c: The file has no such column/],
  ])('is refused: %s', (_, given, message) => {
    const issues = listIssues(['email', 'a'], given)
    expect(issues).toHaveLength(1)
    expect(issues[0]).toMatch(message)
  })

  test('lists all errors at once', () => {
    expect(listIssues(['a', 'b'], { a: 'x', b: 1, c: null }).map((issue) => issue.split(':')[0])).toEqual([
      '/mapping/a',
      '/mapping/b',
      '/mapping/c',
      '/mapping/email',
    ])
  })
})

test.each<[string[], unknown, string]>([
  [
    ['email', 'Login'],
    { Login: 'email' },
    '/mapping/Login: The columns "email" and "Login" both give the field email.',
  ],
  [['email', 'a', 'a '], undefined, '/mapping/a : The columns "a" and "a " both give the attribute a.'],
  [['email', 'a', 'b'], { b: { attribute: 'a' } }, '/mapping/b: The columns "a" and "b" both give the attribute a.'],
  [
    ['email', 'attributes', 'ATTRIBUTES'],
    undefined,
    '/mapping/ATTRIBUTES: The columns "attributes" and "ATTRIBUTES" both',
  ],
])('two columns cannot give the same field: %j with %j', (header, given, message) => {
  const issues = listIssues(header, given)
  expect(issues).toHaveLength(1)
  expect(issues[0]?.slice(0, message.length)).toBe(message)
})

test('two columns of the same name can both be ignored, and unnamed columns do not conflict', () => {
  const { columns } = buildImportMapping(peopleImportKind, ['email', 'a', 'a', '', ''], { a: null })
  expect(columns.slice(1)).toEqual(['a', 'a', '', ''].map((column) => ({ column, ignored: true })))
})

test('a name of signs matches only itself', () => {
  const { columns } = buildImportMapping(peopleImportKind, ['email', '-', '--'], { '-': null })
  expect(columns.slice(1)).toEqual([
    { column: '-', ignored: true },
    { column: '--', attribute: '--' },
  ])
})

test('a header without an address column is refused with the remedy and the columns', () => {
  expect(listIssues(['Login', 'Plan'])).toEqual([
    '/mapping/email: No column gives the email. Rename a column to "email", or map a column in "mapping": {"<column>": "email"}. The file has the columns "Login", "Plan".',
  ])
  expect(listIssues(['email'], { email: null })).toHaveLength(1)
  expect(listIssues(['Login', 'Plan'], { Login: 'email' })).toEqual([])
})

test('a file has at most 300 columns, and no attribute has a long or reserved name', () => {
  const header = (columns: number) => ['email', ...Array.from({ length: columns - 1 }, (_, index) => `c${index}`)]
  expect(buildImportMapping(peopleImportKind, header(300)).columns).toHaveLength(300)
  expect(listIssues(header(301))).toEqual([
    '/mapping: The file has 301 columns, and the maximum is 300. Remove some columns.',
  ])
  const long = 'x'.repeat(101)
  expect(listIssues(['email', long])[0]).toMatch(/^\/mapping\/x+: .*at most 100 characters.*a shorter name/)
  expect(listIssues(['email', '__proto__'])[0]).toMatch(/^\/mapping\/__proto__: No attribute may be called/)
  expect(listIssues(['email', long], { [long]: { attribute: 'short' } })).toEqual([])
})

test('a mapping may name keys of later rows where the format allows such keys', () => {
  expect(listIssues(['email'], { Later: 'role' })).toHaveLength(1)
  expect(buildImportMapping(peopleImportKind, ['email'], { Later: 'role' }, { open: true }).columns).toEqual([
    { column: 'email', field: 'email' },
    { column: 'Later', field: 'role' },
  ])
  expect(listIssues(['email'], { Later: 'role', role: '=member' }, true)).toHaveLength(1)
  expect(listIssues(['mobile'], undefined, true)).toHaveLength(1)
})

test('the keys of the rows form the header: at most 300 of the first 1,001 names', () => {
  expect(collectJsonKeys([{ email: 1, b: 2 }, null, 'x', ['y'], { c: 3, b: 4 }])).toEqual(['email', 'b', 'c'])
  const rows = Array.from({ length: 200 }, (_, row) =>
    Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`${row}.${n}`, 1])),
  )
  expect([collectJsonKeys(rows).length, headerOfJsonKeys(collectJsonKeys(rows)).length]).toEqual([1_001, 300])
  expect(collectJsonKeys(rows.slice(0, 100))).toHaveLength(1_000)
})

test('a random header is mapped without conflicts, or refused, and its stored mapping reads the same', () => {
  const { below, pick } = seededRandom(11)
  const names = [
    'email',
    'E Mail',
    'mail',
    'name',
    'First_Name',
    'firstname',
    'role',
    'MEMBER_RATING',
    'LEID',
    'EUID',
    'Notes',
    'notes',
    'attributes',
    'attributes.notes',
    '',
    'Record ID',
    'Create Date (EST)',
    '__proto__',
    'constructor',
    'toString',
    'ünïcode',
    '𐐨',
  ]
  const outcomes = { mapped: 0, refused: 0 }
  for (let round = 0; round < 5_000; round++) {
    const header = Array.from({ length: 1 + below(8) }, () => pick(names))
    try {
      const mapping = buildImportMapping(peopleImportKind, header)
      expect(mapping.columns.map(({ column }) => column)).toEqual(header)
      // Several columns may give a field.
      const claims = mapping.columns.flatMap(({ column, ...reading }, n) =>
        'ignored' in reading || 'field' in reading || header.indexOf(column) < n ? [] : [JSON.stringify(reading)],
      )
      expect(new Set(claims).size).toBe(claims.length)
      expect(mapping.columns).toContainEqual(expect.objectContaining({ field: 'email' }))
      expect(JSON.parse(JSON.stringify(mapping))).toEqual(mapping)
      expect(buildImportMapping(peopleImportKind, header)).toEqual(mapping)
      outcomes.mapped++
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause
      expect(cause.issues.length).toBeGreaterThan(0)
      outcomes.refused++
    }
  }
  expect(Math.min(outcomes.mapped, outcomes.refused)).toBeGreaterThan(500)
})

// Normalizing thousands of accents on a letter takes quadratic time.
test('a long name of accents is not normalized', () => {
  const column = `a${'\u0301\u0323'.repeat(30_000)}`
  const normalize = vi.spyOn(String.prototype, 'normalize')
  const issues = listIssues(['email', column])
  const lengths = normalize.mock.contexts.map((text) => String(text).length)
  normalize.mockRestore()
  expect(issues).toHaveLength(1)
  expect(lengths).toContain('email'.length)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(100)
})
