import type { Operations } from 'groundwork-client'
import { client } from '../../api/client'
import { texts } from '../../texts/texts'

export type ImportRun = Operations['getImport']['data']
export type Import = Operations['listImports']['data'][number]
export type ImportKind = ImportRun['kind']

/** Kinds whose records belong to no product. */
const KINDS_OF_THE_WORKSPACE: readonly ImportKind[] = ['people', 'suppressions']
export const belongsToProduct = (kind: ImportKind): boolean => !KINDS_OF_THE_WORKSPACE.includes(kind)

/** Programs may send rows without a file. */
export const nameOf = ({ file }: Import): string => file || texts.imports.sentRows

/** The states in which a run still changes. */
export const isChanging = ({ status }: Import): boolean => ['pending', 'running', 'undoing'].includes(status)

export interface ImportRequest {
  kind: ImportKind
  file: File
  product: string | null
  mapping: Readonly<Record<string, unknown>>
  onConflict: 'skip' | 'update'
  /** Undefined for the choice of the service. */
  createMissing: string | undefined
  /** False for columns that are matched by their names alone. */
  detectsProduct: boolean
}

interface SendOptions {
  dryRun: boolean
  signal?: AbortSignal
  onProgress?: (sent: number, total: number) => void
}

/** A dry run stores nothing, and answers what a run would do. */
export async function sendImport(request: ImportRequest, { dryRun, ...options }: SendOptions): Promise<ImportRun> {
  const { kind, file, product, mapping, onConflict, createMissing, detectsProduct } = request
  const fields = Object.keys(mapping).length ? { mapping: JSON.stringify(mapping) } : {}
  const preset = detectsProduct ? undefined : 'none'
  const shared = { dryRun: dryRun ? 'true' : 'false', onConflict, createMissing, preset, fields } as const
  const key = product ?? ''
  if (kind === 'people') return (await client.request('importMembers', { ...shared, file }, options)).data
  if (kind === 'suppressions') return (await client.request('importSuppressions', { ...shared, file }, options)).data
  if (kind === 'feedback')
    return (await client.request('importFeedbackItems', { ...shared, product: key, file }, options)).data
  if (kind === 'changelog')
    return (await client.request('importChangelogEntries', { ...shared, product: key, file }, options)).data
  return (await client.request('importBacklog', { ...shared, product_external_key: key, file }, options)).data
}
