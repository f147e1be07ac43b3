// groundwork export and groundwork restore.
import { createWriteStream } from 'node:fs'
import process from 'node:process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { Client, WorkspaceExport } from 'groundwork-client'
import { CliError, EXIT } from './exit.ts'
import { readUpload } from './operation.ts'
import { printData, printNote } from './output.ts'

const OF_PRODUCT = {
  backlog: 'exportBacklog',
  versions: 'exportSolutionVersions',
  kpis: 'exportKpis',
  experiments: 'exportExperiments',
  documents: 'exportDocuments',
} as const
const OF_WORKSPACE = {
  people: 'exportMembers',
  ideas: 'exportFeedbackItems',
  personas: 'exportPersonas',
  segments: 'exportSegments',
} as const

export const EXPORTED = [...Object.keys(OF_PRODUCT), ...Object.keys(OF_WORKSPACE), 'workspace']

export interface ExportFlags {
  product?: string
  format: 'csv' | 'json' | 'ndjson'
  include?: string
  output?: string
  json?: boolean
}

const POLL_MS = 1_000

export async function saveResponse(response: Response, file: string | undefined): Promise<void> {
  if (!response.body) return
  const source = Readable.fromWeb(response.body as ReadableStream)
  if (file === undefined) {
    for await (const chunk of source) process.stdout.write(chunk as Uint8Array)
    return
  }
  await pipeline(source, createWriteStream(file))
  printNote(`Saved ${file}.`)
}

export async function runExport(client: Client, what: string, flags: ExportFlags): Promise<void> {
  if (what === 'workspace') return exportWorkspace(client, flags)
  const { product, format, include } = flags
  const query = { format, ...(include !== undefined && { include }) }
  if (Object.hasOwn(OF_WORKSPACE, what)) {
    const id = OF_WORKSPACE[what as keyof typeof OF_WORKSPACE]
    const { data } = await client.request(id, { ...query, ...(product && { product }) } as never)
    return saveResponse(data, flags.output)
  }
  if (!Object.hasOwn(OF_PRODUCT, what))
    throw new CliError(`Unknown export "${what}". Choose from ${EXPORTED.join(', ')}.`)
  if (!product) throw new CliError('--product is missing: the key of the product, like GW-DEMO.')
  const id = OF_PRODUCT[what as keyof typeof OF_PRODUCT]
  const { data } = await client.request(id, { product_external_key: product, ...query } as never)
  return saveResponse(data, flags.output)
}

async function exportWorkspace(client: Client, { include, output, json }: ExportFlags): Promise<void> {
  const parts = include?.split(',').map((part) => part.trim()) as ('files' | 'events')[] | undefined
  const started = await client.createExport({ body: { ...(parts && { include: parts }) } })
  const run = await followExport(client, started)
  const file = output ?? `workspace-${run.createdAt.slice(0, 10)}.zip`
  await saveResponse(await client.downloadExport({ exportId: run.id }), file)
  if (json) printData({ ...run, file }, { json })
}

async function followExport(client: Client, started: WorkspaceExport): Promise<WorkspaceExport> {
  let run = started
  while (run.status === 'queued' || run.status === 'running') {
    printNote(`${run.status}, ${run.progress} %`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    run = await client.getExport({ exportId: run.id })
  }
  if (run.status !== 'completed') throw new CliError(run.problem ?? `The run ended as ${run.status}.`, EXIT.refused)
  return run
}

export async function runRestore(client: Client, file: string, { json }: { json?: boolean }): Promise<void> {
  const run = await followExport(client, await client.restoreExport({ file: readUpload(file) }))
  printData(json ? run : { restored: file, ...run.totals }, { json })
}
