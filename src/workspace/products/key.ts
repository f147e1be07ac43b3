const KEY_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

export function makeProductKey(name: string, random: Uint8Array): string {
  const words = name
    .normalize('NFKD')
    .toUpperCase()
    .split(/[^A-Z]+/)
    .filter(Boolean)
  const initials = words.map((word) => word[0]).join('')
  const letters = initials.length >= 2 ? initials : (words[0] ?? '').padEnd(2, 'X')
  const code = Array.from(random.subarray(0, 6), (byte) => KEY_ALPHABET[byte % KEY_ALPHABET.length]).join('')
  return `${letters.slice(0, 4)}-${code}`
}
