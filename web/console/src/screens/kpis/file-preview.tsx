import { formatStored } from '../../texts/formats'
import { formatValue } from './formats'
import type { DryRun } from './requests'
import { texts } from './texts/texts'

/** The first values of a file, the counts, and the rows that the service leaves out. */
export const FilePreview = ({ checked, unit }: { checked: DryRun; unit: string | null }) => (
  <div class="stack">
    <p role="status">
      {texts.rowsFound(checked.valid, checked.total)}
      {checked.added < checked.valid && ` ${texts.storedAlready(checked.valid - checked.added)}`}
      {checked.replaced > 0 && ` ${texts.willReplace(checked.replaced)}`}
      {checked.replaced > checked.former.length && ` ${texts.noUndo}`}
    </p>
    {checked.rejectedCount > 0 && <Rejected checked={checked} />}
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard scrolls the region. */}
    <div class="scroll-x file-rows" role="region" aria-label={texts.firstRows} tabIndex={0}>
      <table class="table">
        <caption class="sm muted">{texts.firstRows}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.moment}</th>
            <th scope="col" class="n">
              {texts.value}
            </th>
          </tr>
        </thead>
        <tbody>
          {checked.records.map(({ value, createdAt }, n) => (
            <tr key={n}>
              <td>{formatStored(createdAt)}</td>
              <td class="n">{formatValue(value, unit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </div>
)

const Rejected = ({ checked: { rejected, rejectedCount } }: { checked: DryRun }) => (
  <section class="stack tight" aria-label={texts.leftOut(rejectedCount)}>
    <h3 class="h4">{texts.leftOut(rejectedCount)}</h3>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard scrolls the list. */}
    <ul class="sm file-rejected" tabIndex={0}>
      {rejected.map(({ row, reason }) => (
        <li key={row}>{texts.rejectedRow(row, reason)}</li>
      ))}
      {rejectedCount > rejected.length && <li>{texts.moreRejected(rejectedCount - rejected.length)}</li>}
    </ul>
  </section>
)
