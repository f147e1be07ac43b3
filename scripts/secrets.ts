// The signing secrets: made, and found again, in .dev.vars.
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { parseEnv } from 'node:util'
import { Problem, root } from './wrangler.ts'

const file = path.join(root, '.dev.vars')

const HEAD = `# Settings of the local service; never committed. What stands here goes before [vars] of wrangler.toml.
# Mail goes to a local outbox unless you name a provider:
# MAIL_PROVIDER=resend
# MAIL_API_KEY=
# MAIL_FROM="Groundwork <hello@example.com>"
# MAIL_BASE_URL=

# The first signs new API keys, every one verifies.
`

/** Two fresh secrets: `id:base64url,id:base64url`. */
export function makeSecrets(): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  return ['a', 'b'].map((id) => `${day}${id}:${randomBytes(32).toString('base64url')}`).join(',')
}

/** What .dev.vars sets, as wrangler reads it. */
export function localVars(): Record<string, string | undefined> {
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
}

/** Makes the secrets when there are none, and leaves every other line as it is. Says whether it did. */
export function ensureSecrets(): boolean {
  if (localVars().SIGNING_SECRETS) return false
  const line = `SIGNING_SECRETS="${makeSecrets()}"\n`
  if (!existsSync(file)) {
    writeFileSync(file, HEAD + line, { mode: 0o600 })
    return true
  }
  const text = readFileSync(file, 'utf8')
  appendFileSync(file, (text && !text.endsWith('\n') ? '\n' : '') + line)
  return true
}

/** What signs keys: the local secrets, or for the deployed service those in the environment. */
export function signingSecrets({ remote }: { remote: boolean }): string {
  const { SIGNING_SECRETS } = remote ? process.env : localVars()
  if (SIGNING_SECRETS) return SIGNING_SECRETS
  if (!remote) throw new Problem('.dev.vars has no SIGNING_SECRETS: `npm start` makes them.')
  throw new Problem(
    'Set SIGNING_SECRETS in the environment to the value you gave `wrangler secret put SIGNING_SECRETS --env production`.',
  )
}
