import { formatAge, formatMoment } from '../../texts/formats'
import { describeScope, type Segment, type Suppression } from './requests'
import { texts } from './texts/texts'

interface SuppressionTableProps {
  suppressions: readonly Suppression[]
  segments: readonly Segment[]
  /** Absent for people who may not remove. */
  onRemove: ((suppression: Suppression) => void) | undefined
}

export const SuppressionTable = ({ suppressions, segments, onRemove }: SuppressionTableProps) => (
  <div class="card">
    <table class="table stack-table">
      <thead>
        <tr>
          <th scope="col">{texts.address}</th>
          <th scope="col">{texts.stops}</th>
          <th scope="col">{texts.reason}</th>
          <th scope="col">{texts.since}</th>
          {onRemove && (
            <th scope="col">
              <span class="sr">{texts.actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {suppressions.map((suppression) => (
          <Row key={suppression.id} {...{ suppression, segments, onRemove }} />
        ))}
      </tbody>
    </table>
  </div>
)

interface RowProps extends Pick<SuppressionTableProps, 'segments' | 'onRemove'> {
  suppression: Suppression
}

const Row = ({ suppression, segments, onRemove }: RowProps) => {
  const { email, reason, createdAt } = suppression
  return (
    <tr>
      <th scope="row">
        <span class="wrap-text">{email}</span>
      </th>
      <td data-th={texts.stops}>{describeScope(suppression, segments)}</td>
      <td data-th={texts.reason}>
        <span>
          <span class="block">{texts.reasons[reason]}</span>
          <span class="sm muted block">{texts.sources[reason]}</span>
        </span>
      </td>
      <td data-th={texts.since} class="muted">
        <time dateTime={createdAt} title={formatMoment(createdAt)}>
          {formatAge(createdAt)}
        </time>
      </td>
      {onRemove && (
        <td class="end">
          <span class="row">
            <button
              class="btn small"
              type="button"
              aria-label={texts.remove(email)}
              onClick={() => onRemove(suppression)}
            >
              {texts.removeShort}
            </button>
          </span>
        </td>
      )}
    </tr>
  )
}
