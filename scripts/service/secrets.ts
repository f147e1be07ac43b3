import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { parseArgs, parseEnv } from 'node:util'
import { readSecrets } from '../../src/http/token.ts'
import { Problem, root } from '../wrangler.ts'

const file = path.join(root, '.dev.vars')

const HEAD = `# Settings of the local service; never commit this file. Settings here override [vars] in wrangler.toml.
# Mail goes to a local outbox unless you name a provider:
# MAIL_PROVIDER=resend
# MAIL_API_KEY=
# MAIL_FROM="Groundwork <hello@example.com>"
# MAIL_BASE_URL=

# Webhooks may go to receivers on this machine, also over plain http.
WEBHOOK_LOOPBACK=allow

# The first secret signs new API keys; every secret verifies keys.
`

/** Makes two secrets: `id:base64url,id:base64url`. Ids are random, and never repeat. */
export function makeSecrets(): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  const secret = () => `${day}-${randomBytes(6).toString('hex')}:${randomBytes(32).toString('base64url')}`
  return `${secret()},${secret()}`
}

function checkSecrets(secrets: string): string {
  try {
    readSecrets(secrets)
  } catch (cause) {
    throw new Problem(cause instanceof Error ? cause.message : String(cause))
  }
  return secrets
}

export function localVars(): Record<string, string | undefined> {
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
}

export function ensureLoopback(): void {
  if (!existsSync(file) || localVars().WEBHOOK_LOOPBACK !== undefined) return
  const text = readFileSync(file, 'utf8')
  appendFileSync(file, `${text && !text.endsWith('\n') ? '\n' : ''}WEBHOOK_LOOPBACK=allow\n`)
}

/** Keeps all further lines of the file. Returns true after making secrets. */
export function ensureSecrets(): boolean {
  const { SIGNING_SECRETS } = localVars()
  if (SIGNING_SECRETS) {
    checkSecrets(SIGNING_SECRETS)
    return false
  }
  const line = `SIGNING_SECRETS="${makeSecrets()}"\n`
  if (!existsSync(file)) {
    writeFileSync(file, HEAD + line, { mode: 0o600 })
    return true
  }
  const text = readFileSync(file, 'utf8')
  appendFileSync(file, (text && !text.endsWith('\n') ? '\n' : '') + line)
  return true
}

/** From .dev.vars, or from the environment for the deployed service. */
export function signingSecrets({ remote }: { remote: boolean }): string {
  const { SIGNING_SECRETS } = remote ? process.env : localVars()
  if (SIGNING_SECRETS) return checkSecrets(SIGNING_SECRETS)
  if (!remote) throw new Problem('.dev.vars has no SIGNING_SECRETS. Run `npm start` to create secrets.')
  throw new Problem(
    'Set SIGNING_SECRETS in the environment to the value that you gave to `wrangler secret put SIGNING_SECRETS --env production`.',
  )
}

export function droppedSecretsMessage(secrets: string, inUse: readonly string[]): string | undefined {
  const ids = new Set(readSecrets(secrets).map(({ id }) => id))
  const gone = inUse.filter((id) => !ids.has(id))
  if (!gone.length) return undefined
  return `SIGNING_SECRETS drops ${gone.join(', ')}, but webhook secrets are still encrypted with a dropped secret. First deploy with the new secret in front of the old secret. About a minute later the new secret encrypts all webhook secrets.`
}

/** The file of `wrangler deploy --secrets-file` has lines or JSON. */
export function checkSecretsFile(args: readonly string[]): string | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: { 'secrets-file': { type: 'string' } },
    strict: false,
    allowPositionals: true,
  })
  const name = values['secrets-file']
  if (typeof name !== 'string' || !existsSync(name)) return undefined
  const text = readFileSync(name, 'utf8')
  const { SIGNING_SECRETS } = text.trimStart().startsWith('{') ? JSON.parse(text) : parseEnv(text)
  return SIGNING_SECRETS === undefined ? undefined : checkSecrets(SIGNING_SECRETS)
}
