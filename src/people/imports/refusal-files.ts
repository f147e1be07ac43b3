import { type ImportMapping, type JudgedCell, SUPPRESSION_FIELD } from '../../workspace/imports/kind'
import { SUPPRESSED, TAKEN_OVER } from './mail-columns'
import { findSuppressionReason, fold, type SuppressionReason } from './mail-names'

const REMEDY =
  'Send the mapping {"suppressed": "=unsubscribe"}, or import the file as suppressions: POST /api/v2/suppressions/import.'
const LIST_OF_REFUSALS = `The name of the file says that these people get no mail, and the import does not take this over: mail reaches them. ${REMEDY}`

const LIST_WORDS = new Set([
  ...['unsubscribed', 'unsubscribes', 'unsubscribers', 'cleaned', 'bounced', 'bounces', 'complaints', 'suppressed'],
  ...['suppressions', 'suppression', 'blocklist', 'blocklisted', 'blacklist', 'optout', 'optouts', 'optedout'],
  ...['nonsubscribed', 'spamreport', 'spamreports', 'spamcomplaint', 'spamcomplaints', 'invalidemails', 'invalidemail'],
  ...['abgemeldet', 'abgemeldete', 'abmeldungen', 'sperrliste', 'desabonnes', 'desinscrits', 'desuscritos', 'bajas'],
  ...['disiscritti', 'descadastrados', 'uitgeschreven', 'afgemeld', 'wypisani', 'avregistrerade', 'отписавшиеся'],
])

/** Products that name their files after the state of the people, with words that only such a file has. */
const WORDS_OF_PRESETS: ReadonlyMap<string, ReadonlySet<string>> = new Map([['mailchimp', new Set(['archived'])]])

const MAX_FILE_NAME_LENGTH = 200

/** From the most specific reason. */
const REASONS: readonly SuppressionReason[] = ['complaint', 'hard_bounce', 'unsubscribe', 'manual']

/** The most specific word of the name decides: `suppression_bounces.csv` has bounces. */
function findReasonOfName(fileName: string, preset: string | null): SuppressionReason | undefined {
  const ofPreset = preset === null ? undefined : WORDS_OF_PRESETS.get(preset)
  const words = fileName
    .slice(0, MAX_FILE_NAME_LENGTH)
    .replace(
      /opt[-_ ](?=out)|opted[-_ ](?=out)|non[-_ ](?=subscribed)|spam[-_ ](?=report|complaint)|invalid[-_ ](?=email)/gi,
      (start) => start.slice(0, -1),
    )
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => LIST_WORDS.has(fold(word)) || ofPreset?.has(fold(word)))
  const reasons = words.map((word) => findSuppressionReason(word) ?? 'unsubscribe')
  return REASONS.find((reason) => reasons.includes(reason))
}

/** The reason of all rows of a file with this name, like bounces.csv. */
export function findReasonOfFile(fileName: string, { preset }: Pick<ImportMapping, 'preset'>): JudgedCell | undefined {
  const suppression = findReasonOfName(fileName, preset)
  return suppression === undefined ? undefined : { refusesMail: false, suppression }
}

/** Judges each row of a list of people who get no mail, like unsubscribed_members_export_1a2b.csv. */
export function findRefusalList(fileName: string, mapping: ImportMapping): JudgedCell | undefined {
  const { preset, constants, columns } = mapping
  if (constants[SUPPRESSED] !== undefined || columns.some((column) => 'field' in column && column.field === SUPPRESSED))
    return undefined
  const suppression = findReasonOfName(fileName, preset)
  if (suppression === undefined) return undefined
  if (preset === null || !WORDS_OF_PRESETS.has(preset))
    return { problem: { field: SUPPRESSION_FIELD, value: null, reason: LIST_OF_REFUSALS }, refusesMail: true }
  const problem = { field: SUPPRESSION_FIELD, value: null, became: suppression, reason: TAKEN_OVER }
  return { problem, refusesMail: false, suppression }
}
