import { foldColumnName } from '../../workspace/imports/columns'
import { type ImportMapping, type JudgedCell, SUPPRESSION_FIELD } from '../../workspace/imports/kind'
import type { SUPPRESSION_REASONS } from '../suppressions/schema'
import {
  CONSENT_WORDS,
  ENDED_WORDS,
  NO_WORDS,
  REASON_WORDS,
  REFUSAL_WORDS,
  STATUS_WORDS,
  YES_WORDS,
} from './mail-words'
import { findSuppressingColumn } from './suppressing-columns'

/** `refusal`: unsubscription, bounce or complaint. `status`: the value decides whether the column is about mail. */
type MailColumn = 'refusal' | 'consent' | 'status'

export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number]

export { SUPPRESSION_FIELD }

/** Field of the warnings about values that end no mail. */
const CONSENT_FIELD = 'consent'

/** Field of a row that names the suppressions of the person. */
export const SUPPRESSED = 'suppressed'

const REMEDY =
  'Map the column to "suppressed", or import the addresses of these people as suppressions: POST /api/v2/suppressions/import.'
const REMEDY_OF_CONSENT =
  'Import the addresses of these people as suppressions: POST /api/v2/suppressions/import. Or map the column with {"field": "suppressed", "values": {"<theirs>": "unsubscribe" or "no"}}.'
const REMEDY_OF_FILE =
  'Send the mapping {"suppressed": "=unsubscribe"}, or import the file as suppressions: POST /api/v2/suppressions/import.'
const NOT_TAKEN_OVER = 'The import does not take the column over, and mail reaches these people.'
const TAKEN_OVER = 'The row becomes a suppression with this reason: no mail goes to the address.'
const WITHOUT_EFFECT = 'The import does not take the column over. This value stops no mail.'
const LIST_OF_REFUSALS = `The name of the file says that these people get no mail, and the import does not take this over: mail reaches them. ${REMEDY_OF_FILE}`

// A longer text is no answer of a list.
const MAX_ANSWER_LENGTH = 60

const fold = (text: string) => foldColumnName(text).replace(/[^\p{L}\p{N}]+/gu, '')

interface FoldedWords {
  refusal: { parts: string[]; whole: Set<string> }
  consent: { parts: string[]; whole: Set<string> }
  status: Set<string>
  no: Set<string>
  yes: Set<string>
  ended: Set<string>
  reasons: (readonly [SuppressionReason, string[]])[]
}

let folded: FoldedWords | undefined

function foldWords(): FoldedWords {
  const all = (words: string) => words.split(' ').map(fold)
  const both = ({ parts, whole }: { parts: string; whole: string }) => ({
    parts: all(parts),
    whole: new Set(all(whole)),
  })
  folded ??= {
    ...{ refusal: both(REFUSAL_WORDS), consent: both(CONSENT_WORDS), status: new Set(all(STATUS_WORDS)) },
    ...{ no: new Set(all(NO_WORDS)), yes: new Set(all(YES_WORDS)), ended: new Set(all(ENDED_WORDS)) },
    reasons: Object.entries(REASON_WORDS).map(([reason, words]) => [reason as SuppressionReason, all(words)] as const),
  }
  return folded
}

const matches = (name: string, { parts, whole }: FoldedWords['refusal']) =>
  whole.has(name) || parts.some((part) => name.includes(part))

/** What a column says about mail. */
export function findMailColumn(column: string): MailColumn | undefined {
  const { refusal, consent, status } = foldWords()
  const name = fold(column)
  if (name === '') return undefined
  if (matches(name, refusal)) return 'refusal'
  if (matches(name, consent)) return DETAIL_OF_CONSENT.test(name) ? undefined : 'consent'
  return status.has(name) ? 'status' : undefined
}

/** Where and how a person consented says nothing about whether. */
const DETAIL_OF_CONSENT = /(?:ip|url|source|version|method|page|form)$/

