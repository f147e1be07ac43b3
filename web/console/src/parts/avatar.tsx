const TONES = ['red', 'amber', 'green', 'blue', 'violet', 'pink', 'teal'] as const
const MODULUS = 9_973

const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => Array.from(word)[0] ?? '')
    .filter((_, place, all) => place === 0 || place === all.length - 1)
    .join('')
    .toUpperCase()

/** A name keeps its color. */
export function toneOfName(name: string): (typeof TONES)[number] {
  let sum = 0
  for (const sign of name) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % MODULUS
  return TONES[sum % TONES.length] ?? 'teal'
}

/** Decoration: the name stands beside the circle. */
export const Avatar = ({ name }: { name: string }) => (
  <span class="avatar" data-tone={toneOfName(name)} aria-hidden="true">
    {initialsOf(name)}
  </span>
)
