import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { type GrantedScope, SCOPES } from '../../src/http/token.ts'
import { DEPLOYED_ENVIRONMENTS } from '../deploy/production.ts'
import { applyLocalMigrations } from '../migrations/local.ts'
import {
  type DatabaseLocation,
  localDatabase,
  runMain,
  runSql,
  sqlLiteral,
  stateFolderOf,
  UserProblem,
} from '../wrangler.ts'
import { insertKeyStatements, KEY_COLUMNS, type KeyOwner, type StoredKey, signTokenOfKey } from './keys.ts'
import { locateHome, locateOnlyWorkspace, locateWorkspaceToWrite } from './locate.ts'
import { lockState } from './lock.ts'
import { writeToWorkspace } from './moving.ts'
import { ensureSigningSecrets, makeSigningSecrets, readSigningSecrets } from './secrets.ts'
import { makeWorkspace } from './workspace.ts'

const KEY_COMMAND_USAGE = `npm run -s key -- --name NAME --scopes SCOPES [options]

  --scopes '*'               or a comma-separated list of <area>:read and <area>:write:
                             ${SCOPES.filter((scope) => scope.endsWith(':read'))
                               .map((scope) => scope.slice(0, -5))
                               .join(', ')}
  --products GW-DEMO,GW-2    limits the key to these products
  --expires 1d               lifetime in days (d), hours (h) or minutes (m); default: 365d
  --workspace 1              id of the workspace, if there are several workspaces
  --new-workspace NAME       creates a workspace first, with --email ADDRESS for its owner
  --home eu                  home of the new workspace, if HOMES names several homes
  --remote                   uses the deployed database; reads SIGNING_SECRETS from the environment
  --env staging              uses the database of staging, with --remote
  --state DIR                uses the local database of \`npm start -- --state DIR\`
  --make-secrets             prints a new value for SIGNING_SECRETS instead of a key`

const DAY_MS = 86_400_000
const LIFETIME_UNITS_MS: Record<string, number> = { d: DAY_MS, h: 3_600_000, m: 60_000 }

function parseLifetime(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,5})([dhm])$/.exec(text) ?? []
  const life = Number(amount) * (LIFETIME_UNITS_MS[unit] ?? 0)
  if (!(life > 0 && life <= 3650 * DAY_MS))
    throw new UserProblem(`--expires must be like 30d, 12h or 45m, and at most 3650d, not "${text}".`)
  return life
}

function splitCommaList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
}

const isScope = (scope: string): scope is GrantedScope => SCOPES.some((known) => known === scope)

function parseScopes(text: string): GrantedScope[] {
  const scopes = splitCommaList(text)
  const unknown = scopes.find((scope) => !isScope(scope))
  if (unknown || !scopes.length)
    throw new UserProblem(`--scopes does not know the scope "${unknown ?? ''}". Choose from: ${SCOPES.join(' ')}`)
  return scopes.filter(isScope)
}

interface WorkspaceRow {
  id: number
  user_id: number
}

interface ProductRow {
  id: number
  subscription_id: number
  external_key: string
}

