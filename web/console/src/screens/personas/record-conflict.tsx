import type { Conflict } from '../../api/change'
import { ConflictBanner } from '../../parts/conflict-banner'

interface RecordConflictProps<R> {
  /** Absent for a record of all products. */
  product?: string | undefined
  conflict: Conflict<R>
  show: (field: keyof R, value: R[keyof R]) => string
  name: (field: keyof R) => string
}

interface ChangedRecord {
  externalKey: string
  updatedAt: string
}

export function RecordConflict<R extends ChangedRecord>({ product, ...props }: RecordConflictProps<R>) {
  const { externalKey: key, updatedAt: mark } = props.conflict.theirs
  return <ConflictBanner {...props} record={{ product, key, mark }} />
}
