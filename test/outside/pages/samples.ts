// Sends every sample of curl and Python. A sample may meet a record that is not there; the request itself must be right.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import '../../../scripts/leash.ts'
import { type Operation, readReference } from '../../../scripts/pages/reference.ts'
import { makeSampleCall, writeCurl, writePython } from '../../../scripts/pages/samples.ts'
import { runMain, UserProblem } from '../../../scripts/wrangler.ts'

const url = process.env.GROUNDWORK_URL ?? ''
const { operations, schemas } = readReference()

/** Failures of the state of the workspace. */
const STATE_CODES = /^(?!route).*_not_found$|^(conflict|in_use|unknown_reference|unfinished_items|workspace_not_empty)$/

/** Samples that need a value of your own. */
const OWN_VALUES: Record<string, string> = {
  eraseWorkspace: 'the name of your workspace',
  restoreExport: 'the file of an export',
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE']
/** Removals come late and their restores last. The end of the key that this check uses comes never. */
const rankOf = ({ id, method }: Operation) => (id.startsWith('restore') ? METHODS.length : METHODS.indexOf(method))
const chosen = operations
  .filter(({ id }) => !['revokeApiKey', 'rotateApiKey'].includes(id) && !(id in OWN_VALUES))
  .toSorted((one, other) => rankOf(one) - rankOf(other))

interface Result {
  id: string
  status: number
  body: string
}

async function makeKey(): Promise<string> {
  const response = await fetch(`${url}/api/v2/api-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env.GROUNDWORK_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'samples', scopes: ['*'] }),
  })
  return ((await response.json()) as { data: { token: string } }).data.token
}

/** A key sends this many samples, because of the limit of a minute. */
const SAMPLES_PER_KEY = 60

async function sendAll(run: (operations: Operation[], key: string) => Result[]): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < chosen.length; start += SAMPLES_PER_KEY)
    results.push(...run(chosen.slice(start, start + SAMPLES_PER_KEY), await makeKey()))
  return results
}

const envOf = (key: string) => ({ ...process.env, GROUNDWORK_KEY: key })

const sendCurl = (folder: string) => (some: Operation[], key: string) =>
  some.map((op): Result => {
    const command = writeCurl(op, makeSampleCall(op, schemas)).replace('curl', 'curl -s -w "\\n%{http_code}"')
    const printed = execFileSync('bash', ['-c', command], { cwd: folder, env: envOf(key), encoding: 'utf8' })
    const end = printed.lastIndexOf('\n')
    return { id: op.id, status: Number(printed.slice(end + 1)), body: printed.slice(0, end) }
  })

const PYTHON = `import contextlib, io, json, sys
for id, code in json.load(sys.stdin):
    scope = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, id, "exec"), scope)
    response = scope["response"]
    print(json.dumps({"id": id, "status": response.status_code, "body": response.text[:2000]}))
`

const sendPython = (folder: string) => (some: Operation[], key: string) => {
  const input = JSON.stringify(some.map((op) => [op.id, writePython(op, makeSampleCall(op, schemas))]))
  const { stdout, stderr, status } = spawnSync('python3', ['-c', PYTHON], {
    ...{ cwd: folder, env: envOf(key), input, encoding: 'utf8', maxBuffer: 1e8 },
  })
  if (status !== 0) throw new UserProblem(`python3 with the package requests failed:\n${stderr}`)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Result)
}

function findWrong(results: readonly Result[]): string[] {
  return results.flatMap(({ id, status, body }) => {
    if (status >= 200 && status < 300) return []
    const [, code = ''] = /"code":\s*"(\w+)","requestId"/.exec(body) ?? []
    return STATE_CODES.test(code) ? [] : [`${id}: ${status} ${body.slice(0, 300)}`]
  })
}

/** Most samples find the record of the demo workspace. */
const LEAST_SUCCESSES = 0.5

await runMain(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'groundwork-samples-'))
  const files = chosen.map((op) => makeSampleCall(op, schemas).upload?.file)
  for (const file of files) if (file) writeFileSync(path.join(folder, file.name), file.content)
  const problems: string[] = []
  try {
    for (const [language, send] of Object.entries({ curl: sendCurl(folder), Python: sendPython(folder) })) {
      const results = await sendAll(send)
      const done = results.filter(({ status }) => status < 300).length
      console.log(`${language}: ${results.length} samples sent, ${done} succeeded.`)
      problems.push(...findWrong(results).map((problem) => `${language} of ${problem}`))
      if (done < results.length * LEAST_SUCCESSES) problems.push(`${language}: too few samples succeed`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  if (problems.length) throw new UserProblem(problems.join('\n'))
})
