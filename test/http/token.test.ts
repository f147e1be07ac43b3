import { expect, test } from 'vitest'
import { type KeyClaims, signKey, verifyKey } from '../../src/http/token'

const now = Date.now()
const claims: KeyClaims = {
  subscriptionId: 1,
  userId: 2,
  jti: 'three',
  scopes: ['*'],
  products: [4],
  issuedAt: now,
  expiresAt: now + 60_000,
}

test('a secret is base64url, with or without its padding, of 32 bytes or more', async () => {
  const bytes = 'Pz8_Pz8-Pz8_Pz8-Pz8_Pz8-Pz8_Pz8-Pz8_Pz8-Pz8'
  for (const secret of [bytes, `${bytes}=`]) {
    const actor = await verifyKey(`b:${secret}`, await signKey(`b:${secret}`, claims), now)
    expect(actor).toEqual({ subscriptionId: 1, userId: 2, jti: 'three', scopes: ['*'], products: [4] })
  }
  for (const secret of [bytes.slice(2), bytes.replaceAll('_', '/'), bytes.replaceAll('-', '+'), 'ä'.repeat(50), '']) {
    await expect(signKey(`b:${secret}`, claims)).rejects.toThrow('SIGNING_SECRETS: each is id:base64url of at least 32')
  }
})
