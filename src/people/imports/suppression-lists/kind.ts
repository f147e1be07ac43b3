import { normalizeEmail } from '../../../http/schemas'
import { toOneLine } from '../../../text/attributes'
import { parseIsoMoment } from '../../../text/moments'
import { type ImportKind, type ImportPreset, ImportRowRejection, ignoreColumns } from '../../../workspace/imports/kind'
import { createSuppressionJudge } from '../mail-columns'
import { isNo, type SuppressionReason } from '../mail-names'
import { peoplePresets } from '../presets'
import { findReasonOfFile } from '../refusal-files'
import { readReason, readSuppressions, reportSegmentLookup } from '../suppression-values'

export interface ImportedSuppressionRow {
  email: string
  reason: SuppressionReason
  /** Name of a segment; null for all mail. */
  segment: string | null
  createdAt: number | null
}

const groundworkPreset: ImportPreset = {
  name: 'groundwork',
  product: 'Groundwork',
  isOwnExport: true,
  identifyingColumns: ['email', 'segmentId', 'reason', 'createdAt'],
  columns: { createdAt: 'suppressedAt', ...ignoreColumns('id', 'segmentId') },
}

/** Of people, a list of suppressions takes the address and what stops the mail. */
const toListPreset = ({ name, product, identifyingColumns, columns }: ImportPreset): ImportPreset => ({
  ...{ name, product, identifyingColumns },
  columns: Object.fromEntries(Object.entries(columns).filter(([, target]) => target === 'email')),
})

export const suppressionImportKind: ImportKind<ImportedSuppressionRow> = {
  name: 'suppressions',
  noun: 'suppressed addresses',
  operation: 'POST /api/v2/suppressions/import',
  hasNoAttributes: true,
  isKnownByPreset: true,
  fields: [
    { name: 'email', aliases: ['email address', 'mail', 'address', 'recipient'], required: true },
    { name: 'reason', aliases: ['suppressed', 'suppression reason'] },
    { name: 'segment', aliases: ['segment name'] },
    {
      name: 'suppressedAt',
      aliases: [
        'created at',
        'created',
        'date',
        'timestamp',
        'last update time',
        'unsub time',
        'clean time',
        'unsubscribed at',
        'bounced at',
      ],
      format: 'date',
    },
  ],
  presets: [groundworkPreset, ...peoplePresets.filter(({ isOwnExport }) => !isOwnExport).map(toListPreset)],
  createJudge: createSuppressionJudge,
  judgeFile: findReasonOfFile,
  read(given, _attributes, report) {
    const { email = '', reason, segment, suppressedAt, suppressions, allowsMail } = given
    if (email === '')
      return new ImportRowRejection('email', 'Must not be empty. Give an address, like ada@example.com.')
    const address = normalizeEmail(email)
    if (address === undefined)
      return new ImportRowRejection('email', 'Must be an e-mail address, like ada@example.com.', email)
    if (reason !== undefined && isNo(reason))
      return new ImportRowRejection('reason', 'The row says that the person gets mail. Remove the row.', reason)
    if (reason === undefined && suppressions === undefined && allowsMail !== undefined) {
      const remedy = 'Remove the row, or remove the column if all people of the file get no mail.'
      return new ImportRowRejection(allowsMail, `The column says that the person gets mail. ${remedy}`)
    }
    const name = segment === undefined ? '' : toOneLine(segment)
    if (name !== '') reportSegmentLookup(name, report)
    const [judged] = readSuppressions({ ...(suppressions !== undefined && { suppressions }) }, report)
    return {
      email: address,
      reason: reason === undefined ? (judged?.reason ?? 'manual') : readReason(reason, report, judged?.reason),
      segment: name || null,
      createdAt: suppressedAt === undefined ? null : (parseIsoMoment(suppressedAt) ?? null),
    }
  },
}
