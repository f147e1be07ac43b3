import type { Portal, PortalStatus } from './frame'

export const TONES = ['red', 'amber', 'green', 'blue', 'violet', 'pink', 'teal', 'gray'] as const
type Tone = (typeof TONES)[number]

/** The longest list of colors in the address of a theme. */
const MAX_TONES = 100

/** Six lower-case hexadecimal digits, or undefined. */
export function readHexColor(color: string | null): string | undefined {
  const [, digits] = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(color?.trim() ?? '') ?? []
  if (!digits) return undefined
  const long = digits.length === 3 ? Array.from(digits, (digit) => digit + digit).join('') : digits
  return long.toLowerCase()
}

const isTone = (color: string): color is Tone => TONES.some((tone) => tone === color)

/** Attributes of an element in the color of a status. */
export function toneOf(color: string | null): { 'data-tone'?: Tone; class?: string } {
  const name = color?.trim().toLowerCase() ?? ''
  if (isTone(name)) return { 'data-tone': name }
  const hex = readHexColor(color)
  return hex ? { class: `tone-${hex}` } : { 'data-tone': 'gray' }
}

/** The address holds all colors, so the stylesheet needs no database and never changes. */
export function themePathOf({ root, accent, statuses }: Pick<Portal, 'root' | 'accent' | 'statuses'>): string {
  const tones = [...new Set(statuses.flatMap(({ color }) => (isTone(color ?? '') ? [] : (readHexColor(color) ?? []))))]
  const search = new URLSearchParams({ accent: readHexColor(accent) ?? '', tones: tones.join('.') })
  return `${root}/theme.css?${search}`
}

/** Ignores whatever is no color. */
export function renderTheme({ accent, tones }: { accent: string | undefined; tones: string | undefined }): string {
  const base = readHexColor(accent ?? null)
  const colors = (tones ?? '').split('.', MAX_TONES).flatMap((tone) => readHexColor(tone) ?? [])
  const rules = [
    ...(base ? [`:root{--accent-base:#${base}}`] : []),
    ...colors.map((color) => `.tone-${color}{--tone:#${color}}`),
  ]
  return `${rules.join('\n')}\n`
}

export type StatusShape = '1' | '2' | '3' | 'full' | 'off' | undefined

/** Ring, quarter, half, three quarters by the order of the open statuses; full when done, a dash when declined. */
export function shapeOf(status: PortalStatus, statuses: readonly PortalStatus[]): StatusShape {
  if (status.isDone) return 'full'
  if (status.endsVoting) return 'off'
  const open = statuses.filter(({ isDone, endsVoting }) => !isDone && !endsVoting)
  const place = open.findIndex(({ id }) => id === status.id)
  if (place <= 0) return undefined
  const steps = ['1', '2', '3'] as const
  return steps[Math.min(2, Math.round(((place - 1) * 2) / Math.max(1, open.length - 2)))]
}
