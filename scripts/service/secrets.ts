import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { parseEnv } from 'node:util'
import { parseSigningSecrets } from '../../src/http/token.ts'
import { root, UserProblem } from '../wrangler.ts'

const devVarsFile = path.join(root, '.dev.vars')

const DEV_VARS_HEAD = `# Settings of the local service; never commit this file. Settings here override [vars] in wrangler.toml.
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
export function makeSigningSecrets(): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  const secret = () => `${day}-${randomBytes(6).toString('hex')}:${randomBytes(32).toString('base64url')}`
  return `${secret()},${secret()}`
}

function checkSigningSecrets(secrets: string): string {
  try {
    parseSigningSecrets(secrets)
  } catch (cause) {
    throw new UserProblem(cause instanceof Error ? cause.message : String(cause))
  }
  return secrets
}

export function readDevVars(): Record<string, string | undefined> {
  return existsSync(devVarsFile) ? parseEnv(readFileSync(devVarsFile, 'utf8')) : {}
}

export function allowLoopbackWebhooks(): void {
  if (!existsSync(devVarsFile) || readDevVars().WEBHOOK_LOOPBACK !== undefined) return
  const text = readFileSync(devVarsFile, 'utf8')
  appendFileSync(devVarsFile, `${text && !text.endsWith('\n') ? '\n' : ''}WEBHOOK_LOOPBACK=allow\n`)
}

export function ensureSigningSecrets(): boolean {
  const { SIGNING_SECRETS } = readDevVars()
  if (SIGNING_SECRETS) {
    checkSigningSecrets(SIGNING_SECRETS)
    return false
  }
  const line = `SIGNING_SECRETS="${makeSigningSecrets()}"\n`
  if (!existsSync(devVarsFile)) {
    writeFileSync(devVarsFile, DEV_VARS_HEAD + line, { mode: 0o600 })
    return true
  }
  const text = readFileSync(devVarsFile, 'utf8')
  appendFileSync(devVarsFile, (text && !text.endsWith('\n') ? '\n' : '') + line)
  return true
}

export function readSigningSecrets({ remote }: { remote: boolean }): string {
  const { SIGNING_SECRETS } = remote ? process.env : readDevVars()
  if (SIGNING_SECRETS) return checkSigningSecrets(SIGNING_SECRETS)
  if (!remote) throw new UserProblem('.dev.vars has no SIGNING_SECRETS. Run `npm start` to create secrets.')
  throw new UserProblem(
    'Set SIGNING_SECRETS in the environment to the value that you gave to `wrangler secret put SIGNING_SECRETS --env production`.',
  )
}

export function findDroppedSecretsMessage(secrets: string, inUse: readonly string[]): string | undefined {
  const ids = new Set(parseSigningSecrets(secrets).map(({ id }) => id))
  const gone = inUse.filter((id) => !ids.has(id))
  if (!gone.length) return undefined
  return `SIGNING_SECRETS drops ${gone.join(', ')}, but webhook secrets are still encrypted with a dropped secret. First deploy with the new secret in front of the old secret. About a minute later the new secret encrypts all webhook secrets.`
}

export function checkSecretsFile(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  if (!existsSync(name)) throw new UserProblem(`--secrets-file: there is no file ${path.resolve(name)}.`)
  const { SIGNING_SECRETS } = readSecretsFile(name)
  return SIGNING_SECRETS === undefined ? undefined : checkSigningSecrets(SIGNING_SECRETS)
}

/** Reads lines `NAME=value`, or JSON. */
export function readSecretsFile(name: string): Record<string, string | undefined> {
  const text = readFileSync(name, 'utf8')
  return text.trimStart().startsWith('{') ? JSON.parse(text) : parseEnv(text)
}
