import type { Warning } from './mapping'
import type { ImportTexts } from './texts/en'

/** Fields of warnings about columns of mail, which nobody can map. */
const MAIL_FIELDS = ['suppression', 'consent']
const LOST_SUPPRESSION = 'suppression'

type MailWarning = Pick<Warning, 'field' | 'column' | 'value' | 'rows'>

export const isAboutMail = ({ field }: Pick<Warning, 'field'>): boolean => MAIL_FIELDS.includes(field ?? '')

/** A line for each column and value that an import does not take over, although mail reaches the people. */
export const listMailWarnings = (texts: ImportTexts, warnings: readonly MailWarning[]): string[] =>
  warnings
    .filter(({ field }) => field === LOST_SUPPRESSION)
    .map(({ column, value, rows }) =>
      column === null ? texts.mailWarnings.file(rows) : texts.mailWarnings.column(column, value, rows),
    )
