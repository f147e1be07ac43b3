import { type ImportMapping, type JudgedCell, SUPPRESSION_FIELD } from '../../workspace/imports/kind'
import {
  findMailColumn,
  findSuppressionReason,
  fold,
  isDateText,
  isKnownAnswer,
  isNo,
  isRefusal,
  isYes,
  MAX_ANSWER_LENGTH,
  type MailColumn,
  type SuppressionReason,
} from './mail-names'
import { findSuppressingColumn } from './suppressing-columns'

export { SUPPRESSION_FIELD }

/** Field of the warnings about values that end no mail. */
const CONSENT_FIELD = 'consent'

/** Field of a row that names the suppressions of the person. */
export const SUPPRESSED = 'suppressed'

const REMEDY =
  'Map the column to "suppressed", or import the addresses of these people as suppressions: POST /api/v2/suppressions/import.'
const REMEDY_OF_VALUES =
  'Import the addresses of these people as suppressions: POST /api/v2/suppressions/import. Or map the column with {"field": "suppressed", "values": {"<theirs>": "unsubscribe" or "no"}}.'
const NOT_TAKEN_OVER = 'The import does not take the column over, and mail reaches these people.'
export const TAKEN_OVER = 'The row becomes a suppression with this reason: no mail goes to the address.'
const WITHOUT_EFFECT = 'The import does not take the column over. This value stops no mail.'

// A file of JSON may have any number of keys.
const MAX_REMEMBERED_COLUMNS = 1_000

type CellJudge = (column: string, value: unknown, field?: string) => JudgedCell | undefined

function createColumnFinder(): (column: string) => MailColumn | undefined {
  const known = new Map<string, MailColumn | undefined>()
  return (column) => {
    if (known.has(column)) return known.get(column)
    const of = findMailColumn(column)
    if (known.size < MAX_REMEMBERED_COLUMNS) known.set(column, of)
    return of
  }
}

const readText = (value: unknown): string =>
  typeof value === 'object' || value === undefined ? '' : String(value).trim()

/** Answers are shown, and times and sentences are counted together. */
const showAnswer = (text: string): string | null =>
  isKnownAnswer(fold(text)) || (text.length <= MAX_ANSWER_LENGTH && !/\d/.test(text) && !text.includes('@'))
    ? text
    : null

function judge(of: MailColumn | undefined, text: string): JudgedCell | undefined {
  if (text === '') return undefined
  const refusesMail = isRefusal(of, text)
  const isAlwaysAboutMail = of === 'refusal' || of === 'consent'
  if (!isAlwaysAboutMail && !refusesMail) return undefined
  const lost = `${NOT_TAKEN_OVER} ${of === 'refusal' ? REMEDY : REMEDY_OF_VALUES}`
  const [field, reason] = refusesMail ? [SUPPRESSION_FIELD, lost] : [CONSENT_FIELD, WITHOUT_EFFECT]
  return { problem: { field, value: showAnswer(text), reason }, refusesMail }
}

/** `undefined`: the value stops no mail. */
function findReasonOfCell(
  preset: string,
  column: string,
  of: MailColumn | undefined,
  text: string,
): SuppressionReason | undefined {
  const answer = fold(text)
  if (answer === '') return undefined
  const known = findSuppressingColumn(preset, column)
  if (known?.values) return known.values[answer]
  if (known && isNo(text)) return undefined
  if (known) return known.readsComplaint && findSuppressionReason(text) === 'complaint' ? 'complaint' : known.reason
  // The values of a status decide, whatever its name is in the product.
  const isStatusOfMail = of === 'status' || (of === 'consent' && /status$/.test(fold(column)))
  const isStatus = isStatusOfMail || of === 'otherStatus'
  return isStatus && isRefusal(isStatusOfMail ? 'status' : of, text)
    ? (findSuppressionReason(text) ?? 'unsubscribe')
    : undefined
}

/** The name of a mapped column gives the reason if its value, like a yes or a time, gives none. */
function findReasonOfName(preset: string | null, column: string, text: string): JudgedCell | undefined {
  if (isNo(text) || /^[[{]/.test(text)) return undefined
  if (!isYes(text) && !isDateText(text) && findSuppressionReason(text) !== undefined) return undefined
  const known = preset === null ? undefined : findSuppressingColumn(preset, column)?.reason
  const suppression = known ?? findSuppressionReason(column)
  // Values that nobody knows are manual anyway, with a warning.
  return suppression === undefined || suppression === 'manual' ? undefined : { refusesMail: false, suppression }
}

/** Judges the cells of a file. The names of columns are read once. */
export function createMailJudge({ preset }: Pick<ImportMapping, 'preset'>): CellJudge {
  const findColumn = createColumnFinder()
  return (column, value, field) => {
    const text = readText(value)
    if (field === SUPPRESSED) return findReasonOfName(preset, column, text)
    const of = findColumn(column)
    const suppression = preset === null ? undefined : findReasonOfCell(preset, column, of, text)
    if (suppression !== undefined) {
      const problem = { field: SUPPRESSION_FIELD, value: showAnswer(text), became: suppression }
      return { problem: { ...problem, reason: TAKEN_OVER }, refusesMail: false, suppression }
    }
    // A value of a known column that stops no mail is as good as a subscription.
    if (preset !== null && findSuppressingColumn(preset, column)) return undefined
    // A person may be called Bounced.
    return of === undefined && field !== undefined ? undefined : judge(of, text)
  }
}

/** Judges the cells of a list of suppressions, whose rows need no column that says so. */
export function createSuppressionJudge({ preset }: Pick<ImportMapping, 'preset'>): CellJudge {
  const findColumn = createColumnFinder()
  return (column, value, field) => {
    const text = readText(value)
    if (field === 'reason') return findReasonOfName(preset, column, text)
    if (field !== undefined && field !== 'suppressedAt') return undefined
    const of = findColumn(column)
    const reason = preset === null ? undefined : findReasonOfCell(preset, column, of, text)
    if (reason !== undefined) return { refusesMail: false, suppression: reason }
    if (text === '') return of === 'refusal' ? { refusesMail: false, allowsMail: true } : undefined
    // A consent that is not given says nothing new about a list of suppressions: only a status counts.
    if (isRefusal(of === 'consent' ? 'status' : of, text)) {
      const named = findSuppressionReason(text) ?? (of === 'consent' ? undefined : findSuppressionReason(column))
      return { refusesMail: false, suppression: named ?? 'unsubscribe' }
    }
    const isStatus = of === 'status' || of === 'consent'
    const allows = of === 'refusal' ? isNo(text) : isStatus && /status$/.test(fold(column)) && isYes(text)
    return allows ? { refusesMail: false, allowsMail: true } : undefined
  }
}
