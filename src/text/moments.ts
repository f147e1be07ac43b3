// Years that four digits write: ISO 8601 has no others unless both sides agree.
export const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00.000Z')
export const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

const DAY = 86_400_000
const TWO_DIGITS = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'))

// Lists and records share their days: a remembered one costs a tenth of what Date asks for a moment.
const dates = new Map<number, string>()
const MAX_DATES = 10_000

/** `2026-01-31T` for days since 1970. */
function dateOf(day: number): string {
  let date = dates.get(day)
  if (date === undefined) {
    if (dates.size >= MAX_DATES) dates.clear()
    date = new Date(day * DAY).toISOString().slice(0, -13)
    dates.set(day, date)
  }
  return date
}

/** Milliseconds → ISO 8601. */
export function iso(at: number): string
export function iso(at: number | null): string | null
export function iso(at: number | null): string | null {
  if (at === null) return null
  const day = Math.floor(at / DAY)
  const ms = at - day * DAY
  const hours = TWO_DIGITS[Math.floor(ms / 3_600_000)]
  const minutes = TWO_DIGITS[Math.floor(ms / 60_000) % 60]
  const seconds = TWO_DIGITS[Math.floor(ms / 1_000) % 60]
  return `${dateOf(day)}${hours}:${minutes}:${seconds}.${String(ms % 1_000).padStart(3, '0')}Z`
}