/** Reason that a text names: a status, a column, a file or a sentence. */
export function findSuppressionReason(text: string): SuppressionReason | undefined {
  const { reasons, refusal, ended } = foldWords()
  const folded = fold(text.slice(0, MAX_ANSWER_LENGTH))
  if (folded === '') return undefined
  const named = reasons.find(([, parts]) => parts.some((part) => folded.includes(part)))?.[0]
  return named ?? (matches(folded, refusal) || ended.has(folded) ? 'unsubscribe' : undefined)
}

/** Whether a text answers a question with no, like `false` or `-`. */
export const isNo = (text: string): boolean => fold(text) === '' || foldWords().no.has(fold(text))
export const isYes = (text: string): boolean => foldWords().yes.has(fold(text))
export const isDateText = (text: string): boolean => isDate(text)

const readText = (value: unknown): string =>
  typeof value === 'object' || value === undefined ? '' : String(value).trim()

const isDate = (text: string) => /^\d{4}|^\d{1,2}[./-]\d{1,2}[./-]/.test(text)

function isRefusal(of: MailColumn, answer: string, text: string): boolean {
  const { refusal, no, yes, ended } = foldWords()
  if (of === 'refusal') return !no.has(answer)
  if (of === 'consent') return !yes.has(answer) && !isDate(text)
  return matches(answer, refusal) || ended.has(answer)
}

/** Answers are shown, and times and sentences are counted together. */
const showAnswer = (answer: string, text: string): string | null => {
  const { no, yes, ended, refusal } = foldWords()
  const isKnown = no.has(answer) || yes.has(answer) || ended.has(answer) || refusal.whole.has(answer)
  return isKnown || (text.length <= MAX_ANSWER_LENGTH && !/\d/.test(text) && !text.includes('@')) ? text : null
}

function judge(of: MailColumn, value: unknown): JudgedCell | undefined {
  const text = readText(value)
  if (text === '') return undefined
  const answer = fold(text)
  const refusesMail = isRefusal(of, answer, text)
  if (of === 'status' && !refusesMail) return undefined
  const lost = `${NOT_TAKEN_OVER} ${of === 'consent' ? REMEDY_OF_CONSENT : REMEDY}`
  const [field, reason] = refusesMail ? [SUPPRESSION_FIELD, lost] : [CONSENT_FIELD, WITHOUT_EFFECT]
  return { problem: { field, value: showAnswer(answer, text), reason }, refusesMail }
}

/** `undefined`: the value stops no mail. */
function findReasonOfCell(preset: string, column: string, of: MailColumn | undefined, value: unknown) {
  const text = readText(value)
  const answer = fold(text)
  if (answer === '') return undefined
  const known = findSuppressingColumn(preset, column)
  if (known?.values) return known.values[answer]
  if (known && foldWords().no.has(answer)) return undefined
  if (known) return known.readsComplaint && findSuppressionReason(text) === 'complaint' ? 'complaint' : known.reason
  // The values of a status decide, whatever its name is in the product.
  const isStatus = of === 'status' || (of === 'consent' && /status$/.test(fold(column)))
  return isStatus && isRefusal('status', answer, text) ? (findSuppressionReason(text) ?? 'unsubscribe') : undefined
}

/** Judges the cells of a file. The names of columns are read once. */
export function createMailJudge({
  preset,
}: Pick<ImportMapping, 'preset'>): (column: string, value: unknown, field?: string) => JudgedCell | undefined {
  const known = new Map<string, MailColumn | undefined>()
  return (column, value, field) => {
    if (field === SUPPRESSED) return undefined
    if (!known.has(column)) known.set(column, findMailColumn(column))
    const of = known.get(column)
    const suppression = preset === null ? undefined : findReasonOfCell(preset, column, of, value)
    if (suppression !== undefined) {
      const text = readText(value)
      const problem = { field: SUPPRESSION_FIELD, value: showAnswer(fold(text), text), became: suppression }
      return { problem: { ...problem, reason: TAKEN_OVER }, refusesMail: false, suppression }
    }
    // A value of a known column that stops no mail is as good as a subscription.
    if (preset !== null && findSuppressingColumn(preset, column)) return undefined
    return of && judge(of, value)
  }
}

