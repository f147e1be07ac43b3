import { expect, test } from 'vitest'
import { readSuiteOptions } from '../../scripts/checks/suite-options'

const NOON = Date.UTC(2026, 0, 31, 12)
const read = (...values: string[]) => readSuiteOptions(values, NOON)

test('the suite runs once on the clock of the machine, unless options say otherwise', () => {
  expect(read()).toEqual({ repeat: 1, clock: '', vitestArguments: [] })
  expect(read('test/db', '--repeat', '3', '--clock', '2026-01-31T23:59:30Z', '-t', 'a list')).toEqual({
    repeat: 3,
    clock: '2026-01-31T23:59:30.000Z',
    vitestArguments: ['test/db', '-t', 'a list'],
  })
  expect(read('--clock', '+40d').clock).toBe('2026-03-12T12:00:00.000Z')
})

test.each([['--repeat'], ['--repeat', '0'], ['--repeat', 'often'], ['--clock'], ['--clock', 'tomorrow']])(
  '%s %s is refused with an example',
  (...values) => {
    expect(() => read(...values)).toThrow(/^--(repeat|clock) needs .*, as in /)
  },
)
