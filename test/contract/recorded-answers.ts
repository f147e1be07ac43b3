const MAX_SHOWN_ITEMS = 2
const MAX_SHOWN_CHARACTERS = 300

/** A real answer as the document shows it: short, without secrets, and equal in every run. */
export function settleAnswer(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) {
    const items = name === 'categories' ? value.toSorted(byId) : value
    return items.slice(0, MAX_SHOWN_ITEMS).map((item) => settleAnswer(item, name))
  }
  if (typeof value === 'string') return shownSecretOf(name, value) ?? settleText(value)
  // The compressed size of a file depends on random names.
  if (name === 'size' && typeof value === 'number') return 14_310
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, settleAnswer(inner, member)]))
}

/** Categories come in the order of their random names. */
const byId = (one: { id: number }, other: { id: number }) => one.id - other.id

const SHOWN_SECRETS: Readonly<Record<string, string>> = {
  token: 'eyJhbGciOiJIUzI1NiJ9.shown-once.shown-once',
  secret: 'whsec_c2hvd24gb25jZQ==',
}

/** The secret for end users has a form of its own. */
const shownSecretOf = (name: string, text: string) =>
  name === 'secret' && text.startsWith('eus_') ? 'eus_shown-once' : SHOWN_SECRETS[name]

const SHOWN_UUID = '6f1f5c1e-2f0a-4c1c-9b1e-3d2a7f0c8e55'

/** Random and momentary parts of the sample records. */
const CHANGING_PARTS: readonly (readonly [RegExp, string])[] = [
  [/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-31T09:00:00.000Z'],
  [/(?<=\/api\/hooks\/\d+-)[\w-]+/g, 'shown-once'],
  [/\bP[A-Z]{0,3}-[0-9A-Z]{6}\b/g, 'PRO-1'],
  [/^[0-9a-f]{8}$/g, '1042'],
  [/[ -][0-9a-f]{8}\b|\b[0-9a-f]{8}-/gi, ''],
]

const UUID_PATTERN = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const UUID_PLACE = '\u{e000}'

function settleText(text: string): string {
  const withoutIds = text.replaceAll(UUID_PATTERN, UUID_PLACE)
  const settled = CHANGING_PARTS.reduce((rest, [part, shown]) => rest.replaceAll(part, shown), withoutIds)
  return settled.replaceAll(UUID_PLACE, SHOWN_UUID).slice(0, MAX_SHOWN_CHARACTERS)
}
