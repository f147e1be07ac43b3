// Writes the note of a release in a CI pipeline, from the work items of a version and the ideas behind them.
//   GROUNDWORK_URL, GROUNDWORK_KEY   address of the service, and a key with the scopes `backlog:read` and `feedback:read`
//                                    (`backlog:write` with --release)
//   GROUNDWORK_PRODUCT               key of the product, such as GW-DEMO
//   node release-note.ts SV-1 > NOTES.md
//   node release-note.ts SV-1 --release   releases the version, too: the people of its ideas get mail
import process from 'node:process'
import { parseArgs } from 'node:util'
import { createClient, GroundworkError } from 'groundwork-client'

const { values, positionals } = parseArgs({
  options: { release: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const [version] = positionals
const { GROUNDWORK_URL: url = 'http://localhost:8787', GROUNDWORK_KEY: key = '' } = process.env
const product_external_key = process.env.GROUNDWORK_PRODUCT ?? 'GW-DEMO'
const groundwork = createClient({ url, key })

/** Signs that Markdown would read as its own. */
const escapeMarkdown = (value: string) => value.replace(/[\\`*_[\]<>#|]/g, '\\$&')

async function writeNote(solution_version_external_key: string): Promise<string> {
  const { name, items } = await groundwork.getSolutionVersion({ product_external_key, solution_version_external_key })
  const lines = [`# ${escapeMarkdown(name)}`, '']
  for (const traced_external_key of items) {
    // The item itself comes first, then its ideas among the linked records.
    const { nodes } = await groundwork.getTrace({ traced_external_key })
    const ideas = nodes.filter(({ type }) => type === 'feedback').map(({ externalKey }) => externalKey)
    lines.push(`- ${escapeMarkdown(nodes[0]?.title ?? '')} (${[traced_external_key, ...ideas].join(', ')})`)
  }
  return `${lines.join('\n')}\n`
}

try {
  if (version === undefined) throw new Error('Name the version: node release-note.ts SV-1')
  process.stdout.write(await writeNote(version))
  if (values.release)
    await groundwork.releaseSolutionVersion({ product_external_key, solution_version_external_key: version })
} catch (error) {
  // Open items stop the pipeline, and the message names them.
  console.error(error instanceof GroundworkError ? `${error.code}: ${error.message}` : error)
  process.exitCode = 1
}
