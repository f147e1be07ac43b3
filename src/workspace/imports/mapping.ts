import { attributeNameProblem } from '../../text/attributes'
import { type Issue, invalidInput } from '../../text/errors'
import { claim, fold, type Guess, type Guesser, guesser, plain, presetOf, rejectedFrom } from './columns'
import { type Given, pointer, readGiven } from './given'
import { type Kind, type MappedColumn, type Mapping, type Reading, shown } from './kind'

/** Wider than the exports of known products. A file with more columns has a different delimiter or no header. */
export const MAX_COLUMNS = 300

interface MappingOptions {
  /** Later rows may contain further columns, as objects of JSON do. The mapping may name columns outside the header. */
  open?: boolean
}

/**
 * Builds the mapping from the header and from `given`, the JSON of the part `mapping`. All problems are reported in a
 * single 400.
 */
export function mappingOf(
  kind: Kind<unknown>,
  header: readonly string[],
  given?: unknown,
  { open = false }: MappingOptions = {},
): Mapping {
  if (header.length > MAX_COLUMNS) {
    const message = `The file has ${header.length} columns, at most ${MAX_COLUMNS} can be read. Leave some out.`
    throw invalidInput([{ path: '/mapping', code: 'too_big', message }])
  }
  const issues: Issue[] = []
  const said = readGiven(kind, given, issues)
  const preset = presetOf(kind, header)
  const { columns, unmet } = placed(header, said, { guess: guesser(kind, preset), repeats: preset?.repeats === true })
  for (const [column, reading] of unmet) {
    if (open) columns.push({ column, ...reading })
    else
      issues.push({
        path: pointer(column),
        code: 'unknown_column',
        message: `The file has no such column. ${listed(header)}`,
      })
  }
  issues.push(...overruled(columns, said), ...missing(kind, columns, said, header))
  // Conflicting or invalid keys of JSON may be in different rows, and the mapper rejects only the affected rows.
  if (preset?.repeats) repeat(columns)
  if (!open) issues.push(...unnameable(columns), ...collisions(kind, columns))
  if (issues.length) throw invalidInput(issues)
  return { preset: preset?.name ?? null, columns, constants: Object.fromEntries(said.constants) }
}

// A key of more than 1,000 characters is no column name.
const MAX_KEY = 1_000
/** Different keys of a JSON file. The time to find the reading of a key is much longer than the time to parse the key. */
export const MAX_KEYS = 1_000

/** Collects the keys of JSON rows, after the keys of earlier rows. Stops after `MAX_KEYS + 1` keys. */
export function keysOf(rows: readonly unknown[], before: readonly string[] = []): string[] {
  const keys = new Set(before)
  for (const row of rows) {
    if (row === null || typeof row !== 'object' || Array.isArray(row)) continue
    for (const key in row) {
      if (keys.size > MAX_KEYS) return [...keys]
      if (Object.hasOwn(row, key) && key.length <= MAX_KEY) keys.add(key)
    }
  }
  return [...keys]
}

/** The header of a JSON file. Further keys are read by name. */
export const headerOf = (keys: readonly string[]): string[] => keys.slice(0, MAX_COLUMNS)

/** Assigns readings in the order of certainty: explicit mappings, certain names, likely names. */
function placed(
  header: readonly string[],
  said: Given,
  { guess, repeats }: { guess: Guesser; repeats: boolean },
): { columns: MappedColumn[]; unmet: Given['columns'] } {
  const unmet = new Map(said.columns)
  const byFold = foldedColumns(said.columns)
  const own = rejectedFrom(header)?.length ?? header.length
  const guesses = header.map((column, n): Guess => {
    const key = said.columns.has(column) ? column : byFold.get(fold(column))
    if (key === undefined && n >= own) return { reading: { ignored: true }, likely: false }
    if (key === undefined) return settled(guess(column), said.constants)
    unmet.delete(key)
    return { reading: said.columns.get(key) as Reading, likely: false }
  })
  const claimed = new Set(guesses.flatMap(({ reading, likely }) => (likely ? [] : [claim(reading)])))
  const columns = guesses.map(({ reading, likely }, index): MappedColumn => {
    const column = header[index] as string
    if (!likely) return { column, ...reading }
    const again = repeats && header.indexOf(column) < index
    const free = again || !claimed.has(claim(reading))
    claimed.add(claim(reading))
    return { column, ...(free ? reading : plain(column)) }
  })
  return { columns, unmet }
}

