import { AUTHORS, keyOf, randomEmail, randomText, type Source, uniqueText } from './values.ts'

const PIXEL_PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (c) => c.charCodeAt(0),
)

const cell = (value: unknown): string => `"${String(value ?? '').replaceAll('"', '""')}"`
const toCsv = (rows: Record<string, unknown>[]): string => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return [columns, ...rows.map((row) => columns.map((name) => row[name]))]
    .map((row) => row.map(cell).join(','))
    .join('\n')
}

const repeat = <T>(of: Source, make: (n: number) => T): T[] =>
  Array.from({ length: 1 + of.random.below(5) }, (_, n) => make(n))

/** Rows of work items, ideas, people and records of KPIs; some rows name records that exist. */
const ROWS: Record<string, (of: Source) => Record<string, unknown>[]> = {
  importBacklog: (of) => [
    { key: 'A', type: 'epic', summary: uniqueText(of), parent: '', tags: randomText(of, 1), assignee: '' },
    ...repeat(of, (n) => ({
      key: of.random.chance(30) ? keyOf(of, 'item_external_key') : `B${n}`,
      type: of.random.pick(['feature', 'userstory']),
      summary: randomText(of),
      parent: of.random.chance(60) ? 'A' : '',
      tags: randomText(of, 1),
      assignee: of.random.chance(40) ? randomEmail(of) : '',
    })),
  ],
  importFeedbackItems: (of) =>
    repeat(of, () => ({
      title: uniqueText(of),
      description: randomText(of),
      tags: randomText(of, 1),
      author: of.random.pick(AUTHORS),
      votes: `${randomEmail(of)};${randomEmail(of)}`,
      comments: randomText(of),
      category: randomText(of, 1),
      id: of.random.chance(40) ? `X${of.random.below(20)}` : '',
      plan: of.random.pick(['pro', 'free']),
    })),
  importChangelogEntries: (of) =>
    repeat(of, () => ({
      title: uniqueText(of),
      content: randomText(of),
      labels: randomText(of, 1),
      status: of.random.pick(['draft', 'scheduled', 'published', 'cooking']),
      publishedAt: of.random.pick(['2026-01-31', '2999-01-31', '']),
      ideas: of.random.chance(40) ? keyOf(of, 'feedback_external_key') : '',
      externalId: of.random.chance(40) ? `X${of.random.below(20)}` : '',
    })),
  importMembers: (of) => people(of),
  importSuppressions: (of) => people(of).map(({ email }) => ({ email })),
  importUsersIntoSegment: (of) => people(of),
  insertKpiRecords: (of) =>
    repeat(of, () => ({ value: of.random.below(1_000), createdAt: `2026-02-${10 + of.random.below(18)}` })),
}

const people = (of: Source) =>
  repeat(of, () => ({ email: randomEmail(of), name: randomText(of), plan: of.random.pick(['pro', 'free', '']) }))

/** A file, or the same rows as JSON. */
export function uploadOf(of: Source, id: string, part: string): { form: FormData } | { json: unknown } {
  const form = new FormData()
  const rows = ROWS[id]?.(of)
  if (rows && of.random.chance(30)) return { json: rows }
  const file = rows
    ? new File([toCsv(rows)], 'rows.csv', { type: 'text/csv' })
    : new File([PIXEL_PNG], 'pixel.png', { type: 'image/png' })
  form.set(part, file)
  return { form }
}

export const UPLOADED = Object.keys(ROWS)
