import { TONES } from './theme'

const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => Array.from(word)[0] ?? '')
    .filter((_, place, all) => place === 0 || place === all.length - 1)
    .join('')
    .toUpperCase()

const AVATAR_TONES = TONES.filter((tone) => tone !== 'gray')

/** A name keeps its color. */
export function toneOfName(name: string): (typeof TONES)[number] {
  let sum = 0
  for (const sign of name) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % 9_973
  return AVATAR_TONES[sum % AVATAR_TONES.length] ?? 'gray'
}

/** Decoration: the name stands beside the circle. */
export const Avatar = ({ name, isLarge = false }: { name: string; isLarge?: boolean }) => (
  <span class={isLarge ? 'avatar lg' : 'avatar'} data-tone={toneOfName(name)} aria-hidden="true">
    {initialsOf(name)}
  </span>
)
