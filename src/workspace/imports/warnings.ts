import { abbreviate, type CellProblem, type MissingKind, type ValueLookup } from './kind'

/** Kinds of a run that keep their value. Further kinds are counted by field and column. */
const MAX_WARNING_KINDS = 2_000

const SEVERAL_TEXTS = '…'

const textEncoder = new TextEncoder()

interface ImportWarning {
  field: string
  column: string | null
  value: string | null
  became: string | null
  reason: string
  lookup?: ValueLookup | undefined
}

export interface CountedWarning extends Omit<ImportWarning, 'lookup'> {
  rows: number
}

/** The problems of a row's cells, with the columns of the cells. */
export class RowWarnings {
  readonly list: ImportWarning[] = []
  readonly #columnByField = new Map<string, string>()
  readonly #cellByFormattedText = new Map<string, string>()

  columnOf(field: string): string | undefined {
    return this.#columnByField.get(field)
  }

  setColumn(field: string, column: string): void {
    this.#columnByField.set(field, column)
  }

  /** `formatted`: the text of the cell after dates and numbers have one format. */
  setCell(field: string, column: string, cell: string, formatted: string): void {
    this.setColumn(field, column)
    if (cell !== formatted) this.#cellByFormattedText.set(formatted, cell)
  }

  add(problem: CellProblem, column = problem.column ?? this.#columnByField.get(problem.field)): void {
    const { field, value, reason, became, lookup } = problem
    const cell = value === null ? null : (this.#cellByFormattedText.get(value) ?? value)
    this.list.push({
      field,
      column: column === undefined ? null : abbreviate(column),
      value: cell === null ? null : abbreviate(cell),
      became: became === undefined ? null : abbreviate(became),
      reason,
      ...(lookup && { lookup }),
    })
  }
}

interface WarningKind {
  warning: ImportWarning
  number: number
  rows: number
  lastRow: number
}

/** Numbers the kinds of warnings in the order of the rows, so that a resumed run finds the same numbers. */
export class WarningCounter {
  readonly #kinds = new Map<string, WarningKind>()
  readonly #rowsOfSlice = new Map<WarningKind, number>()
  readonly #createMissing: ReadonlySet<string>

  constructor(createMissing: readonly MissingKind[]) {
    this.#createMissing = new Set(createMissing)
  }

  /** `isNew`: no earlier slice has counted the row. Returns the bytes that the slice grows by. */
  count(row: number, warnings: readonly ImportWarning[], isNew: boolean): number {
    let bytes = 0
    for (const given of warnings) {
      const warning = this.#isCreated(given) ? lookUpOtherwise(given) : given
      if (warning === undefined) continue
      const kind = this.#findKind(warning)
      if (!isNew || kind.lastRow === row) continue
      kind.lastRow = row
      kind.rows++
      const rows = this.#rowsOfSlice.get(kind)
      if (rows === undefined) bytes += textEncoder.encode(serializeKind(kind, 1)).length
      this.#rowsOfSlice.set(kind, (rows ?? 0) + 1)
    }
    return bytes
  }

  takeSlice(): string {
    const kinds = [...this.#rowsOfSlice].map(([kind, rows]) => serializeKind(kind, rows))
    this.#rowsOfSlice.clear()
    return `[${kinds.join()}]`
  }

  /** `[number, in, key]` of each lookup, as JSON. */
  listLookups(): string {
    const lookups = [...this.#kinds.values()].flatMap(({ number, warning: { lookup } }) =>
      lookup ? [[number, lookup.in, lookup.key]] : [],
    )
    return JSON.stringify(lookups)
  }

  list(limit: number, found: ReadonlySet<number>): CountedWarning[] {
    const counted = [...this.#kinds.values()].filter(({ rows, number }) => rows > 0 && !found.has(number))
    return counted
      .sort((a, b) => rankOfField(a.warning) - rankOfField(b.warning))
      .slice(0, limit)
      .map(({ warning: { lookup: _, ...warning }, rows }) => ({ ...warning, rows }))
  }

  #isCreated({ lookup }: ImportWarning): boolean {
    return lookup !== undefined && lookup.isCreatable !== false && this.#createMissing.has(lookup.in)
  }

  #findKind(warning: ImportWarning): WarningKind {
    const known = this.#kinds.get(identifyWarning(warning))
    if (known) return known
    if (this.#kinds.size < MAX_WARNING_KINDS) return this.#addKind(warning)
    // The lookup of one value says nothing about the others.
    const rest = {
      ...{ ...warning, lookup: undefined },
      field: warning.field.replace(/^attributes\..*/s, 'attributes'),
      value: warning.value && SEVERAL_TEXTS,
      became: warning.became && SEVERAL_TEXTS,
    }
    return this.#kinds.get(identifyWarning(rest)) ?? this.#addKind(rest)
  }

  #addKind(warning: ImportWarning): WarningKind {
    // The text is a copy, because a substring keeps the whole source text in memory.
    const identity = identifyWarning(warning)
    const copy: ImportWarning = JSON.parse(JSON.stringify(warning))
    const kind = { warning: copy, number: this.#kinds.size + 1, rows: 0, lastRow: 0 }
    this.#kinds.set(identity, kind)
    return kind
  }
}

/** Lost suppressions stand first, because they reach people. */
const rankOfField = ({ field }: ImportWarning): number => ['suppression', 'consent'].indexOf(field) >>> 0

const lookUpOtherwise = ({ lookup, ...warning }: ImportWarning): ImportWarning | undefined =>
  lookup?.otherwise && { ...warning, lookup: { in: lookup.otherwise, key: lookup.key } }

const identifyWarning = ({ field, column, value, became }: ImportWarning) =>
  JSON.stringify([field, column, value, became])

const serializeKind = (
  { number, warning: { field, column, value, became, reason, lookup } }: WarningKind,
  rows: number,
) => JSON.stringify([number, field, column, value, became, reason, rows, ...(lookup ? [lookup.in, lookup.key] : [])])
