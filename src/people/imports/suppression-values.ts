import { toOneLine } from '../../text/attributes'
import type { CellProblemReporter } from '../../workspace/imports/kind'
import { parseJsonCell } from '../../workspace/imports/row-values'
import { SUPPRESSION_REASONS } from '../suppressions/schema'
import { SUPPRESSED } from './mail-columns'
import { findSuppressionReason, isDateText, isNo, isYes, type SuppressionReason } from './mail-names'

/** A suppression of all mail, or of the mail of the segment with the name. */
export interface RowSuppression {
  reason: SuppressionReason
  segment: string | null
}

const MAX_SUPPRESSIONS_PER_PERSON = 1_000
const UNKNOWN_REASON = `The reason is unknown. Use one of ${SUPPRESSION_REASONS.join(', ')}, or "no".`
const UNKNOWN_SEGMENT = 'No segment has this name, so the suppression stops all mail to the person.'

/** The will of a person weighs more than an address that does not work. */
const REASONS_BY_WEIGHT: readonly SuppressionReason[] = ['complaint', 'unsubscribe', 'manual', 'hard_bounce']
const compareWeight = (a: SuppressionReason, b: SuppressionReason) =>
  REASONS_BY_WEIGHT.indexOf(a) - REASONS_BY_WEIGHT.indexOf(b)

/** Answers of mail servers, like "550 5.1.1 User unknown", and sentences. Single words in these are no reason. */
const FREE_TEXT_PATTERN = /^[245]\d\d\b|^.{61}|(?:\s+\S+){5}/s

/** `judged`: the reason by the name of the column or of the file, which counts if the text gives none. */
export function readReason(
  text: string,
  report: CellProblemReporter,
  judged?: SuppressionReason | undefined,
): SuppressionReason {
  const own = SUPPRESSION_REASONS.find((reason) => reason === text)
  if (own) return own
  if (judged && FREE_TEXT_PATTERN.test(text)) return judged
  const known = (isYes(text) || isDateText(text) ? undefined : findSuppressionReason(text)) ?? judged
  if (known === undefined && !isYes(text) && !isDateText(text))
    report({ field: SUPPRESSED, value: text, became: 'manual', reason: UNKNOWN_REASON })
  return known ?? 'manual'
}

export function reportSegmentLookup(name: string, report: CellProblemReporter): void {
  const lookup = { in: 'anySegments', key: name } as const
  report({ field: SUPPRESSED, value: name, became: 'all mail', reason: UNKNOWN_SEGMENT, lookup })
}

function readOne(one: unknown, report: CellProblemReporter): RowSuppression {
  const { reason, segment } = (one !== null && typeof one === 'object' ? one : { reason: one }) as Record<
    string,
    unknown
  >
  const name = typeof segment === 'string' ? toOneLine(segment) : ''
  if (name !== '') reportSegmentLookup(name, report)
  return { reason: readReason(typeof reason === 'string' ? reason : 'manual', report), segment: name || null }
}

/** A reason, a yes or a no, or the JSON list of an export. What nobody can read stops mail, because mail cannot be taken back. */
function readSuppressedCell(
  text: string,
  report: CellProblemReporter,
  judged: SuppressionReason | undefined,
): RowSuppression[] {
  if (isNo(text)) return []
  const json = /^[[{]/.test(text) ? parseJsonCell(text) : undefined
  if (json === undefined || typeof json !== 'object')
    return [{ reason: readReason(text, report, judged), segment: null }]
  const list = [json].flat().filter((one) => one !== null)
  if (list.length > MAX_SUPPRESSIONS_PER_PERSON) {
    const reason = `A row has at most ${MAX_SUPPRESSIONS_PER_PERSON} suppressions. The person gets no mail at all.`
    report({ field: SUPPRESSED, value: null, became: 'all mail', reason })
    return [{ reason: 'manual', segment: null }]
  }
  return list.map((one) => readOne(one, report))
}

/** The suppressions of a row: one of each segment, with the weightiest reason. */
export function readSuppressions(
  { suppressed, suppressions }: Readonly<Record<string, string>>,
  report: CellProblemReporter,
): RowSuppression[] {
  const judged = ((suppressions?.split(',') ?? []) as SuppressionReason[]).sort(compareWeight)
  const read = suppressed === undefined ? [] : readSuppressedCell(suppressed, report, judged[0])
  const all = [...read, ...judged.map((reason) => ({ reason, segment: null }))]
  const sorted = all.sort((a, b) => compareWeight(a.reason, b.reason))
  return [...new Map(sorted.reverse().map((one) => [one.segment, one])).values()]
}