/** A constant overrides a column with the name of the field. */
function settled(guess: Guess, constants: ReadonlyMap<string, string>): Guess {
  const { reading } = guess
  return 'field' in reading && constants.has(reading.field) ? { reading: { ignored: true }, likely: false } : guess
}

/** Columns by folded name. The first of equal names wins. */
export function foldedColumns(columns: ReadonlyMap<string, unknown>): Map<string, string> {
  const byFold = new Map<string, string>()
  for (const column of columns.keys()) {
    const folded = fold(column)
    if (folded !== '' && !byFold.has(folded)) byFold.set(folded, column)
  }
  return byFold
}

function unnameable(columns: readonly MappedColumn[]): Issue[] {
  return columns.flatMap((mapped) => {
    const problem = 'attribute' in mapped ? attributeNameProblem(mapped.attribute) : undefined
    const remedy = 'Map the column to {"attribute": "a shorter name"}, or to null to leave it out.'
    return problem ? [{ path: pointer(mapped.column), code: 'invalid_value', message: `${problem} ${remedy}` }] : []
  })
}

function overruled(columns: readonly MappedColumn[], { constants }: Given): Issue[] {
  return columns.flatMap((mapped) => {
    if (!('field' in mapped && constants.has(mapped.field))) return []
    const both = `The column "${shown(mapped.column)}" and a constant both give the field ${mapped.field}.`
    return [{ path: pointer(mapped.column), code: 'duplicate', message: `${both} Leave one of them out.` }]
  })
}

/** Marks repeated columns, because the exports of some products repeat columns. */
function repeat(columns: MappedColumn[]): void {
  const seen = new Set<string>()
  for (const column of columns) {
    if ('attribute' in column && seen.has(column.column)) column.repeated = true
    seen.add(column.column)
  }
}

/** Two columns of a header must not give the same field or attribute, except a field with `many`. */
function collisions(kind: Kind<unknown>, columns: readonly MappedColumn[]): Issue[] {
  const many = new Set(kind.fields.flatMap(({ name, many }) => (many ? [claim({ field: name })] : [])))
  const first = new Map<string, string>()
  const issues: Issue[] = []
  for (const { column, ...reading } of columns) {
    const what = claim(reading)
    if (what === undefined || many.has(what) || ('repeated' in reading && reading.repeated)) continue
    const add = (message: string) => issues.push({ path: pointer(column), code: 'duplicate', message })
    const before = first.get(what)
    const named = `"${shown(column)}"`
    if (before === undefined) first.set(what, column)
    else if (before === column) {
      add(`The file has the column ${named} twice. Rename one in the file, or map ${named} to null to leave both out.`)
    } else {
      const both = `The columns "${shown(before)}" and ${named} both give the ${what}.`
      add(`${both} Map one to something else, like {"attribute": "another name"}, or to null to leave it out.`)
    }
  }
  return issues
}

function missing(
  kind: Kind<unknown>,
  columns: readonly MappedColumn[],
  said: Given,
  header: readonly string[],
): Issue[] {
  const given = new Set(columns.map((mapped) => ('field' in mapped ? mapped.field : undefined)))
  return kind.fields.flatMap(({ name, required }) => {
    if (!required || given.has(name) || said.constants.has(name)) return []
    const remedy = `Call a column "${name}", or say in "mapping" which one it is: {"<column>": "${name}"}.`
    return [
      {
        path: `/mapping/${name}`,
        code: 'required',
        message: `No column gives the ${name}. ${remedy} ${listed(header)}`,
      },
    ]
  })
}

const LISTED = 20

function listed(header: readonly string[]): string {
  const names = header.slice(0, LISTED).map((column) => `"${shown(column)}"`)
  return `The file has the columns ${names.join(', ')}${header.length > LISTED ? ' and others' : ''}.`
}
