// npm run key: issues an API key and prints its token, alone, on stdout.
import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { SCOPES } from '../src/http/token.ts'
import { insertKey, KEY_COLUMNS, tokenOf } from './keys.mjs'
import { ensureSecrets, makeSecrets, signingSecrets } from './secrets.mjs'
import { literal, main, migrate, Problem, query, stateFolder } from './wrangler.mjs'

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

const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000 }

function lifeOf(text) {
  const [, amount, unit] = /^(\d{1,5})([dhm])$/.exec(text) ?? []
  const life = Number(amount) * UNITS[unit]
  if (!(life > 0 && life <= 3650 * UNITS.d))
    throw new Problem(`--expires must be like 30d, 12h or 45m, and at most 3650d: not "${text}".`)
  return life
}

function list(text) {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
}

function scopesOf(text) {
  const scopes = list(text)
  const unknown = scopes.find((scope) => !SCOPES.includes(scope))
  if (unknown || !scopes.length)
    throw new Problem(`--scopes: there is no scope "${unknown ?? ''}". Scopes are: ${SCOPES.join(' ')}`)
  return scopes
}

async function makeWorkspace(name, email, where, now) {
  if (!/^[^\s@]+@[^\s@]+$/.test(email ?? '')) throw new Problem('--new-workspace needs --email ADDRESS, of its owner.')
  const [[workspace]] = await query(
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

/** Whose key it is to be, and the ids of the products it is limited to. */
async function findOwner(where, workspace, keys) {
  const [workspaces, products] = await query(
    [
      `SELECT s.id, s.name, u.id AS user_id FROM subscriptions s JOIN users u ON u.id = (
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
  if (values.help) return console.error(USAGE)
  if (values['make-secrets']) return console.log(makeSecrets())
  const name = values.name?.trim()
  if (!name || name.length > 200) throw new Problem(`--name is missing or too long.\n\n${USAGE}`)
  if (values.scopes === undefined) throw new Problem(`--scopes is missing.\n\n${USAGE}`)
  if (values.workspace !== undefined && !/^[1-9]\d{0,14}$/.test(values.workspace)) {
    throw new Problem(`--workspace must be the id of a workspace, like 1: not "${values.workspace}".`)
  }
  const now = Date.now()
  const scopes = scopesOf(values.scopes)
  const expiresAt = now + lifeOf(values.expires)
  const where = { remote: values.remote, state: stateFolder(values.state) }
  if (!where.remote) {
    ensureSecrets()
    await migrate(where)
  }
  const secrets = signingSecrets(where)
  const chosen = values['new-workspace']
    ? await makeWorkspace(values['new-workspace'], values.email, where, now)
    : values.workspace && Number(values.workspace)
  const owner = await findOwner(where, chosen, list(values.products))
  const jti = randomUUID()
  const select = `SELECT ${KEY_COLUMNS} FROM api_keys WHERE subscription_id = ${owner.subscription} AND jti = ${literal(jti)}`
  const rows = await query(
    [...insertKey(owner, { products: owner.products, jti, name, scopes, now, expiresAt }), select],
    where,
  )
  const limits = values.products ? `, products ${values.products}` : ''
  console.error(
    `Key "${name}" of workspace ${owner.subscription}: scopes ${scopes.join(' ')}${limits}, until ${new Date(expiresAt).toISOString()}`,
  )
  process.stdout.write(`${await tokenOf(rows.at(-1)[0], secrets)}\n`)
})
