import { ExternalId, ExternalSource } from '../../http/external-id'
import type { CellProblemReporter, ImportField } from './kind'

export interface ImportedId {
  source: string
  id: string
}

/** `externalSource` is a constant of a preset. A column `source` counts only beside an id, because other files use the word. */
export const EXTERNAL_ID_FIELDS: readonly ImportField[] = [
  { name: 'source', aliases: [] },
  { name: 'externalId', aliases: [] },
  { name: 'externalSource', aliases: [] },
]

const SOURCE_OF_FILES = 'import'

/** Reads the id of a row in the product that exported the file. `name` is the identifier in files of known products. */
export function readImportedId(
  { source, externalId, externalSource, name }: Readonly<Record<string, string | undefined>>,
  report: CellProblemReporter,
): ImportedId | undefined {
  const id = externalId ?? (externalSource === undefined ? undefined : name)
  if (id === undefined) return undefined
  const field = externalId === undefined ? 'name' : 'externalId'
  const system = ExternalSource.safeParse((externalSource ?? source ?? SOURCE_OF_FILES).toLowerCase())
  const known = ExternalId.safeParse(id)
  if (!known.success) report({ field, value: id, reason: `${known.error.issues[0]?.message}.` })
  else if (!system.success)
    report({ field: 'source', value: source ?? null, reason: `${system.error.issues[0]?.message}.` })
  else return { source: system.data, id: known.data }
  return undefined
}
