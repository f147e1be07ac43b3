import { xxHash32 } from 'js-xxhash'
import { ExternalId, ExternalSource } from '../../http/external-id'
import { toAddressId } from '../../text/address-id'
import type { Attributes } from '../../text/attributes'
import type { CellProblemReporter } from '../../workspace/imports/kind'
import { OWN_EXPORT_SOURCE } from '../own-export'
import type { ImportedExternalId } from './values'

/** Of a row without an id. Rows with the same id are numbered in the order of the file. */
export interface DerivedId {
  source: string
  id: string
}

export interface RowIdentity {
  externalIds: ImportedExternalId[]
  derived: DerivedId | undefined
}

const NO_IDENTITY: RowIdentity = { externalIds: [], derived: undefined }
const SOURCE_OF_FILES = 'import'
const MAX_OWN_ID_CHARACTERS = 60

/**
 * Finds the ids of a row in the product that exported the file, so that a second import of the row changes the same
 * item. A row of a known product without an id is identified by the address, or else by a checksum of the cells.
 */
export function readRowIdentity(
  values: Readonly<Record<string, string>>,
  attributes: Attributes,
  report: CellProblemReporter,
): RowIdentity {
  const { externalSource, externalId } = values
  const source = ExternalSource.safeParse(externalSource ?? SOURCE_OF_FILES)
  if (!source.success) {
    report({ field: 'externalSource', value: externalSource ?? null, reason: `${source.error.issues[0]?.message}.` })
    return NO_IDENTITY
  }
  if (source.data === OWN_EXPORT_SOURCE) {
    // Ids of two installations can be equal.
    const id = [externalId, values.createdAt].join(' ').slice(0, MAX_OWN_ID_CHARACTERS)
    return { externalIds: externalId === undefined ? [] : [[source.data, id]], derived: undefined }
  }
  if (externalId !== undefined) {
    const ids = externalId.split('\n').filter((id) => {
      const { success, error } = ExternalId.safeParse(id)
      if (!success) report({ field: 'externalId', value: id, reason: `${error.issues[0]?.message}.` })
      return success
    })
    return { externalIds: ids.map((id) => [source.data, id]), derived: undefined }
  }
  if (externalSource === undefined) return NO_IDENTITY
  return { externalIds: [], derived: { source: source.data, id: deriveId(values, attributes) } }
}

function deriveId(values: Readonly<Record<string, string>>, attributes: Attributes): string {
  const address = toAddressId(values.urls?.split('\n')[0])
  if (address !== undefined) return address
  const cells = new TextEncoder().encode(JSON.stringify([Object.entries(values).sort(), Object.entries(attributes)]))
  return `row-${[1, 2].map((seed) => xxHash32(cells, seed).toString(16).padStart(8, '0')).join('')}`
}

/** Returns a function that numbers rows with the same id. */
export function createDerivedIdNumberer(): (derived: DerivedId) => ImportedExternalId {
  const counts = new Map<string, number>()
  return ({ source, id }) => {
    const name = `${source} ${id}`
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return [source, count === 1 ? id : `${id}#${count}`]
  }
}
