import { expect, test } from 'vitest'
import {
  createEvidenceCollector,
  type DayOrder,
  decideDayOrder,
  parseDateCell,
} from '../../../src/workspace/imports/dates'
import { parseNumberCell } from '../../../src/workspace/imports/numbers'

test.each<[string, string]>([
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T09:05', '2026-01-31T09:05:00.000Z'],
  ['2026-01-31 09:05:30.25', '2026-01-31T09:05:30.250Z'],
  ['2026-01-31T09:05:30+02:00', '2026-01-31T07:05:30.000Z'],
  ['2026-01-31 09:05:30 +0200', '2026-01-31T07:05:30.000Z'],
  ['2020-01-17 10:36:26 UTC', '2020-01-17T10:36:26.000Z'],
  ['2020-01-17 10:36:26 GMT+2', ''],
  ['2026/01/31', '2026-01-31T00:00:00.000Z'],
  ['2026/1/3 4:05 PM', '2026-01-03T16:05:00.000Z'],
  ['01/31/2026', '2026-01-31T00:00:00.000Z'],
  ['31/01/2026', '2026-01-31T00:00:00.000Z'],
  ['31-01-2026', '2026-01-31T00:00:00.000Z'],
  ['31.01.2026', '2026-01-31T00:00:00.000Z'],
  ['03.04.2026', '2026-04-03T00:00:00.000Z'],
  ['31.1.26, 14:30', '2026-01-31T14:30:00.000Z'],
  ['1/31/2026 4:05 PM', '2026-01-31T16:05:00.000Z'],
  ['1/31/2026 12:05 AM', '2026-01-31T00:05:00.000Z'],
  ['12/12/2025 3:30:19 PM', '2025-12-12T15:30:19.000Z'],
  ['31/Jan/26 9:05 AM', '2026-01-31T09:05:00.000Z'],
  ['31/jan/26', '2026-01-31T00:00:00.000Z'],
  ['31-Jan-2026', '2026-01-31T00:00:00.000Z'],
  ['1 Sept. 2026', '2026-09-01T00:00:00.000Z'],
  ['Jan 31, 2026', '2026-01-31T00:00:00.000Z'],
  ['January 31st, 2026', '2026-01-31T00:00:00.000Z'],
  ['31 Jan 2026', '2026-01-31T00:00:00.000Z'],
  ['January 31, 2026 9:05 AM', '2026-01-31T09:05:00.000Z'],
  ['Tue May 14 2024 17:10:40 GMT+0000 (GMT)', '2024-05-14T17:10:40.000Z'],
  ['Tue May 14 2024 17:10:40 GMT+0200 (Central European Summer Time)', '2024-05-14T15:10:40.000Z'],
  ['Tue, 14 May 2024 17:10:40 GMT', '2024-05-14T17:10:40.000Z'],
  ['29/Feb/99', ''],
  ['29/Feb/96', '2096-02-29T00:00:00.000Z'],
  ['46053', '2026-01-31T00:00:00.000Z'],
  ['46053.5', '2026-01-31T12:00:00.000Z'],
  ['46053.378472222', '2026-01-31T09:05:00.000Z'],
  ['1443651154', '2015-09-30T22:12:34.000Z'],
  ['1443651154250', '2015-09-30T22:12:34.250Z'],
  ['0443651154', ''],
  ['144365115', ''],
  ['14436511542', ''],
  ['19999', ''],
  ['80000', ''],
  ['31/31/2026', ''],
  ['30/Foo/26', ''],
  ['2026-02-30', ''],
  ['1/31/2026 13:05 PM', ''],
  ['1/31/2026 25:05', ''],
  ['1/31/20261', ''],
  ['yesterday', ''],
  ['', ''],
])('%j is read as %j', (text, iso) => {
  expect(parseDateCell(text, null) ?? '').toBe(iso)
})

test.each<[string, DayOrder | null, string]>([
  ['03/04/2026', 'dmy', '2026-04-03T00:00:00.000Z'],
  ['03/04/2026', 'mdy', '2026-03-04T00:00:00.000Z'],
  ['3-4-26 1:00 AM', 'mdy', '2026-03-04T01:00:00.000Z'],
  ['13/04/2026', 'mdy', '2026-04-13T00:00:00.000Z'],
  ['05/05/2026', null, '2026-05-05T00:00:00.000Z'],
  ['03/04/2026', null, 'ambiguous'],
])('%j in the order %j is read as %j', (text, order, iso) => {
  expect(parseDateCell(text, order)).toBe(iso)
})

test.each<[string, Record<string, string[]>, DayOrder | undefined, Record<string, DayOrder | 'iso' | null>]>([
  ['a day above 12', { a: ['03/04/2026', '31/01/2026'] }, undefined, { a: 'dmy' }],
  ['a day above 12 in the second place', { a: ['03/04/2026', '1/31/26 9:05 AM'] }, undefined, { a: 'mdy' }],
  ['another column', { a: ['03/04/2026'], b: ['31/01/2026'] }, undefined, { a: 'dmy', b: 'dmy' }],
  ['nothing', { a: ['03/04/2026', '2026-01-31'] }, undefined, { a: null }],
  ['the request', { a: ['03/04/2026'] }, 'mdy', { a: 'mdy' }],
  ['the request before another column', { a: ['03/04/2026'], b: ['31/01/2026'] }, 'mdy', { a: 'mdy', b: 'dmy' }],
  ['its own cells before the request', { a: ['31/01/2026'] }, 'mdy', { a: 'dmy' }],
  ['nothing, when cells disagree', { a: ['31/01/2026', '01/31/2026'] }, undefined, { a: null }],
  ['nothing, when columns disagree', { a: ['03/04/26'], b: ['31/01/26'], c: ['01/31/26'] }, undefined, { a: null }],
  ['no need for an order', { a: ['2026-01-31', '31 Jan 2026', '03.04.2026', ''] }, undefined, { a: 'iso' }],
])('%s decides the order of day and month', (_, cells, requested, orders) => {
  const header = Object.keys(cells)
  const length = Math.max(...Object.values(cells).map((column) => column.length))
  const rows = Array.from({ length }, (_, n) => header.map((column) => cells[column]?.[n] ?? ''))
  for (const collect of ['csv', 'json'] as const) {
    const collector = createEvidenceCollector(300)
    if (collect === 'csv') collector.take({ kind: 'csv', header, firstRow: 1, rows })
    else
      collector.take({
        kind: 'json',
        firstRow: 1,
        rows: rows.map((row) => Object.fromEntries(header.map((column, n) => [column, row[n]]))),
      })
    const found = Object.keys(orders).map((column) => [column, decideDayOrder(collector.all(), column, requested)])
    expect(Object.fromEntries(found)).toEqual(orders)
  }
})

test.each<[string, string]>([
  ['8', '8'],
  ['-0.5', '-0.5'],
  ['2,5', '2.5'],
  ['1,000', '1000'],
  ['1,234,567.89', '1234567.89'],
  ['1.234.567', '1234567'],
  ['1.234,5', '1234.5'],
  ['1 234,5', '1234.5'],
  ["1'234.5", '1234.5'],
  ['1\u00a0234', '1234'],
  ['50%', '50'],
  ['12,5 %', '12.5'],
  ['1,23,4', '1,23,4'],
  ['many', 'many'],
  ['1 2', '1 2'],
])('the number %j is read as %j', (text, number) => {
  expect(parseNumberCell(text)).toBe(number)
})
