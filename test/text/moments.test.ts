import { expect, test } from 'vitest'
import { moment } from '../../src/http/schemas'
import { parseIsoMoment, toIso } from '../../src/text/moments'

test('a moment is read and written as the runtime does', () => {
  let seed = 11
  const below = (n: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * n)
  }
  const digits = (n: number, length = 2) => String(n).padStart(length, '0')
  const zones = ['', 'Z', '+00:00', '-00:30', '+05:30', '-11:59', '+23:59', '-23:59']
  const seen = { read: 0, none: 0 }
  for (let round = 0; round < 20_000; round++) {
    const year = digits([below(10_000), below(100), 9_999 - below(3)][below(3)] ?? 0, 4)
    const date = `${year}-${digits(1 + below(12))}-${digits(1 + below(28 + below(4)))}`
    const seconds = `:${digits(below(60))}${['', `.${digits(below(10_000), 1 + below(5))}`][below(2)]}`
    const time = `T${digits(below(24))}:${digits(below(60))}${['', seconds + zones[below(zones.length)]][below(2)]}`
    const text = below(5) ? date + time : date
    const parsed = new Date(text.length === 10 || /[Z+]|-..:..$/.test(text.slice(11)) ? text : `${text}Z`)
    // Date reads 30 February as 2 March, and accepts years before 0000 and after 9999.
    const there = new Date(`${date}T00:00Z`).getUTCDate() === Number(date.slice(8))
    const known = there && /^\d{4}-/.test(parsed.toISOString())
    expect([text, parseIsoMoment(text)]).toEqual([text, known ? parsed.getTime() : undefined])
    expect([text, moment().safeParse(text).data]).toEqual([text, known ? parsed.getTime() : undefined])
    if (known) expect(toIso(parsed.getTime())).toBe(parsed.toISOString())
    seen[known ? 'read' : 'none']++
  }
  expect([seen.read > 15_000, seen.none > 50]).toEqual([true, true])
})

test('a request accepts fewer spellings of a moment than a file', () => {
  for (const text of ['2026-01-31 09:05', '2026-01-31t09:05z', '2026-01-31T09:05:07,25', '2026-01-31T09:05+02']) {
    expect([text, parseIsoMoment(text) === undefined, moment().safeParse(text).success]).toEqual([text, false, false])
  }
})
