import { GroundworkError } from 'groundwork-client'
import { Icon } from '../../parts/icon'
import { RecordTable } from '../../parts/record-table'
import { formatAge, formatMoment } from '../../texts/formats'
import { texts as shared } from '../../texts/texts'
import type { Kind } from './kinds'
import { detailOfRecord, nameOfRecord } from './names'
import { keyOf, type Removed, removedAt } from './requests'
import { texts } from './texts/texts'

interface RemovedTableProps {
  kind: Kind
  records: readonly Removed[]
  may: boolean
  failureOf: (record: Removed) => unknown
  /** Absent for a role that may not know. */
  nameRemover: ((record: Removed) => string) | undefined
  onRestore: (record: Removed) => void
}

export const RemovedTable = ({ kind, records, may, failureOf, nameRemover, onRestore }: RemovedTableProps) => (
  <RecordTable
    records={records}
    keyOf={(record) => keyOf(kind, record)}
    columns={[
      {
        title: texts.name,
        show: (record) => <RecordName kind={kind} record={record} error={failureOf(record)} />,
      },
      {
        title: texts.removedAt,
        show: (record) => (
          <time dateTime={removedAt(kind, record)} title={formatMoment(removedAt(kind, record))}>
            {formatAge(removedAt(kind, record))}
          </time>
        ),
        isMuted: true,
      },
      ...(nameRemover ? [{ title: texts.removedBy, show: nameRemover, isMuted: true }] : []),
    ]}
    actions={
      may
        ? {
            title: texts.actions,
            show: (record) => (
              <button
                class="btn small"
                type="button"
                data-restore={keyOf(kind, record)}
                aria-label={texts.restoreOne(nameOfRecord(kind, record))}
                onClick={() => onRestore(record)}
              >
                <Icon name="undo" />
                {texts.restore}
              </button>
            ),
          }
        : undefined
    }
  />
)

interface RecordNameProps {
  kind: Kind
  record: Removed
  error: unknown
}

const RecordName = ({ kind, record, error }: RecordNameProps) => (
  <span class="wrap-text">
    {kind.key !== 'id' && <span class="key">{keyOf(kind, record)}</span>} {nameOfRecord(kind, record)}
    {kind.key === 'id' && detailOfRecord(kind, record) && (
      <span class="sm muted block">{detailOfRecord(kind, record)}</span>
    )}
    {error !== undefined && (
      <span class="error" role="alert">
        {texts.failed} {describe(error)}
      </span>
    )}
  </span>
)

function describe(error: unknown): string {
  if (!(error instanceof GroundworkError)) return shared.failure.unexpected
  if (error.status === 0) return shared.failure.unreachable
  return error.issues[0]?.message ?? error.message
}
