import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { DEPLOYED_ENVIRONMENTS, type DeployedEnvironment } from '../deploy/production.ts'
import { applyLocalMigrations } from '../migrations/local.ts'
import {
  configFile,
  type DatabaseLocation,
  localDatabase,
  locationArguments,
  runMain,
  runWrangler,
  sqlLiteral,
  stateFolderOf,
  UserProblem,
} from '../wrangler.ts'
import { locateHome, locateWorkspaceToWrite } from './locate.ts'
import { lockState } from './lock.ts'
import { writeToWorkspace } from './moving.ts'
import { makeWorkspace } from './workspace.ts'

const RESTORE_COMMAND_USAGE = `npm run restore -- --file export.zip --workspace new|ID [options]

  --file export.zip          the file of an export
  --object 12/exports/NAME   the file in the bucket of the service, in place of --file; the restore deletes it at the end
  --workspace new            creates a workspace, with --email ADDRESS for its owner and --name NAME
  --workspace 12             id of an empty workspace
  --home eu                  home of the new workspace, if HOMES names several homes
  --remote                   uses the deployed service
  --env staging              uses staging, with --remote
  --state DIR                uses the local database of \`npm start -- --state DIR\`

The running service restores the file within minutes. GET /api/v2/exports shows the progress.`

const NEW_WORKSPACE_NAME = 'Restored workspace'
// Wrangler sends a file to R2 with one request.
const MAX_UPLOAD_BYTES = 300 * 1024 * 1024

const OBJECT_KEY_PATTERN = /^[1-9]\d{0,14}\/exports\/[\w-]{1,100}$/

async function readBucket(env: DeployedEnvironment | undefined, bucket = 'FILES') {
  // Loaded on demand, because Wrangler is slow to load.
  const { unstable_readConfig: readConfig } = await import('wrangler')
  const config = readConfig({ config: configFile(), ...(env && { env }) })
  const found = config.r2_buckets.find(({ binding }: { binding: string }) => binding === bucket)
  if (!found?.bucket_name) throw new UserProblem(`wrangler.toml has no bucket with the binding ${bucket}.`)
  return { name: found.bucket_name, jurisdiction: found.jurisdiction }
}

async function storeFile(file: string, objectKey: string, where: DatabaseLocation): Promise<void> {
  const { name: bucket, jurisdiction } = await readBucket(where.remote ? where.env : undefined, where.bucket)
  if (where.remote && statSync(file).size > MAX_UPLOAD_BYTES) {
    const [id] = objectKey.split('/')
    throw new UserProblem(`The file has more than 300 MiB, the maximum of wrangler. Upload it with an S3 client, such as rclone, as the object
${objectKey}
of the bucket ${bucket}. Then run:

  npm run restore -- --object ${objectKey} --workspace ${id} --remote --env ${where.env}`)
  }
  const object = `${bucket}/${objectKey}`
  const options = ['--content-type', 'application/zip', ...(jurisdiction ? ['--jurisdiction', jurisdiction] : [])]
  await runWrangler(['r2', 'object', 'put', object, '--file', file, ...options, ...locationArguments(where)])
}

async function insertRun(workspace: number, objectKey: string, where: DatabaseLocation, now: number): Promise<number> {
  const [[run]] = await writeToWorkspace<[{ id: number }[]]>(
    workspace,
    [
      `INSERT INTO exports (subscription_id, kind, object_key, kept_for, next_attempt_at, created_at, updated_at)
       SELECT id, 'restore', ${sqlLiteral(objectKey)}, 0, ${now}, ${now}, ${now} FROM subscriptions
       WHERE id = ${sqlLiteral(workspace)} RETURNING id`,
    ],
    where,
  )
  if (!run) throw new UserProblem(`The database has no workspace ${workspace}.`)
  return run.id
}

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      file: { type: 'string' },
      object: { type: 'string' },
      workspace: { type: 'string' },
      name: { type: 'string', default: NEW_WORKSPACE_NAME },
      email: { type: 'string' },
      home: { type: 'string' },
      remote: { type: 'boolean', default: false },
      env: { type: 'string', default: 'production' },
      state: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return void process.stderr.write(`${RESTORE_COMMAND_USAGE}\n`)
  const { file, object, workspace } = values
  if ((file === undefined) === (object === undefined) || workspace === undefined)
    throw new UserProblem(`Give --workspace, and either --file or --object.\n\n${RESTORE_COMMAND_USAGE}`)
  if (file !== undefined && !statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new UserProblem(`The file ${file} does not exist.`)
  if (workspace !== 'new' && !/^[1-9]\d{0,14}$/.test(workspace))
    throw new UserProblem(`--workspace must be new or the id of a workspace, like 1, not "${workspace}".`)
  if (object !== undefined && !(OBJECT_KEY_PATTERN.test(object) && object.startsWith(`${workspace}/`)))
    throw new UserProblem(`--object must be like ${workspace}/exports/NAME, not "${object}".`)
  const env = DEPLOYED_ENVIRONMENTS.find((known) => known === values.env)
  if (!env) throw new UserProblem(`--env must be production or staging, not "${values.env}".`)
  const service: DatabaseLocation = values.remote ? { remote: true, env } : localDatabase(stateFolderOf(values.state))
  if (!service.remote) await lockState(service.state, () => applyLocalMigrations(service.state))
  const where = await (workspace === 'new'
    ? locateHome(service, values.home)
    : locateWorkspaceToWrite(service, Number(workspace)))
  const now = Date.now()
  const id = workspace === 'new' ? await makeWorkspace(values.name, values.email ?? '', where, now) : Number(workspace)
  // As makeObjectKey in src/workspace/objects/fields.ts makes the key.
  const objectKey = object ?? `${id}/exports/${randomUUID()}`
  // The bytes come first: an object without a run is deleted after a day.
  if (file !== undefined) await storeFile(path.resolve(file), objectKey, where)
  const run = await insertRun(id, objectKey, where, now)
  console.error(`Restore ${run} of workspace ${id} waits for the running service.`)
})
