import { foldColumn, foldColumnName } from './columns'
import type { ImportKind, ImportPreset, PresetCertainty } from './kind'

/** Says how sure the choice of the preset is, and why. */
export function ratePreset(
  kind: ImportKind<unknown>,
  preset: ImportPreset | undefined,
  header: readonly string[],
): PresetCertainty {
  if (!preset)
    return { certainty: 'none', presetReason: `${describeClosest(kind, header)}Columns are matched by name.` }
  const fields = kind.fields.flatMap(({ name, aliases }) => [name, ...aliases])
  const names = new Set(
    [...preset.identifyingColumns.flat(), ...Object.keys(preset.columns), ...fields].map(foldColumnName),
  )
  const known = header.filter((column) => foldColumn(column).some((name) => names.has(name))).length
  const there = new Set(header.flatMap(foldColumn))
  const identifying = preset.identifyingColumns.map((names) => findColumn(names, there) ?? '')
  const found = `The file has ${listColumns(identifying)}, as exports of ${preset.name} have`
  return {
    certainty: known * 2 >= header.length ? 'certain' : 'likely',
    presetReason: `${found}. Of its ${header.length} columns, ${known} are known.`,
  }
}

function describeClosest({ presets }: ImportKind<unknown>, header: readonly string[]): string {
  const there = new Set(header.flatMap(foldColumn))
  const [closest] = presets
    .map(({ name, identifyingColumns: all }) => ({
      name,
      count: all.length,
      missing: all.flatMap((names) => (findColumn(names, there) === undefined ? [[names].flat()[0] ?? ''] : [])),
    }))
    .filter(({ count, missing }) => missing.length * 2 <= count)
    .sort((a, b) => a.missing.length - b.missing.length)
  if (!closest) return 'The file has the columns of no known product. '
  return `Exports of ${closest.name} also have ${listColumns(closest.missing)}, which the file lacks. `
}

const findColumn = (names: string | readonly string[], there: ReadonlySet<string>) =>
  [names].flat().find((name) => there.has(foldColumnName(name)))

function listColumns(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`)
  const last = quoted.at(-1) ?? ''
  return quoted.length < 2 ? `the column ${last}` : `the columns ${quoted.slice(0, -1).join(', ')} and ${last}`
}