/** Judges the cells of a list of suppressions, whose rows need no column that says so. */
export function createSuppressionJudge({
  preset,
}: Pick<ImportMapping, 'preset'>): (column: string, value: unknown, field?: string) => JudgedCell | undefined {
  const known = new Map<string, MailColumn | undefined>()
  return (column, value, field) => {
    if (field !== undefined && field !== 'suppressedAt') return undefined
    if (!known.has(column)) known.set(column, findMailColumn(column))
    const of = known.get(column)
    const text = readText(value)
    const reason = preset === null ? undefined : findReasonOfCell(preset, column, of, value)
    if (reason !== undefined) return { refusesMail: false, suppression: reason }
    if (of === undefined) return undefined
    const answer = fold(text)
    const { no, yes } = foldWords()
    if (of !== 'consent' && answer !== '' && isRefusal(of, answer, text))
      return {
        refusesMail: false,
        suppression: findSuppressionReason(text) ?? findSuppressionReason(column) ?? 'unsubscribe',
      }
    if (of === 'consent' && answer !== '' && isRefusal('status', answer, text))
      return { refusesMail: false, suppression: findSuppressionReason(text) ?? 'unsubscribe' }
    const allows = of === 'refusal' ? answer === '' || no.has(answer) : /status$/.test(fold(column)) && yes.has(answer)
    return allows ? { refusesMail: false, allowsMail: true } : undefined
  }
}

/** The reason of all rows of a file with this name, like bounces.csv. */
export function findReasonOfFile(fileName: string): JudgedCell | undefined {
  const word = findListWord(fileName)
  return word === undefined
    ? undefined
    : { refusesMail: false, suppression: findSuppressionReason(word) ?? 'unsubscribe' }
}

const LIST_WORDS = new Set([
  ...['unsubscribed', 'unsubscribes', 'unsubscribers', 'cleaned', 'bounced', 'bounces', 'complaints', 'suppressed'],
  ...['suppressions', 'suppression', 'blocklist', 'blocklisted', 'blacklist', 'optout', 'optouts', 'optedout'],
  ...['abgemeldet', 'abgemeldete', 'abmeldungen', 'sperrliste', 'desabonnes', 'desinscrits', 'desuscritos', 'bajas'],
  ...['disiscritti', 'descadastrados', 'uitgeschreven', 'afgemeld', 'wypisani', 'avregistrerade', 'отписавшиеся'],
])

const findListWord = (fileName: string): string | undefined =>
  fileName
    .slice(0, 200)
    .replace(/opt[-_ ](?=out)/gi, 'opt')
    .split(/[^\p{L}\p{M}]+/u)
    .find((word) => LIST_WORDS.has(fold(word)))

/** Products that name their files after the state of the people. */
const PRESETS_WITH_LISTS = new Set(['mailchimp'])

/** Judges each row of a list of people who get no mail, like unsubscribed_members_export_1a2b.csv. */
export function findRefusalList(fileName: string, mapping: ImportMapping): JudgedCell | undefined {
  const { preset, constants, columns } = mapping
  if (constants[SUPPRESSED] !== undefined || columns.some((column) => 'field' in column && column.field === SUPPRESSED))
    return undefined
  const word = findListWord(fileName)
  if (word === undefined) return undefined
  if (preset === null || !PRESETS_WITH_LISTS.has(preset))
    return { problem: { field: SUPPRESSION_FIELD, value: null, reason: LIST_OF_REFUSALS }, refusesMail: true }
  const suppression = findSuppressionReason(word) ?? 'unsubscribe'
  const problem = { field: SUPPRESSION_FIELD, value: null, became: suppression, reason: TAKEN_OVER }
  return { problem, refusesMail: false, suppression }
}
