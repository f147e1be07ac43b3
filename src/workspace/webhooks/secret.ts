const WEBHOOK_SECRET_PREFIX = 'whsec_'
const WEBHOOK_SECRET_BYTES = 32
export const ROTATION_OVERLAP_MS = 86_400_000

export function makeSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(WEBHOOK_SECRET_BYTES))
  return WEBHOOK_SECRET_PREFIX + btoa(String.fromCharCode(...bytes))
}

export const decodeWebhookSecret = (secret: string) =>
  Uint8Array.from(atob(secret.slice(WEBHOOK_SECRET_PREFIX.length)), (character) => character.charCodeAt(0))
