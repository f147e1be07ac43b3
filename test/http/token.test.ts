import { expect, test } from 'vitest'
import { type KeyClaims, signKeyToken, verifyKeyToken } from '../../src/http/token'
import { readClock } from '../clock'
import { seededRandom } from '../random'

const now = readClock()
const claims: KeyClaims = {
  subscriptionId: 1,
  userId: 2,
  jti: 'three',
  scopes: ['*'],
  products: [4],
  issuedAt: now,
  expiresAt: now + 60_000,
}

test('a secret is base64url with or without padding and has at least 32 bytes', async () => {
  const bytes = 'Pz8_Pz8-AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRo'
  for (const secret of [bytes, `${bytes}=`]) {
    const verified = await verifyKeyToken(`b:${secret}`, await signKeyToken(`b:${secret}`, claims), now)
    expect(verified?.actor).toEqual({ subscriptionId: 1, userId: 2, jti: 'three', scopes: ['*'], products: [4] })
  }
  for (const secret of [bytes.slice(2), bytes.replaceAll('_', '/'), bytes.replaceAll('-', '+'), 'ä'.repeat(50), '']) {
    await expect(signKeyToken(`b:${secret}`, claims)).rejects.toThrow(
      'SIGNING_SECRETS: each secret must be id:base64url of at least 32',
    )
  }
})

const bytes = (fill: (n: number) => number, length = 32) =>
  btoa(String.fromCharCode(...Array.from({ length }, (_, n) => fill(n))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')

test('two secrets with the same id are refused', async () => {
  const [one, two] = [bytes((n) => n), bytes((n) => n + 100)]
  for (const secrets of [`a:${one},a:${two}`, `a:${one},b:${two},a:${one}`]) {
    await expect(signKeyToken(secrets, claims)).rejects.toThrow('SIGNING_SECRETS: two secrets have the id a.')
    await expect(verifyKeyToken(secrets, 'a.b.c', now)).rejects.toThrow('--make-secrets')
  }
  expect(await signKeyToken(`a:${one},b:${two}`, claims)).toContain('.')
})

test('a secret that repeats one byte or a few bytes is refused', async () => {
  const word = 'password'
  for (const weak of [
    bytes(() => 0),
    bytes(() => 255, 64),
    bytes((n) => n % 2),
    bytes((n) => word.charCodeAt(n % word.length), 64),
  ]) {
    await expect(signKeyToken(`fine:${bytes((n) => n)},weak:${weak}`, claims)).rejects.toThrow(
      'SIGNING_SECRETS: the secret weak can be guessed.',
    )
  }
  const seeded = seededRandom(55)
  for (let n = 0; n < 200; n++) {
    const random = seeded.bytes(32)
    expect(await signKeyToken(`r:${bytes((at) => random[at] ?? 0)}`, claims)).toContain('.')
  }
})

test('a key has one spelling: spare bits, padding and other characters are refused', async () => {
  const secrets = `b:${bytes((n) => n)}`
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (let n = 0; n < 20; n++) {
    const token = await signKeyToken(secrets, { ...claims, jti: 'j'.repeat(n + 1) })
    const last = [...alphabet].map((letter) => token.slice(0, -1) + letter)
    const others = [
      `${token}=`,
      `${token} `,
      `${token}\n`,
      ` ${token}`,
      token.replaceAll('.', '=.'),
      `${token}A`,
      `${token}.`,
    ]
    for (const memory of ['fresh', 'known']) {
      const good: string[] = []
      for (const spelling of [...others, ...last]) if (await verifyKeyToken(secrets, spelling, now)) good.push(spelling)
      expect([memory, good]).toEqual([memory, [token]])
    }
  }
})
