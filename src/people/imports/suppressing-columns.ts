import { foldColumnName } from '../../workspace/imports/columns'
import type { SuppressionReason } from './mail-names'

export interface SuppressingColumn {
  reason: SuppressionReason
  /** The value may be a complaint. */
  readsComplaint?: true
  /** Reasons by value, in lowercase without signs. Other values stop no mail. */
  values?: Readonly<Record<string, SuppressionReason>>
}

const stopBy = (reason: SuppressionReason, ...columns: string[]): [string, SuppressingColumn][] =>
  columns.map((column) => [column, { reason }])

/**
 * Columns of known products that say that a person gets no mail: every value but an empty one and a no is a suppression.
 * A name that ends with `*` stands for all columns that begin with it.
 */
export const SUPPRESSING_COLUMNS: Readonly<Record<string, readonly (readonly [string, SuppressingColumn])[]>> = {
  mailchimp: [
    ...stopBy('unsubscribe', 'UNSUB_TIME', 'UNSUB_CAMPAIGN_TITLE', 'UNSUB_CAMPAIGN_ID', 'UNSUB_REASON_OTHER'),
    ['UNSUB_REASON', { reason: 'unsubscribe', readsComplaint: true }],
    ...stopBy('hard_bounce', 'CLEAN_TIME', 'CLEAN_CAMPAIGN_TITLE', 'CLEAN_CAMPAIGN_ID'),
  ],
  hubspot: [
    ...stopBy('unsubscribe', 'Unsubscribed from all email', 'hs_email_optout*', 'Opted out of email*'),
    ...stopBy('hard_bounce', 'Email hard bounce reason*', 'hs_email_hard_bounce_reason*', 'Email hard bounced'),
    ...stopBy('hard_bounce', 'Invalid email address', 'hs_email_bad_address'),
    ...stopBy('hard_bounce', 'Email Address Quarantined*', 'Email address quarantine reason*', 'hs_email_quarantined*'),
    ...stopBy('complaint', 'Marked email as spam', 'Reported as spam'),
    ...stopBy('manual', 'Is globally ineligible', 'hs_email_is_ineligible', 'Do not contact'),
    ['Marketing contact status', { reason: 'manual', values: { nonmarketingcontact: 'manual' } }],
    ['hs_marketable_status', { reason: 'manual', values: { false: 'manual', nonmarketingcontact: 'manual' } }],
  ],
  intercom: [
    ...stopBy('unsubscribe', 'Unsubscribed from Emails', 'Unsubscribed from all email', 'Has unsubscribed'),
    ...stopBy('complaint', 'Marked email as spam'),
    ...stopBy('hard_bounce', 'Has hard bounced', 'Hard bounced'),
  ],
}

let folded: Map<string, { whole: Map<string, SuppressingColumn>; starts: [string, SuppressingColumn][] }> | undefined

function foldColumns() {
  folded ??= new Map(
    Object.entries(SUPPRESSING_COLUMNS).map(([preset, columns]) => [
      preset,
      {
        whole: new Map(columns.map(([name, column]) => [foldColumnName(name.replace(/\*$/, '')), column])),
        starts: columns.flatMap(([name, column]): [string, SuppressingColumn][] =>
          name.endsWith('*') ? [[foldColumnName(name.slice(0, -1)), column]] : [],
        ),
      },
    ]),
  )
  return folded
}

export function findSuppressingColumn(preset: string, column: string): SuppressingColumn | undefined {
  const known = foldColumns().get(preset)
  const name = foldColumnName(column)
  if (!known || name === '') return undefined
  return known.whole.get(name) ?? known.starts.find(([start]) => name.startsWith(start))?.[1]
}
