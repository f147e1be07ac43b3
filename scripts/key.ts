// npm run key: issues an API key and prints only the token on stdout.
import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { type GrantedScope, SCOPES } from '../src/http/token.ts'
import { insertKey, KEY_COLUMNS, type Owner, type StoredKey, tokenOf } from './keys.ts'
import { lockState } from './lock.ts'
import { ensureSecrets, makeSecrets, signingSecrets } from './secrets.ts'
import { literal, local, main, migrate, Problem, query, stateFolder, type Where } from './wrangler.ts'

const USAGE = `npm run -s key -- --name NAME --scopes SCOPES [options]

  --scopes '*'               or a comma-separated list of <area>:read and <area>:write:
                             ${SCOPES.filter((scope) => scope.endsWith(':read'))
                               .map((scope) => scope.slice(0, -5))
                               .join(', ')}
  --products GW-DEMO,GW-2    limits the key to these products
  --expires 1d               its life in days (d), hours (h) or minutes (m); a year without it
  --workspace 1              the workspace's id, where there are several
  --new-workspace NAME       makes a workspace first; its owner is --email ADDRESS
  --remote                   on the deployed database; reads SIGNING_SECRETS from the environment
  --state DIR                on the local database of \`npm start -- --state DIR\`
  --make-secrets             prints a fresh value for SIGNING_SECRETS instead of a key`

const DAY = 86_400_000
const UNITS: Record<string, number> = { d: DAY, h: 3_600_000, m: 60_000 }

function lifeOf(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,5})([dhm])$/.exec(text) ?? []
  const life = Number(amount) * (UNITS[unit] ?? 0)
  if (!(life > 0 && life <= 3650 * DAY))
    throw new Problem(`--expires must be like 30d, 12h or 45m, and at most 3650d: not "${text}".`)
  return life
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
}

const isScope = (scope: string): scope is GrantedScope => SCOPES.some((known) => known === scope)

function scopesOf(text: string): GrantedScope[] {
  const scopes = list(text)
  const unknown = scopes.find((scope) => !isScope(scope))
  if (unknown || !scopes.length)
    throw new Problem(`--scopes: there is no scope "${unknown ?? ''}". Scopes are: ${SCOPES.join(' ')}`)
  return scopes.filter(isScope)
}

async function makeWorkspace(name: string, email: string, where: Where, now: number): Promise<number> {
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Problem('--new-workspace needs --email ADDRESS, of its owner.')
  const [[workspace]] = await query<[[{ id: number }]]>(
    [`INSERT INTO subscriptions (name, created_at) VALUES (${literal(name)}, ${now}) RETURNING id`],
    where,
  )
  await query(
    [
      `INSERT INTO users (subscription_id, email, role, created_at, updated_at)
       VALUES (${workspace.id}, ${literal(email.trim().toLowerCase())}, 'owner', ${now}, ${now})`,
    ],
    where,
  )
  console.error(`Workspace ${workspace.id} "${name}" made.`)
  return workspace.id
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
  where: Where,
  workspace: number | undefined,
  keys: string[],
): Promise<Owner & { products: number[] | null }> {
  const [workspaces, products] = await query<[WorkspaceRow[], ProductRow[]]>(
    [
      `SELECT s.id, u.id AS user_id FROM subscriptions s JOIN users u ON u.id = (
         SELECT min(id) FROM users WHERE subscription_id = s.id AND role = 'owner' AND deleted_at IS NULL)
       ${workspace === undefined ? '' : `WHERE s.id = ${literal(workspace)}`} ORDER BY s.id LIMIT 2`,
      `SELECT id, subscription_id, external_key FROM products WHERE deleted_at IS NULL
         AND external_key IN (${keys.map(literal).join(', ')})`,
    ],
    where,
  )
  const [owner] = workspaces
  if (!owner) {
    const which = workspace === undefined ? 'There is no workspace yet' : `There is no workspace ${workspace}`
    throw new Problem(`${which}. Run \`npm start\` once for the demo's, or use --new-workspace NAME --email ADDRESS.`)
  }
  if (workspaces.length > 1) throw new Problem('There are several workspaces. Name one with --workspace ID.')
  const mine = products.filter((product) => product.subscription_id === owner.id)
  const missing = keys.find((key) => !mine.some((product) => product.external_key === key))
  if (missing) throw new Problem(`--products: workspace ${owner.id} has no product "${missing}".`)
  return { subscription: owner.id, user: owner.user_id, products: keys.length ? mine.map(({ id }) => id) : null }
}

await main(async () => {
  const { values } = parseArgs({
    options: {
      name: { type: 'string' },
      scopes: { type: 'string' },
      products: { type: 'string', default: '' },
      expires: { type: 'string', default: '365d' },
      workspace: { type: 'string' },
      'new-workspace': { type: 'string' },
      email: { type: 'string' },
      remote: { type: 'boolean', default: false },
      state: { type: 'string' },
      'make-secrets': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return void process.stderr.write(`${USAGE}\n`)
  if (values['make-secrets']) return void process.stdout.write(`${makeSecrets()}\n`)
  const name = values.name?.trim()
  if (!name || name.length > 200) throw new Problem(`--name is missing or too long.\n\n${USAGE}`)
  if (values.scopes === undefined) throw new Problem(`--scopes is missing.\n\n${USAGE}`)
  if (values.workspace !== undefined && !/^[1-9]\d{0,14}$/.test(values.workspace)) {
    throw new Problem(`--workspace must be the id of a workspace, like 1: not "${values.workspace}".`)
  }
  const now = Date.now()
  const scopes = scopesOf(values.scopes)
  const expiresAt = now + lifeOf(values.expires)
  const where: Where = values.remote ? { remote: true } : local(stateFolder(values.state))
  if (!where.remote) {
    await lockState(where.state, () => {
      ensureSecrets()
      return migrate(where)
    })
  }
  const secrets = signingSecrets(where)
  const chosen = values['new-workspace']
    ? await makeWorkspace(values['new-workspace'], values.email ?? '', where, now)
    : values.workspace === undefined
      ? undefined
      : Number(values.workspace)
  const owner = await findOwner(where, chosen, list(values.products))
  const jti = randomUUID()
  const select = `SELECT ${KEY_COLUMNS} FROM api_keys WHERE subscription_id = ${owner.subscription} AND jti = ${literal(jti)}`
  const rows = await query<StoredKey[][]>(
    [...insertKey(owner, { products: owner.products, jti, name, scopes, now, expiresAt }), select],
    where,
  )
  const stored = rows.at(-1)?.[0]
  if (!stored) throw new Problem('The key could not be stored.')
  const limits = values.products ? `, products ${values.products}` : ''
  console.error(
    `Key "${name}" of workspace ${owner.subscription}: scopes ${scopes.join(' ')}${limits}, until ${new Date(expiresAt).toISOString()}`,
  )
  process.stdout.write(`${await tokenOf(stored, secrets)}\n`)
})
