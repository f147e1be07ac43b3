import { formatNumber } from '../../texts/formats'
import { texts } from '../../texts/texts'
import { describeBecame } from './became'
import { FieldName, nameOfField } from './field-name'
import type { ImportRun } from './requests'
import { importTexts } from './texts/texts'

export const RejectedRows = ({ rejected }: Pick<ImportRun, 'rejected'>) => (
  <div class="scroll-x">
    <table class="table stack-table">
      <thead>
        <tr>
          <th scope="col" class="n">
            {texts.imports.row}
          </th>
          <th scope="col">{texts.imports.field}</th>
          <th scope="col">{texts.imports.value}</th>
          <th scope="col">{texts.imports.reason}</th>
        </tr>
      </thead>
      <tbody>
        {rejected.map(({ row, field, value, reason }) => (
          <tr key={row}>
            <th scope="row" class="n">
              {formatNumber(row)}
            </th>
            <td data-th={texts.imports.field}>{field !== null && <FieldName name={field} />}</td>
            <td data-th={texts.imports.value}>{value !== null && <code class="truncate">{value}</code>}</td>
            <td data-th={texts.imports.reason} class="sm muted">
              {reason}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

export const WarnedValues = ({ warnings }: Pick<ImportRun, 'warnings'>) => (
  <div class="scroll-x">
    <table class="table stack-table">
      <thead>
        <tr>
          <th scope="col">{texts.imports.value}</th>
          <th scope="col" class="n">
            {texts.imports.rowsOfValue}
          </th>
          <th scope="col">{importTexts.happened}</th>
          <th scope="col">{texts.imports.reason}</th>
        </tr>
      </thead>
      <tbody>
        {warnings.map((warning) => (
          <tr key={`${warning.column} ${warning.field} ${warning.value}`}>
            <th scope="row">
              <span class="sm muted block">{warning.column ?? nameOfField(warning.field ?? '')}</span>
              <span class="b">{warning.value}</span>
            </th>
            <td data-th={texts.imports.rowsOfValue} class="n">
              {formatNumber(warning.rows)}
            </td>
            <td data-th={importTexts.happened}>{describeBecame(warning)}</td>
            <td data-th={texts.imports.reason} class="sm muted">
              {warning.reason}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
