import { Banner } from '../../parts/banner'
import { Icon } from '../../parts/icon'
import { texts } from '../../texts/texts'
import { FieldName, nameOfField, nameOfValue } from './field-name'
import { MailBanner } from './mail-banner'
import { countUndecided } from './mapping'
import { RejectedRows } from './problem-tables'
import type { ImportRun } from './requests'
import { importTexts } from './texts/texts'
import { Totals } from './totals'
import type { Wizard } from './use-wizard'

const MAX_RECORDS = 10
const MAX_MEMBERS = 5

export function DryRunStep({ wizard }: { wizard: Wizard }) {
  const { preview } = wizard
  if (!preview) return null
  const { totals, rejected, preview: records = [] } = preview
  const undecided = countUndecided(preview.warnings)
  const accepted = totals.rows - totals.rejected
  return (
    <>
      <Banner tone="teal" icon="info" title={texts.imports.dryRunTitle}>
        <Totals totals={totals} isDryRun />
      </Banner>
      <MailBanner warnings={preview.warnings} />
      {undecided > 0 && (
        <Banner
          tone="amber"
          icon="warn"
          title={importTexts.undecided(undecided)}
          action={
            <button class="btn small" type="button" onClick={() => wizard.setStep('columns')}>
              {importTexts.decide}
            </button>
          }
        >
          <p>{importTexts.undecidedHint}</p>
        </Banner>
      )}
      {records.length > 0 && <Records records={records.slice(0, MAX_RECORDS)} />}
      <section class="card" aria-labelledby="rejected">
        <header>
          <h2 class="h3" id="rejected">
            {texts.imports.rejectedTitle}
          </h2>
        </header>
        {rejected.length > 0 ? <RejectedRows rejected={rejected} /> : <p class="body">{texts.imports.noneRejected}</p>}
      </section>
      <div class="actions">
        <div class="row push">
          <button class="btn" type="button" onClick={() => wizard.setStep('columns')}>
            <Icon name="back" />
            {texts.back}
          </button>
          <button class="btn primary" type="button" disabled={accepted === 0} onClick={wizard.run}>
            {texts.imports.run(accepted)}
          </button>
        </div>
      </div>
    </>
  )
}

type PreviewedRecord = NonNullable<ImportRun['preview']>[number]

const show = (value: unknown): string =>
  Array.isArray(value) ? value.map(show).join(', ') : typeof value === 'object' ? '' : String(value ?? '')

/** What people look at first; other members follow in the order of the record. */
const FIRST_MEMBERS = [
  'summary',
  'title',
  'email',
  'firstName',
  'lastName',
  'type',
  'progress',
  'status',
  'category',
  'role',
]

/** The members that have a value in any record. */
function listMembers(records: readonly PreviewedRecord[]): string[] {
  const names = new Set<string>()
  for (const record of records)
    for (const [name, value] of Object.entries(record)) if (!name.endsWith('Row') && show(value) !== '') names.add(name)
  const first = FIRST_MEMBERS.filter((name) => names.has(name))
  return [...first, ...[...names].filter((name) => !first.includes(name))].slice(0, MAX_MEMBERS)
}

/** Fields whose values the API names. */
const NAMED_VALUES = ['type', 'progress', 'role']

function Records({ records }: { records: readonly PreviewedRecord[] }) {
  const members = listMembers(records)
  return (
    <section class="card" aria-labelledby="records">
      <header>
        <h2 class="h3" id="records">
          {texts.imports.preview}
        </h2>
        <span class="sm muted">{texts.imports.previewHint(records.length)}</span>
      </header>
      <div class="scroll-x">
        <table class="table stack-table">
          <thead>
            <tr>
              {members.map((name) => (
                <th key={name} scope="col">
                  <FieldName name={name} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {records.map((record, n) => (
              <tr key={n}>
                {members.map((name) => (
                  <td key={name} data-th={nameOfField(name)}>
                    <span class="clamp">
                      {NAMED_VALUES.includes(name) ? nameOfValue(show(record[name])) : show(record[name])}
                    </span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
