import type { Status } from './requests'
import { texts } from './texts/texts'

const TONES = ['red', 'amber', 'green', 'blue', 'violet', 'pink', 'teal', 'gray'] as const
type Tone = (typeof TONES)[number]

/** Where each tone begins on the circle of hues. */
const HUES: readonly (readonly [number, Tone])[] = [
  [15, 'red'],
  [70, 'amber'],
  [160, 'green'],
  [190, 'teal'],
  [245, 'blue'],
  [290, 'violet'],
  [345, 'pink'],
  [360, 'red'],
]
const MIN_CHROMA = 30

/** The policy of the page allows no colors of its own, so a color takes the nearest tone. */
export function toneOf(color: string | null): Tone {
  const name = color?.trim().toLowerCase() ?? ''
  const known = TONES.find((tone) => tone === name)
  if (known) return known
  const [, digits = ''] = /^#?([\da-f]{6})$/.exec(name) ?? []
  const [red = 0, green = 0, blue = 0] = (digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  if (most - least < MIN_CHROMA) return 'gray'
  const sixth =
    most === red
      ? (green - blue) / (most - least)
      : most === green
        ? 2 + (blue - red) / (most - least)
        : 4 + (red - green) / (most - least)
  const hue = (sixth * 60 + 360) % 360
  return HUES.find(([end]) => hue < end)?.[1] ?? 'gray'
}

/** Ring, quarter, half, three quarters by the order of the open statuses; full when done, a dash when declined. */
function shapeOf(status: Status, statuses: readonly Status[]): string {
  if (status.progress === 'done') return 'full'
  if (status.endsVoting) return 'off'
  const open = statuses.filter(({ progress, endsVoting }) => progress !== 'done' && !endsVoting)
  const place = open.findIndex(({ id }) => id === status.id)
  return place <= 0 ? '0' : String(Math.min(3, 1 + Math.round(((place - 1) * 2) / Math.max(1, open.length - 2))))
}

export function StatusBadge({ id, statuses }: { id: number | null; statuses: readonly Status[] }) {
  const status = statuses.find((one) => one.id === id)
  if (!status)
    return (
      <span class="badge" data-tone="gray">
        {texts.noStatus}
      </span>
    )
  return (
    <span class="badge" data-tone={toneOf(status.color)} data-state={shapeOf(status, statuses)}>
      {labelOf(status)}
    </span>
  )
}

/** The names of the first statuses have no capitals. */
export const labelOf = ({ name }: Pick<Status, 'name'>): string => name.charAt(0).toUpperCase() + name.slice(1)
