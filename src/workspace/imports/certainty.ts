import type { ConvertedProduct } from '../../files/batch'
import { foldColumn, foldColumnName } from './columns'
import type { ImportKind, ImportPreset, PresetCertainty } from './kind'

/** `hint` names the operation that imports the file as records of another kind. */
export interface OtherOperation {
  isKnownProduct: boolean
  hint: string
}

interface RatedFile {
  header: readonly string[]
  convertedFrom: ConvertedProduct | undefined
  otherOperation: OtherOperation | undefined
  /** The request wants no preset. */
  isOff: boolean
}

/** The columns of these files come from the reader of files, so that the reason names what the file holds. */
const REASON_OF_CONVERTED_PRODUCT: Record<ConvertedProduct, string> = {
  trello: 'The file is the JSON export of a Trello board.',
  github: 'The file has issues of GitHub in JSON, with "number", "title" and the address of the issue.',
  gitlab: 'The file has issues of GitLab in JSON, with "iid", "title" and "web_url".',
}

/** Says how sure the choice of the preset is, and why. */
export function ratePreset(
  kind: ImportKind<unknown>,
  preset: ImportPreset | undefined,
  { header, convertedFrom, otherOperation, isOff }: RatedFile,
): PresetCertainty {
  if (isOff) return { certainty: 'none', presetReason: 'The request has "preset=none". Columns are matched by name.' }
  if (!preset) {
    const reason = otherOperation?.isKnownProduct ? `${otherOperation.hint} ` : describeClosest(kind, header)
    return { certainty: 'none', presetReason: `${reason}Columns are matched by name.` }
  }
  if (convertedFrom === preset.name)
    return { certainty: 'certain', presetReason: REASON_OF_CONVERTED_PRODUCT[convertedFrom] }
  const fields = kind.fields.flatMap(({ name, aliases }) => [name, ...aliases])
  const names = new Set(
    [...preset.identifyingColumns.flat(), ...Object.keys(preset.columns), ...fields].map(foldColumnName),
  )
  const known = header.filter((column) => foldColumn(column).some((name) => names.has(name))).length
  const there = new Set(header.flatMap(foldColumn))
  const identifying = preset.identifyingColumns.map((names) => findColumn(names, there) ?? '')
  const found = `The file has ${listColumns(identifying)}, as exports of ${preset.product} have`
  if (known * 2 >= header.length) return { certainty: 'certain', presetReason: `${found}.` }
  return { certainty: 'likely', presetReason: `${found}, but only ${known} of its ${header.length} columns are known.` }
}

function describeClosest({ presets }: ImportKind<unknown>, header: readonly string[]): string {
  const there = new Set(header.flatMap(foldColumn))
  const [closest] = presets
    .map(({ product, identifyingColumns: all }) => ({
      product,
      count: all.length,
      missing: all.flatMap((names) => (findColumn(names, there) === undefined ? [[names].flat()[0] ?? ''] : [])),
    }))
    .filter(({ count, missing }) => missing.length * 2 <= count)
    .sort((a, b) => a.missing.length - b.missing.length)
  if (!closest) return 'The file has the columns of no known product. '
  return `Exports of ${closest.product} also have ${listColumns(closest.missing)}, which the file lacks. `
}

const findColumn = (names: string | readonly string[], there: ReadonlySet<string>) =>
  [names].flat().find((name) => there.has(foldColumnName(name)))

function listColumns(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`)
  const last = quoted.at(-1) ?? ''
  return quoted.length < 2 ? `the column ${last}` : `the columns ${quoted.slice(0, -1).join(', ')} and ${last}`
}
