import { Icon } from '../../parts/icon'
import { BASE } from '../../state/place'
import { formatAge, formatMoment, formatNumber } from '../../texts/formats'
import type { ListedSegment } from './requests'
import { texts } from './texts/texts'

interface SegmentTableProps {
  segments: readonly ListedSegment[]
  onFocus: (key: string) => void
  /** Absent for people who may not remove. */
  onRemove: ((segment: ListedSegment) => void) | undefined
}

export const SegmentTable = ({ segments, onFocus, onRemove }: SegmentTableProps) => (
  <section class="card" aria-label={texts.title}>
    <header>
      <span class="sm muted" role="status">
        {texts.found(segments.length)}
      </span>
    </header>
    <table class="table stack-table">
      <thead>
        <tr>
          <th scope="col">{texts.name}</th>
          <th scope="col">{texts.chosenBy}</th>
          <th scope="col" class="n">
            {texts.people}
          </th>
          <th scope="col">{texts.created}</th>
          {onRemove && (
            <th scope="col">
              <span class="sr">{texts.actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {segments.map((segment) => (
          <Row key={segment.id} segment={segment} onFocus={onFocus} onRemove={onRemove} />
        ))}
      </tbody>
    </table>
  </section>
)

interface RowProps extends Omit<SegmentTableProps, 'segments'> {
  segment: ListedSegment
}

const Row = ({ segment, onFocus, onRemove }: RowProps) => (
  <tr onFocusIn={() => onFocus(String(segment.id))}>
    <th scope="row">
      <span class="grow">
        <a class="quiet b wrap-text" href={`${BASE}/segments/${segment.id}`} data-row={segment.id}>
          {segment.name}
        </a>
        {segment.description && <span class="sm muted block truncate about-segment">{segment.description}</span>}
      </span>
    </th>
    <td data-th={texts.chosenBy}>{texts.types[segment.type]}</td>
    <td data-th={texts.people} class="n">
      {formatNumber(segment.userCount)}
    </td>
    <td data-th={texts.created} class="muted">
      <time dateTime={segment.createdAt} title={formatMoment(segment.createdAt)}>
        {formatAge(segment.createdAt)}
      </time>
    </td>
    {onRemove && (
      <td class="end">
        <span class="row">
          <button
            class="btn ghost icon small danger"
            type="button"
            aria-label={texts.removeOf(segment.name)}
            onClick={() => onRemove(segment)}
          >
            <Icon name="remove" />
          </button>
        </span>
      </td>
    )}
  </tr>
)
