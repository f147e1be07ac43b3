import { expect, test } from 'vitest'
import { makeWords } from '../../../web/console/src/screens/kpis/make-words'
import { findStanding, judgeChange } from '../../../web/console/src/screens/kpis/standing'
import { de } from '../../../web/console/src/screens/kpis/texts/de'
import { en } from '../../../web/console/src/screens/kpis/texts/en'

const show = (value: number | string, unit: string | null) => `${Number(value)} ${unit}`
const WORDS = { en: makeWords(en, show), de: makeWords(de, show) }
const goalOf = (benchmarkType: string | null) => ({ benchmark: '10.00', benchmarkType, benchmarkUnit: 'h' })

type Case = [
  direction: string | null,
  first: number,
  latest: number,
  slopePerDay: string,
  expected: { standing: string; meets: boolean | undefined; course: string; verdict: string | undefined },
]

const CASES: Case[] = [
  ['MORE', 20, 22, '0.5', { standing: '12 h above the target', meets: true, course: 'rises: good', verdict: 'better' }],
  ['MORE', 9, 8, '-0.5', { standing: '2 h below the target', meets: false, course: 'falls: bad', verdict: 'worse' }],
  ['MORE', 9, 10, '0.2', { standing: 'on the target', meets: true, course: 'rises: good', verdict: 'better' }],
  [
    'LESS',
    30,
    22,
    '-0.5',
    { standing: '12 h above the target', meets: false, course: 'falls: good', verdict: 'better' },
  ],
  ['LESS', 20, 22, '0.5', { standing: '12 h above the target', meets: false, course: 'rises: bad', verdict: 'worse' }],
  ['LESS', 9, 8, '-0.5', { standing: '2 h below the target', meets: true, course: 'falls: good', verdict: 'better' }],
  ['LESS', 10, 10, '0.000001', { standing: 'on the target', meets: true, course: 'stays level', verdict: 'same' }],
  [
    'EQUAL',
    20,
    12,
    '-0.5',
    { standing: '2 h above the target', meets: false, course: 'falls: good', verdict: 'better' },
  ],
  ['EQUAL', 9, 8, '-0.5', { standing: '2 h below the target', meets: false, course: 'falls: bad', verdict: 'worse' }],
  ['EQUAL', 8, 9, '0.5', { standing: '1 h below the target', meets: false, course: 'rises: good', verdict: 'better' }],
  ['EQUAL', 8, 12, '0.5', { standing: '2 h above the target', meets: false, course: 'rises: bad', verdict: 'same' }],
  ['EQUAL', 9, 10, '0.5', { standing: 'on the target', meets: true, course: 'rises: bad', verdict: 'better' }],
  [null, 9, 8, '-0.5', { standing: '2 h below the target', meets: undefined, course: 'falls', verdict: undefined }],
]

test.each(CASES)('%s 10 h, from %d to %d with %s a day', (direction, first, latest, slopePerDay, expected) => {
  const goal = goalOf(direction)
  const { nameStanding, nameCourse } = WORDS.en
  const trend = { slopePerDay, latest: { value: String(latest), createdAt: '2026-01-01T00:00:00.000Z' } }
  const course = nameCourse(goal, trend)
  expect({
    standing: nameStanding(goal, latest),
    meets: findStanding(goal, latest).meets,
    course: course?.text,
    verdict: judgeChange(goal, first, latest),
  }).toEqual(expected)
  expect(course?.isGood).toBe(/: (good|bad)$/.exec(expected.course)?.[1] ? expected.course.endsWith('good') : undefined)
})

test.each([
  ['MORE', 'at least 10 h', '≥ 10 h', 'mindestens 10 h'],
  ['LESS', 'at most 10 h', '≤ 10 h', 'höchstens 10 h'],
  ['EQUAL', 'exactly 10 h', '= 10 h', 'genau 10 h'],
  [null, '10 h', '10 h', '10 h'],
])('the target of %s is named', (direction, named, signed, german) => {
  const goal = goalOf(direction)
  expect([WORDS.en.nameTarget(goal), WORDS.en.signTarget(goal), WORDS.de.nameTarget(goal)]).toEqual([
    named,
    signed,
    german,
  ])
})

test('German names a falling KPI whose target is a most', () => {
  const goal = goalOf('LESS')
  const latest = { value: '22.00', createdAt: '2026-01-01T00:00:00.000Z' }
  expect(WORDS.de.nameStanding(goal, 22)).toBe('12 h über dem Ziel')
  expect(WORDS.de.nameCourse(goal, { slopePerDay: '-0.5', latest })).toEqual({ text: 'fällt: gut', isGood: true })
  expect(WORDS.de.nameCourse(goal, { slopePerDay: '0.5', latest })).toEqual({ text: 'steigt: schlecht', isGood: false })
  expect(WORDS.de.nameCourse(goal, { slopePerDay: null, latest })).toBeUndefined()
})
