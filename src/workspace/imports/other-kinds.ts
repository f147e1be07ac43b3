import { IMPORTS, type ImportName } from '../../imports'
import type { OtherOperation } from './certainty'
import { findImportField, findImportPreset } from './columns'
import type { ImportKind } from './kind'

const joinAlternatives = (parts: readonly string[]): string => [...new Set(parts)].join(' or ')

const hasRequiredFields = (kind: ImportKind<unknown>, header: readonly string[]): boolean => {
  const given = new Set(header.map((column) => findImportField(kind, column)?.name))
  return kind.fields.every(({ name, required }) => !required || given.has(name))
}

/** Where to send a file that looks like records of other kinds. A known product says more than single columns. */
export function describeOtherOperation(name: ImportName, header: readonly string[]): OtherOperation | undefined {
  const kinds = Object.values(IMPORTS)
    .map(({ kind }) => kind)
    .filter((kind) => kind !== IMPORTS[name].kind)
  const known = kinds.flatMap((kind) => {
    const preset = findImportPreset(kind, header)
    return preset ? [{ kind, product: preset.product }] : []
  })
  const likely = known.length
    ? known.map(({ kind }) => kind)
    : kinds.filter((kind) => !kind.isKnownByPreset && hasRequiredFields(kind, header))
  if (!likely.length) return undefined
  const nouns = joinAlternatives(likely.map(({ noun }) => noun))
  const products = joinAlternatives(known.map(({ product }) => product))
  const operations = joinAlternatives(likely.map(({ operation }) => operation))
  return {
    isKnownProduct: known.length > 0,
    hint: `The file looks like ${nouns}${products && ` of ${products}`}. Send it to ${operations}.`,
  }
}