async function findOwner(
  where: DatabaseLocation,
  workspace: number | undefined,
  keys: string[],
): Promise<KeyOwner & { subscription: number; products: number[] | null }> {
  const [workspaces, products] = await runSql<[WorkspaceRow[], ProductRow[]]>(
    [
      `SELECT s.id, u.id AS user_id FROM subscriptions s JOIN users u ON u.id = (
         SELECT min(id) FROM users WHERE subscription_id = s.id AND role = 'owner' AND deleted_at IS NULL)
       ${workspace === undefined ? '' : `WHERE s.id = ${sqlLiteral(workspace)}`} ORDER BY s.id LIMIT 2`,
      `SELECT id, subscription_id, external_key FROM products WHERE deleted_at IS NULL
         AND external_key IN (${keys.map(sqlLiteral).join(', ')})`,
    ],
    where,
  )
  const [owner] = workspaces
  if (!owner) {
    const which =
      workspace === undefined ? 'The database has no workspace' : `The database has no workspace ${workspace}`
    throw new UserProblem(
      `${which}. Run \`npm start\` once to create the demo workspace, or use --new-workspace NAME --email ADDRESS.`,
    )
  }
  if (workspaces.length > 1)
    throw new UserProblem('The database has several workspaces. Choose a workspace with --workspace ID.')
  const mine = products.filter((product) => product.subscription_id === owner.id)
  const missing = keys.find((key) => !mine.some((product) => product.external_key === key))
  if (missing) throw new UserProblem(`--products: workspace ${owner.id} has no product "${missing}".`)
  return { subscription: owner.id, user: owner.user_id, products: keys.length ? mine.map(({ id }) => id) : null }
}

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      name: { type: 'string' },
      scopes: { type: 'string' },
      products: { type: 'string', default: '' },
      expires: { type: 'string', default: '365d' },
      workspace: { type: 'string' },
      'new-workspace': { type: 'string' },
      email: { type: 'string' },
      home: { type: 'string' },
      remote: { type: 'boolean', default: false },
      env: { type: 'string', default: 'production' },
      state: { type: 'string' },
      'make-secrets': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return void process.stderr.write(`${KEY_COMMAND_USAGE}\n`)
  if (values['make-secrets']) return void process.stdout.write(`${makeSigningSecrets()}\n`)
  const name = values.name?.trim()
  if (!name || name.length > 200) throw new UserProblem(`--name is missing or too long.\n\n${KEY_COMMAND_USAGE}`)
  if (values.scopes === undefined) throw new UserProblem(`--scopes is missing.\n\n${KEY_COMMAND_USAGE}`)
  if (values.workspace !== undefined && !/^[1-9]\d{0,14}$/.test(values.workspace)) {
    throw new UserProblem(`--workspace must be the id of a workspace, like 1, not "${values.workspace}".`)
  }
  const now = Date.now()
  const scopes = parseScopes(values.scopes)
  const expiresAt = now + parseLifetime(values.expires)
  const env = DEPLOYED_ENVIRONMENTS.find((known) => known === values.env)
  if (!env) throw new UserProblem(`--env must be production or staging, not "${values.env}".`)
  if (values.home !== undefined && values['new-workspace'] === undefined)
    throw new UserProblem('--home is the home of a new workspace. Add --new-workspace NAME, or leave out --home.')
  const service: DatabaseLocation = values.remote ? { remote: true, env } : localDatabase(stateFolderOf(values.state))
  if (!service.remote) {
    await lockState(service.state, () => {
      ensureSigningSecrets()
      return applyLocalMigrations(service.state)
    })
  }
  const secrets = readSigningSecrets(service)
  const where = await (values['new-workspace']
    ? locateHome(service, values.home)
    : values.workspace === undefined
      ? locateOnlyWorkspace(service)
      : locateWorkspaceToWrite(service, Number(values.workspace)))
  const chosen = values['new-workspace']
    ? await makeWorkspace(values['new-workspace'], values.email ?? '', where, now)
    : values.workspace === undefined
      ? undefined
      : Number(values.workspace)
  const owner = await findOwner(where, chosen, splitCommaList(values.products))
  const jti = randomUUID()
  const select = `SELECT ${KEY_COLUMNS} FROM api_keys WHERE subscription_id = ${owner.subscription} AND jti = ${sqlLiteral(jti)}`
  const rows = await writeToWorkspace<StoredKey[][]>(
    owner.subscription,
    [...insertKeyStatements(owner, { products: owner.products, jti, name, scopes, now, expiresAt }), select],
    where,
  )
  const stored = rows.at(-1)?.[0]
  if (!stored) throw new UserProblem('The key could not be stored.')
  const limits = values.products ? `, products ${values.products}` : ''
  console.error(
    `Key "${name}" of workspace ${owner.subscription}: scopes ${scopes.join(' ')}${limits}, until ${new Date(expiresAt).toISOString()}`,
  )
  process.stdout.write(`${await signTokenOfKey(stored, secrets)}\n`)
})
